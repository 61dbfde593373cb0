"""`tools/costs.py`: what a command cost, its children among it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import ROOT

TOOL = [sys.executable, str(ROOT / "tools" / "costs.py")]
BUSY = """
import time
kept = bytearray(b"x") * (60 << 20)
end = time.process_time() + 0.6
while time.process_time() < end:
    pass
time.sleep(2)
"""
BOTH = f"""
import subprocess, sys
for each in [subprocess.Popen([sys.executable, "-c", {BUSY!r}]) for _ in range(2)]:
    each.wait()
"""


def cost(*command: str) -> tuple[int, list[float]]:
    done = subprocess.run([*TOOL, *command], capture_output=True, text=True, check=False)
    head, rule, row = done.stdout.splitlines()[-3:]
    assert head.count("|") == rule.count("|") == row.count("|")
    return done.returncode, [float(cell) for cell in row.split("|")[2:5]]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the largest process is counted alone")
def test_processes_are_counted_together() -> None:
    code, (clock, cpu, megabytes) = cost(sys.executable, "-c", BOTH)
    assert code == 0
    assert clock >= 2
    assert cpu >= 1
    assert 120 < megabytes < 400


def test_it_ends_as_the_command_does() -> None:
    assert cost(sys.executable, "-c", "raise SystemExit(3)")[0] == 3
    assert cost(sys.executable, "-c", "import os; os.kill(os.getpid(), 15)")[0] == 128 + 15


def test_nothing_to_run_is_a_wrong_call() -> None:
    done = subprocess.run(TOOL, capture_output=True, text=True, check=False)
    assert (done.returncode, "tools/costs.py make check" in done.stderr) == (2, True)
