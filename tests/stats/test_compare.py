"""Tables of comparisons: against a baseline, all pairs, corrected."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dragoman.errors import DataError, UnknownName
from dragoman.stats import compare_systems, holm, max_t, paired_test
from tests.stats.made import Floats, counts, ratio


@pytest.fixture
def systems() -> dict[str, Floats]:
    rng = np.random.default_rng(3)
    return {name: counts(rng, 120, share) for name, share in {"one": 0.5, "two": 0.53, "three": 0.6}.items()}


def test_against_a_baseline(systems: dict[str, Floats]) -> None:
    test = paired_test("bootstrap", trials=500)
    found = compare_systems(systems, ratio, test=test, baseline="two")
    assert [(pair.system, pair.baseline) for pair in found.pairs] == [("one", "two"), ("three", "two")]
    assert found.pair("three", "two").result == test.compare(systems["three"], systems["two"], ratio)
    raw = [pair.result.p for pair in found.pairs]
    np.testing.assert_array_equal([pair.p_adjusted for pair in found.pairs], holm(raw))
    assert len(found.tables()) == 1
    assert json.loads(found.render("json")) == found.to_dict()
    row = found.to_dict()["rows"][1]
    assert (row["baseline"], row["system"]) == ("two", "three")
    assert row["low"] < row["delta"] < row["high"]
    meta = found.to_dict()["meta"]
    assert {key: meta[key] for key in ("test", "sides", "trials", "seed", "formula", "correction", "segments")} == {
        "test": "bootstrap",
        "sides": 2,
        "trials": 500,
        "seed": 12345,
        "formula": "plus-one",
        "correction": "holm",
        "segments": 120,
    }


def test_all_pairs_come_with_a_matrix(systems: dict[str, Floats]) -> None:
    found = compare_systems(systems, ratio, test=paired_test("randomisation", trials=500), correction="max-t")
    joint = paired_test("randomisation", trials=500).joint(list(systems.values()), ratio, [(1, 0), (2, 0), (2, 1)])
    assert [pair.result for pair in found.pairs] == joint.comparisons
    adjusted = max_t([comparison.delta for comparison in joint.comparisons], joint.null)
    assert [pair.p_adjusted for pair in found.pairs] == list(adjusted)
    matrix = found.tables()[1]
    assert matrix.column("system") == ["one", "two", "three"]
    assert matrix.column("p_three") == [adjusted[1], adjusted[2], None]
    assert matrix.column("p_one") == [None, adjusted[0], adjusted[1]]


def test_a_tools_quirk_is_told(systems: dict[str, Floats]) -> None:
    found = compare_systems(systems, ratio, test=paired_test("sacrebleu-ar", trials=50), correction="none")
    assert "Only strictly larger differences count" in found.tables()[0].note


def test_what_cannot_be_compared_is_named(systems: dict[str, Floats]) -> None:
    test = paired_test("sign")
    with pytest.raises(DataError, match="at least two systems, got 1"):
        compare_systems({"one": systems["one"]}, ratio, test=test)
    with pytest.raises(UnknownName, match=r"No system is called 'four'\. Known: one, two, three"):
        compare_systems(systems, ratio, test=test, baseline="four")
    with pytest.raises(UnknownName, match=r"No correction is called 'tukey'"):
        compare_systems(systems, ratio, test=test, correction="tukey")
    with pytest.raises(DataError, match="which max-T needs"):
        compare_systems(systems, ratio, test=test, correction="max-t")
    with pytest.raises(DataError, match=r"got .* one=120x2, two=119x2, three=120x2"):
        compare_systems({**systems, "two": systems["two"][1:]}, ratio, test=test)
    with pytest.raises(UnknownName, match=r"one was not compared with three\. Made: two/one, three/one, three/two"):
        compare_systems(systems, ratio, test=test).pair("one", "three")
