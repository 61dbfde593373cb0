"""`dragoman campaign` on a database: every step of a manager's, with `--json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.errors import DragomanError

ROOT = Path(__file__).parents[2]
MANIFEST = str(ROOT / "examples" / "da" / "manifest.toml")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str, **more: Any) -> Result:
    return CliRunner(catch_exceptions=False).invoke(group, ["campaign", *words], **more)


def rows(*words: str, **more: Any) -> list[dict[str, Any]]:
    done = run(*words, "--json", **more)
    assert done.exit_code == 0, done.output
    found: list[dict[str, Any]] = json.loads(done.stdout)["rows"]
    return found


def test_every_step_from_the_command_line(folder: Path) -> None:
    made = run("new", MANIFEST, "--title", "How good?", "--lease", "30")
    assert made.exit_code == 0
    assert "http://127.0.0.1:8000/join/" in made.stderr
    assert "Coverage of sample-da" in made.stdout
    assert (folder / "dragoman.db").is_file()
    assert [(row["name"], row["title"], row["state"], row["items"]) for row in rows("list")] == [
        ("sample-da", "How good?", "open", 1200)
    ]
    added = rows("users", "add", "ada", "--language", "en", "--password-stdin", input="a long password\n")
    assert added[0]["action"] == "user added"
    typed = run("users", "add", "root", "--role", "admin", input="a long password\na long password\n")
    assert typed.exit_code == 0
    assert "a long password" not in typed.output
    with pytest.raises(DragomanError, match="root is the only admin; make another one first"):
        run("users", "role", "root", "manager")
    rows("users", "add", "chief", "--role", "admin", "--password-stdin", input="a long password\n")
    rows("users", "role", "root", "manager")
    rows("users", "languages", "root", "de", "en")
    rows("users", "password", "root", "--password-stdin", input="another password\n")
    rows("users", "disable", "root")
    rows("users", "disable", "root", "--undo")
    assert [(row["name"], row["role"], row["languages"]) for row in rows("users", "list")] == [
        ("ada", "annotator", "en"),
        ("chief", "admin", ""),
        ("root", "manager", "de, en"),
    ]
    rows("add", "sample-da", "ada")
    assert [(row["annotator"], row["tasks"]) for row in rows("status", "sample-da")] == [("ada", 3)]
    invited = rows("invite", "sample-da", "--platform", "prolific", "--url", "https://judge.example.org")[0]
    assert invited["link"].startswith("https://judge.example.org/join/")
    assert invited["max_tasks"] == 1
    assert [row["revoked"] for row in rows("invites", "sample-da", "--withdraw", "2")] == [False, True]
    (folder / "read.txt").write_text("Read first.\n")
    rows("set", "sample-da", "--code", "C0DE", "--instructions", "read.txt", "--qualified")
    rows("exclude", "sample-da", "ada", "--reason", "clicks", "--renew")
    assert rows("status", "sample-da")[0]["excluded"] is True
    rows("exclude", "sample-da", "ada", "--undo")
    for word, state in (("pause", "paused"), ("close", "closed"), ("resume", "open")):
        rows(word, "sample-da")
        assert rows("list")[0]["state"] == state
    assert rows("export", "sample-da", "-o", "told.csv")[0]["action"] == "exported"
    assert (folder / "told.csv").is_file()
    assert [row["answered"] for row in rows("quality", "sample-da")] in ([], [0])
    assert rows("standing", "sample-da")
    actions = [row["action"] for row in rows("audit", "sample-da")]
    assert actions[-1] == "campaign created"
    assert "annotator excluded" in actions


def test_what_is_not_there_is_named(folder: Path) -> None:
    with pytest.raises(DragomanError, match=r"There is no database dragoman\.db; `dragoman campaign new`"):
        run("list")
    assert not (folder / "dragoman.db").exists()
    run("new", MANIFEST)
    with pytest.raises(DragomanError, match="There is no campaign called 'x'"):
        run("status", "x")
    with pytest.raises(DragomanError, match="There is a campaign called 'sample-da' already"):
        run("new", MANIFEST)
    with pytest.raises(DragomanError, match="There is no export called 'xls'"):
        run("export", "sample-da", "-o", "x.xls")
    with pytest.raises(DragomanError, match="There is no invitation 99"):
        run("invites", "--withdraw", "99")
    with pytest.raises(DragomanError, match="Annotators are invited to a campaign"):
        run("invite")
    with pytest.raises(DragomanError, match="A password has 10 to 200 characters"):
        run("users", "add", "ada", "--password-stdin", input="short\n")


def test_a_missing_extra_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [name for name in sys.modules if name.startswith("dragoman.web.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    with pytest.raises(DragomanError, match=r'A rehearsal needs the package fastapi.*pip install "dragoman\[web\]"'):
        run("rehearse", MANIFEST, "--care", "ada=1")
    with pytest.raises(DragomanError, match=r'The server needs the package fastapi.*pip install "dragoman\[web\]"'):
        CliRunner(catch_exceptions=False).invoke(group, ["serve"])


def test_a_rehearsal_and_all_that_comes_out_of_it(folder: Path) -> None:
    db = ("--db", "rehearsal.db")
    told = rows("rehearse", MANIFEST, "--care", "ada=1", "--care", "ben=0.9", "--care", "eve=0")
    assert {row["system"] for row in told} == {"atlas", "borealis", "cobalt", "dune", "ember"}
    assert rows("quality", "sample-da", *db)[0]["verdict"] == "careless"
    assert rows("coverage", "sample-da", *db)[0]["least"] == 2
    assert rows("ranking", "sample-da", *db)[0]["cluster"] == 1
    assert json.loads(run("ranking", "sample-da", *db, "--json").stdout)["meta"]["simulated"] is True
    assert rows("agreement", "sample-da", *db, "--by", "judge")
    bad = rows("answers", "sample-da", *db, "--annotator", "eve", "--type", "BAD", "--limit", "5")
    assert {(row["annotator"], row["type"]) for row in bad} == {("eve", "BAD")}
    worst = rows("disputes", "sample-da", *db, "--limit", "1")[0]
    rows("users", "add", "root", *db, "--role", "admin", "--password-stdin", input="a long password\n")
    with pytest.raises(DragomanError, match="ada is annotator; managers and admins decide"):
        run("decide", "sample-da", worst["item"], *db, "--answer", '{"score": 70}', "--by", "ada")
    assert run("decide", "sample-da", worst["item"], *db, "--answer", "70", "--by", "root").exit_code == 2
    rows("decide", "sample-da", worst["item"], *db, "--answer", '{"score": 70}', "--by", "root", "--note", "so")
    history = json.loads(run("answers", "sample-da", *db, "--item", worst["item"], "--json").stdout)
    assert [each["note"] for each in history["meta"]["decisions"]] == ["so"]
    link = rows("publish", "sample-da", *db, "--url", "https://judge.example.org")[0]["link"]
    assert link.startswith("https://judge.example.org/published/")
    assert rows("publish", "sample-da", *db, "--withdraw")[0]["link"] is None
    rows("export", "sample-da", *db, "--to", "pearmut", "-o", "told.jsonl")
    rows("export", "sample-da", *db, "-o", "all.zip")
    counts = {row["part"]: row["rows"] for row in rows("restore", "all.zip", "--name", "twin", "--db", "other.db")}
    assert (counts["answers"], counts["adjudications"]) == (1200, 1)
    assert rows("list", "--db", "other.db")[0]["name"] == "twin"
    assert rows("ranking", "twin", "--db", "other.db") == rows("ranking", "sample-da", *db)
    with pytest.raises(DragomanError, match=r"rehearsal\.db is there already; a rehearsal makes a database of its own"):
        run("rehearse", MANIFEST, "--care", "ada=1")
    for wrong in ("ada", "ada=much", "ada=2"):
        assert run("rehearse", MANIFEST, "--care", wrong, "--db", "x.db").exit_code == 2
