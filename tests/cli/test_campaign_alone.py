"""`dragoman campaign` on a database without a web framework; commands that read change nothing."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from alembic.command import upgrade
from alembic.config import Config
from click.testing import CliRunner

from dragoman.cli.campaign import campaign
from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.store import Store
from dragoman.store.judging.campaigns import find_campaign
from dragoman.store.judging.saving import Answer, save_answers
from dragoman.store.judging.state import plan_of
from dragoman.store.judging.work import get_work
from dragoman.store.people.accounts import find_user
from dragoman.store.shape import MIGRATIONS

ROOT = Path(__file__).parents[2]
MANIFEST = str(ROOT / "examples" / "da" / "manifest.toml")

# A process in which nothing of the extras can be imported runs the commands it is given, one a line, as JSON.
ALONE = """
import json, sys

EXTRAS = {
    "fastapi", "starlette", "uvicorn", "httptools", "multipart", "python_multipart", "pydantic", "anyio",
    "pyarrow", "sentencepiece", "sklearn", "psycopg", "simplemma", "py3langid", "HanTa",
}

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in EXTRAS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
from click.testing import CliRunner
from dragoman.cli.main import group
for line in sys.stdin:
    words, typed = json.loads(line)
    done = CliRunner(catch_exceptions=False).invoke(group, words, input=typed)
    assert done.exit_code == 0, (words, done.output)
assert not [name for name in sys.modules if name.startswith("dragoman.web")], "the server was imported"
"""

# Every command that only reads, as it may be called on the database of `filled`.
READING = (
    "list",
    "status sample-da",
    "results sample-da",
    "quality sample-da",
    "standing sample-da",
    "audit",
    "audit --user ada",
    "users list",
    "users show ada",
    "export sample-da -o judgements.csv",
    "export sample-da -o all.zip",
    "coverage sample-da",
    "ranking sample-da",
    "agreement sample-da",
    "answers sample-da",
    "disputes sample-da",
    "judgements sample-da",
    "decisions sample-da",
    "forms sample-da",
    "invites",
    "managers sample-da",
    "payments sample-da",
    "publish sample-da --show",
)
WRITING = {
    "new",
    "set",
    "invite",
    "add",
    "exclude",
    "restore",
    "decide",
    "pause",
    "resume",
    "close",
    "migrate",
    "rehearse",
    "users add",
    "users password",
    "users role",
    "users languages",
    "users services",
    "users disable",
}
FILES = {"plan", "analyse", "simulate", "power", "import", "propose", "budget"}  # of `campaign`, work on files alone


def run_alone(folder: Path, *calls: tuple[list[str], str]) -> None:
    """Run commands where no web framework can be imported."""
    done = subprocess.run(
        [sys.executable, "-c", ALONE],
        cwd=folder,
        input="".join(json.dumps(call) + "\n" for call in calls),
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign in which two people answered some items, made without a web framework."""
    folder = tmp_path_factory.mktemp("alone")
    run_alone(
        folder,
        (["campaign", "new", MANIFEST], ""),
        *((["campaign", "users", "add", name, "--password-stdin"], "a long password\n") for name in ("ada", "ben")),
        *((["campaign", "add", "sample-da", name], "") for name in ("ada", "ben")),
    )
    with closing(Store(folder / "dragoman.db")) as store:
        for name in ("ada", "ben"):
            with store.read() as connection:
                user = find_user(connection, name)
                plan = plan_of(connection, find_campaign(connection, "sample-da"))
            kinds = {item.id: item.type for task in plan.values() for item in task.items}
            items = [each["item"] for each in get_work(store, "sample-da", user)["items"]]
            # Quality control keeps those who find degraded copies worse.
            scores = [5 if kinds[item] == "BAD" else 50 + 37 * n % 50 for n, item in enumerate(items)]
            answers = [
                Answer(f"{name}-{item}", item, {"score": score}) for item, score in zip(items, scores, strict=True)
            ]
            save_answers(store, "sample-da", user, answers)
    return folder / "dragoman.db"


def words_of(command: click.Command, prefix: str = "") -> Iterator[str]:
    """The commands of a group and of the groups in it."""
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from words_of(each, f"{prefix} {name}".strip())
    else:
        yield prefix


def state_of(folder: Path) -> dict[str, tuple[str, int]]:
    """Every file of a database: its digest and when it was last written."""
    return {
        path.name: (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in folder.glob("*.db*")
    }


def run(words: str, db: Path) -> str:
    done = CliRunner(catch_exceptions=False).invoke(group, ["campaign", *words.split(), "--db", str(db)])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_every_command_is_known_to_read_or_to_write() -> None:
    reading = {
        " ".join(word for word in call.split()[:2] if call.startswith("users") or word == call.split()[0])
        for call in READING
    }
    assert reading | WRITING | FILES == set(words_of(campaign))


def test_commands_work_without_a_web_framework(database: Path, tmp_path: Path) -> None:
    shutil.copy(database, tmp_path / "dragoman.db")
    run_alone(
        tmp_path,
        *((["campaign", *call.split()], "") for call in READING),
        (["campaign", "plan", MANIFEST, "-o", "plan.jsonl"], ""),
        (["campaign", "analyse", "judgements.csv"], ""),
        (["agree", "judgements.csv"], ""),
        (["rank", "judgements.csv"], ""),
        (["campaign", "invite", "sample-da"], ""),
        (["campaign", "exclude", "sample-da", "ada"], ""),
        (["campaign", "publish", "sample-da"], ""),
        (["campaign", "pause", "sample-da"], ""),
        (["campaign", "users", "role", "ben", "manager"], ""),
        (["campaign", "managers", "sample-da", "--add", "ben"], ""),
        (["campaign", "restore", "all.zip", "--name", "twin"], ""),
    )


@pytest.mark.parametrize("call", READING)
def test_reading_changes_nothing(database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    monkeypatch.chdir(tmp_path)
    db = tmp_path / "house.db"
    shutil.copy(database, db)
    before = state_of(tmp_path)
    run(call, db)
    assert state_of(tmp_path) == before


def test_the_log_of_a_server_that_was_killed_is_read_and_left(database: Path, tmp_path: Path) -> None:
    shutil.copy(database, tmp_path / "house.db")
    with closing(sqlite3.connect(tmp_path / "house.db")) as writer:
        writer.execute("UPDATE campaigns SET title = 'In the log'")
        writer.commit()
        for part in ("house.db", "house.db-wal"):  # what a killed process leaves; closing would tidy up
            shutil.copy(tmp_path / part, tmp_path / part.replace("house", "dead"))
    dead = tmp_path / "dead.db"
    before = state_of(tmp_path)
    assert "In the log" in run("list", dead)
    after = state_of(tmp_path)
    assert {name: after[name] for name in before} == before


def test_a_folder_that_cannot_be_written_is_read(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(database, tmp_path / "house.db")
    nowhere = SimpleNamespace(access=lambda *_: False, W_OK=os.W_OK)  # root may write everywhere
    monkeypatch.setattr("dragoman.store.database.os", nowhere)
    assert "sample-da" in run("list", tmp_path / "house.db")
    assert os.listdir(tmp_path) == ["house.db"]


@pytest.mark.parametrize("call", ["list", "export sample-da -o x.csv", "users list", "invites"])
def test_an_older_shape_is_named_with_the_command_that_changes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    monkeypatch.chdir(tmp_path)
    db = tmp_path / "old.db"
    with closing(Store(db)) as store, store.write() as connection:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        config.attributes["connection"] = connection
        upgrade(config, "0004")
    before = state_of(tmp_path)
    with pytest.raises(DataError, match=r"older Dragoman \(its shape is 0004.*`dragoman campaign migrate` brings it"):
        run(call, db)
    assert state_of(tmp_path) == before
    run("migrate", db)
    run("list", db)


def test_a_file_without_tables_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    with pytest.raises(DataError, match=r"empty\.db holds no campaigns; `dragoman campaign new`"):
        run("list", tmp_path / "empty.db")
    assert (tmp_path / "empty.db").read_bytes() == b""
