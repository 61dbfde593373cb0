"""The first hour of a contributor: the change that it makes breaks the rule that it names, and then none."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.docs.walk_throughs import copy_of_the_repository, run_tests

PAGE = (ROOT / "docs" / "first-hour.md").read_text(encoding="utf-8")
CHANGES = re.findall(r"^```diff\n(.*?)^```\n", PAGE, flags=re.DOTALL | re.MULTILINE)
COMMANDS = [shlex.split(line)[3:] for line in re.findall(r"^\.venv/bin/python -m pytest .*", PAGE, flags=re.MULTILINE)]


def apply(change: str, folder: Path) -> None:
    """Change the files of a folder as a contributor does."""
    words = ["git", "apply", "-"]
    subprocess.run(words, input=change, cwd=folder, text=True, check=True)


def capped(folder: Path) -> float:
    """The capped TER of nine words too many, by the package of a folder."""
    (folder / "hyp").write_text("a b c d e f g h i j\n")
    (folder / "ref").write_text("a\n")
    words = [
        sys.executable,
        "-m",
        "dragoman",
        "score",
        "hyp",
        "-r",
        "ref",
        "-m",
        "ter",
        "-m",
        "ter:capped=yes",
        "--json",
    ]
    environment = {**os.environ, "PYTHONPATH": str(folder / "first")}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    plain, other = (row["score"] for row in json.loads(done.stdout)["rows"])
    assert plain == 900
    return float(other)


def test_the_change_breaks_a_rule_and_then_none(tmp_path: Path) -> None:
    folder = copy_of_the_repository(tmp_path)
    first, second = CHANGES
    (words,) = (each for each in COMMANDS if "contract" in each[-1])
    shown = re.search(r"^AssertionError: .*\n- .*…$", PAGE, flags=re.MULTILINE)
    assert shown is not None
    apply(first, folder)
    assert capped(folder) == 100
    with pytest.raises(AssertionError) as caught:
        run_tests(words[1:], folder)
    for line in shown[0].splitlines():
        assert line.removesuffix("…") in str(caught.value)
    apply(second, folder)
    assert re.search(r"\b1 passed", run_tests(words[1:], folder))


def test_what_it_tells_to_open_and_to_run_is_there() -> None:
    named = re.findall(r"`((?:[\w.-]+/)+[\w.-]*|\w[\w-]*\.(?:py|md))`", PAGE)
    assert len(named) > 25
    places = (ROOT, ROOT / "src" / "dragoman")
    assert [name for name in named if not any((place / name).exists() for place in places)] == []
    assert [
        words for words in COMMANDS for word in words if "/" in word and not (ROOT / word.split("::")[0]).exists()
    ] == []
