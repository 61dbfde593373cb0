"""What every protocol promises."""

from __future__ import annotations

from collections import Counter

import pytest

from dragoman.errors import DataError
from dragoman.human.planning import plan_test_set
from dragoman.human.protocol import PROTOCOLS, Protocol
from tests.human.made_sets import made_set

PEOPLE = ("ada", "ben", "chloe")
each_protocol = pytest.mark.parametrize(
    "cls", [PROTOCOLS.get(name) for name in PROTOCOLS.names()], ids=PROTOCOLS.names()
)


@each_protocol
@pytest.mark.parametrize("redundancy", [1, 2, 3])
def test_every_item_is_planned_exactly_redundancy_times(cls: type[Protocol], redundancy: int) -> None:
    test_set = made_set(3, 50)
    planned = plan_test_set(test_set, cls(redundancy=redundancy), PEOPLE, seed=1)
    assert set(planned.coverage().values()) == {redundancy}
    assert len(planned.coverage()) == 150
    for task in planned.tasks:
        hands = [each.annotator for each in planned.assignments if each.task == task]
        assert len(hands) == len(set(hands)) == redundancy


@each_protocol
def test_plans_are_pure(cls: type[Protocol]) -> None:
    test_set = made_set(3, 50)
    assert cls().plan(test_set, PEOPLE, seed=1) == cls().plan(test_set, PEOPLE, seed=1)
    assert cls().plan(test_set, PEOPLE, seed=1) != cls().plan(test_set, PEOPLE, seed=2)


@each_protocol
def test_ids_are_opaque_and_systems_stay_hidden(cls: type[Protocol]) -> None:
    items = [item for each in cls().plan(made_set(3, 50), PEOPLE, seed=1) for item in each.task.items]
    ids = Counter(item.id for item in items)
    assert set(ids.values()) == {1}
    for item in items:
        assert not any(name in (item.id, *item.shown.values()) for name in ("sys-0", "sys-1", "sys-2"))


@each_protocol
def test_too_few_annotators_are_refused(cls: type[Protocol]) -> None:
    with pytest.raises(DataError, match="Each task goes to 4 different annotators, but there are 3"):
        cls(redundancy=4).plan(made_set(3, 50), PEOPLE, seed=1)


@each_protocol
def test_an_empty_answer_is_refused(cls: type[Protocol]) -> None:
    item = cls().plan(made_set(3, 50), PEOPLE, seed=1)[0].task.items[0]
    with pytest.raises(DataError):
        cls().check(item, {})


@each_protocol
def test_the_screen_is_named(cls: type[Protocol]) -> None:
    assert cls.screen
    assert cls.schema.key == ("annotator", "item")
