"""The wheel: whole, and enough on a machine without a compiler. The release's files name one version."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from dragoman import __version__
from tests.conftest import ROOT
from tests.packaging.environments import Environment


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheels")
    words = ["wheel", ".", "--no-deps", "--no-build-isolation", "--quiet", "--wheel-dir", str(folder)]
    Environment(folder / "env").build(words)
    (path,) = folder.glob("dragoman-*.whl")
    return path


@pytest.mark.slow
def test_the_wheel_is_whole_and_has_nothing_of_the_workshop(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tracked = {
        path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src" / "dragoman").rglob("*") if path.is_file()
    }
    missing = {name for name in tracked if "__pycache__" not in name and not name.endswith(".gitkeep")} - set(names)
    assert not missing
    assert sum(name.startswith("dragoman/_core") and name.endswith(".so") for name in names) == 1
    assert not [name for name in names if name.endswith((".cpp", ".hpp")) or name.startswith("tests")]


@pytest.mark.slow
def test_it_scores_and_shows_itself_without_a_compiler(wheel: Path, tmp_path: Path) -> None:
    environment = Environment(tmp_path / "env")
    assert shutil.which("c++", path=environment.variables["PATH"]) is None
    environment.install(str(wheel))
    where = environment.run("python", "-c", "import dragoman; print(dragoman.__file__)", cwd=tmp_path)
    assert where.startswith(str(tmp_path))
    environment.run("dragoman", "samples", "samples", "--json", cwd=tmp_path)
    words = ("score", "samples/testset/systems/borealis.en", "-r", "samples/testset/reference-A.en", "--json")
    (row,) = json.loads(environment.run("dragoman", *words, cwd=tmp_path))["rows"]
    assert round(row["score"], 2) == 53.86
    environment.run("dragoman", "demo", "demo-output", "--json", cwd=tmp_path)
    assert (tmp_path / "demo-output" / "index.html").is_file()


def test_the_files_of_a_release_name_one_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    released = re.findall(r"^## (\[\d.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert released[0] == f"[{citation['version']}] - {citation['date-released']}"
    assert (ROOT / "tests" / "upgrade" / citation["version"] / "expected.json").is_file()


def test_wheels_are_made_for_every_python_from_the_oldest_on() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    oldest = int(settings["project"]["requires-python"].removeprefix(">=3."))
    minors = [int(each.removeprefix("cp3").removesuffix("-*")) for each in settings["tool"]["cibuildwheel"]["build"]]
    assert minors == list(range(oldest, oldest + len(minors)))
    assert sys.version_info.minor in minors


def test_the_demo_installs_no_more_than_it_needs(tmp_path: Path) -> None:
    words = ["make", "--dry-run", "demo", f"VENV={tmp_path / 'env'}"]
    told = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"--editable '\.\[(\w+)\]'", told) == ["web"]


def test_the_package_is_a_program() -> None:
    done = subprocess.run([sys.executable, "-m", "dragoman", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"dragoman {__version__}\n"


def test_install_begins_with_a_wheel_of_this_version() -> None:
    for page in ("README.md", "docs/install.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        first = re.findall(r"```sh\npip install ([^\n]+)\n", text)[0]
        assert re.fullmatch(rf'"dist/dragoman-{re.escape(__version__)}-\S+\.whl\[web\]"', first), page
        assert "PyPI" in text


def test_a_python_that_is_not_there_is_told_by_a_code_of_its_own(tmp_path: Path) -> None:
    shim = tmp_path / "python3.99"
    shim.write_text("#!/bin/sh\nexit 127\n")  # as pyenv's, of a version that is not chosen
    shim.chmod(0o755)
    words = [sys.executable, str(ROOT / "tools" / "wheels.py"), "3.99"]
    environment = {**os.environ, "PATH": str(tmp_path), "PYENV_ROOT": str(tmp_path)}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stdout) == (77, "Python 3.99 is not installed\n")
    other = tmp_path / "versions" / "3.99.1" / "bin"
    other.mkdir(parents=True)
    (other / "python3.99").write_text("#!/bin/sh\necho 3.99\n")
    (other / "python3.99").chmod(0o755)
    told = "import sys; sys.path.insert(0, sys.argv[1]); import wheels; print(wheels.found_python('3.99'))"
    words = [sys.executable, "-c", told, str(ROOT / "tools")]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == f"{other / 'python3.99'}\n"


def test_install_names_every_extra_and_what_all_has() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    text = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    table = text[text.index("| extra | for |") :].split("\n\n")[0].splitlines()[2:]
    rows = [re.findall(r"`(\w+)`", line.split("|")[1]) for line in table]
    named = [name for row in rows for name in row]
    assert sorted(named) == sorted(extras)
    (all_of_them,) = extras["all"]
    assert set(re.findall(r"\w+", all_of_them.partition("[")[2])) == set(named[: named.index("all")])
