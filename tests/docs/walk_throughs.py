"""The walk-throughs of CONTRIBUTING.md, taken step by step in a copy of the repository."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from dragoman import _core
from tests.conftest import ROOT

COPIED = ("src", "tests", "docs", "tools", "examples", "README.md", "CONTRIBUTING.md", "pyproject.toml", "mkdocs.yml")

# Ours is found before the package that is installed, editable or not.
OWN_FIRST = """import sys
sys.meta_path[:] = [each for each in sys.meta_path if type(each).__name__ != "ScikitBuildRedirectingFinder"]
sys.path.insert(0, {source!r})
"""


@dataclass(frozen=True)
class Step:
    """A block of code, and the file it belongs to: all of it, or a line for a table in it, or an import."""

    file: str
    code: str
    table: str | None = None
    is_import: bool = False


@dataclass(frozen=True)
class WalkThrough:
    """A chapter that says how to add something."""

    name: str
    text: str

    def steps(self) -> list[Step]:
        """Its blocks. The text before a block names a file, or a table and the file that has it."""
        steps = []
        before, *parts = re.split(r"^ +```(\w+)\n(.*?)^ +```\n", self.text, flags=re.DOTALL | re.MULTILINE)
        for code, after in zip(parts[1::3], parts[2::3], strict=True):
            item = re.split(r"^\d+\. ", before, flags=re.MULTILINE)[-1]
            table = re.search(r"table `(\w+)` in\s+`([^`]+)`", item)
            file = table[2] if table else re.findall(r"`([\w.-]+/[\w./-]+)`", item)[0]
            steps.append(Step(file, dedent(code), table and table[1], item.startswith("Import it")))
            before = after
        return steps

    def tests(self) -> list[str]:
        """What it tells pytest."""
        (words,) = re.findall(r"`\.venv/bin/python -m pytest ([^`]+)`", self.text)
        return shlex.split(words)


def walk_throughs() -> dict[str, WalkThrough]:
    """The chapters `Add a …` by what they add."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    chapters = re.findall(r"^## Add an? ([^\n]+)\n(.*?)(?=^## |\Z)", text, flags=re.DOTALL | re.MULTILINE)
    return {name: WalkThrough(name, body) for name, body in chapters}


def copy_of_the_repository(folder: Path) -> Path:
    """What tests need of the repository, with the native core as it is."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(ROOT / name, folder / name)
    core = Path(str(_core.__file__))
    shutil.copy(core, folder / "src" / "dragoman" / core.name)
    (folder / "first").mkdir()
    (folder / "first" / "sitecustomize.py").write_text(OWN_FIRST.format(source=str(folder / "src")))
    return folder


def take(step: Step, folder: Path) -> None:
    """Write the file of a step, or what it adds to a file that is there."""
    path = folder / step.file
    if step.table is not None:
        start = rf"^{step.table}\b[^=]*= (?:\w+\(\n(?:[^\n]*,\n)*? *)?[\[{{]\n"
        insert(step.code, path, start)
    elif step.is_import:
        insert(step.code, path, r"^from dragoman import [^\n]*\n")
    elif path.suffix in {".md", ".toml"} and path.exists():
        path.write_text(path.read_text(encoding="utf-8") + step.code, encoding="utf-8")
    else:
        assert not path.exists(), f"{step.file} is there already"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(step.code, encoding="utf-8")


def insert(code: str, path: Path, pattern: str) -> None:
    """Put code behind the first place that a pattern finds."""
    text = path.read_text(encoding="utf-8")
    place = re.search(pattern, text, flags=re.MULTILINE)
    assert place is not None, f"{path.name} has no {pattern}"
    path.write_text(text[: place.end()] + code + text[place.end() :], encoding="utf-8")


def run_tests(words: list[str], folder: Path) -> str:
    """The output of pytest, which must end well."""
    environment = {**os.environ, "PYTHONPATH": str(folder / "first")}
    for name in [each for each in environment if each.startswith("PYTEST_")]:
        del environment[name]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    return done.stdout
