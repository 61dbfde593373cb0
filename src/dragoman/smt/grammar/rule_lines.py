"""Lines of a rule table in Moses' format as text, for what is put into a table when its rules are scored."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator

from dragoman.files import StrPath, iter_lines

__all__ = ["in_order", "merged", "n_scores_of", "with_scores"]


def n_scores_of(path: StrPath, default: int = 4) -> int:
    """How many scores the rules of a table have; those of one without rules are the default."""
    first = next(iter_lines(path), None)
    return len(first.split(" ||| ")[2].split()) if first else default


def with_scores(lines: Iterable[str], *scores: str) -> Iterator[str]:
    """The lines with further scores."""
    more = " ".join(scores)
    for line in lines:
        source, target, own, rest = line.split(" ||| ", 3)
        yield f"{source} ||| {target} ||| {own} {more} ||| {rest}"


def in_order(lines: Iterable[str]) -> list[str]:
    """The lines by their source sides, as tables are."""
    return sorted(lines, key=_source_side)


def merged(*tables: Iterable[str]) -> Iterator[str]:
    """The lines of tables as one, by their source sides."""
    return heapq.merge(*tables, key=_source_side)


def _source_side(line: str) -> bytes:
    return line.partition(" ||| ")[0].encode()
