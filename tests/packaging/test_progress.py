"""The line that says how far a build is."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import ROOT

TOOL = [sys.executable, str(ROOT / "tools" / "progress.py")]


def test_steps_are_counted_and_the_rest_is_quiet() -> None:
    says = "print('noise'); [print(f'  [{i}/20] Building CXX object') for i in range(1, 21)]"
    done = subprocess.run([*TOOL, sys.executable, "-c", says], capture_output=True, text=True, check=True)
    lines = done.stderr.splitlines()
    assert done.stdout == ""
    assert len(lines) == 11
    assert lines[0].startswith("Compiling: 1 of 20 (")
    assert lines[-1].startswith("Compiling: 20 of 20 (")


def test_who_fails_is_heard_whole() -> None:
    says = "import sys; print('[1/2] Building'); print('error: no'); sys.exit(3)"
    done = subprocess.run([*TOOL, sys.executable, "-c", says], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "[1/2] Building\nerror: no\n" in done.stderr


def test_nothing_to_run_is_a_wrong_call() -> None:
    done = subprocess.run(TOOL, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "python tools/progress.py python -m pip" in done.stderr
