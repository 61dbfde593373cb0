"""Memories in the store: several processes, who may what, deletion, provenance."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from dragoman.cat.memory import MemoryShelf, Penalised, Query
from dragoman.errors import DataError
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE, list_audit
from dragoman.store.people.accounts import find_user
from dragoman.store.refusals import Conflict, NotAllowed, NotFound
from dragoman.store.translating import memories as kept
from dragoman.store.translating.memories import Memory, NewUnit


@pytest.fixture
def memory(store: Store) -> Memory:
    with store.write() as connection:
        owner = find_user(connection, "ada")
        return kept.create_memory(connection, "ada's", "en", "de", owner=owner, actor=COMMAND_LINE)


def add(store: Store, memory: Memory, *units: NewUnit, origin: str = "test") -> list[int]:
    with store.write() as connection:
        return kept.add_units(connection, memory, units, origin=origin)


def targets(shelf: MemoryShelf, memory: Memory, source: str) -> list[str]:
    return [match.target for match in shelf.matches([Penalised(memory)], source)]


def test_a_confirmed_segment_is_found_at_once_by_every_process(store: Store, memory: Memory) -> None:
    other = Store(store.url.render_as_string(hide_password=False))
    here, there = MemoryShelf(store), MemoryShelf(other)
    assert targets(there, memory, "The house is red.") == []
    first = here.confirm(memory, NewUnit("The house is red.", "Das Haus ist rot.", key="p1/7"), origin="project 1")
    assert targets(there, memory, "The house is red.") == targets(here, memory, "The house is red.")
    assert targets(there, memory, "The house is red.") == ["Das Haus ist rot."]
    second = here.confirm(memory, NewUnit("The house is red.", "Rot ist das Haus.", key="p1/7"), origin="project 1")
    assert targets(there, memory, "The house is red.") == ["Rot ist das Haus."], "it took the earlier one's place"
    with store.write() as connection:
        assert kept.delete_units(connection, memory, [first, second], actor=COMMAND_LINE) == 1
        assert kept.delete_units(connection, memory, [second], actor=COMMAND_LINE) == 0
    assert targets(there, memory, "The house is red.") == []
    here.forget(memory)
    assert targets(here, memory, "The house is red.") == []
    other.close()


def test_a_unit_says_where_it_comes_from(store: Store, memory: Memory) -> None:
    at = datetime(2024, 1, 2, tzinfo=UTC)
    with store.write() as connection:
        ada = find_user(connection, "ada")
        unit = NewUnit("a", "b", "", None, created=at)
        (number,) = kept.add_units(connection, memory, [unit], origin="old.tmx", user_id=ada.id)
        kept.delete_units(connection, memory, [number], actor=COMMAND_LINE)
        stored = kept.unit_of(connection, memory, number)
        entry = list_audit(connection, subject="memory ada's").entries[0]
        assert list(kept.units_of(connection, memory)) == []
    assert (stored.user, stored.origin, stored.created) == ("ada", "old.tmx", at)
    assert (stored.previous, stored.next) == ("", None)
    assert stored.deleted is not None
    assert entry[2:5] == ("memory units deleted", "memory ada's", f"units=[{number}]")
    with pytest.raises(NotFound, match='The memory "ada\'s" has no unit 77'), store.read() as connection:
        kept.unit_of(connection, memory, 77)


def test_who_may_use_a_memory(store: Store, memory: Memory) -> None:
    with store.write() as connection:
        ada, annotator = find_user(connection, "ada"), find_user(connection, "ben")
        ben = replace(annotator, role="viewer")  # of annotators, those with a job look things up in it
        (number,) = kept.add_units(connection, memory, [NewUnit("a", "b")], origin="x", user_id=ada.id)
        with pytest.raises(NotFound, match='There is no memory "ada\'s"'):
            kept.find_memory(connection, "ada's", ben)
        assert kept.list_memories(connection, ben).memories == ()
        kept.share_memory(connection, memory, True, actor=COMMAND_LINE)
        with pytest.raises(NotFound, match='There is no memory "ada\'s"'):
            kept.find_memory(connection, "ada's", annotator)
        assert kept.find_memory(connection, "ada's", annotator, at_work=["ada's"]).name == "ada's"
        shared = kept.find_memory(connection, "ada's", ben)
        with pytest.raises(NotAllowed, match="Some of these units of \"ada's\" are others'; its owner can delete them"):
            kept.delete_units(connection, shared, [number], actor=COMMAND_LINE, user=ben)
        (own,) = kept.add_units(connection, memory, [NewUnit("a", "c")], origin="x", user_id=ben.id)
        assert kept.delete_units(connection, shared, [own], actor=COMMAND_LINE, user=ben) == 1
        assert kept.list_memories(connection, ben).tables()[0].rows[0] == ("ada's", "en", "de", 1, True, "ada")
        house = kept.create_memory(connection, "house", "en", "de", actor=COMMAND_LINE)
        with pytest.raises(Conflict, match="The memory 'house' has no owner: closed, nobody could use it"):
            kept.share_memory(connection, house, False, actor=COMMAND_LINE)


def test_what_cannot_be_kept_is_refused(store: Store, memory: Memory) -> None:
    with store.write() as connection:
        with pytest.raises(Conflict, match='There is a memory "ada\'s" already'):
            kept.create_memory(connection, "ada's", "en", "de", actor=COMMAND_LINE)
        with pytest.raises(DataError, match="' x' cannot name a memory"):
            kept.create_memory(connection, " x", "en", "de", actor=COMMAND_LINE)
        with pytest.raises(DataError, match="source is"):
            kept.add_units(connection, memory, [NewUnit("a\x00", "b")], origin="x")
        with pytest.raises(DataError, match="Two units to be added have the same key"):
            kept.add_units(connection, memory, [NewUnit("a", "b", key="k")] * 2, origin="x")
    with pytest.raises(DataError, match='The penalty of "ada\'s" is 101; it has 0 to 100 points'):
        Penalised(memory, 101)


def test_penalties_rank_memories(store: Store, memory: Memory) -> None:
    with store.write() as connection:
        other = kept.create_memory(connection, "other", "en", "de", actor=COMMAND_LINE)
    add(store, memory, NewUnit("The red house.", "Das rote Haus.", "x", "y"), NewUnit("The red mouse.", "Die Maus."))
    add(store, other, NewUnit("The red house.", "Das rote Haus."), NewUnit("The red house.", "Rotes Haus."))
    shelf = MemoryShelf(store)
    query = Query("The red house.", "x", "y")
    found = shelf.matches([Penalised(memory), Penalised(other, 5)], query)
    assert [(match.target, match.score, match.memory) for match in found] == [
        ("Das rote Haus.", 101, "ada's"),
        ("Rotes Haus.", 95, "other"),
        ("Die Maus.", 75, "ada's"),
    ]
    assert [m.score for m in shelf.matches([Penalised(memory, 60), Penalised(other, 80)], query, threshold=30)] == [41]
    hits = shelf.concordance([memory, other], "house", most=2)
    assert [(hit.memory, hit.target) for hit in hits] == [("ada's", "Das rote Haus."), ("other", "Rotes Haus.")]


def test_many_writers_and_followers_lose_nothing(store: Store, memory: Memory) -> None:
    shelf, reader = MemoryShelf(store), MemoryShelf(store)
    faults: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for n in range(15):
                source = f"segment {n} of {name}"
                number = shelf.confirm(memory, NewUnit(source, source.upper()), origin=name)
                assert shelf.matches([Penalised(memory)], source)[0].score == 100
                if n % 3 == 0:
                    with store.write() as connection:
                        kept.delete_units(connection, memory, [number], actor=COMMAND_LINE)
                reader.index(memory)
        except BaseException as error:
            faults.append(error)

    workers = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert faults == []
    assert len(reader.index(memory)) == len(MemoryShelf(store).index(memory)) == 40
