"""The foreground: what was taught has features of its own, and leaves no trace when it is forgotten."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from dragoman.data.bitext import Bitext
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.foreground import FEATURE, MODEL
from dragoman.smt.recipe import Tuning, changed
from dragoman.smt.training import train_engine

PAIR = ("Where is the station?", "Wo steht die Haltestelle?")


@pytest.fixture(scope="module")
def trained(bitext: Bitext, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("foreground")
    recipe = EngineRecipe(source_lang="en", target_lang="de", tune=Tuning(method="none"))
    train_engine(bitext, changed(recipe, ["index.use=only"]), work=folder / "work", output=folder / "engine")
    return folder / "engine"


@pytest.fixture
def folder(trained: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(trained, tmp_path / "engine"))


def test_a_sentence_that_was_taught_is_said_again(folder: Path) -> None:
    engine = Engine.load(folder)
    before = engine.translate([PAIR[0]])
    assert before != [PAIR[1]]
    engine.learn(*PAIR)
    assert engine.translate([PAIR[0]]) == [PAIR[1]]  # though the text says otherwise
    assert Engine.load(folder).translate([PAIR[0]]) == [PAIR[1]]
    assert engine.with_pop_limit(500).translate([PAIR[0]]) == [PAIR[1]]


def test_features_and_weights_come_with_what_is_learnt_and_go_with_it(folder: Path) -> None:
    engine, other = Engine.load(folder), Engine.load(folder)
    names, weights, known = engine.feature_names, dict(engine.weights), engine.n_pairs
    engine.learn(*PAIR)
    assert set(engine.feature_names) - set(names) == {FEATURE, MODEL}
    assert engine.weights["lm"] == weights["lm"] / 2
    assert engine.trained_weights == weights
    assert other.refresh() == 1
    assert other.weights == engine.weights
    decoded = engine.decode(engine.source.prepare([PAIR[0]]), n_best=5, features=True)
    vector = np.array([engine.weights[name] for name in engine.feature_names])
    np.testing.assert_allclose(decoded.features @ vector, decoded.scores, rtol=1e-4, atol=1e-3)
    assert decoded.features[0][engine.feature_names.index(FEATURE)] == 5  # all its words and the mark
    narrow = engine.with_pop_limit(50)
    engine.rollback(known)
    for each in (engine, Engine.load(folder)):
        assert (each.feature_names, each.weights) == (names, weights)
    narrow.refresh()
    narrow.rollback(known)
    assert narrow.weights == weights


def test_weights_that_name_the_foreground_are_taken_as_they_are(folder: Path) -> None:
    engine = Engine.load(folder)
    engine.learn(*PAIR)
    asked = {**engine.weights, FEATURE: 0.0, MODEL: 0.0}
    assert engine.with_weights(asked).weights == asked


def test_a_saved_engine_has_the_weights_of_training(folder: Path, tmp_path: Path) -> None:
    engine = Engine.load(folder)
    engine.learn(*PAIR)
    engine.save(tmp_path / "saved")
    again = Engine.load(tmp_path / "saved")
    assert again.weights == engine.trained_weights
    assert again.n_pairs == engine.n_pairs
