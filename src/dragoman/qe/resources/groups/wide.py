"""Corpora beside the bitext, each counted by itself: how usual something is in the language at large."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.qe.resources.declared import Group, Resource
from dragoman.qe.resources.ngrams import NgramCounts
from dragoman.qe.resources.wide import MOST_WIDE, count_wide, wide_name

__all__ = ["WIDE", "count_corpora"]

WIDE = Group(
    "wide",
    tuple(
        Resource(
            wide_name(side, number),
            f"counts of the {side} language's further corpus {number}, as they were given",
            NgramCounts,
            options=(f"--{side}-wide",),
            impartial=True,
        )
        for side in ("source", "target")
        for number in range(1, MOST_WIDE + 1)
    ),
)


def count_corpora(corpora: Mapping[str, Sequence[StrPath]], *, without: frozenset[str]) -> dict[str, NgramCounts]:
    """Counts of the further corpora of each side, without some lines (see `count_wide`)."""
    for side, paths in corpora.items():
        if len(paths) > MOST_WIDE:
            raise DataError(
                f"There may be {MOST_WIDE} further corpora of the {side} language, got {len(paths)}. Join some of them."
            )
    return {
        wide_name(side, number): count_wide(path, without=without)
        for side, paths in corpora.items()
        for number, path in enumerate(paths, start=1)
    }
