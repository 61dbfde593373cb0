"""Make the fixtures of the version at hand, with what they answer: `python -m tests.upgrade.making [FOLDER]`."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

import click

from dragoman import __version__
from tests.conftest import ROOT
from tests.engines.service import FakeService
from tests.upgrade.asking import HERE, Step, ask, installed, restored, run, run_beside, unpack
from tests.upgrade.making.models import make_models
from tests.upgrade.making.office import fill
from tests.upgrade.making.packing import asked_texts, pack
from tests.upgrade.making.texts import write_texts
from tests.web.databases import cluster, programs

QUESTIONS = tomllib.loads(Path(__file__).with_name("questions.toml").read_text(encoding="utf-8"))


def make(into: Path) -> None:
    """Make all fixtures in a new folder, and record what they answer when they are unpacked."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["DRAGOMAN_HOME"] = str(folder / "home")
        made = folder / "made"
        made.mkdir()
        answers = {
            "models": _models(folder / "models", made),
            "sqlite": _sqlite(folder / "sqlite", made),
            "postgresql": _postgresql(folder / "postgresql", made),
            "files": _files(folder / "files", folder / "sqlite", made),
            "plugin": _plugin(folder / "plugin", made),
        }
        (made / "expected.json").write_text(_written(answers), encoding="utf-8")
        shutil.copytree(made, into)


def _models(folder: Path, into: Path) -> list[Step]:
    folder.mkdir()
    write_texts(folder)
    steps = make_models(folder)
    pack(into / "models.tar.xz", folder, ["models", *asked_texts(folder, (step["run"] for step in steps))])
    shutil.rmtree(folder)
    return _answered(steps, unpack(into / "models.tar.xz", folder))


def _sqlite(folder: Path, into: Path) -> list[Step]:
    _fill(str(folder / "full.db"), folder)
    with sqlite3.connect(folder / "full.db") as connection:
        connection.execute("VACUUM INTO ?", [str(folder / "office.db")])
    pack(into / "sqlite.tar.xz", folder, ["office.db"])
    asked = unpack(into / "sqlite.tar.xz", folder / "asked")
    return _answered(_questions("database"), asked, {"db": str(asked / "office.db")})


def _postgresql(folder: Path, into: Path) -> list[Step]:
    found = programs()
    assert found is not None, "no PostgreSQL: install the package postgresql"
    with cluster(found) as made:
        name = made.make()
        _fill(made.url(name), folder)
        dump = made.folder / "office.sql"
        owned = ["--no-owner", "--no-privileges", "-U", "postgres", "-h", str(made.folder)]
        made.run("pg_dump", *owned, "-f", str(dump), name)
        lines = dump.read_text(encoding="utf-8").splitlines(keepends=True)
        # A psql that is older than pg_dump's latest mends knows no \restrict.
        plain = [line for line in lines if not line.startswith(("\\restrict", "\\unrestrict"))]
        (folder / "office.sql").write_text("".join(plain), encoding="utf-8")
        pack(into / "postgresql.tar.xz", folder, ["office.sql"])
        url = restored(unpack(into / "postgresql.tar.xz", folder / "asked") / "office.sql", made)
        return _answered(_questions("database"), folder / "asked", {"db": url})


def _fill(db: str, folder: Path) -> None:
    folder.mkdir()
    run(["samples", "samples"], folder)
    fill(db, folder)


def _files(folder: Path, office: Path, into: Path) -> list[Step]:
    """A package, an archive, a cache of answers, the folder of a shared task."""
    folder.mkdir()
    db = str(office / "office.db")
    run(["cat", "package", "export", "letters", "letters.zip", "--db", db], folder)
    run(["campaign", "export", "sample-esa", "--to", "archive", "-o", "esa.archive.zip", "--db", db], folder)
    run(["samples", "samples"], folder)
    (folder / "asked.de").write_text("Guten Morgen!\nDas Zimmer ist ruhig.\n", encoding="utf-8")
    _submit(folder)
    with FakeService() as service:
        engine = f"libretranslate:{service.url},source=de,target=en,retries=0,cache=answers"
        run(["translate", "asked.de", "-m", engine], folder)
    pack(into / "files.tar.xz", folder, ["letters.zip", "esa.archive.zip", "answers", "asked.de", *_TASK])
    asked = unpack(into / "files.tar.xz", folder / "asked")
    steps = [{**step, "run": step["run"].replace("{service}", engine)} for step in _questions("files")]
    return _answered(steps, asked, {"db": str(asked / "new.db")})


_TASK = ("samples/task", "samples/testset")


def _submit(folder: Path) -> None:
    words = ["task", "collect", "samples/task", "primary=samples/testset/systems/dune.en", "--team", "north"]
    run([*words, "--track", "news", "--received", "2026-05-16T11:58:00"], folder)


def _plugin(folder: Path, into: Path) -> list[Step]:
    """The example of a plug-in, as strangers have it."""
    ignored = shutil.ignore_patterns("*.egg-info", "build", "__pycache__")
    shutil.copytree(ROOT / "examples" / "plugin", folder / "plugin", ignore=ignored)
    (folder / "asked.en").write_text("the cat sat\nThe cat\n", encoding="utf-8")
    (folder / "reference.en").write_text("the cat lay down\nthe cat\n", encoding="utf-8")
    pack(into / "plugin.tar.xz", folder, ["plugin", "asked.en", "reference.en"])
    asked = unpack(into / "plugin.tar.xz", folder / "asked")
    beside = partial(run_beside, installed(asked / "plugin"))
    return [{**step, "gives": ask(step["run"], asked, runs=beside)} for step in _questions("plugin")]


def _questions(of: str) -> list[Step]:
    return [{"run": command} for command in QUESTIONS[of]]


def _answered(steps: Iterable[Step], folder: Path, names: Mapping[str, str] = {}) -> list[Step]:
    return [{**step, "gives": ask(step["run"], folder, names)} for step in steps]


def _written(answers: dict[str, list[Step]]) -> str:
    """JSON with a line for each step, so that a change shows which."""
    parts = []
    for name, steps in answers.items():
        lines = ",\n".join(json.dumps(step, ensure_ascii=False) for step in steps)
        parts.append(f"{json.dumps(name)}: [\n{lines}\n]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / __version__
    if target.exists():
        sys.exit(
            f"{target} is there. What a version has made stays as it is; remove the folder if it was never released."
        )
    make(target)
    size = sum(path.stat().st_size for path in target.iterdir())
    click.echo(f"{target}: {size / 1e6:.1f} MB")
