"""The methods one by one: worked examples of the papers, definitions, and peers as oracles."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman._core import rank as core
from dragoman.data import Comparisons
from dragoman.errors import DataError
from dragoman.ranking import RankingRecipe, make_ranking, rank
from dragoman.ranking.lopez import Lopez
from dragoman.ranking.most_probable import MostProbable, log_probability
from dragoman.rng import Stream
from tests.ranking.made import campaign, from_wins, made

# Findings 2012, §4: A–B 20–0, B–C 40–20, C–A 60–40.
EXAMPLE_1 = [[0, 20, 40], [0, 0, 40], [60, 20, 0]]
# A–B 100–0, A–C 60–40, B–C 50–50.
EXAMPLE_2 = [[0, 100, 60], [0, 0, 50], [40, 50, 0]]


def test_example_1_has_three_best_orders_for_lopez_and_one_most_probable() -> None:
    found = rank(from_wins(EXAMPLE_1), RankingRecipe(method="lopez"))
    assert found.details["violated_judgements"] == 20
    assert found.details["optimal_orders"] == 3
    assert "3 orders are equally good" in found.note()
    wins = np.array(EXAMPLE_1)
    a, b, c = range(3)
    assert math.exp(log_probability(wins, (a, b, c))) == pytest.approx(20 / 20 * 40 / 100 * 40 / 60)
    assert log_probability(wins, (b, c, a)) == -math.inf
    assert math.exp(log_probability(wins, (c, a, b))) == pytest.approx(0.20)
    assert rank(from_wins(EXAMPLE_1), RankingRecipe(method="most-probable")).order == ("A", "B", "C")


def test_example_2_is_tied_for_the_pairwise_methods_but_not_for_expected_wins() -> None:
    wins = np.array(EXAMPLE_2)
    assert Lopez().optimum(wins).n_orders == 2
    assert Lopez().optimum(wins).cost == 0
    assert MostProbable().optimum(wins).n_orders == 2
    assert log_probability(wins, (0, 1, 2)) == log_probability(wins, (0, 2, 1))
    found = rank(from_wins(EXAMPLE_2))
    assert found.order == ("A", "C", "B")
    assert [row.score for row in found.rows] == pytest.approx([0.80, 0.45, 0.25])
    # Of the two equally good orders the one of Expected Wins is taken.
    assert rank(from_wins(EXAMPLE_2), RankingRecipe(method="lopez")).order == ("A", "C", "B")


def test_most_probable_keeps_exact_zeros() -> None:
    # A circle of certain wins: every order contradicts one of them.
    found = rank(from_wins([[0, 5, 0], [0, 0, 5], [5, 0, 0]]), RankingRecipe(method="most-probable"))
    assert found.details["log_probability"] is None
    assert found.details["optimal_orders"] == 3


def playoff(seeds: list[int], beats: set[tuple[int, int]]) -> list[int]:
    """One tournament, told step by step."""
    if len(seeds) < 2:
        return seeds
    k = 1
    while k < len(seeds):
        k *= 2
    winners, losers = [], []
    for i in range(k // 2):
        if k - 1 - i >= len(seeds):
            winners.append(seeds[i])
            continue
        a, b = seeds[i], seeds[k - 1 - i]
        won, lost = (a, b) if (a, b) in beats else (b, a)
        winners.append(won)
        losers.append(lost)
    return playoff(winners, beats) + playoff(losers, beats)


def test_example_3_walks_through_a_playoff() -> None:
    a, b, c, d = range(4)
    assert playoff([a, b, c, d], {(a, d), (c, b), (a, c), (d, b)}) == [a, c, d, b]


@pytest.mark.parametrize("n", [2, 3, 5, 6, 8, 11])
def test_playoffs_of_certain_games_are_those_of_the_definition(n: int) -> None:
    rng = np.random.default_rng(n)
    beats = {(i, j) if rng.random() < 0.5 else (j, i) for i in range(n) for j in range(i)}
    chances = np.array([[float((i, j) in beats) for j in range(n)] for i in range(n)])
    stream, runs = Stream(3, "playoffs"), 50
    found = core.playoff_ranks(chances, runs, stream.key)
    sums = np.zeros(n)
    n_draws = n * (1 + int(n).bit_length())
    for run in range(runs):
        seeds = list(range(n))
        for place, left in enumerate(range(n, 1, -1)):
            drawn = int((int(stream.bits(1, start=run * n_draws + place)[0]) * left) >> 64)
            seeds[left - 1], seeds[drawn] = seeds[drawn], seeds[left - 1]
        for place, system in enumerate(playoff(seeds, beats)):
            sums[system] += place + 1
    np.testing.assert_allclose(found, sums / runs)


def test_a_game_that_was_never_decided_is_settled_by_lot() -> None:
    found = rank(made([(0, 1, 0), (0, 2, 1), (1, 2, 1)]), RankingRecipe(method="playoffs:runs=20000"))
    scores = {row.system: row.score for row in found.rows}
    assert scores["A"] == pytest.approx(scores["B"], abs=0.05)
    assert scores["A"] < scores["C"]


def trueskill_means(rows: list[tuple[int, int, int]], **options: float) -> np.ndarray:
    some = made(rows)
    starts = np.arange(len(some) + 1, dtype=np.int64)
    return core.trueskill_runs(
        some.first,
        some.second,
        some.outcome,
        len(some.systems),
        starts,
        "given",
        1,
        0,
        options=core.TrueSkillOptions(**options),
    )[0]


def test_trueskill_updates_of_the_specification() -> None:
    # σ = .5, β = 1, p(draw) = .25: means ± and variance after a win between equals.
    means, variances = trueskill_means([(0, 1, 1)])
    np.testing.assert_allclose(means, [0.156174, -0.156174], atol=1e-6)
    np.testing.assert_allclose(variances, [0.232647, 0.232647], atol=1e-6)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(-1, 1)), min_size=1, max_size=30))
def test_trueskill_is_that_of_the_package(rows: list[tuple[int, int, int]]) -> None:
    trueskill = pytest.importorskip("trueskill")
    games = [(min(i, j), max(i, j), outcome) for i, j, outcome in rows if i != j] or [(0, 1, 1)]
    environment = trueskill.TrueSkill(mu=0.0, sigma=0.5, beta=0.7, tau=0.01, draw_probability=0.25)
    ratings = [environment.create_rating() for _ in range(4)]
    for i, j, outcome in games:
        ranks = {1: [0, 1], 0: [0, 0], -1: [1, 0]}[outcome]
        ((ratings[i],), (ratings[j],)) = environment.rate([(ratings[i],), (ratings[j],)], ranks=ranks)
    means, variances = trueskill_means(games, sd=0.5, beta=0.7, tau=0.01, p_draw=0.25)
    np.testing.assert_allclose(means, [rating.mu for rating in ratings[: len(means)]], atol=1e-6)
    np.testing.assert_allclose(np.sqrt(variances), [rating.sigma for rating in ratings[: len(means)]], atol=1e-6)


def test_trueskill_stands_results_beyond_belief() -> None:
    means, variances = trueskill_means([(0, 1, 1), (0, 1, -1), (0, 1, 0)] * 400, sd=50.0, beta=1e-3, p_draw=0.5)
    assert np.isfinite(means).all()
    assert (variances > 0).all()


def naive_replay(some: Comparisons, stream: Stream, n: int) -> np.ndarray:
    """WMT 2014's replay, word for word."""
    from scipy.stats import norm

    wins, ties = some.wins(), some.ties()
    k = len(some.systems)
    beta = 0.5 * n / 40
    margin = norm.ppf(0.625) * math.sqrt(2) * beta
    mean, variance = np.zeros(k), np.full(k, 0.25)
    draws = stream.uniform(2 * n)
    for match in range(n):
        a = max(range(k), key=lambda i: (variance[i], i))
        others = [b for b in range(k) if b != a and wins[a, b] + wins[b, a] + ties[a, b]]
        weights = np.exp(-np.abs(mean[a] - mean[others]))
        b = others[int(np.searchsorted(np.cumsum(weights), draws[2 * match] * weights.sum(), side="right"))]
        drawn = draws[2 * match + 1] * (wins[a, b] + wins[b, a] + ties[a, b])
        outcome = 1 if drawn < wins[a, b] else 0 if drawn < wins[a, b] + ties[a, b] else -1
        w, lost = (a, b) if outcome >= 0 else (b, a)
        c = math.sqrt(2 * beta**2 + variance[w] + variance[lost])
        t, e = (mean[w] - mean[lost]) / c, margin / c
        if outcome:
            v = norm.pdf(t - e) / norm.cdf(t - e)
            factor = v * (v + t - e)
        else:
            z = norm.cdf(e - t) - norm.cdf(-e - t)
            v = (norm.pdf(-e - t) - norm.pdf(e - t)) / z
            factor = v**2 + ((e - t) * norm.pdf(e - t) + (e + t) * norm.pdf(e + t)) / z
        mean[w] += variance[w] / c * v
        mean[lost] -= variance[lost] / c * v
        variance[w] *= 1 - variance[w] / c**2 * factor
        variance[lost] *= 1 - variance[lost] / c**2 * factor
    return mean


def test_a_replay_is_that_of_wmt14() -> None:
    some = campaign(4, 20)
    stream = Stream(9, "trueskill replays")
    found = make_ranking("trueskill").replicates(some, n=1, unit="judgement", seed=9)
    np.testing.assert_allclose(found[0], naive_replay(some, stream, len(some) + 1), atol=1e-9)


def test_trueskill_scores_sum_to_nothing_and_name_what_was_never_compared() -> None:
    found = rank(campaign(), RankingRecipe(method="trueskill:runs=20"))
    assert abs(sum(row.score for row in found.rows)) < 1e-3
    with pytest.raises(DataError, match="System 2 was never compared"):
        core.active_replays(
            np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]]),
            np.zeros((3, 3), dtype=np.int64),
            5,
            1,
            0,
            options=core.TrueSkillOptions(),
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sd": 0.0}, "sigma must be above 0"),
        ({"beta": -1.0}, "beta must be above 0"),
        ({"tau": math.nan}, "tau must be 0 or above"),
        ({"p_draw": 1.0}, "share of draws"),
        ({"mean": math.inf}, "finite number"),
    ],
)
def test_beliefs_that_are_none_are_named(options: dict[str, float], message: str) -> None:
    with pytest.raises(DataError, match=message):
        trueskill_means([(0, 1, 1)], **options)


def test_elo_is_the_textbook_update() -> None:
    some = made([(0, 1, 1), (1, 2, 0), (0, 2, -1)])
    ratings = [1000.0] * 3
    for i, j, score in ((0, 1, 1.0), (1, 2, 0.5), (0, 2, 0.0)):
        step = 4 * (score - 1 / (1 + 10 ** ((ratings[j] - ratings[i]) / 400)))
        ratings[i] += step
        ratings[j] -= step
    found = make_ranking("elo:orders=0").scores(some).values
    np.testing.assert_allclose(found, ratings)


def test_bradley_terry_is_the_maximum_likelihood() -> None:
    choix = pytest.importorskip("choix")
    some = from_wins([[0, 7, 9, 12], [4, 0, 8, 9], [2, 5, 0, 6], [1, 3, 5, 0]])
    wins = some.wins()
    data = [(i, j) for i in range(4) for j in range(4) for _ in range(wins[i, j])]
    expected = choix.opt_pairwise(4, data)
    found = make_ranking("bradley-terry:prior_sd=10000").scores(some).values
    np.testing.assert_allclose(found, expected - expected.mean(), atol=1e-4)
    plackett_luce = make_ranking("plackett-luce:prior_sd=10000").scores(some).values
    np.testing.assert_allclose(plackett_luce, found, atol=1e-6)


def test_plackett_luce_reads_whole_rankings() -> None:
    choix = pytest.importorskip("choix")
    rng = np.random.default_rng(2)
    rankings = [list(np.argsort(-(np.linspace(1, 0, 4) + rng.gumbel(size=4)))) for _ in range(60)]
    rows = [
        (i, j, 1 if ranking.index(i) < ranking.index(j) else -1)
        for ranking in rankings
        for i in range(4)
        for j in range(i + 1, 4)
    ]
    expected = choix.opt_rankings(4, rankings)
    found = make_ranking("plackett-luce:prior_sd=10000").scores(made(rows, per_screen=6)).values
    np.testing.assert_allclose(found, expected - expected.mean(), atol=1e-4)


def test_a_system_that_never_lost_has_a_finite_ability() -> None:
    some = from_wins([[0, 9, 9], [0, 0, 5], [0, 4, 0]])
    for name in ("bradley-terry", "plackett-luce", "hopkins-may"):
        values = make_ranking(name).scores(some).values
        assert np.isfinite(values).all()
        assert values.argmax() == 0


def test_hopkins_may_maximises_its_likelihood() -> None:
    from scipy.optimize import minimize
    from scipy.stats import norm

    some = campaign(4, 30)
    wins, ties = some.wins(), some.ties()
    scale = math.sqrt(2 * 1.25)

    def loss(mu: np.ndarray) -> float:
        total = 0.5 * float(mu @ mu)
        for i in range(4):
            for j in range(4):
                gap = mu[i] - mu[j]
                total -= wins[i, j] * norm.logcdf((gap - 0.5) / scale)
                if i < j:
                    total -= ties[i, j] * math.log(norm.cdf((gap + 0.5) / scale) - norm.cdf((gap - 0.5) / scale))
        return total

    expected = minimize(loss, np.zeros(4), tol=1e-12).x
    found = make_ranking("hopkins-may").scores(some).values
    np.testing.assert_allclose(found, expected - expected.mean(), atol=1e-4)


def test_hopkins_may_without_a_radius_ignores_ties() -> None:
    some = campaign(3, 30)
    decided = some.take(some.outcome != 0)
    method = make_ranking("hopkins-may:radius=0")
    np.testing.assert_allclose(method.scores(some).values, method.scores(decided).values)


def test_hopkins_may_is_near_a_gibbs_sampler() -> None:
    """The paper samples; the sampler of the specification, run briefly, agrees to its own noise."""
    from scipy.stats import truncnorm

    some = campaign(3, 60)
    rng = np.random.default_rng(0)
    variance, d = 1.25, 0.5
    mu, kept = np.zeros(3), []
    count = np.bincount(some.first, minlength=3) + np.bincount(some.second, minlength=3)
    low = np.select([some.outcome > 0, some.outcome < 0], [d, -np.inf], -d)
    high = np.select([some.outcome > 0, some.outcome < 0], [np.inf, -d], d)
    sd = math.sqrt(2 * variance)
    for step in range(600):
        gap = mu[some.first] - mu[some.second]
        delta = truncnorm.rvs((low - gap) / sd, (high - gap) / sd, loc=gap, scale=sd, random_state=rng)
        total = rng.normal(mu[some.first] + mu[some.second], sd)
        sums = np.bincount(some.first, (total + delta) / 2, 3) + np.bincount(some.second, (total - delta) / 2, 3)
        v = 1 / (count / variance + 1)
        mu = rng.normal(v * sums / variance, np.sqrt(v))
        if step >= 100:
            kept.append(mu - mu.mean())
    np.testing.assert_allclose(np.mean(kept, axis=0), make_ranking("hopkins-may").scores(some).values, atol=0.1)


def test_more_judgements_of_one_pair_move_bojar_but_not_expected_wins() -> None:
    # Findings 2012: each opponent weighs the same, however often it was met.
    more = [row[:] for row in EXAMPLE_2]
    more[0][2], more[2][0] = 600, 400
    before, after = from_wins(EXAMPLE_2), from_wins(more)
    assert rank(before).cells() == rank(after).cells()
    assert rank(before, RankingRecipe(method="bojar")).cells() != rank(after, RankingRecipe(method="bojar")).cells()
