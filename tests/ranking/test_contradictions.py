from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data.comparisons import compare_pairwise
from dragoman.errors import DataError
from dragoman.ranking import consistency
from tests.human.made import rankings, screen
from tests.ranking.test_duels import DUELS, Outcomes, compared


def test_a_circle_and_its_weakest_side() -> None:
    outcomes: Outcomes = [("A", "B", 1)] * 10 + [("B", "C", 1)] * 9 + [("C", "A", 1)] * 6
    found = consistency(compared(outcomes))
    (circle,) = found.circles
    assert (circle.first, circle.second, circle.third, circle.weakest) == ("A", "B", "C", 6)
    assert circle.p == pytest.approx(2 / 64)
    assert (found.triples, found.transitive, found.circular, found.undecided) == (1, 0, 1, 0)
    assert found.transitive_share == 0
    assert found.to_dict()["meta"]["circles"][0]["third"] == "C"
    assert "Circles of three systems" in found.render()


@given(DUELS)
def test_triples_against_their_definition(outcomes: Outcomes) -> None:
    comparisons = compared(outcomes)
    wins, ties = comparisons.wins(), comparisons.ties()
    n = len(comparisons.systems)
    ahead = wins > wins.T
    met = (wins + wins.T + ties) > 0
    circles = {
        frozenset(t) for t in permutations(range(n), 3) if ahead[t[0], t[1]] and ahead[t[1], t[2]] and ahead[t[2], t[0]]
    }
    chains = {
        frozenset(t) for t in permutations(range(n), 3) if ahead[t[0], t[1]] and ahead[t[1], t[2]] and ahead[t[0], t[2]]
    }
    whole = {frozenset(t) for t in permutations(range(n), 3) if met[t[0], t[1]] and met[t[1], t[2]] and met[t[0], t[2]]}
    found = consistency(comparisons)
    assert (found.triples, found.transitive, found.circular) == (len(whole), len(chains), len(circles))
    assert found.undecided == len(whole) - len(chains) - len(circles)
    assert len(found.circles) == len(circles)


def test_annotators_against_themselves() -> None:
    rows = [
        screen("ann", 1, {"A": 1, "B": 2}),
        screen("ann", 1, {"A": 2, "B": 1}),
        screen("ann", 1, {"A": 1, "B": 1}),
        screen("ann", 2, {"A": 2, "B": 1}),  # another segment: no contradiction
        screen("bob", 1, {"A": 2, "B": 1}),  # another annotator: neither
        screen("eve", 3, {"A": 1, "B": 2}),
        screen("eve", 3, {"B": 1, "C": 2}),
        screen("eve", 3, {"C": 1, "A": 2}),
        screen("eve", 4, {"A": 1, "B": 2, "C": 3}),
    ]
    found = {each.annotator: each for each in consistency(compare_pairwise(rankings(rows))).annotators}
    assert (found["ann"].repeats, found["ann"].changed, found["ann"].reversed) == (3, 3, 1)
    assert (found["bob"].repeats, found["bob"].triples) == (0, 0)
    assert (found["eve"].triples, found["eve"].circles, found["eve"].repeats) == (1, 1, 0)


@given(st.lists(st.tuples(st.integers(0, 1), st.permutations("ABCD"), st.integers(-1, 1)), min_size=1, max_size=25))
def test_repeats_against_their_definition(rows: list[tuple[int, list[str], int]]) -> None:
    said = [screen("ann", s, {n[0]: 2 - (o > 0), n[1]: 2 - (o < 0)}) for s, n, o in rows]
    (found,) = consistency(compare_pairwise(rankings(said))).annotators
    labels = [(s, tuple(sorted(n[:2])), o if n[0] < n[1] else -o) for s, n, o in rows]
    pairs = [(x, y) for i, x in enumerate(labels) for y in labels[:i] if x[:2] == y[:2]]
    assert found.repeats == len(pairs)
    assert found.changed == sum(x[2] != y[2] for x, y in pairs)
    assert found.reversed == sum(x[2] * y[2] == -1 for x, y in pairs)


def test_no_decided_triple_has_no_share() -> None:
    assert consistency(compared([("A", "B", 1)])).transitive_share is None


def test_errors() -> None:
    with pytest.raises(DataError, match="no comparisons to look for contradictions in"):
        consistency(compare_pairwise(rankings([])))


def test_ranks_of_one_screen_never_go_round() -> None:
    rng = np.random.default_rng(1)
    rows = [
        screen("ann", n % 4, {name: int(rank) for name, rank in zip("ABCDE", rng.integers(1, 6, 5), strict=True)})
        for n in range(40)
    ]
    assert consistency(compare_pairwise(rankings(rows))).annotators[0].triples == 0
