"""Projects, files, jobs, segments: what is listed, moved, split, joined, locked, said and deleted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from dragoman.errors import DataError
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.columns import now
from dragoman.store.events import Event
from dragoman.store.people.accounts import find_user
from dragoman.store.refusals import Conflict, NotAllowed, NotFound
from dragoman.store.translating import history, jobs, projects, remarks, reshaping, segments
from dragoman.store.translating.jobs import Access
from dragoman.store.translating.saving import Change, save_changes
from tests.store.translating.conftest import SOURCES, segment

Opened = Callable[[str], Access]


def listed(store: Store, project: int, **wanted: object) -> list[dict[str, object]]:
    with store.read() as connection:
        return segments.list_segments(connection, project, **wanted)[1]  # type: ignore[arg-type]


def test_names_are_unique_and_found(store: Store, project: int) -> None:
    with store.write() as connection:
        with pytest.raises(Conflict, match="There is a project called 'Haus & Hof' already"):
            projects.create_project(connection, " Haus & Hof ", "de", "fr", actor=COMMAND_LINE)
        with pytest.raises(DataError, match="give it letters or digits"):
            projects.create_project(connection, " ", "de", "fr", actor=COMMAND_LINE)
        assert projects.named_project(connection, "Haus & Hof").id == project
        assert projects.named_project(connection, str(project)).id == project
        with pytest.raises(NotFound, match=r"no project called 'x'\. Known: Haus & Hof"):
            projects.named_project(connection, "x")
        changed = projects.change_project(connection, project, engine="e", settings={"learn": True}, actor=COMMAND_LINE)
        assert (changed.engine, changed.settings) == ("e", {"learn": True})
        with pytest.raises(DataError, match="source_lang cannot be changed"):
            projects.change_project(connection, project, source_lang="fr", actor=COMMAND_LINE)


def test_who_sees_which_projects(store: Store, project: int) -> None:
    with store.write() as connection:
        manager = find_user(connection, "the-manager")
        own = projects.create_project(connection, "own", "de", "en", owner=manager, actor=COMMAND_LINE)
        seen = {
            name: [row[0] for row in projects.list_projects(connection, find_user(connection, name)).projects]
            for name in ("ada", "the-annotator", "the-viewer", "the-admin")
        }
        limited = [row[0] for row in projects.list_projects(connection, replace(manager, limited=True)).projects]
        (row,) = projects.list_projects(connection, find_user(connection, "ada")).projects
        with pytest.raises(NotFound):
            jobs.access_of(connection, project, replace(manager, limited=True))
        assert jobs.access_of(connection, own.id, replace(manager, limited=True)).manages
    assert seen == {
        "ada": [project],
        "the-annotator": [],
        "the-viewer": [own.id, project],
        "the-admin": [own.id, project],
    }
    assert limited == [own.id]
    assert row[4:7] == (5, sum(len(source.split()) for source in SOURCES), 0)


def test_segments_are_listed_by_what_is_asked_for(store: Store, project: int, access: Opened) -> None:
    first = listed(store, project)[0]["id"]
    with store.write() as connection:
        save_changes(connection, access("ben"), [Change("k", first, 0, "100 % sure_", "approved")])  # type: ignore[arg-type]
    assert [row["place"] for row in listed(store, project, offset=1, limit=2)] == [2, 3]
    assert [row["place"] for row in listed(store, project, state="approved")] == [1]
    assert [row["place"] for row in listed(store, project, source="KATZE")] == [1]
    assert [row["place"] for row in listed(store, project, target="% sure_")] == [1]
    assert listed(store, project, target="%x") == []
    assert [row["place"] for row in listed(store, project, first=4)] == [4, 5]
    with store.read() as connection:
        with pytest.raises(DataError, match="no state 'done'"):
            segments.list_segments(connection, project, state="done")
        progress = {state: n for state, n, _ in segments.progress_of(connection, project).states}
    assert progress == {"new": 4, "draft": 0, "translated": 0, "approved": 1, "rejected": 0}


def test_files_are_kept_byte_for_byte_and_come_in_order(store: Store, project: int) -> None:
    with store.write() as connection:
        content = b"\xef\xbb\xbfbytes \x00 \xff"
        file = segments.add_file(connection, project, "b.txt", "text", content, [segment(1, "x")], actor=COMMAND_LINE)
        assert segments.file_content(connection, project, file) == ("b.txt", "text", content)
        with pytest.raises(Conflict, match=r"has a file called 'b\.txt' already"):
            segments.add_file(connection, project, "b.txt", "text", b"", [], actor=COMMAND_LINE)
        files = segments.list_files(connection, project).files
        assert [(row[1], row[3], row[4]) for row in files] == [
            ("a.txt", len("\n".join(SOURCES).encode()), 5),
            ("b.txt", len(content), 1),
        ]
        with pytest.raises(NotFound, match="no file 999"):
            segments.file_content(connection, project, 999)
    assert [row["place"] for row in listed(store, project)] == [1, 2, 3, 4, 5, 6]


def test_a_file_goes_only_while_nobody_has_translated_it(store: Store, project: int, access: Opened) -> None:
    with store.write() as connection:
        rows = [segment(1, "x"), segment(2, "y")]
        file = segments.add_file(connection, project, "b.txt", "text", b"x\ny", rows, actor=COMMAND_LINE)
        old = segments.list_files(connection, project).files[0][0]
        segments.remove_file(connection, project, old, actor=COMMAND_LINE)
        assert [row["place"] for row in segments.list_segments(connection, project)[1]] == [1, 2]
        assert jobs.list_jobs(connection, project).jobs == ()  # they were of what is gone
        number = segments.list_segments(connection, project)[1][0]["id"]
        save_changes(connection, access("the-manager"), [Change("k", number, 0, "X")])
        with pytest.raises(Conflict, match=r"Segments of b\.txt were translated"):
            segments.remove_file(connection, project, file, actor=COMMAND_LINE)


def test_jobs_are_within_the_project(store: Store, project: int) -> None:
    with store.write() as connection:
        with pytest.raises(DataError, match="from segment 3 to 6: the project has segments 1 to 5"):
            jobs.add_job(connection, project, "ada", first=3, last=6, actor=COMMAND_LINE)
        with pytest.raises(DataError, match="no role 'boss' in a project"):
            jobs.add_job(connection, project, "ada", role="boss", actor=COMMAND_LINE)
        rows = jobs.list_jobs(connection, project).jobs
        assert [row[1:7] for row in rows] == [("ada", "translator", 1, 3, 3, 0), ("ben", "reviewer", 1, 5, 5, 0)]
        jobs.remove_job(connection, project, rows[0][0], actor=COMMAND_LINE)
        with pytest.raises(NotFound):
            jobs.remove_job(connection, project, rows[0][0], actor=COMMAND_LINE)
    assert jobs.spread(5, ["a", "b"]) == [("a", 1, 2), ("b", 3, 5)]
    with pytest.raises(DataError, match="1 segments cannot be cut among 2"):
        jobs.spread(1, ["a", "b"])


def test_split_and_joined(store: Store, project: int, access: Opened) -> None:
    first = int(str(listed(store, project)[0]["id"]))
    with store.write() as connection:
        ada = access("ada")
        save_changes(connection, ada, [Change("k", first, 0, "The dog sleeps. So does the cat.", "translated")])
        second = reshaping.split_segment(connection, ada, first, 17, key="s", target_at=15)
        assert reshaping.split_segment(connection, ada, first, 17, key="s", target_at=15) == second
    rows = listed(store, project)
    assert [(row["place"], row["source"], row["target"], row["state"]) for row in rows[:3]] == [
        (1, "Der Hund schläft.", "The dog sleeps.", "draft"),
        (2, "Die Katze auch.", "So does the cat.", "draft"),
        (3, "Es regnet.", None, "new"),
    ]
    with store.read() as connection:
        spans = [(row.begin, row.end) for row in segments.segments_of_file(connection, 1)[:2]]
        assert [row[3:5] for row in jobs.list_jobs(connection, project).jobs] == [(1, 4), (1, 6)]
    assert spans == [(0, 17), (18, 33)]
    with store.write() as connection:
        remarks.add_comment(connection, ada, second, "why?", key="c")
        with pytest.raises(Conflict, match="belongs to another unit"):
            reshaping.merge_segments(connection, ada, second, "x", key="n")
        reshaping.merge_segments(connection, ada, first, SOURCES[0], key="m")
        reshaping.merge_segments(connection, ada, first, SOURCES[0], key="m")
        assert remarks.list_comments(connection, project)[0]["segment"] == first
        assert [row[3:5] for row in jobs.list_jobs(connection, project).jobs] == [(1, 3), (1, 5)]
    with store.write() as connection:
        third = reshaping.split_segment(connection, ada, first, 17, key="s2")
        assert third > second  # the number of a segment that is gone, and its history, are nobody else's
        reshaping.merge_segments(connection, ada, first, SOURCES[0], key="m2")
    row = listed(store, project)[0]
    assert (row["source"], row["target"], row["state"]) == (SOURCES[0], "The dog sleeps. So does the cat.", "draft")
    assert len(listed(store, project)) == 5


@pytest.mark.parametrize(("at", "target_at"), [(0, None), (10**6, None), (4, 99)])
def test_wrong_places_to_cut(store: Store, project: int, access: Opened, at: int, target_at: int | None) -> None:
    first = int(str(listed(store, project)[0]["id"]))
    with store.write() as connection, pytest.raises(DataError, match=r"[Cc]ut"):
        reshaping.split_segment(connection, access("ada"), first, at, key="s", target_at=target_at)


def test_one_opens_a_segment_at_a_time(store: Store, project: int, monkeypatch: pytest.MonkeyPatch) -> None:
    first = int(str(listed(store, project)[0]["id"]))
    with store.write() as connection:
        ada, ben = find_user(connection, "ada"), find_user(connection, "ben")
        assert segments.take_lock(connection, project, first, ada) == (True, "ada")
        assert segments.take_lock(connection, project, first, ben) == (False, "ada")
        segments.free_lock(connection, project, first, ben)  # not his
        assert segments.find_segment(connection, project, first)["locked_by"] == "ada"
        later = now() + timedelta(seconds=segments.LOCK_SECONDS + 1)
        monkeypatch.setattr(segments, "now", lambda: later)
        assert segments.take_lock(connection, project, first, ben) == (True, "ben")
        segments.free_lock(connection, project, first, ben)
        assert segments.find_segment(connection, project, first)["locked_by"] is None


def test_comments_and_issues(store: Store, project: int, access: Opened) -> None:
    first = int(str(listed(store, project)[0]["id"]))
    span = {"start": 0, "end": 3, "severity": "minor", "category": "fluency/grammar"}
    with store.write() as connection:
        ada, ben = access("ada"), access("ben")
        number = remarks.add_comment(connection, ada, first, "Which dog?", key="c1")
        remarks.add_comment(connection, ben, first, "The old one.", key="c2")
        assert remarks.add_comment(connection, ada, first, "Which dog?", key="c1") == number
        with pytest.raises(DataError, match="The comment is empty"):
            remarks.add_comment(connection, ada, first, " ", key="c3")
        remarks.resolve_comment(connection, ada, number)
        said = remarks.list_comments(connection, project, first)
        assert [(row["user"], row["text"], row["resolved"]) for row in said] == [
            ("ada", "Which dog?", True),
            ("ben", "The old one.", False),
        ]
        with pytest.raises(NotAllowed, match="Only reviewers"):
            remarks.add_issue(connection, ada, first, span, key="i0")
        issue = remarks.add_issue(connection, ben, first, span, key="i1", note="tense")
        assert remarks.add_issue(connection, ben, first, span, key="i1", note="tense") == issue
        (row,) = remarks.list_issues(connection, project)
        assert (row["severity"], row["note"], row["revision"]) == ("minor", "tense", 0)
        with pytest.raises(NotFound):
            remarks.withdraw_issue(connection, ada, issue)
        remarks.withdraw_issue(connection, ben, issue)
        assert remarks.list_issues(connection, project) == []


def test_events_of_people_who_agreed_are_kept_once(store: Store, project: int, access: Opened) -> None:
    events = [Event("e1", "keyDown", {"key": "a"}, "1"), Event("e2", "text", {"position": 0}, "1")]
    with store.write() as connection:
        with pytest.raises(NotAllowed, match="have not agreed"):
            history.append_log(connection, access("ada"), events)
        jobs.consent(connection, project, find_user(connection, "ada"), given=True)
    with store.write() as connection:
        for _ in range(2):
            assert history.append_log(connection, access("ada"), events) == 2
        with pytest.raises(DataError, match="saved are written by the server alone"):
            history.append_log(connection, access("ada"), [Event("e3", "saved")])
        log = history.read_log(connection, project)
        assert [(each.kind, each.segment, each.user) for each in log] == [("keyDown", 1, "ada"), ("text", 1, "ada")]
        jobs.consent(connection, project, find_user(connection, "ada"), given=False)
        with pytest.raises(NotFound, match="no job"):
            jobs.consent(connection, project, find_user(connection, "the-manager"), given=True)
    with store.write() as connection, pytest.raises(NotAllowed):
        history.append_log(connection, access("ada"), [Event("e4", "keyUp")])


def test_a_deleted_project_leaves_nothing(store: Store, project: int, access: Opened) -> None:
    first = int(str(listed(store, project)[0]["id"]))
    with store.write() as connection:
        save_changes(connection, access("ada"), [Change("k", first, 0, "X")])
        remarks.add_comment(connection, access("ada"), first, "x", key="c")
        projects.delete_project(connection, project, actor=COMMAND_LINE)
        with pytest.raises(NotFound):
            projects.find_project(connection, project)
        assert history.read_log(connection, project) == []
