"""What the checker finds in text, for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.errors import DataError
from dragoman.qe.checks.find import find
from dragoman.qe.checks.rules import CHECKS, Pattern, rules_of
from dragoman.qe.features.batch import SideTokens
from dragoman.qe.resources.parses import Parsed, SentenceParser
from dragoman.report import Column, Result, Table
from dragoman.text.languages import base_language

__all__ = ["CheckedText", "check_text"]


@dataclass(frozen=True)
class CheckedText(Result):
    """Where tokenised text breaks the rules of its language."""

    kind: ClassVar[str] = "checked text"

    hits: tuple[tuple[int, str, str, str, str], ...]  # line, check, words, what is wrong, what to write
    n_lines: int
    language: str
    parsed: bool

    def tables(self) -> list[Table]:
        """A row a hit."""
        columns = [
            Column("line"),
            Column("check"),
            Column("words", is_text=True),
            Column("wrong", "what is wrong"),
            Column("write", is_text=True),
        ]
        note = "" if self.parsed else "Agreement is not looked at: there are no parses."
        return [Table.of("Checked text", columns, self.hits, note=note)]

    def meta(self) -> dict[str, Any]:
        """Counts by check."""
        counts = {check: n for check in CHECKS if (n := sum(hit[1] == check for hit in self.hits))}
        return {"n_lines": self.n_lines, "language": self.language, "parsed": self.parsed, "n_hits": counts}


def check_text(
    lines: Sequence[str], *, language: str = "", parser: SentenceParser | None = None, n_threads: int = 1
) -> CheckedText:
    """Look through tokenised lines. Agreement needs a parser; forms of small words need rules of the language."""
    if isinstance(lines, str):
        raise DataError("Expected lines of text, got one str. Pass a sequence of lines.")
    tokens = SideTokens(list(lines), n_threads)
    parsed = Parsed.of(parser, tokens.token_lines(), n_threads=n_threads) if parser is not None else None
    words = [tokens.words[number] for number in tokens.ids.tolist()]
    hits = []
    for rule in rules_of(base_language(language) if language else "").rules:
        places = find(rule, tokens, parsed)
        write = rule.write if isinstance(rule, Pattern) else ""
        for first, last in zip(places.first.tolist(), places.last.tolist(), strict=True):
            shown = words[first : last + 1] if last - first < 4 else [words[first], "…", words[last]]
            hits.append((int(tokens.sentence[first]) + 1, rule.name, " ".join(shown), rule.text, write, first))
    hits.sort(key=lambda hit: (hit[5], hit[1]))
    return CheckedText(tuple(hit[:5] for hit in hits), len(lines), language, parsed is not None)
