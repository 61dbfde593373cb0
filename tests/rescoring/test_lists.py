"""Candidate lists: read, merged, put in order, written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.data.formats.nbest import NBestFormat
from dragoman.errors import DataError
from dragoman.rescoring import CandidateLists, add_features, merged_lists, read_lists

FILE = """\
0 ||| ein Haus ||| lm= -3 tm= -1 -2 ||| -6
0 ||| das Haus ||| lm= -2 tm= -2 -2 wt_a=b= 1 ||| -7
2 ||| gut ||| lm= -1 tm= -1 -1 ||| -3
"""


@pytest.fixture
def lists(tmp_path: Path) -> CandidateLists:
    path = tmp_path / "a.nbest"
    path.write_text(FILE, encoding="utf-8")
    return read_lists(path, ["a house", "", "good"])


def test_features_of_many_values_are_many_and_those_not_everywhere_are_sparse(lists: CandidateLists) -> None:
    assert lists.names == ("score", "lm", "tm.1", "tm.2")
    assert lists.features.tolist() == [[-6, -3, -1, -2], [-7, -2, -2, -2], [-3, -1, -1, -1]]
    assert lists.sparse_names == ("wt_a=b",)
    assert lists.sparse.toarray().tolist() == [[0], [1], [0]]
    assert lists.segments.tolist() == [0, 0, 2]
    assert lists.pairs == (["a house", "a house", "good"], ["ein Haus", "das Haus", "gut"])


def test_the_best_is_the_highest_and_of_equals_the_first(lists: CandidateLists) -> None:
    assert lists.best(lists.column("lm")) == ["das Haus", "", "gut"]
    assert lists.best(np.zeros(3)) == ["ein Haus", "", "gut"]


def test_written_lists_are_in_the_new_order_with_the_new_scores(lists: CandidateLists, tmp_path: Path) -> None:
    NBestFormat().write(lists.n_best(lists.column("lm")), tmp_path / "b.nbest")
    again = read_lists(tmp_path / "b.nbest", lists.sources)
    assert again.texts == ("das Haus", "ein Haus", "gut")
    assert again.column("score").tolist() == [-2, -3, -1]
    assert again.column("tm.2").tolist() == [-2, -2, -1]
    assert again.sparse.toarray().tolist() == [[1], [0], [0]]


def test_merged_lists_have_each_text_once_and_the_worst_for_what_is_missing() -> None:
    one = CandidateLists(("a",), ("x", "y"), np.array([0, 2]), ("score",), np.array([[-1.0], [-3.0]]))
    two = CandidateLists(("a",), ("y", "z"), np.array([0, 2]), ("score",), np.array([[-0.5], [-0.75]]))
    both = merged_lists({"p": one, "n": two})
    assert both.texts == ("x", "y", "z")
    assert both.names == ("p", "p.score", "n", "n.score")
    assert both.features.tolist() == [[1, -1, 0, -0.75], [1, -3, 1, -0.5], [0, -3, 1, -0.75]]
    other = CandidateLists(("b",), ("x",), np.array([0, 1]))
    with pytest.raises(DataError, match="The lists of 'n' are of other sources"):
        merged_lists({"p": one, "n": other})


def test_wrong_lists_are_named(tmp_path: Path, lists: CandidateLists) -> None:
    path = tmp_path / "a.nbest"
    with pytest.raises(DataError, match=r"a candidate of segment 2, counted from 0; there are 2 sources"):
        read_lists(path, ["a house", ""])
    (tmp_path / "none.nbest").write_text("")
    with pytest.raises(DataError, match=r"none\.nbest: there is no candidate"):
        read_lists(tmp_path / "none.nbest", ["a"])
    with pytest.raises(DataError, match="have no feature 'x'; they have: score, lm"):
        lists.column("x")


def test_a_feature_whose_name_is_taken_has_its_turn_behind_it(lists: CandidateLists) -> None:
    more = add_features(lists, ["length", "length:cut=13a"])
    assert more.names[-2:] == ("length", "length-2")
    assert more.column("length").tolist() == [2, 2, 1]


def test_a_model_that_is_not_named_is_asked_for(lists: CandidateLists) -> None:
    with pytest.raises(DataError, match="The rescoring feature 'lm' needs a model: lm:PATH"):
        add_features(lists, ["lm"])
