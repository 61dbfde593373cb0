"""Strokes read by likeness to templates, as clouds of points: $P (Vatavu, Anthony & Wobbrock, ICMI 2012).

Every drawing becomes 32 points, evenly spaced, of one size and around one centre; two drawings are as far apart as
their points, matched greedily. So neither the order nor the direction of strokes matters, nor how many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, pi, sin
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.cat.pen.base import Kind, Reading, Recogniser, Stroke, Template, check_strokes
from dragoman.options import option

__all__ = ["PointClouds", "gesture_templates"]

_N_POINTS = 32
_STEP = 5  # the paper's 32 ** (1 - 0.5): every fifth point is tried as the first
_FARTHEST = 0.25  # a mean distance at which nothing is left of the likeness, by the drawings' longer side

Cloud = NDArray[np.float64]


@dataclass(frozen=True)
class PointClouds(Recogniser):
    """$P: gestures of its own and whatever one gives templates of."""

    name: ClassVar[str] = "points"

    least: float = option(0.5, low=0, high=1, text="readings that are less sure are left out")
    gestures: bool = option(True, choices=(False, True), text="know drawings of accept, delete and move by itself")

    def read(
        self,
        strokes: Sequence[Stroke],
        templates: Sequence[Template] = (),
        *,
        context: str = "",  # noqa: ARG002, drawings are compared, not language
        n: int = 5,
    ) -> list[Reading]:
        """The values whose nearest template is nearest."""
        check_strokes(strokes)
        for template in templates:
            check_strokes(template.strokes, f"The template {template.value!r}")
        if not strokes:
            return []
        known = [(each, cloud(each.strokes)) for each in templates if each.strokes]
        known += _own() if self.gestures else ()
        if not known:
            return []
        best: dict[tuple[Kind, str], float] = {}
        far = distances(cloud(strokes), np.stack([points for _, points in known])).tolist()
        for (template, _), apart in zip(known, far, strict=True):
            key = template.kind, template.value
            best[key] = max(1 - apart / _FARTHEST, best.get(key, 0.0))
        readings = [Reading(*key, score) for key, score in best.items() if score >= self.least]
        return sorted(readings, key=lambda each: (-each.score, each.value))[:n]


def cloud(strokes: Sequence[Stroke]) -> Cloud:
    """A drawing as points that can be compared with another's."""
    points = _resampled(strokes)
    size = float(np.ptp(points, axis=0).max())
    centred: Cloud = (points - points.mean(axis=0)) / (size or 1.0)
    return centred


def _resampled(strokes: Sequence[Stroke]) -> Cloud:
    """Points at even distances along all strokes; what lies between two strokes is not drawn."""
    parts = [np.array([point[:2] for point in stroke], dtype=np.float64) for stroke in strokes]
    steps = [np.hypot(*np.diff(part, axis=0).T) for part in parts]
    lengths = [float(each.sum()) for each in steps]
    total = sum(lengths)
    if not total:  # dots
        dots = np.concatenate(parts)
        return np.asarray(dots[np.arange(_N_POINTS) * len(dots) // _N_POINTS])
    wanted = np.linspace(0.0, total, _N_POINTS)
    points = np.empty((_N_POINTS, 2))
    behind = 0.0
    for part, each, length in zip(parts, steps, lengths, strict=True):
        inside = (wanted >= behind) & (wanted <= behind + length)
        along = np.concatenate([[0.0], np.cumsum(each)]) + behind
        for axis in range(2):
            points[inside, axis] = np.interp(wanted[inside], along, part[:, axis])
        behind += length
    return points


def distances(drawn: Cloud, known: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far a cloud is from each of some: the least of the greedy matchings from several first points, either way.

    It is the mean distance of matched points. A matching takes each point to the nearest that is still free; earlier
    matches are surer and count more.
    """
    apart = np.sqrt(((known[:, :, None, :] - drawn[None, None, :, :]) ** 2).sum(axis=3))
    both = np.stack([apart, apart.transpose(0, 2, 1)], axis=1)  # of each cloud its points to ours, and ours to its
    firsts = np.arange(0, _N_POINTS, _STEP)
    free = np.zeros((len(known), 2, len(firsts), _N_POINTS))
    totals = np.zeros(free.shape[:3])
    weights = 1 - np.arange(_N_POINTS) / _N_POINTS
    for k, weight in enumerate(weights.tolist()):
        rows = both[:, :, (firsts + k) % _N_POINTS, :] + free
        nearest = rows.argmin(axis=3)[..., None]
        totals += weight * np.take_along_axis(rows, nearest, axis=3)[..., 0]
        np.put_along_axis(free, nearest, np.inf, axis=3)
    least: NDArray[np.float64] = totals.reshape(len(known), -1).min(axis=1) / weights.sum()
    return least


@cache
def _own() -> tuple[tuple[Template, Cloud], ...]:
    return tuple((each, cloud(each.strokes)) for each in gesture_templates())


def gesture_templates() -> tuple[Template, ...]:
    """Drawings of gestures: a tick accepts, a zigzag or a line through deletes, a loop with a tail or an arrow moves.

    A move goes from where the loop or the arrow begins to where it ends.
    """
    drawings: list[tuple[str, Iterable[Iterable[tuple[float, float]]]]] = [
        ("accept", [[(0, 5), (3, 10), (10, 0)]]),
        ("accept", [[(0, 6), (2, 10), (12, 0)]]),
        ("accept", [[(0, 3), (4, 8), (8, 0)]]),
        *(("delete", [_zigzag(turns, height)]) for turns in (3, 5, 7) for height in (2.0, 5.0)),
        ("delete", [[(0, 0), (10, 0)]]),
        ("delete", [[(0, 1), (10, 0)]]),
        ("delete", [[(0, 0), (10, 10)], [(10, 0), (0, 10)]]),
        *(("move", [[*_loop(), (way * 16.0, 0.0)]]) for way in (1, -1)),
        *(("move", [_loop(), [(way * 4.0, 0.0), (way * 16.0, 0.0)]]) for way in (1, -1)),
        *(("move", [[(0, 0), (way * 10, 0)], [(way * 7, -3), (way * 10, 0), (way * 7, 3)]]) for way in (1, -1)),
        *(("move", [[(0, 0), (way * 10, 0), (way * 7, -3), (way * 10, 0), (way * 7, 3)]]) for way in (1, -1)),
    ]
    return tuple(
        Template(value, tuple(tuple(tuple(point) for point in stroke) for stroke in strokes), "gesture")
        for value, strokes in drawings
    )


def _zigzag(turns: int, height: float) -> list[tuple[float, float]]:
    return [(10.0 * k / turns, height * (k % 2)) for k in range(turns + 1)]


def _loop() -> list[tuple[float, float]]:
    return [(4 * sin(2 * pi * k / 24), -2.5 * cos(2 * pi * k / 24)) for k in range(25)]
