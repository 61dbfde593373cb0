"""Pen strokes: gestures however they are drawn, and the writer's own templates."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import pytest

from dragoman.cat.pen import PointClouds, Template
from dragoman.cat.pen.points import gesture_templates

Points = list[tuple[float, float]]


def drawn(strokes: object, rng: np.random.Generator, shake: float) -> list[Points]:
    """Strokes as a hand draws them: ten points between any two, each a little off, at another place and size."""
    hands = []
    for stroke in strokes:  # type: ignore[attr-defined]
        corners = np.array([point[:2] for point in stroke], dtype=float)
        steps = np.linspace(0, len(corners) - 1, 10 * len(corners))
        line = np.column_stack([np.interp(steps, np.arange(len(corners)), corners[:, axis]) for axis in range(2)])
        line = 100 + 7 * (line + rng.normal(0, shake, line.shape))
        hands.append([(float(x), float(y)) for x, y in line])
    return hands


@pytest.mark.parametrize("shake", [0.0, 0.2, 0.5])
def test_gestures_are_known_by_a_shaking_hand(shake: float) -> None:
    rng, reader = np.random.default_rng(7), PointClouds()
    for template in gesture_templates():
        best = reader.read(drawn(template.strokes, rng, shake))[0]
        assert (best.kind, best.value) == ("gesture", template.value)


def test_neither_the_direction_nor_the_order_of_strokes_matters() -> None:
    cross = [[(0.0, 0.0), (9.0, 9.0)], [(9.0, 0.0), (0.0, 9.0)]]
    back = [[*reversed(stroke)] for stroke in reversed(cross)]
    one, other = PointClouds().read(cross)[0], PointClouds().read(back)[0]
    assert (one.value, other.value) == ("delete", "delete")
    assert one.score == pytest.approx(other.score)


@pytest.mark.parametrize(
    "strokes",
    [
        [[(cos(k * pi / 12), sin(k * pi / 12)) for k in range(25)]],  # an o
        [[(0.0, 0.0), (0.0, 10.0), (6.0, 10.0)]],  # an L
    ],
)
def test_what_is_like_no_gesture_is_none(strokes: list[Points]) -> None:
    assert PointClouds().read(strokes) == []


def test_the_writers_own_templates_are_read_beside_the_gestures() -> None:
    rng = np.random.default_rng(3)
    letters = {
        "L": [[(0.0, 0.0), (0.0, 10.0), (6.0, 10.0)]],
        "T": [[(0.0, 0.0), (8.0, 0.0)], [(4.0, 0.0), (4.0, 10.0)]],
        "o": [[(cos(k * pi / 12), sin(k * pi / 12)) for k in range(25)]],
    }
    templates = [Template(value, tuple(strokes)) for value, strokes in letters.items()]
    for value, strokes in letters.items():
        best = PointClouds().read(drawn(strokes, rng, 0.05), templates)[0]
        assert (best.kind, best.value) == ("text", value)
    tick = drawn([[(0, 5), (3, 10), (10, 0)]], rng, 0.2)
    assert PointClouds().read(tick, templates)[0].value == "accept"
    assert [each.kind for each in PointClouds(gestures=False, least=0).read(tick, templates)] == ["text"] * 3
    assert PointClouds(gestures=False).read(tick) == []


def test_a_writer_may_teach_another_drawing_for_a_gesture() -> None:
    circle = [[(cos(k * pi / 12), sin(k * pi / 12)) for k in range(25)]]
    own = Template("accept", tuple(circle), "gesture")
    assert [each.value for each in PointClouds().read(circle)] == []
    assert PointClouds().read(circle, [own])[0].value == "accept"
