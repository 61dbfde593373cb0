"""The n-gram model of tuples, beside its definition; and its commands."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.smt.tuple_model import TupleModel, TupleRecipe, tuple_token
from dragoman.smt.unfolding import Tuple
from tests.lm import naive

SOURCES = ["la casa verde", "la casa", "una casa verde", "verde", "la mesa verde", "una mesa"]
TARGETS = ["the green house", "the house", "a green house", "green", "the green table", "a table"]


@pytest.fixture(scope="module")
def model() -> TupleModel:
    return TupleRecipe(order=2, method="ibm1:rounds=20").train(SOURCES, TARGETS)


def test_the_source_follows_the_target(model: TupleModel) -> None:
    [units] = model.units(["la casa verde"], ["the green house"])
    assert [(each.source, each.target) for each in units] == [
        (("la",), ("the",)),
        (("verde",), ("green",)),
        (("casa",), ("house",)),
    ]


def test_a_pair_is_the_product_over_its_tuples(model: TupleModel) -> None:
    lines = [" ".join(map(tuple_token, units)) for units in model.units(SOURCES, TARGETS)]
    table = naive.estimate(lines, 2, (0.5, 1.0, 1.5))
    for line, score in zip(lines, model.score(SOURCES, TARGETS), strict=True):
        words = ["<s>", *line.split(), "</s>"]
        logs = []
        for past, word in pairwise(words):
            found = table.get((past, word))
            p = found[0] if found else table[(past,)][1] * table[(word,)][0]
            logs.append(math.log10(p))
        assert score == pytest.approx(sum(logs), abs=1e-5)


def test_what_was_seen_is_likelier_than_what_was_not(model: TupleModel) -> None:
    good, wrong = model.score(["la casa verde"] * 2, ["the green house", "a table green"])
    assert good > wrong


def test_a_tuple_is_one_token_whatever_its_words_are() -> None:
    assert tuple_token(Tuple(("a", "b"), ())) == "a▁b‖"
    assert tuple_token(Tuple(("x▁y",), ("p‖q",))) == "x_y‖p|q"


def test_what_was_saved_scores_the_same(model: TupleModel, tmp_path: Path) -> None:
    again = TupleModel.load(model.save(tmp_path / "tuples"))
    np.testing.assert_array_equal(again.score(SOURCES, TARGETS), model.score(SOURCES, TARGETS))
    assert (again.recipe, again.data) == (model.recipe, model.data)


def test_text_without_words_is_named(tmp_path: Path, model: TupleModel) -> None:
    with pytest.raises(DataError, match="There is no pair with words on both sides"):
        TupleRecipe().train(["", "a"], ["b", " "])
    with pytest.raises(DataError, match="srcs=2"):
        TupleRecipe().train(["a", "b"], ["c"])
    for name, lines in (("src", "la\n\n"), ("tgt", "the\nx\n")):
        (tmp_path / name).write_text(lines)
    given = ["smt", "tuples", "extract", *(str(tmp_path / name) for name in ("src", "tgt"))]
    done = CliRunner().invoke(group, [*given, "-m", str(model.save(tmp_path / "model"))])
    assert "Pair 2 has no words on one side" in str(done.exception)


def test_the_commands(tmp_path: Path) -> None:
    for name, lines in (("src", SOURCES), ("tgt", TARGETS)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    files = [str(tmp_path / name) for name in ("src", "tgt")]
    train = ["smt", "tuples", "train", *files, "-m", str(tmp_path / "m"), "--order", "2", "--json"]
    made = CliRunner().invoke(group, train)
    assert made.exit_code == 0, made.output
    done = CliRunner().invoke(group, ["smt", "tuples", "extract", *files, "-m", str(tmp_path / "m"), "--json"])
    rows = json.loads(done.stdout)["rows"]
    assert [row["target"] for row in rows if row["pair"] == 1] == ["the", "green", "house"]
    assert len(json.loads(done.stdout)["meta"]["log_p"]) == len(SOURCES)
