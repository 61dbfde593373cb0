"""Rules over tags: the papers' examples, and orders that every rule must leave whole."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data.alignments import Link
from dragoman.errors import DataError
from dragoman.reorder.annotation import Annotated
from dragoman.reorder.base import METHODS, Move, arranged
from dragoman.reorder.crossings import Crossings, count_crossings
from dragoman.reorder.lattice import OrderLattice
from dragoman.reorder.long_rules import KINDS, GapOrders, GapRule, LongRules, extract_gap_rules
from dragoman.reorder.orders import check_order, implied_order, is_order
from dragoman.reorder.short_rules import ShortRules, reordered_windows


def links_of(places: str) -> list[Link]:
    """Links as the papers write them: the target of each word, from 1, or a dash."""
    return [(s, int(t) - 1) for s, t in enumerate(places.split()) if t != "-"]


def sentence(words: str, tags: str) -> Annotated:
    return Annotated(tuple(words.split()), tuple(tags.split()))


TAKEN = "PPER VAFIN PPOSAT NN APPRART NN VVPP $.", "1 2 4 5 - 6 3 7"
CLAUSE = "PRELS ADV ART NN VVFIN $.", "1 3 4 5 2 6"


@pytest.mark.parametrize(
    ("tags", "targets", "expected"),
    [
        (
            *TAKEN,
            [
                "VAFIN * VVPP → VAFIN VVPP *",
                "VAFIN PPOSAT * VVPP → VAFIN VVPP PPOSAT *",
                "PPOSAT NN APPRART NN * $. → * PPOSAT NN APPRART NN $.",
            ],
        ),
        (
            *CLAUSE,
            [
                "PRELS * VVFIN → PRELS VVFIN *",
                "PRELS ADV * VVFIN → PRELS VVFIN ADV *",
                "ADV ART NN * $. → * ADV ART NN $.",
            ],
        ),
    ],
    ids=["Niehues & Kolss 2009, section 4, genommen", "Niehues & Kolss 2009, section 4, relative clause"],
)
def test_published_rules_with_a_gap(tags: str, targets: str, expected: list[str]) -> None:
    assert [str(rule) for rule in extract_gap_rules(tags.split(), links_of(targets))] == expected


def test_a_right_part_of_two_words_has_a_rule_of_its_own() -> None:
    rules = [str(rule) for rule in extract_gap_rules(["A", "B", "C", "D"], links_of("3 1 2 4"))]
    assert rules == ["<s> * B C → <s> B C *", "A * D → * A D", "A * C D → * C A D"]


def test_a_word_without_a_link_between_two_parts_gives_no_rule() -> None:
    assert not list(extract_gap_rules(["A", "B", "C"], links_of("2 - 1")))


def test_rules_with_a_gap_are_scored_by_how_often_their_parts_meet() -> None:
    moved = sentence("Sie haben ihre Bereitschaft zur Kenntnis genommen .", TAKEN[0])
    method = LongRules(least=2, least_p=0.0)
    rules = method.learn([moved, moved, moved], [links_of(TAKEN[1])] * 2 + [links_of("1 2 3 4 5 6 7 8")])
    count, p = rules.rules[GapRule("left-all", ("VAFIN",), ("VVPP",))]
    assert (count, p) == (2, 2 / 3)
    assert isinstance(rules, GapOrders)
    again = method.of_rows(rules.rows())
    assert {rule: count for rule, (count, _) in again.rules.items()} == {r: c for r, (c, _) in rules.rules.items()}
    order = again.best(moved)
    assert [moved.words[place] for place in order[:4]] == ["Sie", "haben", "genommen", "ihre"]


def test_a_rule_that_fits_too_often_is_not_used() -> None:
    rules = GapOrders({GapRule("left-all", ("A",), ("B",)): (9, 0.9)}, matches=1)
    assert rules.moves(sentence("a x b", "A X B")) == [Move(1, (1, 0), 0.9)]
    assert not rules.moves(sentence("a x b b", "A X B B"))


def test_an_unknown_kind_of_rule_is_named() -> None:
    with pytest.raises(DataError, match="Rules with a gap are of the kinds left-all, left-part, right-all, right-part"):
        METHODS.make("long:kinds=middle").check()


def test_short_rules_are_sequences_none_of_whose_ends_stays() -> None:
    assert list(reordered_windows(links_of("1 3 2 4"), 4, 7)) == [(1, (1, 0))]
    assert list(reordered_windows(links_of("3 1 2"), 3, 7)) == [(0, (1, 0)), (0, (1, 2, 0))]
    assert not list(reordered_windows(links_of("2 - 1"), 3, 7))


def test_short_rules_have_relative_frequencies() -> None:
    pair = sentence("maison bleue", "NOUN ADJ")
    rules = ShortRules(least=1).learn([pair, pair, pair, pair], [links_of("2 1")] * 3 + [links_of("1 2")])
    assert rules.shown(5) == [("NOUN ADJ → ADJ NOUN", 3, 0.75)]
    assert rules.best(pair) == (1, 0)
    assert not ShortRules(least=4).learn([pair] * 3, [links_of("2 1")] * 3).moves(pair)


sentences = st.lists(st.sampled_from("ABC"), min_size=1, max_size=7)


@given(sentences, st.randoms(use_true_random=False))
def test_every_way_through_a_lattice_of_rules_reads_each_word_once(tags: list[str], chance: object) -> None:
    words = Annotated(tuple(map(str, range(len(tags)))), tuple(tags))
    places = list(range(len(tags)))
    chance.shuffle(places)  # type: ignore[attr-defined]
    links = list(enumerate(places))
    learnt = [
        ShortRules(least=1, least_p=0.0).learn([words], [links]),
        LongRules(least=1, least_p=0.0, kinds=KINDS).learn([words], [links]),
    ]
    moves = [move for rules in learnt for move in rules.moves(words)]
    assert all(move.begin >= 0 and move.end <= len(tags) for move in moves)
    lattice = OrderLattice.of_moves(len(tags), moves)
    paths = list(lattice.paths())
    assert all(is_order(path, len(tags)) for path in paths)
    assert tuple(range(len(tags))) in paths
    assert all(a < b for a, b, _, _ in lattice.arcs)
    assert is_order(arranged(len(tags), moves), len(tags))
    # The lattice has the target's order just if one of its ways has no crossing.
    spans = [(t, t, float(t)) for t in places]
    assert lattice.has_order(spans) == any(not count_crossings(links, path).crossing for path in paths)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), unique=True, max_size=12))
def test_crossings_are_pairs_of_links_in_opposite_orders(links: list[Link]) -> None:
    apart = [(a, b) for a, b in combinations(links, 2) if a[0] != b[0] and a[1] != b[1]]
    crossing = sum((a[0] < b[0]) != (a[1] < b[1]) for a, b in apart)
    assert count_crossings(links) == Crossings(crossing, len(apart))
    order = implied_order(links, 7)
    assert is_order(order, 7)


def test_crossings_without_pairs_have_no_share() -> None:
    assert Crossings().share is None
    assert count_crossings([(0, 0)]).share is None


def test_an_order_that_loses_words_is_refused() -> None:
    with pytest.raises(DataError, match="An order of 3 words has each of 0 to 2 once, got '0 1'"):
        check_order((0, 1), 3)
