"""Fixtures of earlier versions: where they lie, and how they are asked through the command line."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from tests.web.databases import Cluster

__all__ = [
    "HERE",
    "VERSIONS",
    "Step",
    "agree",
    "ask",
    "expected",
    "installed",
    "restored",
    "run",
    "run_beside",
    "unpack",
]

HERE = Path(__file__).parent
VERSIONS = sorted(path.parent.name for path in HERE.glob("*/expected.json"))
Step = dict[str, Any]
Runner = Callable[[Sequence[str], Path], str]
_FRACTION = re.compile(r"-?[0-9]+\.[0-9]+(?:e-?[0-9]+)?")


def run(words: Sequence[str], folder: Path) -> str:
    """Standard output of a command that is run in a folder."""
    from dragoman.cli.main import group

    with chdir(folder):
        done = CliRunner().invoke(group, list(words))
    assert done.exit_code == 0, f"dragoman {shlex.join(words)}\n{done.output}\n{done.exception!r}"
    return done.stdout


def run_beside(site: Path, words: Sequence[str], folder: Path) -> str:
    """The same in a process of its own, beside another installed package."""
    code = "from dragoman.cli.main import main; main()"
    return python(["-c", code, *words], site, folder)


def python(words: Sequence[str], site: Path, folder: Path) -> str:
    """What another process prints that also has the packages of a folder."""
    paths = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{shlex.join(words)}\n{done.stdout}{done.stderr}"
    return done.stdout


def ask(command: str, folder: Path, names: Mapping[str, str] = {}, *, runs: Runner = run) -> Any:
    """Answer of a command: its text, the file that it writes, or the facts in the rows of its JSON."""
    words = [names.get(word[1:-1], word) for word in shlex.split(command)]
    printed = runs(words, folder)
    if "--json" in words:
        return list(_facts(json.loads(printed)["rows"]))
    if "-o" in words:
        written = folder / words[words.index("-o") + 1]
        return _files(written) if written.is_dir() else written.read_text(encoding="utf-8").splitlines()
    return printed.splitlines()


def agree(recorded: Any, found: Any) -> bool:
    """Whether an answer has what was recorded. Of facts, new ones may stand between; text is the same."""
    if not _is_facts(recorded):
        return len(recorded) == len(found) and all(map(_alike, recorded, found))
    rest = iter(found)
    return all(any(_same(fact, each) for each in rest) for fact in recorded)


def expected(version: str) -> dict[str, Any]:
    """Commands and answers that were recorded when the fixtures were made."""
    read: dict[str, Any] = json.loads((HERE / version / "expected.json").read_text(encoding="utf-8"))
    return read


def unpack(archive: Path, folder: Path) -> Path:
    """The folder, with the files of an archive in it."""
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    return folder


def restored(dump: Path, cluster: Cluster) -> str:
    """The address of a database that was restored from its dump."""
    name = cluster.make()
    copy = Path(shutil.copy(dump, cluster.folder))
    copy.chmod(0o644)  # PostgreSQL's programs run as somebody else
    where = ["-h", str(cluster.folder), "-U", "postgres", "-d", name]
    cluster.run("psql", *where, "-q", "-v", "ON_ERROR_STOP=1", "-f", str(copy))
    return cluster.url(name)


def installed(package: Path) -> Path:
    """A folder of packages with this one in it, as pip leaves it there, but without its build."""
    about = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    site = package.parent / f"{package.name}-site"
    shutil.copytree(package / "src", site)
    facts = site / f"{about['name'].replace('-', '_')}-{about['version']}.dist-info"
    facts.mkdir()
    head = f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\n"
    (facts / "METADATA").write_text(head, encoding="utf-8")
    groups = [
        "\n".join([f"[{group}]", *(f"{name} = {place}" for name, place in entries.items())])
        for group, entries in about["entry-points"].items()
    ]
    (facts / "entry_points.txt").write_text("\n\n".join(groups) + "\n", encoding="utf-8")
    return site


def _facts(value: Any) -> Iterable[Any]:
    """Numbers and texts of JSON, without their keys, and without signatures, which name the version."""
    if isinstance(value, dict):
        for each in value.values():
            yield from _facts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _facts(each)
    elif isinstance(value, float):
        yield round(value, 9)
    elif value is not None and not (isinstance(value, str) and "version:" in value):
        yield value


def _is_facts(recorded: Any) -> bool:
    return isinstance(recorded, list) and not all(isinstance(each, str) for each in recorded)


def _alike(recorded: str, found: str) -> bool:
    """Whether a line is the same but for the last digits of fractions, in which processors differ."""
    if recorded == found:
        return True
    numbers = zip(_FRACTION.findall(recorded), _FRACTION.findall(found), strict=False)
    return _FRACTION.sub("0.0", recorded) == _FRACTION.sub("0.0", found) and all(
        math.isclose(float(one), float(other), rel_tol=1e-6, abs_tol=1e-6) for one, other in numbers
    )


def _same(recorded: Any, found: Any) -> bool:
    if isinstance(recorded, float) and isinstance(found, int | float):
        return math.isclose(recorded, found, rel_tol=1e-6, abs_tol=1e-6)
    return bool(recorded == found)


def _files(folder: Path) -> list[str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [line for path in files for line in (path.name, *path.read_text(encoding="utf-8").splitlines())]
