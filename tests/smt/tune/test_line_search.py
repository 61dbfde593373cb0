from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman._core import tune
from dragoman.errors import DataError
from dragoman.metrics.bleu import Bleu
from dragoman.metrics.meteor import Meteor
from dragoman.metrics.tesla import TeslaM
from dragoman.smt.tune import Objective
from dragoman.smt.tune.pool import Candidates

BLEU = tune.BleuObjective(4, tune.Smoothing.exp, 0.0, False)


def random_candidates(rng: np.random.Generator, *, grid: bool) -> Candidates:
    """Lists with BLEU-like statistics; on a grid, so that lines meet in one point and ties abound."""
    sizes = rng.integers(1, 8, size=rng.integers(1, 6))
    n = int(sizes.sum())
    features = rng.integers(-2, 3, size=(n, 3)).astype(float) if grid else rng.normal(size=(n, 3))
    counts = rng.integers(5, 12, size=(n, 1)) - np.arange(4)
    matches = np.floor(counts * rng.uniform(size=(n, 4)))
    stats = np.hstack([counts[:, :1], np.full((n, 1), 9), matches, counts]).astype(float)
    return Candidates(features, stats, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))


def naive_best(candidates: Candidates, weights: np.ndarray, direction: np.ndarray) -> float:
    """The best value over a point inside every interval between two crossings of lines of one segment."""
    scores, slopes = candidates.features @ weights, candidates.features @ direction
    crossings = {0.0}
    for begin, end in zip(candidates.offsets[:-1], candidates.offsets[1:], strict=True):
        for i in range(begin, end):
            for j in range(i):
                if slopes[i] != slopes[j]:
                    crossings.add(float((scores[j] - scores[i]) / (slopes[i] - slopes[j])))
    edges = sorted(crossings)
    middles = [(a + b) / 2 for a, b in pairwise(edges) if b - a > 1e-6]
    points = [edges[0] - 1, *middles, edges[-1] + 1]
    return max(value_at(candidates, weights + t * direction) for t in points)


def value_at(candidates: Candidates, weights: np.ndarray) -> float:
    best = candidates.best(candidates.features @ weights)
    return Bleu().value(candidates.stats[best].sum(axis=0))


@given(st.integers(0, 10**6))
def test_a_search_finds_what_trying_every_interval_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    candidates = random_candidates(rng, grid=False)
    weights, direction = rng.normal(size=3), rng.normal(size=3)
    t, value = tune.line_search(candidates.features, candidates.stats, candidates.offsets, BLEU, weights, direction)
    assert value == pytest.approx(naive_best(candidates, weights, direction), abs=1e-9)
    assert value_at(candidates, weights + t * direction) == pytest.approx(value, abs=1e-9)


@given(st.integers(0, 10**6))
def test_where_lines_meet_in_one_point_no_better_interval_is_missed(seed: int) -> None:
    rng = np.random.default_rng(seed)
    candidates = random_candidates(rng, grid=True)
    weights, direction = rng.integers(-2, 3, size=3).astype(float), np.eye(3)[rng.integers(3)]
    # Candidates that are alike throughout the line may stand for each other: make them alike in their statistics, too.
    lines = np.stack([candidates.features @ weights, candidates.features @ direction], axis=1)
    stats = candidates.stats.copy()
    for begin, end in zip(candidates.offsets[:-1], candidates.offsets[1:], strict=True):
        for i in range(begin, end):
            stats[i] = stats[begin + next(j for j in range(i - begin + 1) if (lines[begin + j] == lines[i]).all())]
    candidates = Candidates(candidates.features, stats, candidates.offsets)
    _, value = tune.line_search(candidates.features, candidates.stats, candidates.offsets, BLEU, weights, direction)
    assert value >= naive_best(candidates, weights, direction) - 1e-9


def test_a_step_that_gains_nothing_is_no_step() -> None:
    features = np.array([[1.0], [0.0]])
    stats = np.array([[5.0, 5, 5, 4, 3, 2, 5, 4, 3, 2]] * 2)
    offsets = np.array([0, 2])
    assert tune.line_search(features, stats, offsets, BLEU, np.array([1.0]), np.array([1.0])) == (
        0.0,
        pytest.approx(100),
    )


@given(
    st.lists(st.integers(0, 30), min_size=4, max_size=4),
    st.integers(0, 40),
    st.integers(0, 40),
    st.sampled_from(["none", "floor", "add-k", "exp"]),
    st.booleans(),
)
def test_bleu_in_the_core_is_the_metric_s(matches: list[int], hyp: int, ref: int, smoothing: str, eff: bool) -> None:
    counts = [max(0, hyp - n) for n in range(4)]
    row = np.array([[hyp, ref, *map(min, matches, counts), *counts]], dtype=float)
    objective = Objective(Bleu(smoothing=smoothing, effective_order=eff), [["x"]])
    core = objective.core
    assert isinstance(core, tune.BleuObjective)
    np.testing.assert_allclose(core.values(row), objective.metric.values(row), rtol=1e-9, atol=1e-9)


@given(st.lists(st.integers(0, 9), min_size=16, max_size=16), st.integers(0, 20), st.sampled_from(["en", "de", "pt"]))
def test_meteor_in_the_core_is_the_metric_s(matches: list[int], chunks: int, lang: str) -> None:
    hyp, ref = sum(matches[::2]), sum(matches[1::2])
    lengths = [[hyp, ref], [hyp + 3, ref + 1]]
    rows = np.array([[*each, *(min(length, 4) for length in each), *matches, chunks] for each in lengths], dtype=float)
    objective = Objective(Meteor(lang=lang, norm="lower", function_words="none"), [["x"]])
    core = objective.core
    assert isinstance(core, tune.MeteorObjective)
    np.testing.assert_allclose(core.values(rows), objective.metric.values(rows), rtol=1e-9, atol=1e-9)


def test_a_mean_of_segments_is_searched_in_the_core() -> None:
    rng = np.random.default_rng(4)
    features, offsets = rng.normal(size=(40, 3)), np.arange(0, 41, 8, dtype=np.int64)
    stats = np.stack([rng.uniform(0, 100, size=40), np.ones(40)], axis=1)
    objective = Objective(TeslaM(tokeniser="none"), [["x"] * 5])
    assert isinstance(objective.core, tune.MeanObjective)
    weights, direction = rng.normal(size=3), rng.normal(size=3)
    own = tune.line_search(features, stats, offsets, objective.core, weights, direction)
    assert own == pytest.approx(tune.line_search(features, stats, offsets, objective.gains, weights, direction))


def test_another_objective_is_asked_by_rows_of_sums() -> None:
    rng = np.random.default_rng(1)
    candidates = random_candidates(rng, grid=False)
    weights, direction = rng.normal(size=3), rng.normal(size=3)
    arrays = (candidates.features, candidates.stats, candidates.offsets)
    own = tune.line_search(*arrays, BLEU, weights, direction)
    asked = tune.line_search(*arrays, Bleu().values, weights, direction)
    assert asked == pytest.approx(own)


@pytest.mark.parametrize("core", [True, False])
def test_an_ascent_does_not_depend_on_threads(core: bool) -> None:
    rng = np.random.default_rng(5)
    sizes = rng.integers(2, 9, size=25)
    n = int(sizes.sum())
    counts = rng.integers(5, 12, size=(n, 1)) - np.arange(4)
    stats = np.hstack([counts[:, :1], np.full((n, 1), 9), np.floor(counts * rng.uniform(size=(n, 4))), counts])
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    objective = BLEU if core else Bleu().values
    found = [
        tune.ascend(
            rng_features(n),
            stats.astype(float),
            offsets,
            objective,
            np.ones((7, 4)),
            np.ones(4),
            9,
            random_directions=5,
            features_of_direction=3,
            most_sweeps=5,
            tolerance=0.0,
            n_threads=n_threads,
        )
        for n_threads in (1, 2, 7)
    ]
    assert (found[0][1] >= found[0][2]).all()
    assert len({tuple(weights) for weights in found[0][0].tolist()}) > 1  # starts have chance of their own
    for other in found[1:]:
        for mine, theirs in zip(found[0][:3], other[:3], strict=True):
            np.testing.assert_array_equal(mine, theirs)


def rng_features(n: int) -> np.ndarray:
    return np.random.default_rng(6).normal(size=(n, 4))


def test_a_broken_objective_is_named() -> None:
    arrays = (np.ones((2, 1)), np.ones((2, 10)), np.array([0, 2]))
    with pytest.raises(DataError, match="one value for each row"):
        tune.line_search(*arrays, lambda _: np.zeros(5), np.ones(1), np.ones(1))
    with pytest.raises(DataError, match="another order"):
        tune.line_search(arrays[0], np.ones((2, 6)), arrays[2], BLEU, np.ones(1), np.ones(1))


@pytest.mark.parametrize(
    ("features", "stats", "offsets", "message"),
    [
        (np.ones((2, 1)), np.ones((2, 10)), [0], "no segments"),
        (np.ones((2, 1)), np.ones((2, 10)), [0, 0, 2], "Segment 1 has no candidates"),
        (np.ones((3, 1)), np.ones((2, 10)), [0, 2], "same number of candidates"),
        (np.array([[1.0], [np.nan]]), np.ones((2, 10)), [0, 2], "Candidate 2 of segment 1 has a feature"),
        (np.ones((2, 1)), np.full((2, 10), np.inf), [0, 2], "Candidate 1 of segment 1 has a statistic"),
    ],
)
def test_broken_candidates_are_named(features: np.ndarray, stats: np.ndarray, offsets: list[int], message: str) -> None:
    with pytest.raises(DataError, match=message):
        tune.line_search(features, stats, np.array(offsets, dtype=np.int64), BLEU, np.ones(1), np.ones(1))
    with pytest.raises(DataError, match="1 features, got 2 weights"):
        tune.line_search(np.ones((2, 1)), np.ones((2, 10)), np.array([0, 2]), BLEU, np.ones(2), np.ones(1))
