"""What is in a translation memory: its languages, and how many units have each."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.formats.tmx_reading import iter_units
from dragoman.files import StrPath
from dragoman.report import Column, Result, Table

__all__ = ["MemorySummary", "summarise_memory"]


@dataclass(frozen=True)
class MemorySummary(Result):
    """Units by language, as the file spells it. A pair of languages drops the units that lack one of them."""

    kind: ClassVar[str] = "memory"

    path: str
    units: int
    languages: tuple[tuple[str, int], ...]  # how many units have a segment in it
    combinations: tuple[tuple[str, int], ...]  # sets of languages that units have, the commonest first

    def tables(self) -> list[Table]:
        """The languages, then their combinations."""
        columns: list[Column | str] = ["lang", "units", "missing", Column("share", digits=4)]
        rows = [(lang, n, self.units - n, n / self.units if self.units else None) for lang, n in self.languages]
        return [
            Table.of(self.path, columns, rows, note=f"{self.units} units."),
            Table.of("Combinations", ["langs", "units"], self.combinations),
        ]

    def meta(self) -> dict[str, Any]:
        """The file, its units and the combinations of languages."""
        return {"path": self.path, "units": self.units, "combinations": dict(self.combinations)}


def summarise_memory(path: StrPath) -> MemorySummary:
    """Count the units of a TMX file by language, in one pass."""
    units = 0
    languages: Counter[str] = Counter()
    combinations: Counter[str] = Counter()
    for unit in iter_units(path):
        units += 1
        langs = sorted({variant.lang for variant in unit.variants})
        languages.update(langs)
        combinations[" ".join(langs)] += 1
    return MemorySummary(os.fspath(path), units, tuple(languages.most_common()), tuple(combinations.most_common()))
