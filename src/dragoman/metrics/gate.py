"""A gate for builds: does the new system hold the baseline's level?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self
from xml.etree import ElementTree

import numpy as np

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.metrics.base import METRICS, Metric
from dragoman.metrics.compare import refuse_not_additive
from dragoman.metrics.scoring import collect
from dragoman.metrics.specs import make_metrics
from dragoman.options import Recipe, option
from dragoman.report import Column, Result, Table
from dragoman.report.table import shown_number
from dragoman.stats.arrays import systems_of
from dragoman.stats.replicates import bootstrap_scores

__all__ = ["Gate", "GateCheck", "GateRecipe", "gate"]


@dataclass(frozen=True)
class GateCheck:
    """One metric at the gate. `gain` is the system's score minus the baseline's, turned so that more is better."""

    metric: str
    baseline_score: float
    score: float
    gain: float
    p: float  # the share of bootstrap samples whose gain is at least as large as demanded
    passed: bool


@dataclass(frozen=True)
class Gate(Result):
    """Whether a system may pass: no metric falls short of the demanded gain beyond chance."""

    kind: ClassVar[str] = "gate"

    baseline: str
    system: str
    checks: tuple[GateCheck, ...]
    signatures: Mapping[str, str]
    min_delta: float
    alpha: float
    trials: int
    seed: int
    n_segments: int

    @property
    def passed(self) -> bool:
        """Whether every metric passed."""
        return all(check.passed for check in self.checks)

    def tables(self) -> list[Table]:
        """One row per metric."""
        columns = [
            Column("metric"),
            Column("baseline", self.baseline, digits=2),
            Column("score", self.system, digits=2),
            Column("gain", digits=2, figures=1),
            Column("p", alpha=0.05),
            Column("verdict", tones={"FAIL": "bad", "pass": "good"}),
        ]
        rows = [(c.metric, c.baseline_score, c.score, c.gain, c.p, "pass" if c.passed else "FAIL") for c in self.checks]
        note = (
            f"{'Passed' if self.passed else 'Failed'}: {self.system} against {self.baseline}, {self.n_segments:,} "
            f"segments. A metric fails where the gain is below {self.min_delta:g} and at most "
            f"{self.alpha:.0%} of the bootstrap samples reach that (p). A pass does not show that the system is as "
            "good: the test set may be too small to show a drop."
        )
        return [Table.of(f"Gate: {'passed' if self.passed else 'FAILED'}", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """The verdict and how it was reached."""
        return {
            "passed": self.passed,
            "baseline": self.baseline,
            "system": self.system,
            "signatures": dict(self.signatures),
            "min_delta": self.min_delta,
            "alpha": self.alpha,
            "trials": self.trials,
            "seed": self.seed,
            "n_segments": self.n_segments,
        }

    def junit(self) -> str:
        """The checks as JUnit XML, one test case per metric."""
        failures = sum(not check.passed for check in self.checks)
        suite = ElementTree.Element(
            "testsuite", name="dragoman gate", tests=str(len(self.checks)), failures=str(failures), errors="0"
        )
        for check in self.checks:
            case = ElementTree.SubElement(
                suite, "testcase", classname=f"dragoman.gate.{self.system}", name=check.metric
            )
            verdict = (
                f"{self.system} {check.score:.2f}, {self.baseline} {check.baseline_score:.2f}: gain "
                f"{shown_number(check.gain, 2, sign='+')}, demanded {self.min_delta:+g} (p = {check.p:.4f})"
            )
            if check.passed:
                ElementTree.SubElement(case, "system-out").text = verdict
            else:
                failure = ElementTree.SubElement(case, "failure", message=verdict, type="drop")
                failure.text = self.signatures[check.metric]
        ElementTree.indent(suite)
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


@dataclass(frozen=True)
class GateRecipe(Recipe):
    """What a system must hold to pass."""

    metrics: tuple[Metric | str, ...] = option(("bleu", "chrf"), of=METRICS, text="metric, perhaps with options")
    min_delta: float = option(
        0.0, text="the least gain that passes; −0.5 allows a drop of half a point. More is better for every metric"
    )
    alpha: float = option(0.05, text="fail only if chance reaches the least gain so rarely; 1 fails on any shortfall")
    trials: int = option(1000, low=1, text="bootstrap samples")
    seed: int = option(12345, low=0, text="seed of the samples")

    def check(self) -> Self:
        """Return the recipe if every option keeps its rule."""
        super().check()
        if not 0 < self.alpha <= 1:
            raise DataError(f"The alpha must lie above 0 and be at most 1, got {self.alpha}.")
        if not np.isfinite(self.min_delta):
            raise DataError(f"The min_delta must be a number of points, got {self.min_delta}.")
        return self


def gate(test_set: TestSet, recipe: GateRecipe | None = None, *, n_threads: int = 1) -> Gate:
    """Test the second system of a test set against the first, the baseline.

    Gains are turned so that more is better for every metric. A metric fails if its gain is below `min_delta` (0: no
    drop; −0.5: a drop of half a point is allowed) and that is no chance: at most `alpha` of the bootstrap samples reach
    `min_delta`. `alpha=1` fails on any gain below `min_delta`, chance or not.
    """
    recipe = (recipe or GateRecipe()).check()
    if len(test_set.systems) != 2:
        raise DataError(f"A gate takes a baseline and a system, got {len(test_set.systems)} systems.")
    baseline, system = test_set.systems
    trials, seed, min_delta = recipe.trials, recipe.seed, recipe.min_delta
    chosen = make_metrics(recipe.metrics, test_set.layers)
    refuse_not_additive(chosen)
    collected = collect(test_set, chosen, n_threads=n_threads)
    checks = []
    for statistics in collected:
        metric, rows = statistics.metric, systems_of(list(statistics.rows), names=statistics.systems)
        sign = 1.0 if metric.higher_is_better else -1.0
        before, after = statistics.scores().tolist()
        gain = sign * (after - before)
        replicates = bootstrap_scores(rows, metric.values, trials=trials, seed=seed, n_threads=n_threads)
        gains = sign * (replicates[:, 1] - replicates[:, 0])
        p = (int(np.count_nonzero(gains >= min_delta)) + 1) / (trials + 1)
        checks.append(GateCheck(metric.spec(), before, after, gain, p, gain >= min_delta or p > recipe.alpha))
    return Gate(
        baseline=baseline,
        system=system,
        checks=tuple(checks),
        signatures={each.metric.spec(): each.signature() for each in collected},
        min_delta=min_delta,
        alpha=recipe.alpha,
        trials=trials,
        seed=seed,
        n_segments=collected[0].rows.shape[1],
    )
