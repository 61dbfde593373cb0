"""Training for real: what a net learns, what a look keeps, what an interrupted run goes on with, what is refused."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, NotAvailable
from dragoman.neural import NeuralEngine, NeuralRecipe, NeuralTraining, train_neural
from dragoman.neural.batches import rectangle_lengths, rectangles
from dragoman.neural.network import END, PAD, START
from tests.neural.conftest import RECIPE, dev_of, sentences, text_of


def test_a_net_learns_to_copy(training: NeuralTraining) -> None:
    assert training.curve.best.bleu > 50
    assert training.curve.looks[-1].loss < training.curve.looks[0].loss
    loaded = NeuralEngine.load(str(training.model), verify=True)
    lines = sentences()[:20]
    assert loaded.translate(lines) == training.engine.translate(lines)
    assert sum(line == copy for line, copy in zip(lines, loaded.translate(lines), strict=True)) > 5


@pytest.mark.slow
def test_a_net_that_says_nothing_is_saved_with_a_warning(tmp_path: Path, training: NeuralTraining) -> None:
    assert training.degeneration.doubt == ""
    lines = sentences()
    for name, chosen in (("train", lines), ("dev", lines[:50])):
        (tmp_path / f"{name}.en").write_text("\n".join(chosen) + "\n")
    sizes = ["pieces", "width", "inner", "heads", "encoder_layers", "decoder_layers", "batch"]
    words = [f"--{name.replace('_', '-')}={getattr(RECIPE, name)}" for name in sizes]
    for side, name in (("src", "train"), ("tgt", "train"), ("dev-src", "dev"), ("dev-ref", "dev")):
        words.append(f"--{side}={tmp_path}/{name}.en")
    words += ["--lang-src=en", "--lang-tgt=en", "--epochs=1", f"--model={tmp_path}/engine", "--json", "--device=cpu"]
    done = CliRunner().invoke(group, ["neural", "train", *words])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)["meta"]
    assert re.search(r"beware: Of 50 translations of the development set \d+% ", done.stderr)
    assert told["doubt"] in done.stderr
    assert told["degeneration"]["n"] == 50


def test_an_interrupted_training_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    lines = sentences()
    whole = replace(RECIPE, epochs=4, every=1, averaged=2)
    given = {"dev": dev_of(lines[:20]), "seed": 3}
    straight = train_neural(text_of(lines), whole, work=tmp_path / "straight", **given)
    half = train_neural(text_of(lines), replace(whole, epochs=2), work=tmp_path / "broken", **given)
    assert [look.epoch for look in half.curve.looks] == [1, 2]
    rest = train_neural(text_of(lines), whole, work=tmp_path / "broken", **given)
    for one, other in zip(rest.curve.looks, straight.curve.looks, strict=True):
        assert (one.epoch, one.step) == (other.epoch, other.step)
        assert one.loss == pytest.approx(other.loss, rel=1e-3)


def test_work_of_another_training_is_not_gone_on_with(tmp_path: Path) -> None:
    lines = sentences()
    recipe = replace(RECIPE, epochs=1, every=1)
    train_neural(text_of(lines), recipe, dev=dev_of(lines[:5]), work=tmp_path)
    with pytest.raises(DataError, match="holds the work of another text, recipe or seed"):
        train_neural(text_of(lines[1:]), recipe, dev=dev_of(lines[:5]), work=tmp_path)
    with pytest.raises(DataError, match="holds the work of another text, recipe or seed"):
        train_neural(text_of(lines), replace(recipe, dropout=0.5), dev=dev_of(lines[:5]), work=tmp_path)


def test_what_cannot_be_trained_is_named(tmp_path: Path) -> None:
    lines = sentences()
    with pytest.raises(DataError, match=r"nothing to train on: .* 2 pairs, none with text on both sides"):
        train_neural(text_of(["", " "]), RECIPE, dev=dev_of(lines[:5]), work=tmp_path / "a")
    with pytest.raises(DataError, match="needs its source and a reference"):
        train_neural(text_of(lines), RECIPE, dev=TestSet(srcs=lines), work=tmp_path / "b")
    with pytest.raises(DataError, match="33 is no multiple of 4"):
        train_neural(text_of(lines), replace(RECIPE, width=33), dev=dev_of(lines[:5]), work=tmp_path / "c")
    long = text_of(["one two three four five six seven eight nine ten"] * 40)
    with pytest.raises(DataError, match="longer than 8 pieces"):
        train_neural(long, replace(RECIPE, pieces=290, max_length=8), dev=dev_of(lines[:5]), work=tmp_path / "d")
    with pytest.raises(NotAvailable, match="sees no cuda device"):
        train_neural(text_of(lines), RECIPE, dev=dev_of(lines[:5]), work=tmp_path / "e", device="cuda")


@pytest.mark.parametrize("package", ["jax", "ctranslate2"])
def test_a_missing_package_is_named_before_training(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)  # Python's word for a package that cannot be imported
    lines = sentences()
    told = rf'the package {package}\. Install it with: pip install "dragoman\[neural\]"'
    with pytest.raises(NotAvailable, match=told):
        train_neural(text_of(lines), RECIPE, dev=dev_of(lines[:5]), work=tmp_path / "work")
    assert not (tmp_path / "work").exists()


def test_numbers_follow_from_the_size_of_the_corpus() -> None:
    sizes = {n: NeuralRecipe().resolved(n) for n in (100, 30_000, 500_000, 5_000_000)}
    assert [each.size for each in sizes.values()] == ["tiny", "small", "medium", "large"]
    assert [each.width for each in sizes.values()] == [128, 256, 512, 512]
    chosen = NeuralRecipe(width=64, dropout=0.0, decoder_layers=1).resolved(30_000)
    assert (chosen.width, chosen.dropout, chosen.encoder_layers, chosen.decoder_layers) == (64, 0.0, 4, 1)


def test_every_pair_is_in_one_rectangle_unless_it_is_too_long() -> None:
    rng = np.random.default_rng(1)
    sides = [[list(rng.integers(3, 99, rng.integers(1, 40))) for _ in range(300)] for _ in range(2)]
    lengths = np.array([max(len(s), len(t)) + 1 for s, t in zip(*sides, strict=True)])
    shapes = rectangle_lengths(lengths)
    assert len(shapes) <= 3
    batches = list(rectangles(*sides, 256, [shapes[0], 32], np.random.default_rng(2)))
    rows = [
        (s[s != PAD].tolist(), t[t != PAD].tolist())
        for source, target in batches
        for s, t in zip(source, target, strict=True)
    ]
    wanted = [([*s, END], [START, *t, END]) for s, t in zip(*sides, strict=True) if max(len(s), len(t)) < 32]
    assert sorted(row for row in rows if row[0]) == sorted(wanted)
    assert len({source.shape for source, _ in batches}) <= 2
