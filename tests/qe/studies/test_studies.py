from __future__ import annotations

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.learn import LEARNERS
from dragoman.qe import FeatureTable
from dragoman.qe.studies import column_report, correlation_census, error_profile, oracle_gain
from dragoman.qe.studies.profile import rank_distances
from dragoman.rng import Stream

N = 60


@pytest.fixture
def table() -> FeatureTable:
    """Two features that say the same, one that says the opposite, noise, and a constant."""
    first, noise = Stream(1, "first").uniform(N), Stream(1, "noise").uniform(N)
    return FeatureTable.of(
        ("good", "twin", "opposite", "noise", "same"),
        np.column_stack([first, 2 * first + 1, -first, noise, np.ones(N)]),
    )


@pytest.fixture
def scores(table: FeatureTable) -> np.ndarray:
    return 0.1 + 0.8 * table.column("good")


def test_pairs_are_counted_by_sign_and_bar(table: FeatureTable) -> None:
    census = correlation_census(table, bars=(1 - 1e-9, 0.5))
    assert (census.positive, census.negative) == ((1, 1), (2, 2))
    assert census.n_pairs == 6
    assert census.constant == ("same",)
    assert {frozenset(pair[:2]) for pair in census.pairs} == {
        frozenset({"good", "twin"}),
        frozenset({"good", "opposite"}),
        frozenset({"twin", "opposite"}),
    }


def test_what_has_no_pairs_is_refused(table: FeatureTable) -> None:
    with pytest.raises(DataError, match=r"A bar of correlations is above 0 and at most 1, got \[0\]"):
        correlation_census(table, bars=(0,))
    with pytest.raises(DataError, match="no correlation of 1 sentences; at least 2"):
        correlation_census(table.take([0]))
    with pytest.raises(DataError, match="1 of 2 features vary; a pair needs two"):
        correlation_census(FeatureTable.of(("a", "b"), [[1, 2], [1, 3]]))


def test_a_feature_is_worth_what_the_others_do_not_say(table: FeatureTable, scores: np.ndarray) -> None:
    report = column_report(LEARNERS.make("ridge:alpha=1e-6"), table, scores)
    gains = {each.feature: each for each in report.features}
    assert report.all_features == pytest.approx(0, abs=1e-4)
    assert gains["good"].alone == pytest.approx(0, abs=1e-4)
    assert gains["good"].gain == pytest.approx(0, abs=1e-4)  # its twin says the same
    assert gains["same"].alone == pytest.approx(report.mean_alone)
    assert gains["noise"].alone > 0.1
    assert gains["opposite"].pearson == pytest.approx(-1)
    assert gains["opposite"].delta_avg == pytest.approx(gains["good"].delta_avg)
    two = FeatureTable.of(("good", "noise"), table.values[:, [0, 3]])
    alone = column_report(LEARNERS.make("ridge:alpha=1e-6"), two, scores).features
    assert next(each for each in alone if each.feature == "good").gain > 0.1  # type: ignore[operator]
    only = FeatureTable.of(("good",), table.values[:, :1])
    assert column_report(LEARNERS.make("ridge"), only, scores).features[0].without is None


def test_equal_scores_share_the_mean_of_their_ranks_as_in_moreau_and_vogel() -> None:
    gold, predicted = np.array([4.0, 3, 2, 1]), np.array([4.0, 3, 3, 1])  # ranks 1, 2.5, 2.5, 4
    assert rank_distances(gold, predicted).tolist() == [0, 0.125, 0.125, 0]


def test_a_profile_says_how_far_most_sentences_are_off() -> None:
    gold = [step / 10 for step in range(10)]
    profile = error_profile(gold, {"right": gold, "reversed": gold[::-1]})
    assert profile.systems == ("right", "reversed", "equal")
    assert profile.within[0] == (0,) * 10
    assert profile.within[1][-1] == pytest.approx(0.9)  # the last stands first
    assert profile.within[2][-1] == pytest.approx(0.45)
    assert profile.means == pytest.approx((0, 0.5, 0.25))
    with pytest.raises(DataError, match="cannot be called 'equal'; that name is taken"):
        error_profile(gold, {"equal": gold})
    with pytest.raises(DataError, match="nothing to profile"):
        error_profile([], {"a": []})


def test_an_oracle_that_knows_the_scores_leaves_no_error(table: FeatureTable, scores: np.ndarray) -> None:
    noise = FeatureTable.of(("noise",), table.values[:, 3:4])
    gain = oracle_gain(LEARNERS.make("ridge:alpha=1e-6"), noise, scores, scores, task="hter", splits=2)
    assert gain.beside == pytest.approx((0, 0), abs=1e-4)
    assert gain.gains[0] > 0.1
    assert (gain.n_train, gain.n_test) == (45, 15)
    again = oracle_gain(LEARNERS.make("ridge:alpha=1e-6"), noise, scores, scores, task="hter", splits=2)
    assert again == gain


def test_an_oracle_needs_sentences_to_ask_of(table: FeatureTable, scores: np.ndarray) -> None:
    with pytest.raises(DataError, match="60 of 60 sentences cannot be learnt from"):
        oracle_gain(LEARNERS.make("ridge"), table, scores, scores, task="hter", n_train=60)
    with pytest.raises(DataError, match="oracle: line 1 is no number"):
        oracle_gain(LEARNERS.make("ridge"), table, scores, [float("nan")] * N, task="hter")
    named = FeatureTable.of(("oracle",), table.values[:, :1])
    with pytest.raises(DataError, match="called 'oracle' already"):
        oracle_gain(LEARNERS.make("ridge"), named, scores, scores, task="hter")
