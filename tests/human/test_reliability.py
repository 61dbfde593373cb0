"""Random clickers are found, sound annotators are not called so."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.stats import binom

from dragoman.data import Judgements
from dragoman.data.comparisons import compare_pairwise
from dragoman.data.judgements import DIRECT_ASSESSMENT, read_judgements, read_ranking
from dragoman.errors import DataError, UnknownName
from dragoman.human import spot_random
from dragoman.human.chance_agreement import NO_ANSWER, answers_of_others, screen_scores, sum_distribution, tails
from dragoman.report.charts import draw_chart
from dragoman.samples import sample_path
from tests.human.made import rankings, screen, simulated


def test_random_clickers_are_found_and_sound_annotators_are_not() -> None:
    found = alarms = 0
    for seed in range(12):
        result = spot_random(simulated(8, 2, 40, seed=seed))
        found += sum(name.startswith("random") for name in result.at_chance)
        alarms += sum(name.startswith("sound") for name in result.at_chance)
    # A clicker passes as above chance in 5 cases of 100: of 24, 22.8 are found on average.
    assert found >= 20
    assert alarms == 0


def test_false_alarms_stay_below_the_level_when_everybody_is_alike() -> None:
    """Weak but equal annotators: the chance that anyone at all is called random is the level at most."""
    alarms = sum(bool(spot_random(simulated(6, 0, 12, seed=seed, noise=4.0)).at_chance) for seed in range(60))
    assert alarms <= 7  # 3 expected at most


def test_p_of_chance_is_a_p_value() -> None:
    """Under random clicking, p ≤ .05 in about 5 % of cases, though the pairs of a screen hang together."""
    p_values = [
        each.p_chance
        for seed in range(25)
        for each in spot_random(simulated(0, 6, 15, seed=seed, n_segments=6)).annotators
        if each.p_chance is not None
    ]
    assert len(p_values) == 150
    assert 1 <= sum(p <= 0.05 for p in p_values) <= 15
    assert 0.4 < float(np.mean(p_values)) < 0.62


def test_the_samples_careless_annotator_is_found_in_both_kinds() -> None:
    rank = spot_random(read_ranking(sample_path("testset/judgements/ranking.csv")))
    scored = spot_random(read_judgements(sample_path("testset/judgements/da.csv"), DIRECT_ASSESSMENT))
    assert rank.at_chance == scored.at_chance == ("ann-4",)
    assert rank.annotators[0].annotator == "ann-4"
    assert "At chance" in rank.render()
    assert rank.to_dict()["meta"]["at_chance"] == ["ann-4"]
    assert draw_chart(rank.figures()[0]).startswith("<svg")


def test_chance_of_a_screen_is_that_of_all_deals() -> None:
    ranks = {"A": 1, "B": 2, "C": 2, "D": 4}
    others = [screen(who, 1, {"A": 1, "B": 2, "C": 3, "D": 4}) for who in ("bob", "eve")]
    comparisons = compare_pairwise(rankings([screen("ann", 1, ranks), *others]))
    answers = answers_of_others(comparisons)
    mine = comparisons.annotator == comparisons.annotators.index("ann")
    assert answers[mine].tolist() == [1] * 6
    scores = screen_scores(comparisons, answers)
    assert (scores.comparable[0], scores.agreeing[0]) == (6, 5)
    expected = np.zeros(7)
    for deal in permutations(ranks.values()):
        expected[sum(deal[a] < deal[b] for a, b in combinations(range(4), 2))] += 1 / 24
    np.testing.assert_allclose(scores.chance[0], expected)


def test_others_without_a_majority_give_no_answer() -> None:
    rows = [
        screen("ann", 1, {"A": 1, "B": 2}),
        screen("ann", 1, {"A": 1, "B": 2}),
        screen("bob", 1, {"A": 2, "B": 1}),
        screen("eve", 1, {"A": 1, "B": 2}),
        screen("ann", 2, {"A": 1, "B": 2}),
    ]
    answers = answers_of_others(compare_pairwise(rankings(rows)))
    # ann: bob and eve differ; bob: two of ann and eve say A; eve: ann twice against bob once; segment 2 is ann's alone.
    assert answers.tolist() == [NO_ANSWER, NO_ANSWER, 1, 1, NO_ANSWER]


def test_large_screens_draw_orders() -> None:
    from dragoman.data.judgements import ranking_schema

    ranks = {f"s{n}": min(5, n + 1) for n in range(8)}
    rows = [screen(who, 1, dict(ranks)) for who in ("ann", "bob")]
    comparisons = compare_pairwise(Judgements.of(ranking_schema(8), rows))
    scores = screen_scores(comparisons, answers_of_others(comparisons))
    assert scores.chance.sum(axis=1) == pytest.approx([1, 1])
    assert scores.agreeing.tolist() == [28, 28]


def test_sums_of_counts() -> None:
    coin = np.array([0.5, 0.5])
    np.testing.assert_allclose(sum_distribution([coin] * 3), np.array([1, 3, 3, 1]) / 8)
    np.testing.assert_allclose(sum_distribution([]), [1.0])
    assert tails(sum_distribution([coin] * 3), 2) == (0.5, 0.875)
    many = sum_distribution([coin] * 5000)  # by Fourier transform
    assert many.sum() == pytest.approx(1, abs=1e-12)
    assert tails(many, 2600)[0] == pytest.approx(float(binom.sf(2599, 5000, 0.5)), rel=1e-9)


def test_an_annotator_of_one_judgement_is_undecided() -> None:
    rows = [screen(who, n, {"A": 1, "B": 2, "C": 3}) for who in ("ann", "bob") for n in range(20)]
    result = spot_random(
        rankings([*rows, screen("eve", 1, {"A": 3, "B": 2, "C": 1}), screen("zoe", 99, {"A": 1, "B": 2})])
    )
    verdicts = {each.annotator: (each.verdict, each.comparable) for each in result.annotators}
    assert verdicts["zoe"] == ("undecided", 0)
    assert next(each.p_below for each in result.annotators if each.annotator == "ann") is not None
    assert verdicts["ann"][0] == "above chance"


def test_constant_scores_follow_nothing() -> None:
    rng = np.random.default_rng(0)
    rows = []
    for segment in range(40):
        truth = float(rng.uniform(0, 100))
        for who in ("ann", "bob", "eve"):
            score = 50.0 if who == "eve" else float(np.clip(truth + rng.normal(0, 8), 0, 100))
            rows.append({"annotator": who, "item": f"{segment}", "segment": segment, "system": "A", "score": score})
    result = spot_random(Judgements.of(DIRECT_ASSESSMENT, rows))
    assert result.at_chance == ("eve",)


def test_errors() -> None:
    with pytest.raises(DataError, match="No segment and pair of systems was judged by two annotators"):
        spot_random(rankings([screen("ann", 1, {"A": 1, "B": 2})]))
    with pytest.raises(DataError, match="No output was scored by two annotators"):
        spot_random(
            Judgements.of(DIRECT_ASSESSMENT, [{"annotator": "a", "item": "1", "segment": 1, "system": "A", "score": 5}])
        )
    with pytest.raises(UnknownName, match="No correction is called 'bonferoni'"):
        spot_random(rankings([screen("ann", 1, {"A": 1, "B": 2})]), correction="bonferoni")
    with pytest.raises(DataError, match="alpha must lie between 0 and 1, got 2"):
        spot_random(rankings([screen("ann", 1, {"A": 1, "B": 2})]), alpha=2)


def test_two_annotators_of_one_screen_are_undecided() -> None:
    result = spot_random(rankings([screen("ann", 1, {"A": 1, "B": 2}), screen("bob", 1, {"A": 2, "B": 1})]))
    assert [(each.verdict, each.p_below) for each in result.annotators] == [("undecided", None)] * 2
