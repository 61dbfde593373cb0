"""The line that says how far a build is."""

from __future__ import annotations

import io
import re
import subprocess
import sys

import pytest

from tests.conftest import ROOT

TOOL = [sys.executable, str(ROOT / "tools" / "progress.py")]


def test_steps_are_counted_and_the_rest_is_quiet() -> None:
    says = "print('noise'); print('[0/2] Re-checking globbed directories...')\n"
    says += "[print(f'  [{i}/20] Building CXX object') for i in range(1, 21)]"
    done = subprocess.run([*TOOL, sys.executable, "-c", says], capture_output=True, text=True, check=True)
    lines = done.stderr.splitlines()
    assert done.stdout == ""
    assert len(lines) == 11
    assert lines[0].startswith("Compiling: 1 of 20 (")
    assert lines[-1].startswith("Compiling: 20 of 20 (")


def test_long_silences_are_broken_by_packages_and_steps() -> None:
    sys.path.insert(0, str(TOOL[1].rpartition("/")[0]))
    import progress

    shown = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        clock = iter([0.0, 5.0, 21.0, 30.0, 45.0, 46.0, 70.0])
        patch.setattr(progress.time, "monotonic", lambda: next(clock))
        patch.setattr(sys, "stderr", shown)
        each = progress.Progress(terminal=False)
        each.show("Collecting numpy>=2")
        each.show("Collecting scipy")
        each.compiled(1, 100)
        each.compiled(2, 100)
        each.compiled(3, 100)
        each.compiled(4, 100)
    assert shown.getvalue().splitlines() == [
        "Collecting scipy (21 s)",
        "Compiling: 1 of 100 (30 s)",
        "Compiling: 4 of 100 (70 s)",
    ]


def test_packages_are_named() -> None:
    says = "print('Collecting numpy>=2'); print('  Downloading numpy'); print('Installing collected packages: a, b')"
    code = f"import pty, sys; pty.spawn([*{TOOL!r}, sys.executable, '-c', {says!r}])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    shown = re.findall(r"\x1b\[K(.*) \(\d+ s\)", done.stdout)
    assert shown == ["Collecting numpy>=2", "Installing collected packages: a"]


def test_who_fails_is_heard_whole() -> None:
    says = "import sys; print('[1/2] Building'); print('error: no'); sys.exit(3)"
    done = subprocess.run([*TOOL, sys.executable, "-c", says], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "[1/2] Building\nerror: no\n" in done.stderr


def test_nothing_to_run_is_a_wrong_call() -> None:
    done = subprocess.run(TOOL, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "python tools/progress.py python -m pip" in done.stderr
