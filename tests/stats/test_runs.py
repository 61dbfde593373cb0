"""Several runs of a system: the mean of their scores, runs as a second factor, deals within a segment."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dragoman.stats import bootstrap_interval, compare_systems, paired_test
from tests.stats.made import Floats, counts, mean, ratio, scores


def runs(rng: np.random.Generator, n_runs: int, n: int, share: float = 0.5) -> Floats:
    return np.stack([counts(rng, n, share) for _ in range(n_runs)])


def test_the_score_is_the_mean_of_the_runs_scores() -> None:
    rng = np.random.default_rng(0)
    a, b = runs(rng, 3, 20), runs(rng, 2, 20)
    found = paired_test("bootstrap", trials=50).compare(a, b, ratio)
    assert found.score_a == pytest.approx(np.mean([ratio(run.sum(0)[None])[0] for run in a]))
    assert found.runs == (3, 2)


def test_one_run_in_an_extra_axis_changes_nothing() -> None:
    rng = np.random.default_rng(0)
    a, b = runs(rng, 1, 40), runs(rng, 1, 40)
    for name in ("bootstrap", "randomisation", "multeval", "sign", "sacrebleu-bs", "permutation"):
        test = paired_test(name, **({"limit": 40} if name == "permutation" else {}))
        rows = slice(None, 8) if name == "permutation" else slice(None)
        assert test.compare(a[:, rows], b[:, rows], ratio) == test.compare(a[0, rows], b[0, rows], ratio)


def test_the_spread_of_runs_comes_out_unbiased() -> None:
    # Runs that differ by a constant: all spread is between runs; its variance estimate is s²/R.
    levels = np.array([1.0, 4.0, 2.0, 8.0])
    system = np.stack([scores(*np.full(10, level)) for level in levels])
    other = scores(*np.zeros(10))
    test = paired_test("bootstrap", trials=40_000)
    joint = test.joint([system, other], mean, [(0, 1)])
    assert joint.null.var() == pytest.approx(levels.var(ddof=1) / 4, rel=0.03)


@pytest.mark.parametrize("n_runs", [2, 5])
def test_two_systems_with_noisy_runs_are_told_apart_at_the_right_rate(n_runs: int) -> None:
    # A run's luck moves all its segments. Judged by one run each, that luck is taken for a difference of the systems;
    # with the runs as a factor the bootstrap interval takes it in. The rate for so few runs stays above 5 % (a standard
    # error from few runs is itself uncertain), but far below that of one run.
    rng = np.random.default_rng(5)
    test = paired_test("bootstrap", trials=200)
    one = several = 0
    for _ in range(150):
        difficulty = rng.normal(size=60)
        a, b = (
            np.stack([scores(*(difficulty + rng.normal() * 0.5 + rng.normal(size=60) * 0.5)) for _ in range(n_runs)])
            for _ in range(2)
        )
        one += test.compare(a[0], b[0], mean).p <= 0.05
        several += test.compare(a, b, mean).p <= 0.05
    assert one / 150 > 0.5
    assert several / 150 < (0.35 if n_runs == 2 else 0.15)


def test_dealing_is_the_enumeration_of_all_deals() -> None:
    # Two runs each, two segments: each segment's four outputs are dealt in 24 ways.
    a = np.stack([scores(5, 3), scores(4, 6)])
    b = np.stack([scores(1, 2), scores(2, 0)])
    outputs = np.concatenate([a, b])[:, :, 0]
    deltas = [
        (outputs[list(first), 0][:2].sum() + outputs[list(second), 1][:2].sum()) / 4
        - (outputs[list(first), 0][2:].sum() + outputs[list(second), 1][2:].sum()) / 4
        for first in itertools.permutations(range(4))
        for second in itertools.permutations(range(4))
    ]
    delta = a[:, :, 0].mean() - b[:, :, 0].mean()
    exact = np.mean(np.array(deltas) >= delta - 1e-9)
    trials = 20_000
    found = paired_test("randomisation", sides=1, trials=trials, formula="paper").compare(a, b, mean)
    assert abs(found.p - exact) < 3 * np.sqrt(exact * (1 - exact) / trials)


def test_a_system_of_several_runs_does_not_beat_itself() -> None:
    a = runs(np.random.default_rng(0), 3, 30)
    for name in ("bootstrap", "paired-bootstrap", "randomisation", "sign", "wilcoxon", "t"):
        for sides in (1, 2):
            found = paired_test(name, sides=sides).compare(a, a.copy(), ratio)
            # Dealing the runs gives differences around 0, half of them above.
            is_dealt = name == "randomisation" and sides == 1
            assert found.delta == 0
            assert found.p == (pytest.approx(0.5, abs=0.03) if is_dealt else 1)


def test_runs_in_tables_threads_and_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    systems = {"a": runs(rng, 3, 30), "b": runs(rng, 2, 30), "c": counts(rng, 30, 0.6), "d": counts(rng, 30, 0.5)}
    for name in ("bootstrap", "randomisation"):
        test = paired_test(name, trials=100)
        table = compare_systems(systems, ratio, test=test, correction="max-t")
        assert table == compare_systems(systems, ratio, test=test, correction="max-t", n_threads=3)
        assert table.pair("c", "a").result == test.compare(systems["c"], systems["a"], ratio)
        assert table.pair("d", "c").result == test.compare(systems["d"], systems["c"], ratio)
    whole = bootstrap_interval(systems["a"], ratio, trials=100)
    monkeypatch.setattr("dragoman.stats.replicates._CELLS", 1)
    assert whole == bootstrap_interval(systems["a"], ratio, trials=100)
