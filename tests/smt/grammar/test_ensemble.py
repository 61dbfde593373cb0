"""Ensembles of grammars (SFU12): one cell by hand, and every mixture against its definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.smt.grammar import MergedRules, Mixture, MosesRules, Rule, RuleTable
from dragoman.smt.grammar.ensemble import MIXTURES

X = ("X", "X")


def table(rules: dict[tuple[str, str], float]) -> RuleTable:
    """A table of one score, given as its logarithm."""
    return RuleTable.of_rules([Rule((s,), (t,), X, (math.exp(score),)) for (s, t), score in rules.items()])


def scores(mixed: RuleTable) -> dict[tuple[str, str], float]:
    return {(str(rule.source[0]), str(rule.target[0])): math.log(rule.scores[0]) for rule in mixed}


# Three rules of one source side in two grammars; each lacks one.
FIRST = {("haus", "house"): -1.0, ("haus", "home"): -2.0}
SECOND = {("haus", "house"): -3.0, ("haus", "building"): -0.5}
WEIGHTS = [{"table.1": 1.0}, {"table.1": 1.0}]


@pytest.mark.parametrize(
    ("mix", "wanted"),
    [
        ("prod", {"house": 0.6 * -1 + 0.4 * -3, "home": 0.6 * -2 + 0.4 * -10, "building": 0.6 * -10 + 0.4 * -0.5}),
        (
            "wsum",
            {
                "house": math.log(0.6 * math.exp(-1) + 0.4 * math.exp(-3)),
                "home": math.log(0.6) - 2,
                "building": math.log(0.4) - 0.5,
            },
        ),
        ("wmax", {"house": -1, "home": -2, "building": math.log(0.4 / 0.6) - 0.5}),
        ("switch-max", {"house": -3, "building": -0.5}),  # 0.6 e^-1 = 0.2207 < 0.4 e^-0.5 = 0.2426
        ("switch-sum", {"house": -1, "home": -2}),  # 0.6 (e^-1 + e^-2) = 0.3019 > 0.4 (e^-3 + e^-0.5) = 0.2625
    ],
)
def test_one_cell_is_as_by_hand(mix: str, wanted: dict[str, float]) -> None:
    merged = MergedRules([table(FIRST), table(SECOND)])
    assert len(merged) == 3
    found = scores(merged.mixed(WEIGHTS, Mixture(mix, (0.6, 0.4))))
    assert found.keys() == {("haus", each) for each in wanted}
    for target, score in wanted.items():
        assert found["haus", target] == pytest.approx(score, abs=1e-5)


RULES = st.dictionaries(
    st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), st.floats(-20, 0, width=32), min_size=1, max_size=9
)


def naive(
    mix: str, tables: list[dict[tuple[str, str], float]], shares: list[float], floor: float
) -> dict[tuple[str, str], float]:
    """The definition, rule by rule."""
    total = sum(shares)
    asked = [(rules, share / total) for rules, share in zip(tables, shares, strict=True) if share > 0]
    found: dict[tuple[str, str], float] = {}
    for rule in {rule for rules, _ in asked for rule in rules}:
        values = [(rules.get(rule), share) for rules, share in asked]
        if mix == "prod":
            found[rule] = sum(share * (floor if value is None else value) for value, share in values)
        elif mix == "wsum":
            found[rule] = math.log(sum(share * math.exp(value) for value, share in values if value is not None))
        elif mix == "wmax":
            most = max(share for _, share in asked)
            found[rule] = math.log(max(share / most * math.exp(value) for value, share in values if value is not None))
        else:
            together = max if mix == "switch-max" else sum
            worth = [
                share * together([math.exp(value) for (s, _), value in rules.items() if s == rule[0]] or [0.0])
                for rules, share in asked
            ]
            if max(worth) > sorted(worth)[-2:][0] * (1 + 1e-4) or len(worth) == 1:
                chosen = asked[worth.index(max(worth))][0]
                if rule in chosen:
                    found[rule] = chosen[rule]
            else:
                found[rule] = math.nan  # a tie but for rounding: either is right
    return found


@given(
    st.sampled_from(MIXTURES),
    st.lists(RULES, min_size=1, max_size=3),
    st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0]), min_size=3, max_size=3),
)
def test_mixtures_are_as_defined(mix: str, tables: list[dict[tuple[str, str], float]], shares: list[float]) -> None:
    shares = shares[: len(tables)]
    if not any(shares):
        shares[0] = 1.0
    merged = MergedRules([table(each) for each in tables])
    found = scores(merged.mixed([{"table.1": 1.0}] * len(tables), Mixture(mix, tuple(shares), floor=-12.5)))
    wanted = naive(mix, tables, shares, -12.5)
    sides = {rule[0] for rule, value in wanted.items() if math.isnan(value)}
    found, wanted = ({rule: each for rule, each in of.items() if rule[0] not in sides} for of in (found, wanted))
    assert found.keys() == wanted.keys()
    for rule, value in wanted.items():
        assert found[rule] == pytest.approx(max(value, -100), abs=1e-4)


def test_a_grammar_without_a_share_is_never_switched_to() -> None:
    merged = MergedRules([table(FIRST), table({("hof", "yard"): -1.0})])
    for mix in MIXTURES:
        assert scores(merged.mixed(WEIGHTS, Mixture(mix, (0, 1)))).keys() == {("hof", "yard")}


def test_alike_grammars_say_what_each_says() -> None:
    one = table(FIRST)
    for mix in MIXTURES:
        found = scores(MergedRules([one, one]).mixed(WEIGHTS, Mixture(mix)))
        assert found == pytest.approx(FIRST, abs=1e-5)


def test_rules_with_gaps_and_other_labels_are_merged() -> None:
    lines = [
        "der [X][X] [X] ||| the [X][X] [X] ||| 0.5 ||| 0-0 1-1",
        "[X][NP] von [X][X] [NP] ||| [X][X] 's [X][NP] [X] ||| 0.25 ||| 0-2 1-1 2-0",
    ]
    others = ["von [NP] ||| of [X] ||| 0.5 0.5", "der [X][X] [X] ||| the [X][X] [X] ||| 0.25 0.125 ||| 1-1"]
    tables = [
        RuleTable.of_rules(map(MosesRules().rule, each), counts=counts)
        for each, counts in ((lines, {"der": 2, "von": 1}), (others, {"der": 5}))
    ]
    merged = MergedRules(tables)
    mixed = merged.mixed([{"table.1": 1}, {"table.1": 0.5, "table.2": 1}], Mixture("prod", floor=-4))
    assert len(mixed) == len(merged) == 3
    [both] = mixed.rules(["der", X])
    assert both.links == ((0, 0),)
    assert math.log(both.scores[0]) == pytest.approx(
        0.5 * math.log(0.5) + 0.5 * (0.5 * math.log(0.25) + math.log(0.125))
    )
    [swap] = mixed.rules([("X", "NP"), "von", X])
    assert swap.labels == ("NP", "X")
    assert math.log(swap.scores[0]) == pytest.approx(0.5 * math.log(0.25) - 2)
    assert mixed.features == ("ensemble",)
    assert (mixed.count("der"), mixed.count("von")) == (7, 1)
    assert mixed.counts is not None
    np.testing.assert_array_equal(mixed.counts.sum(), 8)


def test_wrong_ensembles_are_refused() -> None:
    with pytest.raises(DataError, match="no rule table to merge"):
        MergedRules([])
    merged = MergedRules([table(FIRST), table(SECOND)])
    with pytest.raises(DataError, match="1 sets of weights for 2"):
        merged.mixed(WEIGHTS[:1])
    with pytest.raises(DataError, match=r"Rule table 2 has no weight for table\.1"):
        merged.mixed([WEIGHTS[0], {}])
    with pytest.raises(DataError, match="3 shares for 2 grammars"):
        merged.mixed(WEIGHTS, Mixture(shares=(1, 1, 1)))
    with pytest.raises(DataError, match="numbers from 0 on"):
        merged.mixed(WEIGHTS, Mixture(shares=(0, 0)))
    with pytest.raises(DataError, match="numbers from 0 on"):
        merged.mixed(WEIGHTS, Mixture(shares=(-1, 2)))
