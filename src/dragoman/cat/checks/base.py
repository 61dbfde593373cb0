"""What a check is, and which there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from dragoman.cat.segments import Code
from dragoman.registry import Registry

__all__ = ["CHECKS", "Check", "Edit", "Finding", "Pair", "Severity", "Span", "check_pair", "check_pairs"]

Severity = Literal["error", "warning", "note"]
Span = tuple[int, int]  # characters [begin, end)
Edit = tuple[Span, str]  # a place of the target, and what stands there then


@dataclass(frozen=True, slots=True)
class Pair:
    """A segment and its translation, with what their file says of them."""

    source: str
    target: str
    codes: tuple[Code, ...] = ()  # of their unit
    max_length: int | None = None  # of the target, in characters
    source_lang: str = ""
    target_lang: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that may be wrong: a sentence about it, where it shows in source and target, and perhaps the cure."""

    check: str
    severity: Severity
    message: str
    source: tuple[Span, ...] = ()
    target: tuple[Span, ...] = ()
    edits: tuple[Edit, ...] = ()  # what would mend it, from left to right; none where only a person can tell
    why: str = ""  # the reason of the edits, where the check gives one


@dataclass(frozen=True)
class Check(ABC):
    """Looks for one kind of mistake. Its options are its fields; it finds nothing in a pair without a target."""

    name: ClassVar[str]
    severity: ClassVar[Severity] = "warning"

    @abstractmethod
    def find(self, pair: Pair) -> Iterable[Finding]:
        """What is wrong with a pair by itself."""

    def find_all(self, pairs: Sequence[Pair]) -> list[list[Finding]]:
        """What is wrong with each of some pairs, also by what the others are."""
        return [list(self.find(pair)) if pair.target else [] for pair in pairs]

    def finding(self, message: str, source: Iterable[Span] = (), target: Iterable[Span] = ()) -> Finding:
        """A finding of this check."""
        return Finding(self.name, self.severity, message, tuple(source), tuple(target))


CHECKS: Registry[Check] = Registry(
    "translation check",
    {
        "brackets": "dragoman.cat.checks.marks:Brackets",
        "capital": "dragoman.cat.checks.marks:Capital",
        "code-order": "dragoman.cat.checks.codes:CodeOrder",
        "code-pairs": "dragoman.cat.checks.codes:CodePairs",
        "code-spaces": "dragoman.cat.checks.codes:CodeSpaces",
        "codes": "dragoman.cat.checks.codes:Codes",
        "double-words": "dragoman.cat.checks.words:DoubleWords",
        "end-mark": "dragoman.cat.checks.marks:EndMark",
        "grammar": "dragoman.cat.checks.grammar:Grammar",
        "length": "dragoman.cat.checks.words:Length",
        "numbers": "dragoman.cat.checks.marks:Numbers",
        "placeholders": "dragoman.cat.checks.marks:Placeholders",
        "spaces": "dragoman.cat.checks.marks:Spaces",
        "spelling": "dragoman.cat.checks.words:Spelling",
        "symbols": "dragoman.cat.checks.marks:Symbols",
        "terms": "dragoman.cat.checks.words:Terms",
        "unlike": "dragoman.cat.checks.words:Unlike",
        "untranslated": "dragoman.cat.checks.words:Untranslated",
    },
)


def check_pair(pair: Pair, checks: Sequence[Check] | None = None) -> list[Finding]:
    """What the checks find in one pair, errors first; all checks with their defaults, if none are named."""
    return check_pairs([pair], checks)[0]


def check_pairs(pairs: Sequence[Pair], checks: Sequence[Check] | None = None) -> list[list[Finding]]:
    """What the checks find in each of some pairs that belong together, errors first."""
    chosen = [CHECKS.make(name) for name in CHECKS.names()] if checks is None else checks
    findings: list[list[Finding]] = [[] for _ in pairs]
    for check in chosen:
        for into, some in zip(findings, check.find_all(pairs), strict=True):
            into += some
    order = ("error", "warning", "note")
    return [sorted(some, key=lambda finding: order.index(finding.severity)) for some in findings]
