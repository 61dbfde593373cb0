"""What a post-editor did with lines, and why."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from dragoman.report import Column, Result, Table

__all__ = ["Change", "PostEdited"]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a line that was made or refused."""

    line: int  # from 1
    old: str
    new: str
    worth: float  # what it is believed to add (see `gain`); 0.01: a hundredth of the line's matches
    made: bool
    reason: str  # why it was made or refused
    evidence: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class PostEdited(Result):
    """Lines after post-editing, with the changes made and those refused that looked likely."""

    kind: ClassVar[str] = "post-edited lines"

    lines: tuple[str, ...]
    outputs: tuple[str, ...]  # the lines before
    changes: tuple[Change, ...]  # made and refused, in the order of the lines

    @property
    def n_changed(self) -> int:
        """How many lines are not what they were."""
        return sum(a != b for a, b in zip(self.lines, self.outputs, strict=True))

    def tables(self) -> list[Table]:
        """The lines; the changes with their evidence; the refusals."""
        rows = [
            (n, a, b if a != b else "=") for n, (a, b) in enumerate(zip(self.outputs, self.lines, strict=True), start=1)
        ]
        columns = [Column("line"), Column("output", is_text=True), Column("post-edited", is_text=True)]
        note = f"{self.n_changed} of {len(self.lines)} lines were changed; = is a line that was left."
        lines = Table.of("Lines", columns, rows, note=note)
        made, refused = ([each for each in self.changes if each.made is which] for which in (True, False))
        return [lines, _table("Changes", made), _table("Refused", refused)]

    def meta(self) -> dict[str, Any]:
        """How many lines were changed, and every change with all its evidence."""
        changes = [{**asdict(each), "evidence": dict(each.evidence)} for each in self.changes]
        return {"n_lines": len(self.lines), "n_changed": self.n_changed, "changes": changes}


_SHOWN = ("changes", "uses", "source", "lm")


def _table(title: str, changes: list[Change]) -> Table:
    columns = [Column("line"), Column("old", is_text=True), Column("new", is_text=True), Column("worth", digits=3)]
    columns += [Column(name, digits=0 if name in {"changes", "uses"} else 2) for name in _SHOWN]
    rows = []
    for each in changes:
        evidence = dict(each.evidence)
        rows.append((each.line, each.old, each.new, each.worth, *(evidence[name] for name in _SHOWN), each.reason))
    return Table.of(title, [*columns, Column("reason")], rows)
