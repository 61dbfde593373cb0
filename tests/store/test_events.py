"""The event log: order, sending twice, many writers at once, a writer that is killed."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.store import Store, tables
from dragoman.store.events import Event, append_events, read_events
from dragoman.store.people.accounts import find_user
from dragoman.store.refusals import Conflict

PROJECT = "project 7"


def append(store: Store, stream: str, *events: Event) -> list[int]:
    return store.together(lambda connection: append_events(connection, stream, events))


def keys(store: Store, stream: str = PROJECT, **which: object) -> list[str]:
    with store.read() as connection:
        entries = read_events(connection, stream, **which)  # type: ignore[arg-type]
    return [entry.event.key for entry in entries]


def test_events_are_read_as_they_were_appended(store: Store) -> None:
    at = datetime(2026, 11, 16, 7, 30, tzinfo=UTC)
    typed = Event("k1", "typed", {"text": "Vogel\x00\ud800", "caret": 5}, "segment 1", at)
    with store.write() as connection:
        ada = find_user(connection, "ada")
        assert append_events(connection, PROJECT, [typed, Event("k2", "closed")], user_id=ada.id) == [1, 2]
        assert append_events(connection, "project 8", [typed]) == [1], "each stream counts for itself"
        assert append_events(connection, PROJECT, []) == []
    with store.read() as connection:
        first, second = read_events(connection, PROJECT)
        assert read_events(connection, "no such stream") == []
    assert (first.number, first.event, first.user_id) == (1, typed, ada.id)
    assert (second.number, second.event.data, second.event.at) == (2, {}, None)


def test_a_part_can_be_read(store: Store) -> None:
    append(store, PROJECT, *(Event(f"k{n}", "typed", subject=f"segment {n % 2}") for n in range(10)))
    assert keys(store, after=7) == ["k7", "k8", "k9"]
    assert keys(store, after=3, limit=2) == ["k3", "k4"]
    assert keys(store, subject="segment 1", after=4) == ["k5", "k7", "k9"]


def test_what_is_sent_twice_is_saved_once(store: Store) -> None:
    events = [Event(f"k{n}", "typed", {"n": n, "m": (1, 2)}) for n in range(1200)]
    assert append(store, PROJECT, *events[:800]) == list(range(1, 801))
    assert append(store, PROJECT, *events, events[0]) == [*range(1, 1201), 1]
    assert keys(store) == [event.key for event in events]


def test_a_key_of_another_event_is_refused_and_nothing_saved(store: Store) -> None:
    append(store, PROJECT, Event("k1", "typed", {"n": 1}))
    with pytest.raises(Conflict, match=r"The key 'k1' is that of another event in 'project 7'; make one for each"):
        append(store, PROJECT, Event("k2", "typed"), Event("k1", "typed", {"n": 2}))
    with pytest.raises(Conflict, match="The key 'k3'"):
        append(store, PROJECT, Event("k3", "typed"), Event("k3", "closed"))
    assert keys(store) == ["k1"]
    assert append(store, PROJECT, Event("k4", "typed")) == [2], "what was refused left no gap"


@pytest.mark.parametrize(
    "event",
    [
        Event("k" * 65, "typed"),
        Event("k\x00", "typed"),
        Event("k", "t" * 41),
        Event("k", "typed", {"x": float("nan")}),
        Event("k", "typed", {"x": object()}),
        Event("k", "typed", subject="\ud800"),
    ],
)
def test_what_no_database_takes_is_refused(store: Store, event: Event) -> None:
    with pytest.raises(DataError):
        append(store, PROJECT, event)
    with pytest.raises(DataError, match="name is"):
        append(store, "s" * 201, Event("k", "typed"))
    assert keys(store) == []


def test_many_writers_leave_no_gap_and_readers_miss_nothing(store: Store) -> None:
    """Each sends its events in batches, some of them twice; a reader asks again and again for what is new."""
    faults: list[BaseException] = []
    over = threading.Event()
    heard: list[str] = []

    def write(name: str) -> None:
        chance = random.Random(name)
        events = [Event(f"{name}-{n}", "typed", {"n": n}) for n in range(60)]
        try:
            for start in range(0, 60, 6):
                for _ in range(chance.choice((1, 2))):
                    append(store, PROJECT, *events[start : start + 6])
        except BaseException as error:
            faults.append(error)

    def listen() -> None:
        number = 0
        while True:
            last = over.is_set()
            with store.read() as connection:
                entries = read_events(connection, PROJECT, after=number)
            heard.extend(entry.event.key for entry in entries)
            number = entries[-1].number if entries else number
            if last:
                return

    listener = threading.Thread(target=listen)
    writers = [threading.Thread(target=write, args=(f"w{n}",)) for n in range(6)]
    for thread in (listener, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    over.set()
    listener.join()
    assert faults == []
    assert heard == keys(store)
    for n in range(6):
        assert [key for key in heard if key.startswith(f"w{n}-")] == [f"w{n}-{m}" for m in range(60)]
    with store.read() as connection:
        numbers = [entry.number for entry in read_events(connection, PROJECT)]
        assert numbers == list(range(1, 361))
        assert connection.scalar(sa.select(tables.streams.c.length)) == 360


WRITER = """
import sys
from dragoman.store import Store
from dragoman.store.events import Event, append_events
store = Store(sys.argv[1])
for n in range(100_000):
    batch = [Event(f"{n}-{m}", "typed") for m in range(3)]
    store.together(lambda connection: append_events(connection, "project 7", batch))
    print(n, flush=True)
"""


def test_a_writer_that_is_killed_loses_nothing_it_was_told_is_saved(database: str) -> None:
    writer = subprocess.Popen([sys.executable, "-c", WRITER, database], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    confirmed = [int(writer.stdout.readline()) for _ in range(25)]
    writer.send_signal(signal.SIGKILL)
    confirmed += [int(line) for line in writer.stdout]
    writer.wait()
    writer.stdout.close()
    store = Store(database)
    saved = keys(store)
    assert saved[: 3 * len(confirmed)] == [f"{n}-{m}" for n in confirmed for m in range(3)]
    assert len(saved) % 3 == 0, "a batch is saved whole or not at all"
    again = [Event(f"{n}-{m}", "typed") for n in range(len(confirmed) + 2) for m in range(3)]
    assert append(store, PROJECT, *again) == list(range(1, len(again) + 1)), "what is sent again keeps its number"
    store.close()
