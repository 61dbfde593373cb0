"""An environment of its own that has no compiler, and takes what others wrote from the one that runs the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from tests.conftest import ROOT

__all__ = ["Environment"]


class Environment:
    """A virtual environment in a folder. Only its own programs are on the path."""

    def __init__(self, folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
        self.bin = folder / "bin"
        (site,) = folder.glob("lib/python*/site-packages")
        # A path in a .pth file is looked into, but its own .pth files are not read: no editable Dragoman comes along.
        origins = [spec.origin for name in ("click", "fastapi", "numpy") if (spec := find_spec(name)) and spec.origin]
        others = sorted({str(Path(origin).parents[1]) for origin in origins})
        (site / "others.pth").write_text("\n".join(others) + "\n", encoding="utf-8")
        self.variables = {"PATH": str(self.bin), "HOME": str(folder), "LC_ALL": "C.UTF-8", "CC": "none", "CXX": "none"}

    def build(self, words: Sequence[str]) -> None:
        """Run `pip` where the compiler is, in the repository; what was compiled there is not compiled again."""
        environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        subprocess.run([sys.executable, "-m", "pip", *words], cwd=ROOT, check=True, env=environment)

    def install(self, *words: str) -> None:
        """Install by `pip` into this environment, without compiler and index; never mind what others have."""
        own = ("--python", str(self.bin / "python"), "install", "--no-deps", "--ignore-installed", "--quiet")
        command = [sys.executable, "-m", "pip", *own, *words]
        subprocess.run(command, check=True, env={**self.variables, "PIP_NO_INDEX": "1"})

    def run(self, *words: str, cwd: Path) -> str:
        """What a program of the environment prints."""
        command = [str(self.bin / words[0]), *words[1:]]
        done = subprocess.run(command, cwd=cwd, env=self.variables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout
