"""What an engine asks of a test set that it is tuned on or measured with."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.metrics.references import References
from dragoman.smt.work import fingerprint

__all__ = ["held_out_key", "held_out_sides"]


def held_out_sides(text: TestSet) -> tuple[Sequence[str], References]:
    """Source and references of a test set, which must be there."""
    if text.srcs is None or not text.refs:
        lacks = "a source" if text.srcs is None else "a reference"
        raise DataError(f"A tuning or test set needs {lacks}.")
    if not len(text):
        raise DataError("The tuning or test set is empty; it needs at least one segment.")
    return text.srcs, References.of(text.refs)


def held_out_key(text: TestSet) -> str:
    """What source and references hold, as one hash."""
    srcs, refs = held_out_sides(text)
    sides = [srcs, *(refs.lines(number) for number in range(len(refs.streams)))]
    return fingerprint(fingerprint(side) for side in sides)
