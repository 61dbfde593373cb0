"""What an evaluation of quality estimates says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.report import Column, Result, Table
from dragoman.stats import Interval

__all__ = ["Against", "Measured", "QEEvaluation"]


@dataclass(frozen=True)
class Measured:
    """A measure of one prediction with its interval, where it has one."""

    measure: str
    system: str
    value: float  # NaN where it is not defined
    low: float | None
    high: float | None

    @classmethod
    def of(cls, measure: str, system: str, value: float, interval: Interval | None) -> Measured:
        """From a value and its interval."""
        if interval is None:
            return cls(measure, system, value, None, None)
        return cls(measure, system, value, interval.low, interval.high)


@dataclass(frozen=True)
class Against:
    """One prediction held against another on the same items. `gain` is positive where the first is better."""

    measure: str
    system: str
    other: str
    gain: float
    p: float  # two sides, bootstrap by the shift method


@dataclass(frozen=True)
class QEEvaluation(Result):
    """The measures of predictions, of the trivial predictors and of the oracle, and what tells them apart."""

    kind: ClassVar[str] = "qe evaluation"

    task: str
    n_items: int
    measured: tuple[Measured, ...]
    against: tuple[Against, ...]
    trivial: tuple[str, ...]
    facts: Mapping[str, Any]
    notes: tuple[str, ...]

    def value(self, measure: str, system: str = "predicted") -> float:
        """One figure."""
        return self[measure, system].value

    def __getitem__(self, key: tuple[str, str]) -> Measured:
        """The figure of (measure, system)."""
        for each in self.measured:
            if (each.measure, each.system) == key:
                return each
        measured = ", ".join(dict.fromkeys(f"{each.measure}/{each.system}" for each in self.measured))
        raise KeyError(f"{key[0]}/{key[1]} was not measured. Known: {measured}.")

    def tables(self) -> list[Table]:
        """The measures, predictions first and oracle last in each; then the tests."""
        columns = [
            Column("measure"),
            Column("prediction"),
            Column("value", digits=4),
            Column("low", digits=4),
            Column("high", digits=4),
        ]
        rows = [(each.measure, each.system, each.value, each.low, each.high) for each in self.measured]
        level = f"{self.facts['level']:.0%}"
        said = (f"low and high: {level} bootstrap interval.", self._trivial_note(), *self.notes)
        note = " ".join(filter(None, said))
        tests = [(each.measure, each.system, each.other, each.gain, each.p) for each in self.against]
        return [
            Table.of(f"Quality estimation: {self.task}, {self.n_items} items", columns, rows, note=note),
            Table.of(
                self._tests_title(),
                [
                    Column("measure"),
                    Column("prediction"),
                    Column("against"),
                    Column("gain", digits=4, figures=1),
                    Column("p", alpha=0.05),
                ],
                tests,
                note="gain: positive where the prediction is better. p: bootstrap, two sides.",
            ),
        ]

    def _tests_title(self) -> str:
        named = self.facts.get("against")
        return (
            f"Against {', '.join(named)} and the trivial" if named else "Against the trivial and the first prediction"
        )

    def _trivial_note(self) -> str:
        if "mean" in self.facts:
            return f"mean says {self.facts['mean']:.4g}, the mean of {self.facts['mean_of']}, of every sentence."
        if self.facts.get("variant") == "ranking":
            return ""
        if self.trivial[:-1]:
            return f"{', '.join(self.trivial[:-1])}: predictors that look at nothing."
        return "There is no constant prediction beside them: its mean is that of training scores (--train)."

    def meta(self) -> dict[str, Any]:
        """Task, counts, trivial predictors, tests, sampling."""
        tests = [
            {"measure": t.measure, "prediction": t.system, "against": t.other, "gain": t.gain, "p": t.p}
            for t in self.against
        ]
        return {
            "task": self.task,
            "n_items": self.n_items,
            "trivial": list(self.trivial),
            **self.facts,
            "tests": tests,
            "notes": list(self.notes),
        }
