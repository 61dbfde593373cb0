"""What rules did with lines, and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from dragoman.report import Column, Result, Table

__all__ = ["Repair", "Repaired"]


@dataclass(frozen=True, slots=True)
class Repair:
    """A change that a rule asked for; not made where the language model does not believe in it."""

    line: int  # from 1
    rule: str
    old: str
    new: str  # empty: the token goes
    gain: float  # log10, by which the language model likes the new line better
    made: bool
    reason: str
    span: tuple[int, int] = (0, 0)  # characters of the line as it was
    edits: tuple[tuple[tuple[int, int], str], ...] = ()  # all that changes with it: places of that line and new texts


@dataclass(frozen=True)
class Repaired(Result):
    """Lines after the rules, with what each did."""

    kind: ClassVar[str] = "repaired lines"

    lines: tuple[str, ...]
    outputs: tuple[str, ...]  # the lines before
    repairs: tuple[Repair, ...]
    rules: tuple[str, ...]  # that were applied, in their order

    @property
    def n_changed(self) -> int:
        """How many lines are not what they were."""
        return sum(a != b for a, b in zip(self.lines, self.outputs, strict=True))

    def tables(self) -> list[Table]:
        """The changes with their reasons; the lines; how often each rule was at work."""
        columns = [Column("line"), Column("rule"), Column("old", is_text=True), Column("new", is_text=True)]
        columns += [Column("gain", digits=2, figures=1), Column("made"), Column("reason")]
        rows = [(r.line, r.rule, r.old, r.new, r.gain, r.made, r.reason) for r in self.repairs]
        note = f"{self.n_changed} of {len(self.lines)} lines were changed."
        made, asked = (Counter(r.rule for r in self.repairs if r.made or not only) for only in (True, False))
        counts = [(rule, asked[rule], made[rule]) for rule in self.rules]
        return [
            Table.of("Repairs", columns, rows, note=note),
            Table.of("Rules", ["rule", "asked", "made"], counts),
        ]

    def meta(self) -> dict[str, Any]:
        """The lines, and every change."""
        changes = [asdict(each) for each in self.repairs]
        return {"n_lines": len(self.lines), "n_changed": self.n_changed, "lines": self.lines, "repairs": changes}
