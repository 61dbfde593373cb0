"""What was wrong with repeated phrases, as annotators tell (Carpuat & Simard 2012, Tables 4 and 5).

A sheet has a row for each repeated phrase: whether its translations were alike, and marks in columns. `lemma` and
`misaligned` say that unlike translations are none: inflections of one word, or other words by mistake of the alignment.
`meaning`, `terminology` and `style` say what post-editors changed, several if need be; a row without was not edited.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.cat.consistency import Consistency
from dragoman.errors import FormatError
from dragoman.files import StrPath, read_lines, write_lines
from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.spreadsheets import spreadsheet_cell

__all__ = ["CORRECTIONS", "FALSE_ALARMS", "Corrections", "SheetRow", "read_sheet", "write_sheet"]

FALSE_ALARMS = ("lemma", "misaligned")
CORRECTIONS = ("meaning", "terminology", "style")
_MARKS = (*FALSE_ALARMS, *CORRECTIONS)
_HEAD = ("alike", "document", "source", "translations", "segments", *_MARKS)
_YES = {"": False, "0": False, "no": False, "1": True, "x": True, "yes": True}


@dataclass(frozen=True)
class SheetRow:
    """A repeated phrase: whether its translations are alike, and which columns are marked."""

    alike: bool
    marks: frozenset[str] = frozenset()

    @property
    def is_real(self) -> bool:
        """Whether it is what it seems; what is alike always is."""
        return self.alike or not self.marks & set(FALSE_ALARMS)


@dataclass(frozen=True)
class Corrections(Result):
    """How many unlike translations are real, and what was corrected in them and in those that are alike."""

    kind: ClassVar[str] = "corrections"

    rows: tuple[SheetRow, ...]

    def tables(self) -> list[Table]:
        """The paper's Table 5, then its Table 4; shares in per cent."""
        heads = [Column("translations"), Column("phrases"), Column("unedited"), Column("unedited_share", digits=0)]
        heads += [column for name in CORRECTIONS for column in (Column(name), Column(f"{name}_share", digits=0))]
        kinds = [
            (name, tuple(self.corrected(alike=alike).values())) for name, alike in (("unlike", False), ("alike", True))
        ]
        alarms = self.false_alarms()
        first = [Column("sampled")]
        first += [column for name in FALSE_ALARMS for column in (Column(name), Column(f"{name}_share", digits=0))]
        return [
            Table.of("Corrections", heads, [(name, *values) for name, values in kinds]),
            Table.of("False alarms", [*first, Column("real")], [tuple(alarms.values())]),
        ]

    def corrected(self, *, alike: bool) -> dict[str, Any]:
        """Phrases, unedited ones, and how many of the edited ones have a correction of each type."""
        real = [row for row in self.rows if row.alike == alike and row.is_real]
        edited = [row for row in real if row.marks & set(CORRECTIONS)]
        values: dict[str, Any] = {"phrases": len(real), "unedited": len(real) - len(edited)}
        values["unedited_share"] = _share(values["unedited"], len(real))
        for name in CORRECTIONS:
            values[name] = sum(name in row.marks for row in edited)
            values[f"{name}_share"] = _share(values[name], len(edited))
        return values

    def false_alarms(self) -> dict[str, Any]:
        """Unlike phrases that were looked at, and those that only seem to be."""
        unlike = [row for row in self.rows if not row.alike]
        values: dict[str, Any] = {"sampled": len(unlike)}
        for name in FALSE_ALARMS:
            values[name] = sum(name in row.marks for row in unlike)
            values[f"{name}_share"] = _share(values[name], len(unlike))
        return {**values, "real": sum(row.is_real for row in unlike)}


def _share(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


def write_sheet(result: Consistency, path: StrPath) -> int:
    """Write the repeated phrases of a text for annotators, tab-separated, without any marks; how many."""
    rows = [
        (
            "yes" if each.consistent else "no",
            spreadsheet_cell(_plain(each.document)),
            spreadsheet_cell(_plain(each.source)),
            spreadsheet_cell(_plain(" | ".join(dict.fromkeys(use.translation for use in each.uses)))),
            " ".join(str(use.segment + 1) for use in each.uses),
            *[""] * len(_MARKS),
        )
        for each in result.repeated
        if each.kind == "phrase"
    ]
    write_lines(path, ["\t".join(_HEAD), *("\t".join(_plain(value) for value in row) for row in rows)])
    return len(rows)


def _plain(value: str) -> str:
    return " ".join(value.split())


def read_sheet(path: StrPath) -> Corrections:
    """The annotated sheet. Columns are found by their names; a mark is x, 1 or yes."""
    head, *lines = read_lines(path) or [""]
    names = [name.strip().lower() for name in head.split("\t")]
    missing = [name for name in ("alike", *_MARKS) if name not in names]
    if missing:
        raise FormatError(f"the sheet has no column {', '.join(missing)}.", path=path, line=1)
    return Corrections(tuple(_row(names, line, path, number) for number, line in enumerate(lines, start=2)))


def _row(names: Sequence[str], line: str, path: StrPath, number: int) -> SheetRow:
    cells = [*line.split("\t"), *[""] * len(names)]
    marks = {name: _YES.get(cell.strip().lower()) for name, cell in zip(names, cells, strict=False) if name in _ASKED}
    wrong = [name for name, mark in marks.items() if mark is None]
    if wrong:
        raise FormatError(f"the column {wrong[0]} is marked by x, 1 or yes, or empty.", path=path, line=number)
    return SheetRow(bool(marks.pop("alike")), frozenset(name for name, mark in marks.items() if mark))


_ASKED = frozenset({"alike", *_MARKS})
