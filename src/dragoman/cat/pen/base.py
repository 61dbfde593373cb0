"""What a recogniser of pen strokes is, and which there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import ClassVar, Literal

from dragoman.errors import DataError
from dragoman.registry import Registry

__all__ = ["GESTURES", "RECOGNISERS", "Kind", "Reading", "Recogniser", "Stroke", "Template", "check_strokes"]

Kind = Literal["gesture", "text"]
Stroke = Sequence[Sequence[float]]  # points x, y and perhaps the time in milliseconds; y grows downwards, as on screens

_FARTHEST = 1_000_000_000  # pixels: larger than any screen, and sums of squares stay numbers

GESTURES = ("accept", "delete", "move")  # what a page does with them is its own affair


@dataclass(frozen=True, slots=True)
class Template:
    """Strokes of which somebody said what they mean: the name of a gesture, or a text."""

    value: str
    strokes: tuple[Stroke, ...]
    kind: Kind = "text"


@dataclass(frozen=True, slots=True)
class Reading:
    """What strokes may mean, and how sure the recogniser is, from 0 to 1."""

    kind: Kind
    value: str
    score: float


@dataclass(frozen=True)
class Recogniser(ABC):
    """Reads strokes. Its options are its fields; it keeps nothing from one call to the next."""

    name: ClassVar[str]

    @abstractmethod
    def read(
        self, strokes: Sequence[Stroke], templates: Sequence[Template] = (), *, context: str = "", n: int = 5
    ) -> list[Reading]:
        """Up to `n` readings, best first, a value once. `templates` are the writer's own, beside what it has itself.

        `context` is the text left of where the strokes belong; who has no use for it leaves it alone. Where there is
        nothing to read, or nothing like it is known, there are none.
        """


RECOGNISERS: Registry[Recogniser] = Registry(
    "handwriting recogniser",
    {
        "points": "dragoman.cat.pen.points:PointClouds",
    },
)


def check_strokes(strokes: Sequence[Stroke], what: str = "The strokes") -> None:
    """Raise unless every stroke has points, each with two finite numbers or more, on a screen that can be."""
    for number, stroke in enumerate(strokes, start=1):
        if not stroke:
            raise DataError(f"{what}: stroke {number} has no points.")
        for place, point in enumerate(stroke, start=1):
            if len(point) < 2 or not all(isfinite(each) for each in point) or max(map(abs, point[:2])) > _FARTHEST:
                raise DataError(
                    f"{what}: point {place} of stroke {number} is {list(point)!r}; "
                    f"expected x and y, finite numbers of at most {_FARTHEST:,} pixels."
                )
