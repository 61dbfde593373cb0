"""The same tuning with several seeds: how much the weights and the score depend on chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean, stdev
from typing import Any, ClassVar

from dragoman.errors import DataError
from dragoman.metrics.references import RefsInput
from dragoman.report import Column, Result, Table
from dragoman.smt.tune.base import Tuned, Tuner
from dragoman.smt.tune.pool import Decode

__all__ = ["Tunings", "tune_seeds"]


@dataclass(frozen=True)
class Tunings(Result):
    """One tuning for each of several seeds: a difference smaller than theirs is no difference."""

    kind: ClassVar[str] = "tunings"

    runs: tuple[Tuned, ...]

    @property
    def best(self) -> Tuned:
        """The run with the best value, on held-out segments where there are any; it tells of the others' values."""
        return replace(self._chosen, seeds=tuple((run.seed, run.value, run.held_out) for run in self.runs))

    @property
    def _chosen(self) -> Tuned:
        """The first of the best runs."""
        sign = 1 if self.runs[0].higher_is_better else -1
        return max(self.runs, key=lambda run: sign * (run.value if run.held_out is None else run.held_out))

    @property
    def mean(self) -> float:
        """The mean value on the tuning set."""
        return mean(run.value for run in self.runs)

    @property
    def sd(self) -> float | None:
        """The standard deviation of the values; None for one run."""
        return stdev(run.value for run in self.runs) if len(self.runs) > 1 else None

    def tables(self) -> list[Table]:
        """One row a run; then the weights with their spread over the runs."""
        columns: list[Column | str] = [
            "seed",
            Column("value", self.runs[0].label, digits=2),
            Column("held_out", "held out", digits=2),
            Column("length_ratio", "length", digits=3),
            "rounds",
            "kept",
            Column("seconds", digits=1),
            "chosen",
        ]
        rows = [
            (
                run.seed,
                run.value,
                run.held_out,
                run.rounds[run.kept].length_ratio,
                len(run.rounds) - 1,
                run.kept,
                run.seconds,
                run is self._chosen,
            )
            for run in self.runs
        ]
        spread = "" if self.sd is None else f", standard deviation {self.sd:.2f}"
        weights = []
        for name, weight in self.best.dense.items():
            values = [run.dense[name] for run in self.runs]
            weights.append((name, weight, mean(values), stdev(values) if len(values) > 1 else None))
        shown: list[Column | str] = ["feature", *(Column(name, digits=4) for name in ("weight", "mean", "sd"))]
        return [
            Table.of(f"Tuning by {self.best.method}", columns, rows, note=f"Mean {self.mean:.2f}{spread}."),
            Table.of("Weights", shown, weights),
        ]

    def meta(self) -> dict[str, Any]:
        """What the chosen run says of itself, and mean and standard deviation over the seeds."""
        return {**self.best.meta(), "seeds": [run.seed for run in self.runs], "mean": self.mean, "sd": self.sd}


def tune_seeds(
    tuner: Tuner, decode: Decode, refs: RefsInput, *, seeds: Sequence[int] = (1, 2, 3), **rest: object
) -> Tunings:
    """One tuning for each seed: what chance does to the weights and to the score (Clark et al., ACL 2011)."""
    if not seeds:
        raise DataError("There are no seeds; give at least one.")
    return Tunings(tuple(tuner.tune(decode, refs, seed=seed, **rest) for seed in seeds))  # type: ignore[arg-type]
