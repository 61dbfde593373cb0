"""Engines on real text: not worse than Moses on the same text."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data.assemble import assemble
from dragoman.data.bitext import Bitext
from dragoman.files import read_lines
from dragoman.metrics import score
from dragoman.smt import EngineRecipe
from dragoman.smt.training import train_engine
from dragoman.smt.tune import tune_engine

pytestmark = [pytest.mark.realdata, pytest.mark.slow]


# Moses (fast_align, 5-gram, msd-bidirectional-fe, pop limit 1000): BLEU of detokenised, cased output.
def engine(data: Path, work: Path, pair: str, *, tuned: bool) -> float:
    source, target = pair.split("-")
    text = Bitext.from_files(data / f"train.{source}.gz", data / f"train.{target}.gz")
    recipe = EngineRecipe(source_lang=source, target_lang=target)
    done = train_engine(text, recipe, work=work, n_threads=2).engine
    if tuned:
        dev = assemble(srcs=data / f"val.{source}.gz", refs=[data / f"val.{target}.gz"])
        done = done.with_weights(tune_engine(done, dev, recipe.tune, n_threads=2).best.weights)
    srcs, refs = (read_lines(data / f"test_2016_flickr.{lang}.gz") for lang in (source, target))
    hyps = done.translate(srcs, n_threads=2)
    return score({"engine": hyps}, [refs], metrics=["bleu"]).score("engine", "bleu").value


# The margins, half a point and one, were set when the engine was known to keep them; the bar is Moses itself.
def test_an_untuned_engine_is_better_than_moses(data_folder: Path, tmp_path: Path) -> None:
    assert engine(data_folder / "multi30k", tmp_path, "en-de", tuned=False) >= 34.09 + 0.5


@pytest.mark.parametrize(("pair", "moses"), [("en-de", 34.65), ("de-en", 39.89)])
def test_a_tuned_engine_is_a_point_better_than_moses(
    data_folder: Path, tmp_path: Path, pair: str, moses: float
) -> None:
    assert engine(data_folder / "multi30k", tmp_path, pair, tuned=True) >= moses + 1
