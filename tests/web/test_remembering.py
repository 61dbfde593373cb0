"""What is made of all answers of a campaign is made once for everybody who comes at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event

import pytest
from fastapi import FastAPI

from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.campaigns import find_campaign
from dragoman.store.judging.membership import exclude
from dragoman.store.judging.remembering import Mark, mark_of, remembered
from tests.web.house import CAMPAIGN
from tests.web.judges import fill_campaign

PEOPLE = 6


def test_a_later_look_covers_an_earlier_one_if_nothing_was_marked() -> None:
    mark = Mark(last=7, n=5, excluded=(1,), given_up=0, decision=None)
    assert mark.covers(mark)
    assert mark.covers(replace(mark, last=6, n=4))
    assert not mark.covers(replace(mark, last=8, n=6))
    assert not mark.covers(replace(mark, n=6)), "answers were taken away"
    for changed in (replace(mark, excluded=()), replace(mark, given_up=1), replace(mark, decision=0)):
        assert not mark.covers(replace(changed, last=6))


def test_it_is_made_anew_when_something_was_said_or_marked(app: FastAPI, store: Store) -> None:
    made: list[Mark] = []

    def look() -> int:
        with store.read() as connection:
            campaign = find_campaign(connection, CAMPAIGN)

            def make() -> int:
                made.append(mark_of(connection, campaign))
                return len(made)

            return remembered(connection, campaign, "looks", make)

    assert (look(), look()) == (1, 1)
    fill_campaign(app, store, CAMPAIGN, {"ada": 1.0})
    assert (look(), look()) == (2, 2)
    with store.write() as connection:
        exclude(connection, CAMPAIGN, "ada", actor=COMMAND_LINE)
    assert (look(), look()) == (3, 3)
    assert made[0].last < made[1].last == made[2].last


def test_who_waited_takes_what_was_made(light_store: Store) -> None:
    begun, go, made = Event(), Event(), []

    def slowly() -> int:
        begun.set()
        assert go.wait(30)
        made.append(1)
        return len(made)

    def look() -> int:
        with light_store.read() as connection:
            return remembered(connection, find_campaign(connection, CAMPAIGN), "slow", slowly)

    with ThreadPoolExecutor(PEOPLE) as threads:
        first = threads.submit(look)
        assert begun.wait(30)
        others = [threads.submit(look) for _ in range(PEOPLE - 1)]
        go.set()
        assert [each.result(30) for each in (first, *others)] == [1] * PEOPLE


def test_what_fails_is_tried_again(light_store: Store) -> None:
    with light_store.read() as connection:
        campaign = find_campaign(connection, CAMPAIGN)
        with pytest.raises(ZeroDivisionError):
            remembered(connection, campaign, "failing", lambda: 1 // 0)
        assert remembered(connection, campaign, "failing", lambda: 1) == 1
