"""Engines on real text: not worse than Moses on the same text."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.files import read_lines
from dragoman.metrics import score
from dragoman.smt import EngineRecipe
from dragoman.smt.training import train_engine

pytestmark = [pytest.mark.realdata, pytest.mark.slow]


# Moses (fast_align, 5-gram, msd-bidirectional-fe, pop limit 1000) before tuning: BLEU of detokenised, cased output.
def test_an_untuned_engine_is_not_worse_than_moses(data_folder: Path, tmp_path: Path) -> None:
    data = data_folder / "multi30k"
    text = Bitext.from_files(data / "train.en.gz", data / "train.de.gz")
    done = train_engine(text, EngineRecipe(source_lang="en", target_lang="de"), work=tmp_path, n_threads=2)
    srcs, refs = (read_lines(data / f"test_2016_flickr.{lang}.gz") for lang in ("en", "de"))
    hyps = done.engine.translate(srcs, n_threads=2)
    assert score({"engine": hyps}, [refs], metrics=["bleu"]).score("engine", "bleu").value >= 34.09
