"""A project of five sentences, three people who may do different things in it, and a manager."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people.accounts import find_user
from dragoman.store.translating.jobs import Access, access_of, add_job
from dragoman.store.translating.projects import create_project
from dragoman.store.translating.segments import add_file

SOURCES = ("Der Hund schläft. Die Katze auch.", "Es regnet.", "Wir gehen nach Hause.", "Gute Nacht!", "Ende.")


def segment(number: int, source: str) -> dict[str, object]:
    """What a reader of files makes of a line."""
    return {
        "unit": str(number),
        "begin": 0,
        "end": len(source),
        "source": source,
        "words": len(source.split()),
        "codes": [],
        "note": "",
        "state": "new",
    }


@pytest.fixture
def project(store: Store) -> int:
    with store.write() as connection:
        made = create_project(connection, "Haus & Hof", "de", "en", actor=COMMAND_LINE)
        rows = [segment(number, source) for number, source in enumerate(SOURCES, start=1)]
        add_file(connection, made.id, "a.txt", "text", "\n".join(SOURCES).encode(), rows, actor=COMMAND_LINE)
        add_job(connection, made.id, "ada", first=1, last=3, actor=COMMAND_LINE)
        add_job(connection, made.id, "ben", first=1, last=5, role="reviewer", actor=COMMAND_LINE)
    return made.id


@pytest.fixture
def access(store: Store, project: int) -> Callable[[str], Access]:
    def found(name: str) -> Access:
        with store.read() as connection:
            return access_of(connection, project, find_user(connection, name))

    return found
