"""A rehearsed project: what the invented translator did is a whole record, and says that it is simulated."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from dragoman.cat.projects import import_file, new_project
from dragoman.cat.rehearsal import rehearse_project
from dragoman.cat.reports import edit_log_of
from dragoman.store import Store, tables
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people.invented import is_invented
from dragoman.store.translating.segments import list_segments
from tests.web.cat.engines import WordEngine

TEXTS = {"Der Hund schläft.": "The dog is asleep.", "Es regnet.": "It rains."}


def test_an_invented_translator_mends_what_the_engine_says(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "cat.db"))
    store.migrate()
    with store.write() as connection:
        project = new_project(connection, "letter", "de", "en", actor=COMMAND_LINE, engine="words")
        content = "Der Hund schläft.\nEs regnet.\nUnbekannt.\n".encode()
        import_file(connection, project, "letter.txt", content, actor=COMMAND_LINE)
        begun = datetime(2026, 5, 4, tzinfo=UTC)
        assert rehearse_project(connection, project, "invented", WordEngine(), TEXTS, begun=begun) == 2
        rows = list_segments(connection, project.id)[1]
        log = edit_log_of(connection, project.id)
        (platform,) = connection.scalars(sa.select(tables.users.c.platform).where(tables.users.c.name == "invented"))
    store.close()
    assert is_invented(platform)
    assert [(row["target"], row["state"]) for row in rows] == [
        ("The dog is asleep.", "translated"),
        ("It rains.", "translated"),
        (None, "new"),
    ]
    mended, taken = log.segments
    assert (mended.suggestion or {})["text"] == "The dog sleeps."
    assert mended.typed_words == 2  # is asleep.; the record of keys leads to the text without a gap
    assert (mended.keys, mended.clicks) == (len("is asleep."), 1)
    assert (taken.keys, taken.edits, taken.typed_words) == (0, 0, 0)
    assert mended.seconds > taken.seconds > 0
