"""`dragoman cat` on a database, without a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import Connection

from dragoman.cat.files import FILE_FORMATS
from dragoman.cat.process_tables import COLUMNS
from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people.accounts import add_user, find_user
from dragoman.store.refusals import Conflict, NotFound
from dragoman.store.translating.jobs import access_of, add_job
from dragoman.store.translating.memories import NewUnit, add_units, find_memory
from dragoman.store.translating.saving import Change, save_changes

LETTER = "Der Hund schläft.\nEs regnet.\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letter.txt").write_text(LETTER, encoding="utf-8")
    (tmp_path / "more.txt").write_text("Ende.\n", encoding="utf-8")
    return tmp_path


def cat(*words: str) -> Result:
    return CliRunner().invoke(group, ["cat", *words], catch_exceptions=False)


def told(*words: str) -> dict[str, Any]:
    answer = cat(*words, "--json")
    assert answer.exit_code == 0, answer.output
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def translate(here: Path, place: int, target: str, state: str = "translated") -> None:
    store = Store(here / "dragoman.db")
    with store.write() as connection:
        user = find_user(connection, "ada")
        access = access_of(connection, 1, user)
        origin = {"kind": "MT", "name": "e", "score": 85, "text": target.lower()}
        (done,) = save_changes(connection, access, [Change(f"k{place}", place, 0, target, state, origin)])
        assert done.saved, done
    store.close()


def test_an_export_says_what_nobody_confirmed(here: Path) -> None:
    told("new", "letters", "letter.txt", "more.txt", "-l", "de-en")
    store = Store(here / "dragoman.db")
    with store.write() as connection:
        add_user(connection, "ada", "manager", "correct horse battery", actor=COMMAND_LINE)
        add_job(connection, 1, "ada", role="reviewer", first=1, last=3, actor=COMMAND_LINE)
    store.close()
    translate(here, 1, "The dog sleeps.")
    translate(here, 2, "It rain.", "draft")
    done = cat("export", "letters", "-o", "out")
    assert "beware: segments that nobody confirmed were written: 1 draft." in done.stderr
    translate(here, 3, "More.")
    done = cat("export", "letters", "-o", "kept", "--least", "translated")
    assert "beware" not in done.stderr
    assert (here / "kept/letter.txt").read_text(encoding="utf-8") == "The dog sleeps.\nEs regnet.\n"
    with pytest.raises(DataError, match=r"1 of 2 files .*\n.*letter\.txt is not finished: of its segments 1 draft"):
        cat("export", "letters", "-o", "finished", "--refuse-unconfirmed")
    assert [path.name for path in (here / "finished").iterdir()] == ["more.txt"]


def test_from_files_to_files(here: Path) -> None:
    made = told("new", "letters", "letter.txt", "-l", "deu-eng")
    assert (made["kind"], made["meta"]["source_lang"], made["meta"]["memories"]) == ("project", "de", ["letters"])
    assert made["rows"][0] == {"state": "new", "segments": 2, "words": 5}
    assert told("import", "letters", "more.txt")["rows"][0]["segments"] == 3
    assert [row["name"] for row in told("list")["rows"]] == ["letters"]
    store = Store(here / "dragoman.db")
    with store.write() as connection:
        for name in ("ada", "ben"):
            add_user(connection, name, "annotator", "correct horse battery", actor=COMMAND_LINE)
    store.close()
    rows = told("assign", "letters", "ada", "ben")["rows"]
    assert [(row["user"], row["first"], row["last"]) for row in rows] == [("ada", 1, 1), ("ben", 2, 3)]
    translate(here, 1, "The dog sleeps.")
    files = told("export", "letters", "-o", "out")["rows"]
    assert [row["file"] for row in files] == ["out/letter.txt", "out/more.txt"]
    assert [(row["translated"], row["draft"], row["untranslated"]) for row in files] == [(1, 0, 1), (0, 0, 1)]
    assert (here / "out" / "letter.txt").read_text(encoding="utf-8") == "The dog sleeps.\nEs regnet.\n"
    assert (here / "out" / "more.txt").read_bytes() == (here / "more.txt").read_bytes()
    (left, _) = told("export", "letters", "-o", "approved", "--least", "approved")["rows"]
    assert (left["translated"], left["untranslated"]) == (0, 2)
    assert (here / "approved" / "letter.txt").read_text(encoding="utf-8") == LETTER
    with pytest.raises(DataError, match=r"out/letter\.txt is there already"):
        cat("export", "letters", "-o", "out")
    report = told("report", "1")  # by its number
    assert {row["state"]: row["segments"] for row in report["rows"]}["translated"] == 1
    assert (report["meta"]["work"]["segments"], report["meta"]["jobs"][0]["done"]) == (1, 1)


def test_the_log(here: Path) -> None:
    told("new", "letters", "letter.txt", "-l", "de-en")
    store = Store(here / "dragoman.db")
    with store.write() as connection:
        add_user(connection, "ada", "annotator", "correct horse battery", actor=COMMAND_LINE)
    store.close()
    told("assign", "letters", "ada")
    translate(here, 2, "It rains.")
    (row,) = told("log", "letters")["rows"]
    assert (row["target"], row["effort"], row["user"]) == ("It rains.", 1, "ada")
    assert cat("log", "letters", "--matecat").stdout.splitlines()[1].startswith("1;2;e;2;85;0;1;Es regnet.;it rains.;")
    (event,) = map(json.loads, cat("log", "letters", "--events", "--anonymous").stdout.splitlines())
    assert (event["kind"], event["user"]) == ("saved", "T1")
    cat("log", "letters", "--tables", "tpr")
    assert sorted(path.name for path in (here / "tpr").iterdir()) == sorted(
        f"project.{name}" for name in COLUMNS if name != "au"
    )  # the project has no engine


def test_what_is_wrong_is_said_and_nothing_is_made(here: Path) -> None:
    (here / "bad.exe").write_bytes(b"x")
    with pytest.raises(LookupError, match=r"No file format is known for bad\.exe"):
        cat("new", "letters", "letter.txt", "bad.exe", "-l", "de-en")
    assert told("list")["rows"] == []
    told("new", "letters", "letter.txt", "-l", "de-en")
    with pytest.raises(Conflict, match="There is a project called 'letters' already"):
        cat("new", "letters", "-l", "de-en")
    with pytest.raises(NotFound, match=r"There is no project called 'notes'\. Known: letters"):
        cat("report", "notes")
    with pytest.raises(NotFound, match="There is no memory 'office'"):
        cat("new", "notes", "-l", "de-en", "--memory", "office")
    with pytest.raises(DataError, match=r"There is no file nowhere\.txt; name one"):
        cat("import", "letters", "nowhere.txt")
    (here / "empty.txt").write_bytes(b"")
    with pytest.raises(DataError, match="has nothing to translate"):
        cat("import", "letters", "empty.txt")


def test_pretranslating_fills_what_is_empty(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.web.cat.engines import load_word_engine

    monkeypatch.setattr("dragoman.engines.load_engine", load_word_engine)
    told("new", "letters", "letter.txt", "-l", "de-en")
    empty = told("pretranslate", "letters", "--least", "100")
    assert [row["segments"] for row in empty["rows"]] == [0, 0, 0, 2]
    filled = told("pretranslate", "letters", "-m", "words")
    assert filled["kind"] == "pretranslation"
    assert filled["rows"][2:] == [
        {"origin": "MT", "segments": 2, "words": 5},
        {"origin": "empty", "segments": 0, "words": 0},
    ]
    told("export", "letters", "-o", "out")
    assert (here / "out" / "letter.txt").read_text(encoding="utf-8") == "The dog sleeps.\nIt rains.\n"
    with pytest.raises(NotFound, match="no project called 'others'"):
        cat("pretranslate", "others")


def test_a_project_is_handed_on_as_a_package(here: Path) -> None:
    told("new", "letters", "letter.txt", "-l", "de-en")
    done = told("package", "export", "letters", "letters.zip")
    assert done["rows"][0]["details"] == "1 files, 2 segments, 1 memories, 0 jobs to letters.zip"
    with pytest.raises(DataError, match=r"letters\.zip is there already"):
        cat("package", "export", "letters", "letters.zip")
    with pytest.raises(Conflict, match="called 'letters' already"):
        cat("package", "import", "letters.zip")
    made = told("package", "import", "letters.zip", "--name", "again")
    assert (made["meta"]["memories"], made["rows"][0]["segments"]) == (["again"], 2)
    assert told("package", "import", "letters.zip", "--db", "other.db")["meta"]["memories"] == ["letters"]
    (here / "no.zip").write_bytes(b"PK no")
    with pytest.raises(DataError, match=r"no\.zip: it is no zip archive"):
        cat("package", "import", "no.zip")


def test_volume_is_counted_with_the_memories_of_a_database(here: Path) -> None:
    told("new", "letters", "letter.txt", "-l", "de-en")
    store = Store(here / "dragoman.db")
    with store.write() as connection:
        memory = find_memory(connection, "letters")
        add_units(connection, memory, [NewUnit("Der Hund schläft.", "The dog sleeps.")], origin="test")
    store.close()
    (here / "old.tmx").write_text(
        '<tmx version="1.4"><header srclang="de"/><body><tu><tuv xml:lang="de"><seg>Es regnet.</seg></tuv>'
        '<tuv xml:lang="en"><seg>It rains.</seg></tuv></tu></body></tmx>'
    )

    def same(*words: str) -> int:
        rows = told("analyse", *words)["rows"]
        return sum(row["segments"] for row in rows if row["kind"] in ("context", "100"))

    assert same("letter.txt", "--pair", "de-en") == 0
    assert same("letter.txt", "--pair", "de-en", "--memory", "letters") == 1
    assert same("letter.txt", "--pair", "de-en", "--memory", "letters", "--memory", "old.tmx") == 2
    assert same("--project", "letters") == 1
    assert same("more.txt", "--project", "letters") == 0
    with pytest.raises(NotFound, match="There is no memory 'others'"):
        cat("analyse", "letter.txt", "--pair", "de-en", "--memory", "others")
    with pytest.raises(DataError, match="The memory 'letters' is for de-en, the work for en-de"):
        cat("analyse", "letter.txt", "--memory", "letters")
    assert "Name files, or a project" in cat("analyse").output


def test_nobody_waits_while_files_are_read(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of the same database goes on: a file is read before the transaction that keeps it."""
    format_class = type(FILE_FORMATS.make("text"))
    write, units = Store.write, format_class.units
    writing: list[int] = []
    read: list[str] = []

    @contextmanager
    def watched(store: Store) -> Iterator[Connection]:
        with write(store) as connection:
            writing.append(1)
            try:
                yield connection
            finally:
                writing.pop()

    def units_outside(form: Any, content: bytes, *, name: str = "file") -> Any:
        assert not writing, f"others wait while {name} is read"
        read.append(name)
        return units(form, content, name=name)

    monkeypatch.setattr(Store, "write", watched)
    monkeypatch.setattr(format_class, "units", units_outside)
    told("new", "letters", "letter.txt", "-l", "de-en")
    told("import", "letters", "more.txt")
    told("package", "export", "letters", "letters.zip")
    del read[:]
    told("package", "import", "letters.zip", "--name", "again")
    assert sorted(set(read)) == ["letter.txt", "more.txt"]
