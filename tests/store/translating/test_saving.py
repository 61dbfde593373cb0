"""Saving segments: revisions, refusals that lose nothing, keys, what each may do, many at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from dragoman.store import Store
from dragoman.store.refusals import NotFound
from dragoman.store.translating.history import read_log
from dragoman.store.translating.jobs import Access
from dragoman.store.translating.saving import Change, Outcome, save_changes
from dragoman.store.translating.segments import find_segment, list_segments

Opened = Callable[[str], Access]


def ids(store: Store, project: int) -> list[int]:
    with store.read() as connection:
        return [row["id"] for row in list_segments(connection, project)[1]]


def save(store: Store, access: Access, *changes: Change) -> list[Outcome]:
    return store.together(lambda connection: save_changes(connection, access, changes))


def kinds(store: Store, project: int) -> list[tuple[str, str | None, Any]]:
    with store.read() as connection:
        return [(each.kind, each.user, each.data.get("target")) for each in read_log(connection, project)]


def test_what_is_saved_counts_and_is_logged(store: Store, project: int, access: Opened) -> None:
    first = ids(store, project)[0]
    origin = {"kind": "MT", "name": "e", "score": 85, "text": "The dog sleeps."}
    (done,) = save(store, access("ada"), Change("a", first, 0, "The dog is asleep.", "translated", origin))
    assert (done.saved, done.fresh, done.revision, done.place) == (True, True, 1, 1)
    with store.read() as connection:
        row = find_segment(connection, project, first)
    assert (row["target"], row["state"], row["revision"], row["origin"], row["changed_by"]) == (
        "The dog is asleep.",
        "translated",
        1,
        origin,
        "ada",
    )
    assert kinds(store, project) == [("saved", "ada", "The dog is asleep.")]


def test_a_save_from_an_old_text_is_refused_and_kept(store: Store, project: int, access: Opened) -> None:
    first = ids(store, project)[0]
    save(store, access("ada"), Change("a", first, 0, "The dog sleeps."))
    (refused,) = save(store, access("ben"), Change("b", first, 0, "A dog sleeps."))
    assert (refused.saved, refused.revision, refused.target, refused.changed_by) == (
        False,
        1,
        "The dog sleeps.",
        "ada",
    )
    assert "ada has changed this segment meanwhile" in refused.message
    assert kinds(store, project) == [("saved", "ada", "The dog sleeps."), ("refused", "ben", "A dog sleeps.")]
    (again,) = save(store, access("ben"), Change("c", first, 1, "A dog sleeps."))
    assert (again.saved, again.revision) == (True, 2)


def test_what_is_sent_twice_is_saved_once(store: Store, project: int, access: Opened) -> None:
    first = ids(store, project)[0]
    change = Change("a", first, 0, "One.")
    save(store, access("ada"), change)
    save(store, access("ada"), Change("b", first, 1, "Two."))
    (again,) = save(store, access("ada"), change)
    assert (again.saved, again.fresh, again.revision) == (True, False, 1)
    (other,) = save(store, access("ada"), Change("a", first, 2, "Three."))
    assert not other.saved
    assert "make one for each" in other.message
    with store.read() as connection:
        assert find_segment(connection, project, first)["target"] == "Two."
    assert len(kinds(store, project)) == 2
    (refused,) = save(store, access("ben"), Change("r", first, 0, "Old."))
    (refused_again,) = save(store, access("ben"), Change("r", first, 0, "Old."))
    assert refused == refused_again
    assert len(kinds(store, project)) == 3


def test_the_same_text_from_an_old_revision_is_no_conflict(store: Store, project: int, access: Opened) -> None:
    first = ids(store, project)[0]
    save(store, access("ada"), Change("a", first, 0, "Same.", "translated"))
    (done,) = save(store, access("ben"), Change("b", first, 0, "Same.", "translated"))
    assert (done.saved, done.revision) == (True, 1)


@pytest.mark.parametrize(
    ("who", "place", "change", "reason"),
    [
        ("ada", 4, {"state": "draft"}, "Segment 4 is none of yours; yours are: 1–3"),
        ("ada", 1, {"state": "approved"}, "Only reviewers give a segment the state 'approved'"),
        ("ada", 1, {"state": "done"}, "The state is 'done'; expected draft, translated"),
        ("ada", 1, {"target": "a\x00"}, "which the database has no place for"),
        ("ben", 1, {"state": "new"}, "The state is 'new'"),
    ],
)
def test_what_is_not_allowed(
    store: Store, project: int, access: Opened, who: str, place: int, change: dict[str, str], reason: str
) -> None:
    number = ids(store, project)[place - 1]
    good = Change("good", ids(store, project)[0], 0, "Good.")
    wrong, fine = save(store, access(who), Change("k", number, 0, **{"target": "Text.", **change}), good)
    assert not wrong.saved
    assert reason in wrong.message
    assert fine.saved
    assert [kind for kind, *_ in kinds(store, project)] == ["saved"]


def test_reviewers_and_managers_approve(store: Store, project: int, access: Opened) -> None:
    first = ids(store, project)[0]
    assert save(store, access("ben"), Change("a", first, 0, "Yes.", "rejected"))[0].saved
    assert save(store, access("the-manager"), Change("b", first, 1, "Yes.", "approved"))[0].saved
    with pytest.raises(NotFound, match="none of yours"):
        access("the-annotator")
    viewer = access("the-viewer")
    assert viewer.role == "viewer"
    (refused,) = save(store, viewer, Change("c", first, 2, "No."))
    assert not refused.saved


def test_many_at_once_lose_nothing(store: Store, project: int, access: Opened) -> None:
    """Each goes on until what it wrote is in: the revisions are one chain, and every text is in the log."""
    first = ids(store, project)[0]
    people = [access(name) for name in ("ada", "ben", "the-manager")]
    saved: list[int] = []
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            revision = 0
            for n in range(10):
                for attempt in range(1000):
                    change = Change(f"{number}.{n}.{attempt}", first, revision, f"text {number} {n}")
                    (outcome,) = save(store, people[number], change)
                    revision = int(outcome.revision or 0)
                    if outcome.saved:
                        saved.append(revision)
                        break
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(people))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert sorted(saved) == list(range(1, 31))
    log = kinds(store, project)
    assert {text for kind, _, text in log if kind == "saved"} == {f"text {i} {n}" for i in range(3) for n in range(10)}
