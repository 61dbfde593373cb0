"""Are training and test text written alike? Quotation marks, dashes and spaces by how often they stand in each.

Buck (WMT 2012) found typographic quotation marks in the test sources of the task and none in the training sources.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.errors import DataError
from dragoman.report import Column, Result, Table

__all__ = ["CharacterAudit", "audit_characters"]

_KINDS = {"Pi": "quote", "Pf": "quote", "Pd": "dash", "Zs": "space"}  # by Unicode's categories
_MORE = {
    '"': "quote",
    "„": "quote",
    "‚": "quote",
    "`": "quote",
    "´": "quote",
    "'": "quote",
    "＂": "quote",
    "＇": "quote",
    "「": "quote",
    "」": "quote",
    "『": "quote",
    "』": "quote",
    "…": "ellipsis",
}
_PLAIN = {" ", "-"}  # too frequent to say anything
_FEW = 5  # marks of a kind below which shares say nothing
_APART = 0.2  # difference of a mark's share among its kind that is worth a word


@dataclass(frozen=True)
class CharacterAudit(Result):
    """How often each mark stands in each text, and where texts differ in the marks they prefer."""

    kind: ClassVar[str] = "character audit"

    texts: tuple[str, ...]
    marks: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]  # (marks, texts)
    n_lines: tuple[int, ...]
    warnings: tuple[str, ...]

    def count(self, mark: str, text: str) -> int:
        """How often a mark stands in a text."""
        return self.counts[self.marks.index(mark)][self.texts.index(text)] if mark in self.marks else 0

    def tables(self) -> list[Table]:
        """A row a mark."""
        columns = [Column("mark"), Column("code"), Column("name"), *(Column(name) for name in self.texts)]
        rows = [
            (mark, f"U+{ord(mark):04X}", unicodedata.name(mark, "").lower(), *each)
            for mark, each in zip(self.marks, self.counts, strict=True)
        ]
        return [Table.of("Marks by text", columns, rows, note=" ".join(self.warnings))]

    def meta(self) -> dict[str, Any]:
        """Lines, and what differs."""
        return {"n_lines": dict(zip(self.texts, self.n_lines, strict=True)), "warnings": list(self.warnings)}


def audit_characters(texts: Mapping[str, Sequence[str]]) -> CharacterAudit:
    """Count quotation marks, dashes, ellipses and unusual spaces in texts by name; the first is the training text."""
    if not texts:
        raise DataError("There is no text to look at.")
    counters = {name: Counter("".join(lines)) for name, lines in texts.items()}
    kinds = {mark: kind for counts in counters.values() for mark in counts if (kind := _kind(mark))}
    marks = sorted(kinds, key=lambda mark: (kinds[mark], ord(mark)))
    warnings = []
    names = list(texts)
    for other in names[1:]:
        for kind in sorted(set(kinds.values())):
            totals = [sum(counters[name][mark] for mark in marks if kinds[mark] == kind) for name in (names[0], other)]
            if min(totals) < _FEW:
                continue
            for mark in (mark for mark in marks if kinds[mark] == kind):
                shares = [counters[name][mark] / total for name, total in zip((names[0], other), totals, strict=True)]
                if abs(shares[0] - shares[1]) >= _APART:
                    warnings.append(
                        f"{mark} is {shares[0]:.0%} of the {kind} marks of {names[0]} and {shares[1]:.0%} of those of "
                        f"{other}: write them alike before anything is counted."
                    )
    return CharacterAudit(
        tuple(names),
        tuple(marks),
        tuple(tuple(counters[name][mark] for name in names) for mark in marks),
        tuple(len(lines) for lines in texts.values()),
        tuple(warnings),
    )


def _kind(mark: str) -> str:
    return "" if mark in _PLAIN else _MORE.get(mark) or _KINDS.get(unicodedata.category(mark), "")
