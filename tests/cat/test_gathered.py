"""From people to models: a project's confirmed segments as data, each taken by the command that the table names."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.samples import phrasebook
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people.accounts import add_user, find_user
from dragoman.store.people.passwords import hash_password
from dragoman.store.translating.jobs import access_of
from dragoman.store.translating.projects import named_project
from dragoman.store.translating.saving import Change, save_changes
from dragoman.store.translating.segments import list_segments


def run(*words: object) -> Result:
    return CliRunner(catch_exceptions=False).invoke(group, [str(word) for word in words])


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A project of forty lines, of which the first thirty are confirmed, twenty of those from machine translation."""
    book = phrasebook()
    (tmp_path / "book.txt").write_text("".join(f"{line}\n" for line in book["en"][:40]))
    db = tmp_path / "server.db"
    done = run("cat", "new", "book", tmp_path / "book.txt", "-l", "en-de", "--db", db)
    assert done.exit_code == 0, done.output
    store = Store(db)
    with store.write() as connection:
        add_user(connection, "root", "admin", hash_password("correct horse battery"), actor=COMMAND_LINE)
        project = named_project(connection, "book")
        access = access_of(connection, project.id, find_user(connection, "root"))
        _, rows = list_segments(connection, project.id, limit=100)
        for place, row in enumerate(rows[:30]):
            origin = {"kind": "MT", "name": "e", "score": 85, "text": f"{book['de'][place]} x"} if place < 20 else None
            (outcome,) = save_changes(
                connection, access, [Change(f"k{place}", row["id"], 0, book["de"][place], "translated", origin)]
            )
            assert outcome.saved
    store.close()
    return db


def test_what_was_confirmed_becomes_data(database: Path, tmp_path: Path) -> None:
    done = run("cat", "data", "book", "-o", tmp_path / "data", "--db", database, "--json")
    rows = json.loads(done.stdout)["rows"]
    assert [row["segments"] for row in rows] == [30, 30, 20, 20]
    book = phrasebook()
    assert (tmp_path / "data" / "confirmed.de").read_text().splitlines() == book["de"][:30]
    assert (tmp_path / "data" / "post-edits.pe").read_text().splitlines() == book["de"][:20]
    assert (tmp_path / "data" / "post-edits.mt").read_text().splitlines()[0] == f"{book['de'][0]} x"


def test_the_commands_that_are_named_take_it(database: Path, tmp_path: Path) -> None:
    done = run("cat", "data", "book", "-o", tmp_path / "data", "--db", database, "--json")
    commands = {
        row["command"].split()[1:3][0] + " " + row["command"].split()[2]: row["command"]
        for row in json.loads(done.stdout)["rows"]
    }
    training = [tmp_path / "data" / "confirmed.en", tmp_path / "data" / "confirmed.de"]
    engine = ["smt", "train", "--src", training[0], "--tgt", training[1], "-o", tmp_path / "engine"]
    assert run(*engine, "--set", "index.use=only", "--set", "classes.number=0").exit_code == 0
    for name, filled in (("smt learn", "engine"), ("campaign new", "")):
        words = shlex.split(commands[name].replace("ENGINE", str(tmp_path / filled)))[1:]
        more = ["--db", str(tmp_path / "campaigns.db")] if name == "campaign new" else []
        done = run(*words, *more)
        assert done.exit_code == 0, done.output
    words = shlex.split(commands["qe train"].replace("MODEL", str(tmp_path / "quality")))[1:]
    assert run(*words, "-f", "baseline17", "--learner", "ridge").exit_code == 0


def test_a_project_without_confirmed_segments_is_named(database: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(
        group, ["cat", "data", "book", "-o", str(tmp_path / "d"), "--least", "approved", "--db", str(database)]
    )
    assert done.exit_code != 0
    assert "Nothing in the project 'book' is approved yet." in str(done.exception)
    assert not (tmp_path / "d").exists()
