"""Cutting sentence pairs into bilingual tuples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.align.tuples import unfold
from dragoman.errors import DataError

SOURCE = "à recevoir le prix nobel de la paix".split()  # noqa: SIM905 - a sentence
TARGET = "to receive the nobel peace prize".split()  # noqa: SIM905
LINKS = [(0, 0), (1, 1), (2, 2), (3, 5), (4, 3), (4, 4), (5, 4), (6, 4), (7, 4)]


def test_limsi_2012_worked_example_u8_to_u12() -> None:
    units = [
        (" ".join(SOURCE[i] for i in unit.source), " ".join(TARGET[i] for i in unit.target))
        for unit in unfold(len(SOURCE), len(TARGET), LINKS)
    ]
    assert units == [
        ("à", "to"),
        ("recevoir", "receive"),
        ("le", "the"),
        ("nobel de la paix", "nobel peace"),
        ("prix", "prize"),
    ]


@pytest.mark.parametrize(
    ("sizes", "links", "expected"),
    [
        ((2, 2), [(0, 0), (1, 1)], [((0,), (0,)), ((1,), (1,))]),
        ((2, 2), [(0, 1), (1, 0)], [((1,), (0,)), ((0,), (1,))]),
        ((2, 3), [(0, 0), (0, 2), (1, 1)], [((0, 1), (0, 1, 2))]),  # what stands inside a unit belongs to it
        ((3, 2), [(0, 0), (2, 1)], [((0,), (0,)), ((1,), ()), ((2,), (1,))]),  # no link: behind the word before
        ((2, 1), [(1, 0)], [((0,), ()), ((1,), (0,))]),
        ((1, 3), [(0, 1)], [((0,), (0, 1, 2))]),  # the first go with the unit behind, others with that before
        ((1, 4), [(0, 2)], [((0,), (0, 1, 2, 3))]),
        ((2, 2), [], [((0, 1), (0, 1))]),
        ((0, 1), [], [((), (0,))]),
        ((0, 0), [], []),
    ],
)
def test_words_without_links_and_inside_others(
    sizes: tuple[int, int], links: list[tuple[int, int]], expected: list[object]
) -> None:
    assert unfold(*sizes, links) == expected


@given(st.data())
def test_units_hold_every_word_once_and_no_link_leaves_its_unit(data: st.DataObject) -> None:
    n_source, n_target = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 7))
    pairs = st.tuples(st.integers(0, n_source - 1), st.integers(0, n_target - 1))
    links = data.draw(st.lists(pairs, max_size=10))
    units = unfold(n_source, n_target, links)
    assert sorted(word for unit in units for word in unit.source) == list(range(n_source))
    assert [word for unit in units for word in unit.target] == list(range(n_target))
    assert all(unit.source == tuple(sorted(unit.source)) and unit.source for unit in units)
    home = {word: number for number, unit in enumerate(units) for word in unit.source}
    assert all(target in units[home[source]].target for source, target in links)


def test_a_link_beyond_the_sentence_is_refused() -> None:
    with pytest.raises(DataError, match="The link 2-0 is not of a pair of 2 and 1 words"):
        unfold(2, 1, [(2, 0)])
