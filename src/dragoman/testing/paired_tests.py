"""What every paired test promises."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.stats import PAIRED_TESTS, Comparison, PairedTest, paired_test
from dragoman.testing.contract import Contract, raises

__all__ = ["PAIRED_TEST", "check_paired_test"]

Floats = NDArray[np.float64]

PAIRED_TEST: Contract[PairedTest] = Contract("paired test")
N = 14  # segments: few enough for a test that looks at every permutation


def check_paired_test(test: PairedTest | str) -> None:
    """Check a paired test, given as an object or by its name; one that draws need not draw more than 300 times."""
    test = PAIRED_TESTS.make(test) if isinstance(test, str) else test
    PAIRED_TEST.check(test, test.name)


def ratio(totals: Floats) -> Floats:
    """100 × matches / length: like a precision, not a mean of segment scores."""
    return 100 * totals[:, 0] / totals[:, 1]


def counts(rng: np.random.Generator, n: int, share: float) -> Floats:
    """Whole-numbered statistics for `ratio`: [matches, length]."""
    length = rng.integers(5, 40, size=n)
    return np.stack([rng.binomial(length, share), length], axis=1).astype(float)


def systems(share_a: float = 0.6, share_b: float = 0.5) -> tuple[Floats, Floats]:
    """The statistics of two systems."""
    rng = np.random.default_rng(11)
    return counts(rng, N, share_a), counts(rng, N, share_b)


def sides_of(test: PairedTest) -> tuple[int, ...]:
    return (2,) if test.two_sided_only else (1, 2)


def has(test: PairedTest, option: str) -> bool:
    return option in {field.name for field in fields(test)}


@PAIRED_TEST.rule
def the_answer_is_complete_and_plain(test: PairedTest) -> None:
    for sides in sides_of(test):
        answer = replace(test, sides=sides).compare(*systems(), ratio)
        assert isinstance(answer, Comparison)
        assert answer.test == test.name
        assert answer.sides == sides
        assert answer.n == N
        assert 0 <= answer.p <= 1
        np.testing.assert_allclose(answer.delta, answer.score_a - answer.score_b, rtol=1e-6)
        assert answer.wins + answer.losses + answer.ties == answer.trials
        assert {type(value) for value in (answer.p, answer.delta, answer.score_a, answer.score_b)} == {float}
        assert {type(value) for value in (answer.wins, answer.losses, answer.ties, answer.trials)} == {int}


@PAIRED_TEST.rule
def a_test_is_named_as_it_is_registered_and_frozen(test: PairedTest) -> None:
    assert PAIRED_TESTS.get(test.name) is type(test)
    with raises(FrozenInstanceError, match="sides"):
        test.sides = 1  # type: ignore[misc]


@PAIRED_TEST.rule
def a_system_does_not_beat_itself(test: PairedTest) -> None:
    a, _ = systems()
    for sides in sides_of(test):
        answer = replace(test, sides=sides).compare(a, a.copy(), ratio)
        assert answer.delta == 0
        assert answer.ties == answer.trials
        assert "score the same" in answer.sentence()
        if test.quirk:  # a strict comparison, as in the tool; the answer says so
            assert answer.p == 1 / (answer.trials + 1)
            assert "equal systems get the smallest p" in answer.note
        else:
            assert answer.p == 1


@PAIRED_TEST.rule
def the_input_is_left_as_it_was(test: PairedTest) -> None:
    pair = systems()
    before = [rows.copy() for rows in pair]
    for rows in pair:
        rows.flags.writeable = False
    test.compare(*pair, ratio)
    np.testing.assert_array_equal(pair, before)


@PAIRED_TEST.rule
def threads_and_repetition_change_nothing(test: PairedTest) -> None:
    one = test.compare(*systems(), ratio)
    for n_threads in (1, 2, 7):
        assert test.compare(*systems(), ratio, n_threads=n_threads) == one


@PAIRED_TEST.rule
def another_seed_is_another_answer(test: PairedTest) -> None:
    pair = systems(0.5, 0.5)
    if not has(test, "seed"):
        assert test.compare(*pair, ratio).seed is None
        return
    seeded: Any = replace  # of a subclass with a seed
    answers = [seeded(test, seed=seed).compare(*pair, ratio) for seed in (1, 2)]
    assert [answer.seed for answer in answers] == [1, 2]
    assert (answers[0].wins, answers[0].p) != (answers[1].wins, answers[1].p)


@PAIRED_TEST.rule
def two_sides_do_not_care_who_comes_first(test: PairedTest) -> None:
    a, b = systems()
    forth, back = test.compare(a, b, ratio), test.compare(b, a, ratio)
    assert forth.delta == -back.delta
    np.testing.assert_allclose(forth.p, back.p, rtol=1e-6)
    assert forth.ties == back.ties


@PAIRED_TEST.rule
def a_large_difference_is_found(test: PairedTest) -> None:
    a, b = counts(np.random.default_rng(1), N, 0.95), counts(np.random.default_rng(1), N, 0.2)
    assert test.compare(a, b, ratio).p < 0.01


@PAIRED_TEST.rule
def lists_and_whole_numbers_will_do(test: PairedTest) -> None:
    a, b = (rows.astype(int) for rows in systems())
    assert test.compare(a.tolist(), np.asfortranarray(b), ratio) == test.compare(*systems(), ratio)


BAD: list[tuple[Any, Any, str]] = [
    (np.ones((5, 2)), np.ones((4, 2)), r"same segments and statistics, got .* system 1=5x2, system 2=4x2"),
    (np.ones((5, 2)), np.ones((5, 3)), r"same segments and statistics, got .* system 1=5x2, system 2=5x3"),
    (np.ones((0, 2)), np.ones((0, 2)), r"the systems have no segments; at least 2 are needed"),
    (np.ones((1, 2)), np.ones((1, 2)), r"the systems have one segment; at least 2 are needed"),
    (np.ones(5), np.ones(5), r"statistics of system 1 have the shape \(5,\); expected \(segments, statistics\)"),
    (np.ones((5, 0)), np.ones((5, 0)), r"system 1 have the shape \(5, 0\)"),
    (np.ones((0, 5, 2)), np.ones((5, 2)), r"system 1 have the shape \(0, 5, 2\)"),
    (np.ones((3, 2)), [[1, 2], [1, np.nan], [3, 3]], r"system 2 hold 1 values .* at segment 2, statistic 2: nan"),
    (np.ones((3, 2)), [[np.inf, 2], [1, 1], [3, 3]], r"system 2 hold 1 values .* at segment 1, statistic 1: inf"),
]


@PAIRED_TEST.rule
def bad_statistics_are_named(test: PairedTest) -> None:
    for a, b, message in BAD:
        with raises(DataError, match=message):
            test.compare(a, b, ratio)


@PAIRED_TEST.rule
def bad_scoring_functions_are_named(test: PairedTest) -> None:
    with raises(DataError, match=r"The score of \d+ of \d+ .* is not a finite number"):
        test.compare(*systems(), lambda totals: np.full(len(totals), np.nan))
    with raises(DataError, match=r"scoring function gave the shape \(\d+, 2\) for \d+ .*; one score each"):
        test.compare(*systems(), lambda totals: totals)


@PAIRED_TEST.rule
def impossible_options_are_named(test: PairedTest) -> None:
    name = test.name
    with raises(DataError, match="The 'sides' option of .* must be one of 1, 2. Got 3"):
        paired_test(name, sides=3)
    if has(test, "trials"):
        with raises(DataError, match="The 'trials' option of .* must be at least 1. Got 0"):
            paired_test(name, trials=0)
        with raises(DataError, match="The 'seed' option of .* must be at least 0. Got -1"):
            paired_test(name, seed=-1)
    else:
        with raises(DataError, match=f"'{name}' has no option trials; its options are sides"):
            paired_test(name, trials=5)
    assert paired_test(name, sides=None) == PAIRED_TESTS.get(name)()


@PAIRED_TEST.rule
def max_t_is_made_or_refused(test: PairedTest) -> None:
    pair = systems()
    if type(test)._joint is PairedTest._joint:
        with raises(DataError, match=f"'{test.name}' does not simulate chance .* use bootstrap or randomisation"):
            test.joint(pair, ratio, [(0, 1)])
        return
    joint = test.joint(pair, ratio, [(0, 1)])
    assert joint.null.shape == (joint.comparisons[0].trials, 1)
    assert joint.comparisons == [test.compare(*pair, ratio)]
