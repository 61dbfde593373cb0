"""The package in examples/plugin, installed as a stranger's would be: Dragoman has its entries, and its tests pass."""

from __future__ import annotations

import inspect
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from dragoman import testing
from tests.conftest import ROOT
from tests.docs.blocks import code_blocks

DRAGOMAN = [sys.executable, "-c", "from dragoman.cli.main import main; main()"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the plug-in was installed to, from a copy: a build leaves files behind."""
    folder = tmp_path_factory.mktemp("plugin")
    shutil.copytree(
        ROOT / "examples" / "plugin", folder / "source", ignore=shutil.ignore_patterns("*.egg-info", "build")
    )
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    # pip asks for its newest release otherwise, and says what it thinks of the folder
    quiet = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_WARN_SCRIPT_LOCATION": "1"}
    done = subprocess.run(
        [*pip, "--target", str(folder / "site"), str(folder / "source")], env=quiet, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return folder / "site"


def run(words: list[str], installed: Path, folder: Path) -> str:
    paths = [str(installed), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "COLUMNS": "120", "NO_COLOR": "1"}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_metric_scores(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "hyp").write_text("the cat sat\nThe cat\n")
    (tmp_path / "ref").write_text("the cat lay down\nthe cat\n")
    scored = run([*DRAGOMAN, "score", "hyp", "-r", "ref", "-m", "common-start:lowercase=yes"], installed, tmp_path)
    assert "75.0" in scored
    assert "CommonStart" in scored


def test_its_format_is_found_by_its_suffix(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "some.stanzas").write_text("Guten Tag!\nGood day!\n\nJa.\nYes.\n\n")
    run([*DRAGOMAN, "convert", "some.stanzas", "some.tsv", "--to", "bitext-tsv"], installed, tmp_path)
    assert (tmp_path / "some.tsv").read_text() == "Guten Tag!\tGood day!\nJa.\tYes.\n"


def test_its_own_tests_pass(installed: Path, tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    shutil.copytree(ROOT / "examples" / "plugin" / "tests", tests)
    assert "5 passed" in run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"], installed, tmp_path
    )


def test_without_it_nobody_knows_its_entries() -> None:
    done = subprocess.run([*DRAGOMAN, "score", "x", "-r", "x", "-m", "common-start"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "No metric is called 'common-start'" in done.stderr


def test_the_guide_shows_what_stands_in_the_package() -> None:
    guide = (ROOT / "docs" / "guides" / "plug-in.md").read_text(encoding="utf-8")
    package = (ROOT / "examples" / "plugin" / "pyproject.toml").read_text(encoding="utf-8")
    tests = (ROOT / "examples" / "plugin" / "tests" / "test_sketch.py").read_text(encoding="utf-8")
    ((_, shown),) = code_blocks(guide, "toml")
    assert "\n".join(shown) in package
    assert all(line in tests.splitlines() for line in code_blocks(guide, "python")[0][1])


def test_the_guide_names_every_check_and_its_group() -> None:
    guide = (ROOT / "docs" / "guides" / "plug-in.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `dragoman\.(\w+)` \| `([\w.]+)`.* \| `(check_\w+)\(", guide, re.MULTILINE)
    checks = {name for name in testing.__all__ if name.startswith("check_")}
    assert {check for _, _, check in rows} == checks
    for group, base, check in rows:
        module, _, name = base.rpartition(".")
        assert inspect.isclass(getattr(import_module(module), name))
        contracts = [
            each
            for each in vars(sys.modules[getattr(testing, check).__module__]).values()
            if isinstance(each, testing.Contract)
        ]
        assert [contract.kind.replace(" ", "_") for contract in contracts] == [group]
