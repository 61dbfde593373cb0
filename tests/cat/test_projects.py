"""A file through a project: every byte but the targets comes back (acceptance 1 of MateCat)."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import event

from dragoman.cat.packing import pack, unpack
from dragoman.cat.projects import export_file, import_file, new_project
from dragoman.cat.saving import save
from dragoman.errors import DataError
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people.accounts import find_user
from dragoman.store.translating.jobs import access_of
from dragoman.store.translating.memories import find_memory, units_of
from dragoman.store.translating.projects import Project
from dragoman.store.translating.saving import Change
from dragoman.store.translating.segments import list_files, list_segments

UNIT = (
    '<trans-unit id="{n}" xml:space="preserve"><source>Satz <g id="1">Nummer <x id="2"/>{n}</g> ist '
    '<bpt id="3">&lt;b&gt;</bpt>gut<ept id="3">&lt;/b&gt;</ept> &amp; schön.</source><note>Nr. {n}</note></trans-unit>'
)


def xliff(n_units: int) -> bytes:
    """Two files in one, nested codes, a translation that is there already, CRLF."""
    half = n_units // 2
    parts = []
    for name, numbers in (("a.html", range(half)), ("b.html", range(half, n_units))):
        units = "\r\n".join(UNIT.format(n=n) for n in numbers)
        parts.append(
            f'<file original="{name}" source-language="de" target-language="ar" datatype="html"><body>\r\n{units}\r\n'
            "</body></file>"
        )
    head = '<?xml version="1.0" encoding="UTF-8"?>\r\n<xliff version="1.2" '
    return f"{head}xmlns='urn:oasis:names:tc:xliff:document:1.2'>{''.join(parts)}</xliff>\r\n".encode()


def make(store: Store, content: bytes, name: str = "book.xlf") -> tuple[Project, int]:
    with store.write() as connection:
        project = new_project(connection, "book", "de", "ar", actor=COMMAND_LINE)
        return project, import_file(connection, project, name, content, actor=COMMAND_LINE)


def translate_all(store: Store, project: Project) -> None:
    with store.read() as connection:
        access = access_of(connection, project.id, find_user(connection, "the-manager"))
        _, rows = list_segments(connection, project.id, limit=10**6)
    for start in range(0, len(rows), 500):
        changes = [
            Change(f"k{row['id']}", row["id"], row["revision"], row["source"].replace("Satz", "جملة"), "translated")
            for row in rows[start : start + 500]
        ]
        outcomes = store.together(lambda connection, some=changes: save(connection, access, some))
        assert all(each.saved for each in outcomes)


@pytest.mark.parametrize("n_units", [60, pytest.param(5000, marks=pytest.mark.slow)])
def test_an_xliff_comes_back_with_targets_alone_added(store: Store, n_units: int) -> None:
    content = xliff(n_units)
    project, file = make(store, content)
    with store.read() as connection:
        assert export_file(connection, project, file) == ("book.xlf", content)
        assert list_files(connection, project.id).files[0][4] == n_units
    translate_all(store, project)
    with store.read() as connection:
        _, done = export_file(connection, project, file)
        units = list(units_of(connection, find_memory(connection, "book")))
    assert re.sub(rb"<target[^>]*>.*?</target>", b"", done) == content
    targets = re.findall(rb"<target[^>]*>(.*?)</target>", done)
    sources = re.findall(rb"<source>(.*?)</source>", content)
    assert targets == [source.replace(b"Satz", "جملة".encode()) for source in sources]
    assert len(units) == n_units


def test_what_a_file_has_translated_already_comes_along(store: Store) -> None:
    content = xliff(2).replace(b"</source>", "</source><target>جيد.</target>".encode(), 1)
    project, file = make(store, content)
    with store.read() as connection:
        rows = list_segments(connection, project.id)[1]
        assert [(row["target"], row["state"]) for row in rows] == [("جيد.", "translated"), (None, "new")]
        again = export_file(connection, project, file)[1]
    assert again == content


def test_sentences_of_a_paragraph_are_joined_again(store: Store) -> None:
    content = "Der Hund schläft.  Die Katze auch.\n\nEnde\n".encode()
    project, file = make(store, content, "a.txt")
    with store.read() as connection:
        rows = list_segments(connection, project.id)[1]
        access = access_of(connection, project.id, find_user(connection, "the-manager"))
    assert [row["source"] for row in rows] == ["Der Hund schläft.", "Die Katze auch.", "Ende"]
    with store.write() as connection:
        save(connection, access, [Change("k", rows[1]["id"], 0, "The cat, too.", "translated")])
        draft = export_file(connection, project, file)[1]
        strict = export_file(connection, project, file, least="translated")[1]
    assert draft.decode() == "Der Hund schläft.  The cat, too.\n\nEnde\n"
    assert strict == content  # a part of the paragraph is not translated


def test_a_package_of_another_file_is_refused(store: Store) -> None:
    project, _ = make(store, xliff(2))
    with store.write() as connection:
        package = pack(connection, project)
        files = (type(package.files[0])("book.xlf", xliff(1), "xliff"),)
        wrong = type(package)("other", "de", "ar", files, package.segments)
        with pytest.raises(DataError, match=r"is none of book\.xlf"):
            unpack(connection, wrong, actor=COMMAND_LINE)


def test_confirming_a_segment_asks_the_database_little(light_store: Store) -> None:
    """Each statement is a journey to PostgreSQL while the project's row is held; begin and savepoint are among them."""
    project, _ = make(light_store, b"Eins.\nZwei.\nDrei.\n", "a.txt")
    with light_store.read() as connection:
        access = access_of(connection, project.id, find_user(connection, "the-manager"))
        rows = list_segments(connection, project.id)[1]
    sent: list[str] = []
    event.listen(light_store.engine, "before_cursor_execute", lambda *told: sent.append(told[2]))
    for row in rows[:2]:  # the first makes the stream of events
        sent.clear()
        change = Change(f"k{row['id']}", row["id"], 0, "One.", "translated")
        light_store.together(lambda connection, some=change: save(connection, access, [some], per_minute=600))
    assert len(sent) <= 16, sent
