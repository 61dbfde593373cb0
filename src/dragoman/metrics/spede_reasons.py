"""Why one output has lighter edits than another: SPEDE's edit scripts, counted and shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.report import Column, Result, Table

__all__ = ["EditReasons"]

_SHOWN = 3  # segments, those that differ most
Script = list[tuple[str, str, str]]  # edits, each with the words of reference and hypothesis


@dataclass(frozen=True, eq=False)
class EditReasons(Result):
    """How often each edit is on the heaviest ways of two outputs, and these ways where the outputs differ most."""

    kind: ClassVar[str] = "edits of two outputs"

    names: tuple[str, str]
    scores: tuple[NDArray[np.float64], NDArray[np.float64]]
    scripts: tuple[list[Script], list[Script]]

    @property
    def points(self) -> float:
        """Of a hundred, that the first is ahead."""
        return float(self.scores[0].mean() - self.scores[1].mean()) if len(self.scores[0]) else 0.0

    def tables(self) -> list[Table]:
        """The edits by their number, and the scripts of some segments."""
        a, b = self.names
        counts = [Counter(edit for script in scripts for edit, _, _ in script) for scripts in self.scripts]
        rows = [(edit, counts[0][edit], counts[1][edit]) for edit, _ in (counts[0] + counts[1]).most_common()]
        where = "ahead of" if self.points >= 0 else "behind"
        note = f"{a} is {abs(self.points):.3f} points {where} {b}."
        columns = [Column("edit"), Column("a", a), Column("b", b)]
        return [Table.of(f"Edits from the reference to {a} and {b}", columns, rows, note=note), self._examples()]

    def examples(self) -> list[tuple[int, str, float, str]]:
        """Segment, system, score and script, of the segments that differ most."""
        gaps = np.abs(self.scores[0] - self.scores[1])
        return [
            (segment + 1, name, float(scores[segment]), write_script(scripts[segment]))
            for segment in np.argsort(-gaps, kind="stable")[:_SHOWN].tolist()
            for name, scores, scripts in zip(self.names, self.scores, self.scripts, strict=True)
        ]

    def _examples(self) -> Table:
        columns = [Column("segment"), Column("system"), Column("score", digits=2), Column("edits")]
        note = "+inserted, -deleted, reference>hypothesis where words differ, [swapped parts]."
        return Table.of("Where they differ most", columns, self.examples(), note=note)

    def meta(self) -> dict[str, Any]:
        """The difference, and the scripts that are shown."""
        return {"a": self.names[0], "b": self.names[1], "points": self.points, "scripts": self.examples()}


def write_script(script: Script) -> str:
    """A script on one line: `the -old cat>cats +quietly [ slept … ] .`."""
    return " ".join(_written(*step) for step in script)


def _written(edit: str, ref: str, hyp: str) -> str:
    if edit == "insert":
        return f"+{hyp}"
    if edit == "delete":
        return f"-{ref}"
    if not ref and not hyp:
        return {"ahead": "[", "back": "|", "on": "]"}[edit.rpartition(" ")[2]]
    return ref if ref == hyp else f"{ref}>{hyp}"
