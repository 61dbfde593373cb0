"""The contract of tuners: a recipe that finds weights for a decoder, given references and a metric: `Tuned`."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import mean, stdev
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError, ModelError
from dragoman.metrics.base import Metric
from dragoman.metrics.references import RefsInput
from dragoman.options import Recipe
from dragoman.registry import Registry
from dragoman.report import Column, Figure, Progress, Result, Table
from dragoman.rng import Stream
from dragoman.smt.tune.objective import Objective
from dragoman.smt.tune.pool import Decode, Vector
from dragoman.smt.tune.rounds import Round
from dragoman.smt.tune.weights import normalised

__all__ = ["TUNERS", "HeldOut", "Problem", "Tuned", "Tuner", "stream"]

_FILE = "tuned.json"
_SHOWN = 10  # sparse weights in a table

TUNERS: Registry[Tuner] = Registry(
    "tuner",
    {
        "lattice-mert": "dragoman.smt.tune.lattice_mert:LatticeMert",
        "mert": "dragoman.smt.tune.mert:Mert",
        "mira": "dragoman.smt.tune.batch_mira:BatchMira",
        "nelder-mead": "dragoman.smt.tune.direct:NelderMead",
        "online-mira": "dragoman.smt.tune.online_mira:OnlineMira",
        "powell": "dragoman.smt.tune.direct:Powell",
        "pro": "dragoman.smt.tune.pro:Pro",
    },
)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Segments that are not tuned on and decide which round's weights are kept."""

    decode: Decode
    refs: RefsInput


@dataclass(frozen=True, eq=False)
class Problem:
    """What a tuner works on, checked."""

    decode: Decode
    objective: Objective
    names: tuple[str, ...]
    start: Vector
    moves: NDArray[np.bool_]  # which weights may change
    seed: int
    held_out: tuple[Decode, Objective] | None = None
    n_threads: int = 1
    progress: Progress | None = None

    def tell(self, done: int, whole: int) -> None:
        """Say how far tuning has come."""
        if self.progress:
            self.progress(done, max(done, whole), f"tuning, seed {self.seed}")

    def sparse_names(self, weights: Vector) -> dict[str, float]:
        """Weights of sparse features by name, those that are not 0."""
        if not weights.any():
            return {}
        name = self.decode.sparse_name  # type: ignore[attr-defined]  # only decoders with sparse features come here
        return {name(int(i)): float(weights[i]) for i in np.flatnonzero(weights)}


@dataclass(frozen=True)
class Tuner(Recipe, ABC):
    """Finds weights under which a decoder's output scores well. Options are the fields."""

    name: ClassVar[str]
    takes_sparse: ClassVar[bool] = False  # whether it tunes sparse features, too

    def tune(
        self,
        decode: Decode,
        refs: RefsInput,
        *,
        start: Mapping[str, float],
        metric: Metric | str = "bleu:tokeniser=none",
        seed: int = 1,
        frozen: Sequence[str] = (),
        held_out: HeldOut | None = None,
        n_threads: int = 1,
        progress: Progress | None = None,
    ) -> Tuned:
        """Weights for `decode(weights) -> Lists`, whose candidates are scored against `refs`.

        `start` has a weight for each feature, in the order of the decoder's columns; those named in `frozen` stay.
        """
        self.check()
        if not start:
            raise DataError("There are no weights to tune; start needs one for each feature.")
        unknown = [name for name in frozen if name not in start]
        if unknown:
            raise DataError(f"No feature is called {', '.join(unknown)}. Known: {', '.join(start)}.")
        broken = [name for name, weight in start.items() if not np.isfinite(weight)]
        if broken:
            raise DataError(f"Weights to start from must be finite numbers; those of {', '.join(broken)} are not.")
        moves = np.array([name not in frozen for name in start])
        if not moves.any() and not getattr(decode, "sparse", False):
            raise DataError("Every feature is frozen; there is nothing to tune.")
        objective = Objective(metric, refs, n_threads=n_threads)
        other = None
        if held_out is not None:
            other = (held_out.decode, Objective(objective.metric, held_out.refs, n_threads=n_threads))
        first = normalised(np.array(list(start.values()), dtype=np.float64), moves)
        return self.solve(Problem(decode, objective, tuple(start), first, moves, seed, other, n_threads, progress))

    @abstractmethod
    def solve(self, problem: Problem) -> Tuned:
        """The work, on a checked problem."""

    def _tuned(self, problem: Problem, rounds: Sequence[Round], best: int, **details: object) -> Tuned:
        metric = problem.objective.metric
        return Tuned(
            method=self.name,
            recipe=self,
            metric=metric.signature(problem.objective.refs.nrefs),
            label=metric.label,
            higher_is_better=metric.higher_is_better,
            names=problem.names,
            rounds=tuple(rounds),
            kept=best,
            seed=problem.seed,
            **details,  # type: ignore[arg-type]
        )


def stream(problem: Problem, label: str, number: int) -> Stream:
    """The chance of one round of one method."""
    return Stream(problem.seed, f"tune:{label}:{number}")


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
                r.number,
                r.value,
                r.predicted,
                r.held_out,
                r.length_ratio,
                r.candidates,
                r.new,
                r.oracle,
                r.change,
                r.seconds,
            )
            for r in self.rounds
        ]
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
            "method": self.method,
            "recipe": self.recipe.to_dict(),
            "metric": self.metric,
            "seed": self.seed,
            "kept": self.kept,
            "value": self.value,
            "held_out": self.held_out,
            "seconds": self.seconds,
            "seeds": [list(each) for each in self.seeds],
            "weights": self.weights,
            "n_sparse": len(self.sparse),
            "stopped": self.stopped,
        }

    def _write(self, folder: Path) -> None:
        named = (
            "method",
            "metric",
            "label",
            "higher_is_better",
            "names",
            "kept",
            "seed",
            "idle",
            "stopped",
            "seeds",
            "sparse",
        )
        content: dict[str, Any] = {name: getattr(self, name) for name in named}
        content |= {"rounds": [asdict(each) for each in self.rounds]}
        text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
        (folder / _FILE).write_text(text, encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        content = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        rounds = tuple(Round(**{**each, "weights": tuple(each["weights"])}) for each in content.pop("rounds"))
        names, idle = tuple(content.pop("names")), tuple(content.pop("idle"))
        recipe = TUNERS.get(content["method"]).from_dict(manifest.recipe)
        content["seeds"] = tuple((seed, value, held_out) for seed, value, held_out in content.get("seeds", ()))
        tuned = cls(recipe=recipe, names=names, idle=idle, rounds=rounds, data=manifest.data, **content)
        if not _is_whole(tuned):
            raise ModelError(f"{folder / _FILE} does not hold weights of each feature. Tune again, or copy it whole.")
        return tuned


def _is_whole(tuned: Tuned) -> bool:
    """Whether a reader may take every feature to have a number in every round, and the kept round to be there."""
    numbers = [*(weight for each in tuned.rounds for weight in each.weights), *tuned.sparse.values()]
    told = [value for each in tuned.rounds for name, value in vars(each).items() if name != "weights"]
    return (
        all(len(each.weights) == len(tuned.names) for each in tuned.rounds)
        and all(isinstance(each, int | float) and math.isfinite(each) for each in numbers)
        and all(isinstance(each, str) for each in (*tuned.names, *tuned.idle, *tuned.sparse))
        and all(isinstance(each, str) for each in (tuned.metric, tuned.label, tuned.stopped))
        and isinstance(tuned.higher_is_better, bool)
        and all(value is None or isinstance(value, int | float) for value in told)
        and isinstance(tuned.kept, int)
        and 0 <= tuned.kept < len(tuned.rounds)
        and isinstance(tuned.seed, int)
    )
