"""The definition that the chart's search is measured by, on sentences that can be counted by hand."""

from __future__ import annotations

import math

from dragoman.smt.grammar import MosesRules
from tests.smt.grammar.naive import best, derivations, posteriors, score

RULES = [
    MosesRules().rule(line)
    for line in (
        "der [X] ||| the [X] ||| 0.5",
        "hund [X] ||| dog [X] ||| 0.25",
        "der hund [X] ||| the dog [X] ||| 0.125",
        "der [X][X] [X] ||| the [X][X] [X] ||| 0.5 ||| 1-1",
        "[X][X] hund [X] ||| dog [X][X] [X] ||| 1 ||| 0-1",
    )
]


def test_every_derivation_is_found_once() -> None:
    found = derivations(["der", "hund"], RULES)
    said = sorted((" ".join(each.words), len(each.rules), each.sums["glue"]) for each in found)
    assert said == [("dog the", 2, -1), ("the dog", 1, -1), ("the dog", 2, -2), ("the dog", 2, -1)]
    assert len(set(found)) == 4


def test_scores_are_sums() -> None:
    [(value, first), *others] = best(derivations(["der", "hund"], RULES), {"table.1": 1, "glue": 0.5})
    assert first.words == ("dog", "the")
    assert value == score(first, {"table.1": 1, "glue": 0.5}) == math.log(0.5) - 0.5
    assert [each for each, _ in others] == sorted((each for each, _ in others), reverse=True)
    chances = posteriors(derivations(["der", "hund"], RULES), {"table.1": 1})
    # 0.5 · 1 against 0.125 glued or not, and 0.125
    assert math.isclose(chances["dog", "the"], 0.5 / 0.875)
    assert len(best(derivations(["der", "hund"], RULES), {}, distinct=True)) == 2


def test_gaps_are_bounded_and_unknown_words_copied() -> None:
    [one] = derivations(["der", "igel"], [RULES[0], RULES[3]], span=1)
    assert one.words == ("the", "igel")
    assert one.sums == {"glue": -2, "phrase-penalty": -2, "table.1": math.log(0.5), "unknown": -1, "word-penalty": -2}
    assert len(derivations(["der", "igel"], [RULES[0], RULES[3]], span=2)) == 2


def test_labels_of_the_source_are_asked_for() -> None:
    rule = MosesRules().rule("der [NP] ||| the [X] ||| 1")
    assert [each.words for each in derivations(["der"], [rule], labelled={(0, 1): {"NP"}})] == [("the",)]
    assert [each.words for each in derivations(["der"], [rule], labelled={})] == [("der",)]


def test_rules_of_a_gap_alone_go_in_no_circle() -> None:
    rules = [
        MosesRules().rule(line)
        for line in (
            "a [X] ||| b [X] ||| 1",
            "[X][X] [Y] ||| [X][X] [Y] ||| 0.5 ||| 0-0",
            "[Y][Y] [X] ||| [Y][Y] c [X] ||| 0.5 ||| 0-0",
        )
    ]
    assert sorted(each.words for each in derivations(["a"], rules)) == [("b",), ("b",)]
