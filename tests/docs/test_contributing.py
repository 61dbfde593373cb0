"""The walk-throughs of CONTRIBUTING.md lead where they say: their code is written, and their tests pass."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.docs.walk_throughs import WalkThrough, copy_of_the_repository, run_tests, take, walk_throughs

CHAPTERS = walk_throughs()
NATIVE = {"kernel", "decoder feature"}
LONG = {"file format", "protocol"}  # whose contract tests draw many values, or plan many campaigns


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository in which every step in Python was taken."""
    folder = copy_of_the_repository(tmp_path_factory.mktemp("repository"))
    for name, chapter in CHAPTERS.items():
        for step in chapter.steps() if name not in NATIVE else []:
            take(step, folder)
    return folder


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name in LONG else []) for name in CHAPTERS if name not in NATIVE],
)
def test_what_a_walk_through_adds_passes_its_tests(name: str, scratch: Path) -> None:
    assert re.search(r"\d passed", run_tests(CHAPTERS[name].tests(), scratch))


def test_its_code_keeps_the_style(scratch: Path) -> None:
    steps = [step for name, chapter in CHAPTERS.items() for step in chapter.steps() if name not in NATIVE]
    files = sorted(step.file for step in steps if step.file.endswith(".py") and not (step.table or step.is_import))
    for words in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *words, "--no-cache", *files],
            cwd=scratch,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_there_is_a_walk_through_for_what_people_add() -> None:
    known = {"metric", "file format", "artifact", "command", "page", "protocol", "kernel", "decoder feature"}
    assert known == CHAPTERS.keys()


def test_a_walk_through_that_went_stale_is_found(scratch: Path) -> None:
    stale = WalkThrough(
        "x", "1. Write `tests/test_stale.py`:\n\n    ```python\n    from dragoman import nothing\n    ```\n"
    )
    (step,) = stale.steps()
    take(step, scratch)
    with pytest.raises(AssertionError, match="cannot import name 'nothing'"):
        run_tests(["tests/test_stale.py"], scratch)


def compiled(path: Path, folder: Path) -> None:
    """Assert that a file is C++ that our headers understand."""
    import nanobind

    folders = [
        folder / "cpp" / "include",
        ROOT / "cpp" / "include",
        ROOT / "cpp" / "bindings",
        nanobind.include_dir(),
        sysconfig.get_path("include"),
    ]
    words = [
        os.environ.get("CXX", "c++"),
        "-std=c++20",
        "-fsyntax-only",
        "-x",
        "c++",
        *(f"-I{each}" for each in folders),
    ]
    done = subprocess.run([*words, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:3000]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(NATIVE))
def test_native_code_compiles(name: str, tmp_path: Path) -> None:
    steps = [step for step in CHAPTERS[name].steps() if step.file.startswith("cpp/")]
    for step in steps:
        take(step, tmp_path)
    for step in steps:
        compiled(tmp_path / step.file, tmp_path)


@pytest.mark.slow
def test_the_table_of_features_takes_the_line(tmp_path: Path) -> None:
    chapter = CHAPTERS["decoder feature"]
    take(chapter.steps()[0], tmp_path)
    (line,) = re.findall(r"`(entry<.*?>\(.*?\),)`", chapter.text)
    table = ROOT / "cpp" / "src" / "phrase" / "features.cpp"
    text = table.read_text(encoding="utf-8")
    first = re.search(r"^ *entry<", text, flags=re.MULTILINE)
    assert first is not None
    changed = tmp_path / "features.cpp"
    changed.write_text(
        f'#include "{Path(chapter.steps()[0].file).relative_to("cpp/include")}"\n'
        + text[: first.start()]
        + line
        + "\n"
        + text[first.start() :]
    )
    compiled(changed, tmp_path)


def test_what_a_kernel_is_declared_beside_is_there() -> None:
    text = CHAPTERS["kernel"].text
    ((declared, areas, called, module),) = re.findall(
        r"Declare `namespace (\w+) \{ void bind\([^`]*` in `([^`]+)` and call\s+`(\w+)::bind\(text\);` in `([^`]+)`",
        text,
    )
    assert declared == called
    assert f"namespace dragoman::bindings::{declared} {{" in text
    assert "_area { void bind(nanobind::module_& text); }" in (ROOT / areas).read_text(encoding="utf-8")
    assert "_area::bind(text);" in (ROOT / module).read_text(encoding="utf-8")
