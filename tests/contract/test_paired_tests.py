"""What every paired test must do, over everything registered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

from dragoman.errors import DataError, UnknownName
from dragoman.stats import PAIRED_TESTS, Comparison, PairedTest, paired_test
from tests.stats.made import Floats, counts, mean, ratio, scores

NAMES = PAIRED_TESTS.names()
each_name = pytest.mark.parametrize("name", NAMES)
N = 14  # small enough for the exact permutation test


def small(name: str, **options: object) -> PairedTest:
    has_trials = "trials" in {field.name for field in fields(PAIRED_TESTS.get(name))}
    return paired_test(name, **options, **({"trials": 300} if has_trials else {}))


def sides_of(name: str) -> tuple[int, ...]:
    return (2,) if PAIRED_TESTS.get(name).two_sided_only else (1, 2)


@pytest.fixture
def pair() -> tuple[Floats, Floats]:
    rng = np.random.default_rng(11)
    return counts(rng, N, 0.6), counts(rng, N, 0.5)


@each_name
def test_the_answer_is_complete_and_plain(name: str, pair: tuple[Floats, Floats]) -> None:
    for sides in sides_of(name):
        found = small(name, sides=sides).compare(*pair, ratio)
        assert isinstance(found, Comparison)
        assert found.test == name
        assert found.sides == sides
        assert found.n == N
        assert 0 <= found.p <= 1
        assert found.delta == pytest.approx(found.score_a - found.score_b)
        assert found.wins + found.losses + found.ties == found.trials
        assert {type(value) for value in (found.p, found.delta, found.score_a, found.score_b)} == {float}
        assert {type(value) for value in (found.wins, found.losses, found.ties, found.trials)} == {int}


@each_name
def test_a_test_is_named_as_it_is_registered_and_frozen(name: str) -> None:
    test = PAIRED_TESTS.get(name)()
    assert test.name == name
    with pytest.raises(FrozenInstanceError):
        test.sides = 1  # type: ignore[misc]


@each_name
def test_a_system_does_not_beat_itself(name: str, pair: tuple[Floats, Floats]) -> None:
    for sides in sides_of(name):
        found = small(name, sides=sides).compare(pair[0], pair[0].copy(), ratio)
        assert found.delta == 0
        assert found.ties == found.trials
        assert "score the same" in found.sentence()
        if PAIRED_TESTS.get(name).quirk:  # a strict comparison, as in the tool; the answer says so
            assert found.p == 1 / (found.trials + 1)
            assert "equal systems get the smallest p" in found.note
        else:
            assert found.p == 1


@each_name
def test_the_input_is_left_as_it_was(name: str, pair: tuple[Floats, Floats]) -> None:
    before = [rows.copy() for rows in pair]
    for rows in pair:
        rows.flags.writeable = False
    small(name).compare(*pair, ratio)
    np.testing.assert_array_equal(pair, before)


@each_name
def test_threads_and_repetition_change_nothing(name: str, pair: tuple[Floats, Floats]) -> None:
    one = small(name).compare(*pair, ratio)
    for n_threads in (1, 2, 7):
        assert small(name).compare(*pair, ratio, n_threads=n_threads) == one


@each_name
def test_another_seed_is_another_answer(name: str) -> None:
    rng = np.random.default_rng(11)
    pair = counts(rng, N, 0.5), counts(rng, N, 0.5)
    if "seed" not in {field.name for field in fields(PAIRED_TESTS.get(name))}:
        assert small(name).compare(*pair, ratio).seed is None
        return
    found = [small(name, seed=seed).compare(*pair, ratio) for seed in (1, 2)]
    assert [answer.seed for answer in found] == [1, 2]
    assert (found[0].wins, found[0].p) != (found[1].wins, found[1].p)


@each_name
def test_two_sides_do_not_care_who_comes_first(name: str, pair: tuple[Floats, Floats]) -> None:
    forth, back = small(name).compare(*pair, ratio), small(name).compare(pair[1], pair[0], ratio)
    assert forth.delta == -back.delta
    assert forth.p == pytest.approx(back.p)
    assert forth.ties == back.ties


@each_name
def test_a_large_difference_is_found(name: str) -> None:
    a, b = counts(np.random.default_rng(1), N, 0.95), counts(np.random.default_rng(1), N, 0.2)
    assert small(name).compare(a, b, ratio).p < 0.01


@each_name
def test_lists_and_whole_numbers_will_do(name: str, pair: tuple[Floats, Floats]) -> None:
    a, b = (rows.astype(int) for rows in pair)
    assert small(name).compare(a.tolist(), np.asfortranarray(b), ratio) == small(name).compare(*pair, ratio)


@each_name
@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (np.ones((5, 2)), np.ones((4, 2)), r"same segments and statistics, got .* system 1=5x2, system 2=4x2"),
        (np.ones((5, 2)), np.ones((5, 3)), r"same segments and statistics, got .* system 1=5x2, system 2=5x3"),
        (np.ones((0, 2)), np.ones((0, 2)), r"the systems have no segments; at least 2 are needed"),
        (np.ones((1, 2)), np.ones((1, 2)), r"the systems have one segment; at least 2 are needed"),
        (np.ones(5), np.ones(5), r"statistics of system 1 have the shape \(5,\); expected \(segments, statistics\)"),
        (np.ones((5, 0)), np.ones((5, 0)), r"system 1 have the shape \(5, 0\)"),
        (np.ones((0, 5, 2)), np.ones((5, 2)), r"system 1 have the shape \(0, 5, 2\)"),
        (np.ones((3, 2)), [[1, 2], [1, np.nan], [3, 3]], r"system 2 hold 1 values .* at segment 2, statistic 2: nan"),
        (np.ones((3, 2)), [[np.inf, 2], [1, 1], [3, 3]], r"system 2 hold 1 values .* at segment 1, statistic 1: inf"),
    ],
    ids=["segments", "columns", "empty", "single", "flat", "no-columns", "no-runs", "nan", "inf"],
)
def test_bad_statistics_are_named(name: str, a: Floats, b: Floats, message: str) -> None:
    with pytest.raises(DataError, match=message):
        small(name).compare(a, b, ratio)


@each_name
@pytest.mark.parametrize(
    ("values", "message"),
    [
        (lambda totals: np.full(len(totals), np.nan), r"The score of \d+ of \d+ .* is not a finite number"),
        (lambda totals: totals, r"scoring function gave the shape \(\d+, 2\) for \d+ .*; one score each"),
    ],
    ids=["nan", "shape"],
)
def test_bad_scoring_functions_are_named(
    name: str, pair: tuple[Floats, Floats], values: Callable[[Floats], Floats], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        small(name).compare(*pair, values)


@each_name
def test_impossible_options_are_named(name: str) -> None:
    with pytest.raises(DataError, match="1 or 2 sides, got 3"):
        paired_test(name, sides=3)
    if "trials" in {field.name for field in fields(PAIRED_TESTS.get(name))}:
        with pytest.raises(DataError, match="At least one trial is needed, got 0"):
            paired_test(name, trials=0)
        with pytest.raises(DataError, match="seed is a whole number from 0 on, got -1"):
            paired_test(name, seed=-1)
    else:
        with pytest.raises(DataError, match=f"'{name}' has no option trials; its options are sides"):
            paired_test(name, trials=5)
    assert paired_test(name, sides=None) == PAIRED_TESTS.get(name)()


@each_name
def test_max_t_is_made_or_refused(name: str, pair: tuple[Floats, Floats]) -> None:
    test = small(name)
    if name in {"bootstrap", "randomisation"}:
        joint = test.joint(pair, ratio, [(0, 1)])
        assert joint.null.shape == (300, 1)
        assert joint.comparisons == [test.compare(*pair, ratio)]
    else:
        with pytest.raises(DataError, match=f"'{name}' does not simulate chance .* use bootstrap or randomisation"):
            test.joint(pair, ratio, [(0, 1)])


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
