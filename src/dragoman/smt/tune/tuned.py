"""What tuning gives: weights, the curve that led to them, and how much they depend on chance."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import mean, stdev
from typing import Any, ClassVar, Self

from dragoman.artifact import Artifact, Manifest
from dragoman.options import Recipe
from dragoman.report import Column, Figure, Result, Table

__all__ = ["Round", "Tuned", "Tunings"]

_FILE = "tuned.json"
_SHOWN = 10  # sparse weights in a table


@dataclass(frozen=True)
class Round:
    """The weights at the beginning of a round, and what came of decoding with them."""

    number: int  # from 0, the start
    value: float  # of the metric, on the tuning set
    predicted: float | None  # what the tuner expected of these weights, on the lists it had
    held_out: float | None  # of the metric, on segments that were not tuned on
    length_ratio: float  # words of the output by words of a mean reference
    candidates: float  # in a segment's list, all rounds merged
    new: int  # candidates that no earlier round had
    oracle: float | None  # the metric, were the best candidate of each segment chosen
    change: float  # largest change of a weight since the round before; weights have absolute values that sum to 1
    seconds: float
    weights: tuple[float, ...]


@dataclass(frozen=True)
class Tuned(Result, Artifact):
    """Tuned weights, with the rounds that led to them."""

    kind: ClassVar[str] = "tuned weights"
    format: ClassVar[int] = 1

    method: str
    recipe: Recipe
    metric: str  # signature
    label: str  # of the metric
    higher_is_better: bool
    names: tuple[str, ...]
    rounds: tuple[Round, ...]
    kept: int  # number of the round whose weights these are
    seed: int
    idle: tuple[str, ...] = ()  # features that had no say: frozen, or the same in all candidates
    stopped: str = ""  # why there was no further round
    data: Mapping[str, str] = field(default_factory=dict)
    seeds: tuple[tuple[int, float, float | None], ...] = ()  # seed, value, held-out value of all it was chosen from
    sparse: Mapping[str, float] = field(default_factory=dict)  # weights of sparse features, those that are not 0

    @property
    def weights(self) -> dict[str, float]:
        """The weights by feature, sparse ones last."""
        return {**self.dense, **self.sparse}

    @property
    def dense(self) -> dict[str, float]:
        """The weights by feature, without sparse ones."""
        return dict(zip(self.names, self.rounds[self.kept].weights, strict=True))

    @property
    def value(self) -> float:
        """The metric on the tuning set."""
        return self.rounds[self.kept].value

    @property
    def held_out(self) -> float | None:
        """The metric on held-out segments, where there were any."""
        return self.rounds[self.kept].held_out

    @property
    def seconds(self) -> float:
        """Wall-clock time of all rounds."""
        return sum(each.seconds for each in self.rounds)

    def tables(self) -> list[Table]:
        """The rounds, then the weights."""
        rows = [
            (
                r.number, r.value, r.predicted, r.held_out, r.length_ratio, r.candidates, r.new, r.oracle, r.change,
                r.seconds,
            )
            for r in self.rounds
        ]  # fmt: skip
        columns = [
            Column("round"),
            Column("value", self.label, digits=2),
            Column("predicted", digits=2),
            Column("held_out", "held out", digits=2),
            Column("length_ratio", "length", digits=3),
            Column("candidates", "candidates", digits=1),
            Column("new"),
            Column("oracle", digits=2),
            Column("change", digits=4),
            Column("seconds", digits=1),
        ]
        note = f"Weights of round {self.kept} are kept. {self.stopped}".strip()
        values = [value for _, value, _ in self.seeds]
        if len(values) > 1:
            note += (
                f" The best of {len(values)} seeds: mean {mean(values):.2f}, standard deviation {stdev(values):.2f}."
            )
        start = dict(zip(self.names, self.rounds[0].weights, strict=True))
        weights: list[tuple[str, float, float, bool]] = [
            (name, start[name], weight, name not in self.idle) for name, weight in self.dense.items()
        ]
        largest = sorted(self.sparse.items(), key=lambda each: -abs(each[1]))[:_SHOWN]
        weights += [(name, 0.0, weight, True) for name, weight in largest]
        if self.sparse:
            note += f" {len(self.sparse):,} sparse features have a weight; the largest are shown."
        return [
            Table.of(f"Tuning by {self.method}", columns, rows, note=note),
            Table.of("Weights", ["feature", Column("start", digits=4), Column("weight", digits=4), "tuned"], weights),
        ]

    def figures(self) -> list[Figure]:
        """The metric over the rounds."""
        return [Figure("Tuning", "line", self.tables()[0], x="round", y="value")]

    def meta(self) -> dict[str, Any]:
        """Method, metric, seed, the weights and why it ended."""
        return {
            "method": self.method, "recipe": self.recipe.to_dict(), "metric": self.metric, "seed": self.seed,
            "kept": self.kept, "value": self.value, "held_out": self.held_out, "seconds": self.seconds,
            "seeds": [list(each) for each in self.seeds],
            "weights": self.weights, "n_sparse": len(self.sparse), "stopped": self.stopped,
        }  # fmt: skip

    def _write(self, folder: Path) -> None:
        named = (
            "method", "metric", "label", "higher_is_better", "names", "kept", "seed", "idle", "stopped",
            "seeds", "sparse",
        )  # fmt: skip
        content: dict[str, Any] = {name: getattr(self, name) for name in named}
        content |= {"rounds": [asdict(each) for each in self.rounds]}
        text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
        (folder / _FILE).write_text(text, encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        from dragoman.smt.tune.base import TUNERS

        content = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        rounds = tuple(Round(**{**each, "weights": tuple(each["weights"])}) for each in content.pop("rounds"))
        names, idle = tuple(content.pop("names")), tuple(content.pop("idle"))
        recipe = TUNERS.get(content["method"]).from_dict(manifest.recipe)
        content["seeds"] = tuple((seed, value, held_out) for seed, value, held_out in content.get("seeds", ()))
        return cls(recipe=recipe, names=names, idle=idle, rounds=rounds, data=manifest.data, **content)


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
            "seed", Column("value", self.runs[0].label, digits=2), Column("held_out", "held out", digits=2),
            Column("length_ratio", "length", digits=3), "rounds", "kept", Column("seconds", digits=1), "chosen",
        ]  # fmt: skip
        rows = [
            (
                run.seed, run.value, run.held_out, run.rounds[run.kept].length_ratio, len(run.rounds) - 1, run.kept,
                run.seconds, run is self._chosen,
            )
            for run in self.runs
        ]  # fmt: skip
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
