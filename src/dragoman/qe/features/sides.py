"""Values of one side, or of both together."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dragoman.stats.arrays import Floats

__all__ = ["ON", "SIDES", "between", "needs_of"]

SIDES = ("source", "target")
ON = ("source", "target", "difference", "distance", "ratio", "inverse")
ON_TEXT = "of which side; source less target, either way, divided by target, or target divided by source"


def between(on: str, of: Callable[[str], Floats]) -> Floats:
    """The value of a side, or what both give; a ratio to nothing is 0."""
    if on in SIDES:
        return of(on)
    source, target = of("source"), of("target")
    if on in ("difference", "distance"):
        return source - target if on == "difference" else np.abs(source - target)
    above, below = (source, target) if on == "ratio" else (target, source)
    return np.divide(above, below, out=np.zeros(len(above)), where=below != 0)


def needs_of(on: str, *names: str) -> tuple[str, ...]:
    """The resources of the sides that are looked at: `parser` for `target_parser`."""
    return tuple(f"{side}_{name}" for side in ((on,) if on in SIDES else SIDES) for name in names)
