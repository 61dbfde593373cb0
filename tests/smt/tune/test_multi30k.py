"""Tuning on real text: not worse than Moses' MERT, and methods close to each other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.data.bitext import Bitext
from dragoman.files import read_lines
from dragoman.metrics import METRICS
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine
from dragoman.smt.tune import TUNERS, tune_engine

pytestmark = [pytest.mark.realdata, pytest.mark.slow]


@pytest.fixture(scope="module")
def engine(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Engine:
    data = data_folder / "multi30k"
    recipe = changed(EngineRecipe(), ["source_lang=en", "target_lang=de", "tune.method=none"])
    text = Bitext.from_files(data / "train.en.gz", data / "train.de.gz")
    return train_engine(text, recipe, work=tmp_path_factory.mktemp("work"), n_threads=2).engine


def lines(data_folder: Path, name: str) -> tuple[list[str], list[str]]:
    en, de = (read_lines(data_folder / "multi30k" / f"{name}.{lang}.gz") for lang in ("en", "de"))
    return en, de


# Moses on the same text, tuned by MERT: BLEU 34.65 of detokenised, cased output.
@pytest.mark.parametrize("method", ["mira", "pro"])
def test_a_tuned_engine_is_not_worse_than_moses(engine: Engine, data_folder: Path, method: str) -> None:
    srcs, refs = lines(data_folder, "val")
    tuned = tune_engine(engine, srcs, [refs], method=method, n_threads=2).best
    assert tuned.value > tuned.rounds[0].value
    test_srcs, test_refs = lines(data_folder, "test_2016_flickr")
    hyps = engine.with_weights(tuned.weights).translate(test_srcs, n_threads=2)
    assert METRICS.make("bleu").corpus_value(hyps, [test_refs]) >= 34.65


def test_hope_and_fear_are_steadier_than_local_and_cost(engine: Engine, data_folder: Path) -> None:
    """`mira`, acceptance 3: the spread of the last five epochs, on 200 segments."""
    srcs, refs = (part[:200] for part in lines(data_folder, "val"))
    spread = {}
    for oracle, prediction in (("hope", "fear"), ("local", "cost")):
        tuner = TUNERS.make(f"online-mira:epochs=7,oracle={oracle},prediction={prediction}")
        tuned = tune_engine(engine, srcs, [refs], method=tuner, pop_limit=50, n_threads=2).best
        spread[oracle] = float(np.std([each.value for each in tuned.rounds[-5:]]))
    assert spread["hope"] < spread["local"]
