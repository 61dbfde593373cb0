"""Tuples: the worked sentence of LIMSI at WMT 2012, and what holds of every pair."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.smt.unfolding import Tuple, unfold

SOURCE = ["à", "recevoir", "le", "prix", "nobel", "de", "la", "paix"]
TARGET = ["to", "receive", "the", "nobel", "peace", "prize"]
LINKS = [(0, 0), (1, 1), (2, 2), (3, 5), (4, 3), (4, 4), (5, 4), (6, 4), (7, 4)]


def test_the_worked_sentence_gives_u8_to_u12() -> None:
    assert [(" ".join(each.source), " ".join(each.target)) for each in unfold(SOURCE, TARGET, LINKS)] == [
        ("à", "to"),
        ("recevoir", "receive"),
        ("le", "the"),
        ("nobel de la paix", "nobel peace"),
        ("prix", "prize"),
    ]


def test_words_without_links() -> None:
    units = unfold(["a", "b", "c"], ["x", "y", "z"], [(0, 0), (2, 2)])
    assert units == [Tuple(("a",), ("x", "y"), (0,)), Tuple(("b",), (), (1,)), Tuple(("c",), ("z",), (2,))]
    fitting = unfold(["a", "c"], ["x", "y", "z"], [(0, 0), (1, 2)], fit=lambda _, source: float("c" in source))
    assert [each.target for each in fitting] == [("x",), ("y", "z")]
    assert unfold(["a"], ["x"], []) == [Tuple(("a",), ("x",), (0,))]
    assert unfold([], [], []) == []
    with pytest.raises(DataError, match="The link 3-0 is not of a pair of 1 and 1 words"):
        unfold(["a"], ["x"], [(3, 0)])


@given(st.data())
def test_units_read_the_source_once_and_say_the_target_in_order(data: st.DataObject) -> None:
    n, m = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 7))
    links = data.draw(st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, m - 1)), max_size=9))
    source, target = [f"s{i}" for i in range(n)], [f"t{j}" for j in range(m)]
    units = unfold(source, target, links)
    assert sorted(place for unit in units for place in unit.places) == list(range(n))
    assert [word for unit in units for word in unit.target] == target
    for s, t in links:
        assert sum(s in unit.places and f"t{t}" in unit.target for unit in units) == 1
    assert all(unit.source == tuple(source[i] for i in sorted(unit.places)) for unit in units)
