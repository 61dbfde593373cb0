"""Held-out text, to tune an engine on or to measure it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.smt.work import fingerprint

__all__ = ["EvaluationText"]


@dataclass(frozen=True)
class EvaluationText:
    """Held-out text: a source and one or more references."""

    srcs: Sequence[str]
    refs: Sequence[Sequence[str]]

    def __post_init__(self) -> None:
        if not self.refs:
            raise DataError("A tuning or test set needs a reference.")
        check_parallel({"src": self.srcs, **{f"ref {i}": ref for i, ref in enumerate(self.refs, start=1)}})
        if not self.srcs:
            raise DataError("The tuning or test set is empty; it needs at least one segment.")

    def fingerprint(self) -> str:
        """What it holds, as one hash."""
        return fingerprint(fingerprint(side) for side in (self.srcs, *self.refs))
