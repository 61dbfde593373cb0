"""Rules without labels beside labelled ones, so that what no labelled rule fits is not left to glue."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from math import e

from dragoman.files import StrPath, iter_lines, write_lines
from dragoman.smt.grammar.labels import DEFAULT

__all__ = ["add_plain_rules", "renaming_rules"]


def add_plain_rules(path: StrPath, plain: StrPath, names: Iterable[str], side: str) -> int:
    """Put the rules of another table, all called X, into one of labelled rules; returns how many lines were added.

    Rules that rename every label to X go with them: the gaps of plain rules take labelled phrases, too. All get one
    more score: 1 for labelled rules, e for plain ones and for those that rename, which is their penalty.
    """
    first = next(iter_lines(plain), None)
    n_scores = len(first.split(" ||| ")[2].split()) if first else 4
    added = 0

    def counted() -> Iterator[str]:
        nonlocal added
        renames = sorted(renaming_rules(names, side, n_scores), key=_source_side)
        for line in heapq.merge(_scored(iter_lines(plain), f"{e:.6g}"), renames, key=_source_side):
            added += 1
            yield line

    write_lines(path, heapq.merge(_scored(iter_lines(path), "1"), counted(), key=_source_side))
    return added


def renaming_rules(names: Iterable[str], side: str, n_scores: int) -> Iterator[str]:
    """Lines of a table by which a phrase of any label is also an X."""
    scores = " ".join(["1"] * n_scores + [f"{e:.6g}"])
    for name in names:
        if name != DEFAULT:
            gap = f"[{name}][{DEFAULT}]" if side == "source" else f"[{DEFAULT}][{name}]"
            yield f"{gap} [{DEFAULT}] ||| {gap} [{DEFAULT}] ||| {scores} ||| 0-0 ||| 1 1 1"


def _scored(lines: Iterable[str], score: str) -> Iterator[str]:
    for line in lines:
        source, target, scores, rest = line.split(" ||| ", 3)
        yield f"{source} ||| {target} ||| {scores} {score} ||| {rest}"


def _source_side(line: str) -> bytes:
    return line.partition(" ||| ")[0].encode()
