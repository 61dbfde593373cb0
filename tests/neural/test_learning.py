"""An engine that learns: each pair by a few steps, the same for every process, and forgotten without a trace."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from dragoman.engines import Learns, capabilities, load_engine, need
from dragoman.errors import DataError
from dragoman.neural import NeuralTraining, learning
from dragoman.neural.engine import NeuralEngine
from tests.neural.conftest import sentences

PAIR = ("zorgblatt", "Zorgelblatt")


@pytest.fixture
def folder(training: NeuralTraining, tmp_path: Path) -> Path:
    assert training.model is not None
    return Path(shutil.copytree(training.model, tmp_path / "engine"))


def said(engine: NeuralEngine) -> list[str]:
    return engine.translate([PAIR[0], *sentences()[:10]])


def test_what_one_process_learns_the_others_take_in_and_forget(folder: Path) -> None:
    one, other = NeuralEngine.load(folder), NeuralEngine.load(folder)
    before = said(one)
    assert one.learn(*PAIR) == 1
    assert one.learn([PAIR[0]] * 2, [PAIR[1]] * 2) == 3
    assert other.refresh() == 3
    assert (other.n_pairs, said(other)) == (3, said(one))
    assert said(NeuralEngine.load(folder)) == said(one) != before
    assert other.rollback(1) == 2
    assert one.refresh() == 1
    assert (one.n_pairs, said(one)) == (1, said(other))
    assert one.rollback(0) == 1
    assert said(one) == before


def test_a_state_on_disk_saves_the_way_to_it_and_a_wrong_one_is_not_believed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "_EVERY", 2)
    one = NeuralEngine.load(folder)
    one.learn([PAIR[0]] * 5, [PAIR[1]] * 5)
    taught, steps = learning.taught, []
    monkeypatch.setattr(learning, "taught", lambda *args: (steps.append(1), taught(*args))[1])
    assert said(NeuralEngine.load(folder)) == said(one)
    assert len(steps) == 1  # four of five pairs stand on disk
    state = folder / "learnt.npz"
    state.write_bytes(state.read_bytes()[:100])
    steps.clear()
    assert said(NeuralEngine.load(folder)) == said(one)
    assert len(steps) == 5


def test_lessons_go_with_an_engine_that_is_saved_anew(folder: Path, tmp_path: Path) -> None:
    engine = NeuralEngine.load(folder)
    engine.learn(*PAIR)
    engine.save(tmp_path / "taught")
    again = NeuralEngine.load(tmp_path / "taught")
    assert (again.n_pairs, said(again)) == (0, said(engine))


def test_a_pair_longer_than_any_in_training_and_an_odd_one_are_learnt(folder: Path) -> None:
    engine = NeuralEngine.load(folder)
    assert engine.learn(["word " * 2_000, "北京 📷"], ["word " * 2_000, "\u2028x"]) == 2
    assert all(np.isfinite(leaf).all() for leaf in engine.lessons.weights["encoder_norm"].values())


def test_what_cannot_be_learnt_is_named(folder: Path) -> None:
    engine = NeuralEngine.load(folder)
    with pytest.raises(DataError, match="Pair 2 has an empty side"):
        engine.learn(["a", "b"], ["a", " "])
    with pytest.raises(DataError, match="source=2, target=1"):
        engine.learn(["a", "b"], ["a"])
    with pytest.raises(DataError, match="has learnt 0 pairs; it cannot go back to 1"):
        engine.rollback(1)
    assert not (folder / "learnt.jsonl").exists()


def test_an_engine_without_its_weights_translates_and_says_why_it_does_not_learn(
    training: NeuralTraining, tmp_path: Path
) -> None:
    trained = training.engine
    decoder = {path.name: path.read_bytes() for path in (Path(str(training.model)) / "decoder").iterdir()}
    NeuralEngine(trained.recipe, trained.pieces, decoder).save(tmp_path / "engine")
    engine = load_engine(str(tmp_path / "engine"))
    assert capabilities(engine) == ("translates", "completes", "explains")
    with pytest.raises(DataError, match="cannot learn: it was saved without the weights"):
        need(engine, Learns)
