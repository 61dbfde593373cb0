"""What a training in parts took, kind by kind, and what a larger text would take by the same measure.

Every part of a text costs what the parts that were measured cost, and the number of parts grows with the text; what one
worker has to do for the whole text grows with it. Nothing is known beyond that: how fast a shared disk is, how long
sentences are, how much slower vocabularies grow than the text (what merges them costs less than is said here).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.parts import KindOfPart
from dragoman.report import Column, Result, Table

__all__ = ["CostEstimate", "TrainingCost", "estimate_cost"]

_GB, _HOUR = 1e9, 3600.0
_REPORT = "report.json"  # of an engine


@dataclass(frozen=True)
class TrainingCost:
    """What the parts of a training took, by step and kind."""

    kinds: tuple[tuple[str, KindOfPart], ...]
    most_bytes: Mapping[str, int]  # by step, what its parts held at a time
    n_pairs: int
    part: int  # sentence pairs of one

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        kinds = [{"step": step, **asdict(kind)} for step, kind in self.kinds]
        return {"n_pairs": self.n_pairs, "part": self.part, "most_bytes": dict(self.most_bytes), "kinds": kinds}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """What `to_dict` gave."""
        kinds = [dict(each) for each in values["kinds"]]
        pairs = tuple((each.pop("step"), KindOfPart(**each)) for each in kinds)
        return cls(pairs, values["most_bytes"], values["n_pairs"], values["part"])

    def estimate(self, n_pairs: int, n_workers: int) -> CostEstimate:
        """What so many pairs would take with so many workers."""
        if n_pairs < 1 or n_workers < 1:
            raise DataError(f"A text has pairs and somebody works on it; got {n_pairs} pairs and {n_workers} workers.")
        return CostEstimate(self, n_pairs, n_workers)


@dataclass(frozen=True)
class CostEstimate(Result):
    """What a larger text would take, if it costs by the pair what a smaller one did."""

    kind: ClassVar[str] = "cost"

    cost: TrainingCost
    n_pairs: int
    n_workers: int

    @property
    def growth(self) -> float:
        """How many times as large as the text that was measured."""
        return self.n_pairs / self.cost.n_pairs

    def seconds(self, kind: KindOfPart) -> float:
        """Processor time of all parts of a kind."""
        return kind.seconds * self.growth

    def path(self, kind: KindOfPart) -> float:
        """How long workers are busy with a kind: evenly shared, but no less than one part takes; alone, all of it."""
        if kind.alone:
            return self.seconds(kind)
        return max(self.seconds(kind) / self.n_workers, kind.longest)

    @property
    def largest_step(self) -> float:
        """Bytes of the parts of the step that has most at a time: they are taken away when it is whole."""
        return max(self.cost.most_bytes.values(), default=0) * self.growth

    @property
    def hours(self) -> tuple[float, float]:
        """Of processor time, and with the workers one kind after the other."""
        kinds = [kind for _, kind in self.cost.kinds]
        return sum(map(self.seconds, kinds)) / _HOUR, sum(map(self.path, kinds)) / _HOUR

    def tables(self) -> list[Table]:
        """A row for each kind of part, then what all take."""
        rows = [
            (
                step,
                kind.name,
                kind.n_parts,
                kind.seconds / self.cost.n_pairs * 1e6,
                kind.longest,
                kind.n_bytes / self.cost.n_pairs,
                kind.memory,
                self.seconds(kind) / _HOUR,
                self.path(kind) / _HOUR,
                "one" if kind.alone else "all",
            )
            for step, kind in self.cost.kinds
        ]
        columns: list[str | Column] = [
            "step",
            "kind",
            "parts",
            Column("s/M pairs", digits=2),
            Column("longest s", digits=2),
            Column("bytes/pair", digits=0),
            Column("MB", digits=0),
            Column("hours", digits=2),
            Column("with workers", digits=2),
            "workers",
        ]
        note = (
            f"Measured: {self.cost.n_pairs} pairs in parts of {self.cost.part}. Hours (of processors, of the clock) "
            f"are those of {self.n_pairs} pairs with {self.n_workers} workers, if each pair costs what it did and "
            "workers wait for nothing; what one does alone grows with the text, in memory perhaps as well."
        )
        return [Table.of("Cost", columns, rows, note=note)]

    def answer(self) -> str:
        """Hours, disk, memory."""
        cpu, clock = self.hours
        alone = sum(self.path(kind) for _, kind in self.cost.kinds if kind.alone) / _HOUR
        memory = max(kind.memory for _, kind in self.cost.kinds)
        return (
            f"{self.n_pairs} pairs would take {cpu:.1f} hours of processor time and {clock:.1f} hours with "
            f"{self.n_workers} workers, {alone:.1f} of them work that one does alone; {self.largest_step / _GB:.1f} GB "
            f"of parts at a time; {memory:.0f} MB for a worker, as measured."
        )

    def meta(self) -> dict[str, Any]:
        """The sums, and what was measured."""
        cpu, clock = self.hours
        return {
            "pairs": self.n_pairs,
            "workers": self.n_workers,
            "processor_hours": cpu,
            "clock_hours": clock,
            "bytes_at_a_time": self.largest_step,
            "measured": self.cost.to_dict(),
        }


def estimate_cost(model: StrPath, n_pairs: int, n_workers: int) -> CostEstimate:
    """What so many sentence pairs would take, by what the training of an engine in parts took."""
    path = Path(model) / _REPORT
    if not path.is_file():
        raise DataError(f"{model} is no engine: it has no {_REPORT}.")
    measured = json.loads(path.read_text(encoding="utf-8")).get("cost")
    if not measured:
        raise DataError(
            f"{model} does not say what its parts took. Train it in one go with --workers or --cluster and a new work "
            "directory."
        )
    return TrainingCost.from_dict(measured).estimate(n_pairs, n_workers)
