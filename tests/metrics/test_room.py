"""The room's names are there whatever was imported before, and cost nothing until they are asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

import dragoman.metrics

SHADOWED = ("compare", "gate", "hter", "matrix", "resegment")  # functions called like the modules they live in


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_the_room_imports_nothing_until_it_is_asked() -> None:
    code = "import sys, dragoman.metrics; print(sorted(m for m in sys.modules if m.split('.')[0] in {'scipy', 'numpy'}"
    assert run(code + " or m.startswith('dragoman.metrics.')))") == "[]"


@pytest.mark.parametrize("name", ["score", "compare", "make_metric"])
def test_what_everybody_asks_for_needs_no_scipy(name: str) -> None:
    assert run(f"import sys; from dragoman.metrics import {name}; print('scipy' in sys.modules)") == "False"


def test_a_score_from_the_shell_waits_for_nothing_slow(tmp_path: Path) -> None:
    (tmp_path / "a.en").write_text("a small house by the sea\n")
    slow = {"numpy", "scipy", "rich", "jinja2", "langcodes", "importlib.metadata", "json", "tomllib", "lzma", "hashlib"}
    code = (
        "import sys; from dragoman.cli.main import main; words = ['dragoman', 'score', 'a.en', '-r', 'a.en']\n"
        "sys.argv = words\ntry:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print(sorted({slow!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert " 100.00\n" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_every_name_is_there() -> None:
    for name in dragoman.metrics.__all__:
        assert not isinstance(getattr(dragoman.metrics, name), ModuleType)


@pytest.mark.parametrize("name", SHADOWED)
def test_a_function_outranks_the_module_of_its_name(name: str) -> None:
    ways = [
        f"from dragoman.metrics import {name} as found",
        f"import dragoman.metrics.{name}; found = dragoman.metrics.{name}",
        f"from dragoman.metrics.{name} import {name}; from dragoman.metrics import {name} as found",
        f"import dragoman.metrics; dragoman.metrics.{name}; from dragoman.metrics import {name} as found",
    ]
    for way in ways:
        assert run(f"{way}; print(type(found).__name__)") == FunctionType.__name__
