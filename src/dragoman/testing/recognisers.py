"""What every recogniser of pen strokes promises."""

from __future__ import annotations

from dragoman.cat.pen.base import RECOGNISERS, Reading, Recogniser, Stroke, Template
from dragoman.errors import DataError
from dragoman.testing.contract import Contract, raises

__all__ = ["RECOGNISER", "check_recogniser"]

RECOGNISER: Contract[Recogniser] = Contract("handwriting recogniser")

LETTER = (((0.0, 0.0), (0.0, 9.0), (6.0, 9.0)),)  # an L
CROSS = (((0.0, 0.0), (0.0, 0.0, 5.0), (9.0, 9.0, 10.0)), ((9.0, 0.0, 30.0), (0.0, 9.0, 40.0)))
ODD: list[tuple[Stroke, ...]] = [LETTER, CROSS, (((3.0, 3.0),),), (((1e9, -1e9), (1e9, -1e9)), ((0.0, 0.0),))]
TEMPLATES = (Template("L", LETTER), Template("X", CROSS), Template("again", LETTER, "gesture"))


def check_recogniser(recogniser: Recogniser | str) -> None:
    """Check a recogniser, given as an object or by its name and options."""
    recogniser = RECOGNISERS.make(recogniser) if isinstance(recogniser, str) else recogniser
    RECOGNISER.check(recogniser, recogniser.name)


def _readings(recogniser: Recogniser, n: int = 5) -> list[list[Reading]]:
    return [recogniser.read(strokes, TEMPLATES, n=n) for strokes in ODD]


@RECOGNISER.rule
def it_has_the_name_it_is_found_by(recogniser: Recogniser) -> None:
    assert RECOGNISERS.get(recogniser.name) is type(recogniser)


@RECOGNISER.rule
def nothing_drawn_is_read_as_nothing(recogniser: Recogniser) -> None:
    assert recogniser.read((), TEMPLATES) == []


@RECOGNISER.rule
def readings_are_sorted_and_no_value_comes_twice(recogniser: Recogniser) -> None:
    for readings in _readings(recogniser):
        scores = [each.score for each in readings]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)
        assert len({(each.kind, each.value) for each in readings}) == len(readings)
        assert all(each.value and each.kind in ("gesture", "text") for each in readings)


@RECOGNISER.rule
def no_more_are_given_than_asked_for(recogniser: Recogniser) -> None:
    assert [each[:1] for each in _readings(recogniser)] == _readings(recogniser, n=1)


@RECOGNISER.rule
def asking_again_gives_the_same(recogniser: Recogniser) -> None:
    assert _readings(recogniser) == _readings(recogniser)


@RECOGNISER.rule
def size_and_place_do_not_matter(recogniser: Recogniser) -> None:
    moved = tuple(tuple((40 + 3 * x, 7 + 3 * y) for x, y, *_ in stroke) for stroke in LETTER)
    values = [[each.value for each in recogniser.read(strokes, TEMPLATES)] for strokes in (LETTER, moved)]
    assert values[0] == values[1]


@RECOGNISER.rule
def a_stroke_without_points_is_named(recogniser: Recogniser) -> None:
    with raises(DataError, match="stroke 2 has no points"):
        recogniser.read((LETTER[0], ()))


@RECOGNISER.rule
def a_point_that_is_none_is_named(recogniser: Recogniser) -> None:
    with raises(DataError, match="point 2 of stroke 1"):
        recogniser.read((((0.0, 0.0), (float("nan"), 1.0)),))
