"""The programs in examples/ run, and print what the files beside them say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples"
PROGRAMS = sorted(FOLDER.glob("*.py"))


def masked(text: str) -> str:
    """Without the version in signatures, which is no matter of the example."""
    return re.sub(r"version:[\d.]+\s*", "version:… ", text)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_examples_print_what_they_promise(program: Path, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, str(program)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert masked(done.stdout) == masked(program.with_suffix(".out").read_text(encoding="utf-8"))
    assert list(tmp_path.iterdir()) == []


def test_every_example_is_in_the_readme() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"`{program.name}`" in text for program in PROGRAMS)
