"""Held-out accuracy, likelihood and power curves: definitions, published figures, errors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dragoman.data import compare_pairwise
from dragoman.data.judgements import read_ranking
from dragoman.errors import DataError
from dragoman.ranking import choose_method, power
from dragoman.ranking.power_curve import sign_p
from dragoman.ranking.selection import partial_order
from dragoman.stats import sign_test
from tests.ranking.made import campaign, from_wins, made


def test_table_6_of_wmt14() -> None:
    scores = np.array([0.25, 0.60, -0.22, 0.44, 0.39, -0.09])  # A B C D E F
    assert partial_order(scores, 0.15).tolist() == [2, 1, 3, 2, 2, 3]
    assert partial_order(np.array([0.60, 0.45]), 0.15).tolist() == [1, 1]  # a gap of exactly the radius
    assert partial_order(scores, 0.0).tolist() == [4, 1, 6, 2, 3, 5]


def test_clear_judgements_are_foretold_and_the_oracle_is_not_passed() -> None:
    some = campaign(4, 150, noise=0.3)
    found = choose_method(some, methods=["expected-wins", "bojar", "elo:orders=5"], folds=10)
    assert all(0.6 < row.accuracy <= found.oracle + 1e-9 for row in found.rows)
    assert [row.accuracy for row in found.rows] == sorted((row.accuracy for row in found.rows), reverse=True)
    assert found.best == found.rows[0].method
    counts = np.maximum(np.maximum(some.wins(), some.wins().T), some.ties())
    assert found.oracle == pytest.approx(np.triu(counts, k=1).sum() / len(some))


def test_coin_tosses_have_the_likelihood_of_coins() -> None:
    rng = np.random.default_rng(0)
    some = made([(0, 1, int(rng.choice([-1, 1]))) for _ in range(2000)])
    (row,) = choose_method(some, methods=["expected-wins"], folds=10).rows
    assert row.log_likelihood == pytest.approx(math.log(0.5), abs=0.02)


def test_the_seed_deals_the_folds_and_the_unit_is_told() -> None:
    some = campaign(3, 40)
    found = [choose_method(some, methods=["bojar"], folds=5, unit="screen", seed=seed) for seed in (1, 1, 2)]
    assert found[0].rows == found[1].rows != found[2].rows
    assert found[0].to_dict()["meta"]["unit"] == "screen"
    assert found[0].to_dict()["rows"][-1]["method"] == "oracle"


def test_wrong_choices_are_named() -> None:
    some = campaign(3, 4)
    with pytest.raises(DataError, match="12 units of judgements can be dealt into 2 to 12 folds, got 13"):
        choose_method(some, folds=13)
    with pytest.raises(DataError, match="Name at least one method"):
        choose_method(some, methods=[])
    with pytest.raises(DataError, match="'da-z' does not rank by relative rankings"):
        choose_method(some, methods=["da-z"])


@pytest.mark.realdata
def test_accuracy_on_wmt13_fr_en(data_folder: object) -> None:
    judged = read_ranking(f"{data_folder}/wmt-judgments/wmt13.fr-en.train.csv.gz")
    found = choose_method(compare_pairwise(judged), methods=["expected-wins", "hopkins-may"])
    # 49.1 for both, 49.5 for the oracle, as computed on the same judgements with other folds.
    assert [row.accuracy for row in found.rows] == pytest.approx([0.491, 0.491], abs=0.002)
    assert found.oracle == pytest.approx(0.495, abs=0.0005)


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("pair", "shares"),
    [
        ("cs-en", (0.93, 0.93, 0.93)),
        ("en-cs", (0.56, 0.72, 0.74)),
        ("en-fr", (0.31, 0.47, 0.57)),
        ("en-de", (0.33, 0.46, 0.51)),
        ("en-es", (0.49, 0.60, 0.65)),
        ("fr-en", (0.36, 0.50, 0.55)),
        ("de-en", (0.46, 0.57, 0.64)),
        ("es-en", (0.47, 0.61, 0.67)),
    ],
)
def test_pairs_told_apart_in_wmt12(data_folder: object, pair: str, shares: tuple[float, ...]) -> None:
    judged = read_ranking(f"{data_folder}/wmt-judgments/wmt12.RNK_results.csv.gz")
    found = power(judged, pair=pair, fractions=[1.0])
    assert tuple(round(share, 2) for share in found.points[0].shares.values()) == shares


def test_sign_tests_of_many_pairs_are_those_of_one() -> None:
    wins, losses = np.array([0, 5, 9, 100, 3]), np.array([0, 5, 1, 60, 0])
    expected = [sign_test(int(w), int(lost)) for w, lost in zip(wins, losses, strict=True)]
    np.testing.assert_allclose(sign_p(wins, losses), expected)


def test_more_judgements_tell_more_pairs_apart() -> None:
    found = power(campaign(5, 200), draws=10)
    observed = [point for point in found.points if point.observed]
    foretold = [point for point in found.points if not point.observed]
    assert len(observed) == 10
    assert observed[0].shares["0.05"] <= observed[-1].shares["0.05"]
    assert [p.shares["0.05"] for p in foretold] == sorted(p.shares["0.05"] for p in foretold)
    assert observed[-1].comparisons == 2000
    assert "Pairs told apart" in found.render()
    assert found.figures()[0].kind == "line"


def test_what_is_still_needed() -> None:
    # 60 % wins in 50 comparisons: z² = (1.96 · .5 + .84 · √.24)² / .1² ≈ 194 for 80 % power.
    (pair,) = power(from_wins([[0, 30], [20, 0]]), draws=2).needed
    assert pair.more_comparisons is not None
    assert 140 < pair.more_comparisons < 148
    (level,) = power(from_wins([[0, 20], [20, 0]]), draws=2).needed
    assert level.more_comparisons is None
    reached = power(from_wins([[0, 90], [10, 0]]), draws=2)
    assert reached.more_comparisons == 0
    assert reached.needed == ()


def test_a_target_beyond_reach_is_said() -> None:
    found = power(from_wins([[0, 20], [20, 0]]), draws=2)
    assert found.more_comparisons is None
    assert "is out of reach" in found.render()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 0.0}, "alpha must lie between"),
        ({"target": 2.0}, "target must lie between"),
        ({"draws": 0}, "At least one trial"),
        ({"fractions": [0.0]}, "lie above 0 and up to 1"),
    ],
)
def test_wrong_settings_of_power_are_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        power(campaign(3, 10), **options)  # type: ignore[arg-type]
