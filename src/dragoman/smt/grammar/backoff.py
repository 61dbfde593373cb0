"""Rules without labels beside labelled ones, so that what no labelled rule fits is not left to glue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import e

from dragoman.files import StrPath, iter_lines, write_lines
from dragoman.smt.grammar.labels import DEFAULT
from dragoman.smt.grammar.rule_lines import in_order, merged, n_scores_of, with_scores

__all__ = ["add_plain_rules", "renaming_rules"]


def add_plain_rules(path: StrPath, plain: StrPath, names: Iterable[str], side: str) -> int:
    """Put the rules of another table, all called X, into one of labelled rules; returns how many lines were added.

    Rules that rename every label to X go with them: the gaps of plain rules take labelled phrases, too. All get one
    more score: 1 for labelled rules, 1 / e for plain ones and for those that rename, which is their penalty.
    """
    added = 0

    def counted() -> Iterator[str]:
        nonlocal added
        renames = in_order(renaming_rules(names, side, n_scores_of(plain)))
        for line in merged(with_scores(iter_lines(plain), f"{1 / e:.6g}"), renames):
            added += 1
            yield line

    write_lines(path, merged(with_scores(iter_lines(path), "1"), counted()))
    return added


def renaming_rules(names: Iterable[str], side: str, n_scores: int) -> Iterator[str]:
    """Lines of a table by which a phrase of any label is also an X."""
    scores = " ".join(["1"] * n_scores + [f"{1 / e:.6g}"])
    for name in names:
        if name != DEFAULT:
            gap = f"[{name}][{DEFAULT}]" if side == "source" else f"[{DEFAULT}][{name}]"
            yield f"{gap} [{DEFAULT}] ||| {gap} [{DEFAULT}] ||| {scores} ||| 0-0 ||| 1 1 1"
