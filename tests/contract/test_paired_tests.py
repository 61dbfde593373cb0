"""Every paired test of the registry keeps the contract of paired tests."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from dragoman.errors import DataError, UnknownName
from dragoman.stats import PAIRED_TESTS, PairedTest, paired_test
from dragoman.stats.base import Joint
from dragoman.testing.paired_tests import PAIRED_TEST, systems
from tests.stats.made import counts, mean, ratio, scores


def small(name: str) -> PairedTest:
    has_trials = "trials" in {field.name for field in fields(PAIRED_TESTS.get(name))}
    return paired_test(name, **({"trials": 300} if has_trials else {}))


@pytest.mark.parametrize("name", PAIRED_TESTS.names())
def test_it_keeps_the_contract(name: str) -> None:
    PAIRED_TEST.check(small(name), name)


@pytest.mark.parametrize("name", ["bootstrap", "randomisation"])
def test_who_advises_max_t_makes_it(name: str) -> None:
    assert isinstance(small(name).joint(systems(), ratio, [(0, 1)]), Joint)


def test_options_stand_in_the_name_or_beside_it() -> None:
    test = paired_test("bootstrap:sides=1,formula=paper", trials=50, seed=None)
    assert test == PAIRED_TESTS.make("bootstrap:sides=1,trials=50,formula=paper")
    with pytest.raises(DataError, match="has no option 'side'"):
        paired_test("bootstrap:side=1")


def test_an_unknown_test_is_named() -> None:
    with pytest.raises(
        UnknownName, match=r"No paired test is called 'bootstrapp'\. Did you mean 'bootstrap'\? Known: "
    ):
        paired_test("bootstrapp")


def test_a_sentence_says_what_the_test_says() -> None:
    a, b = scores(3, 2, 1, -1), scores(0, 0, 0, 0)
    found = paired_test("permutation").compare(a, b, mean)
    assert found.sentence("x", "y", unit="BLEU") == (
        "x − y = +1.25 BLEU, p = 0.38 (two-sided, permutation): this test set does not separate x and y."
    )
    good, bad = counts(np.random.default_rng(1), 50, 0.9), counts(np.random.default_rng(1), 50, 0.2)
    sentence = paired_test("randomisation", seed=7).compare(bad, good, ratio).sentence()
    assert sentence.endswith(
        "p = 0.0001 (two-sided, randomisation, 10,000 trials, seed 7): B is better than A at α = 0.05."
    )
    assert sentence.startswith("A − B = −")
