"""How the core would be compiled: with a compiler cache where there is one, without optimisation at link time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

NEEDED = ("cmake", "ninja", "c++")


def rules(folder: Path, *settings: str, programs_in: Path | None = None) -> str:
    """What Ninja would do, in a folder that is configured and not built."""
    programs = {name: shutil.which(name, path=f"{Path(sys.executable).parent}:{os.environ['PATH']}") for name in NEEDED}
    if lacking := [name for name, found in programs.items() if found is None]:
        pytest.skip(f"not installed: {', '.join(lacking)}")
    words = [str(programs["cmake"]), "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", "-DDRAGOMAN_EXTENSION=OFF"]
    words += [f"-DCMAKE_MAKE_PROGRAM={programs['ninja']}", *settings]
    path = os.environ["PATH"] if programs_in is None else f"{programs_in}:{os.environ['PATH']}"
    subprocess.run(words, env={**os.environ, "PATH": path}, check=True, capture_output=True)
    return (folder / "build.ninja").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["ccache", "sccache"])
def test_a_compiler_cache_is_used_where_there_is_one(name: str, tmp_path: Path) -> None:
    if name == "sccache" and shutil.which("ccache"):
        pytest.skip("ccache is installed, and asked first")
    cache = tmp_path / "bin" / name
    cache.parent.mkdir()
    cache.write_text('#!/bin/sh\nexec "$@"\n')
    cache.chmod(0o755)
    found = rules(tmp_path / "build", programs_in=cache.parent)
    assert f"{cache} " in found
    assert "cmake_pch" not in found  # caches do not know precompiled headers


def test_without_a_cache_headers_are_compiled_once_and_files_together(tmp_path: Path) -> None:
    found = rules(tmp_path, "-DDRAGOMAN_CACHE=")
    assert "cmake_pch.hxx" in found
    sources = len(list((ROOT / "cpp" / "src").rglob("*.cpp")))
    compiled = [line for line in found.splitlines() if line.startswith("build ") and "CXX_COMPILER_" in line]
    assert len(compiled) < sources / 3
    assert "-O3" in found
    assert "-flto" not in found
