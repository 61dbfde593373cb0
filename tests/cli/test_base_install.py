"""What Dragoman does where nothing but its dependencies is installed: it works, or names the extra that it needs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.docs.blocks import commands, run

BASE_ONLY = ROOT / "tests" / "packaging" / "base_only"
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{BASE_ONLY}{os.pathsep}{ROOT}"}


def test_every_command_works_or_names_its_extra(tmp_path: Path) -> None:
    call = [sys.executable, "-m", "tests.cli.base_calls", str(tmp_path)]
    done = subprocess.run(call, env=environment(), input="", capture_output=True, text=True, check=True)
    ended = json.loads(done.stdout)
    wrong = {name: each["told"] for name, each in ended.items() if each["code"] is None}
    assert not wrong, f"commands that end in a traceback without extras: {wrong}"
    unnamed = {name: each["told"] for name, each in ended.items() if "No module named" in each["told"]}
    assert not unnamed
    extras = {name: re.search(r"pip install \"dragoman\[(\w+)\]\"", each["told"]) for name, each in ended.items()}
    named = {name: found[1] for name, found in extras.items() if found}
    assert named["text subword train"] == "spm"
    assert named["neural train"] == "neural"
    assert sum(each["code"] == 0 for each in ended.values()) >= 45  # the calls are calls


def test_optional_packages_are_not_there(tmp_path: Path) -> None:
    for package in ("regex", "yaml", "jax", "sklearn", "fastapi", "ctranslate2"):
        code = f"import importlib.util; print(importlib.util.find_spec({package!r}))"
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment(), cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert done.stdout == "None\n"


def test_variants_of_spelling_need_no_extra(tmp_path: Path) -> None:
    (tmp_path / "votes.ja").write_text("1_1\t3\tthe japanese house\t1\tthe japenese house\t0\n", encoding="utf-8")
    call = [
        sys.executable,
        "-c",
        "from dragoman.cli.main import main; main()",
        "study",
        "crowd",
        "variants",
        "votes.ja",
    ]
    done = subprocess.run(call, env=environment(), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr


def test_a_format_names_its_extra_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "wrong.jsonl").write_text("no JSON\n", encoding="utf-8")
    script = "from dragoman.cli.main import main; main()"
    call = [sys.executable, "-c", script, "convert", "wrong.jsonl", "out.parquet"]
    done = subprocess.run(call, env=environment(), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert 'pip install "dragoman[parquet]"' in done.stderr


@pytest.mark.slow  # every session of the guides, some of which take minutes
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_sessions_of_the_guides_work_or_name_an_extra(path: Path, tmp_path: Path) -> None:
    wanted = commands(path.read_text(encoding="utf-8"))
    if not wanted:
        pytest.skip("no console blocks")
    wrong = []
    for step in wanted:
        _, printed = run(step.command, tmp_path, environment() | {"LC_ALL": "C.UTF-8"})
        told = "\n".join(printed)
        if "Traceback" in told or "No module named" in told:
            wrong.append(f"{path.name}:{step.line}: $ {step.command}\n{told}")
    assert not wrong, "\n\n".join(wrong)
