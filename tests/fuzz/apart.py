"""Trials in a process of their own, so that a crash and a reading without end are findings like any other."""

from __future__ import annotations

import json
import mmap
import os
import resource
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from tests.fuzz.mutator import Trial

__all__ = ["attempt_apart"]

Case = TypeVar("Case")
SECONDS = 60  # of processor time for one reading
PATIENCE = 600  # of waiting for one, should it wait itself
ROOM = 3 << 30  # bytes that a process may take beside those that it has


def attempt_apart(trial: Trial, cases: Sequence[Case], attempt: Callable[[Trial, Case], None], folder: Path) -> None:
    """Try all cases; where one ends the process, another process goes on behind it."""
    first = 0
    while first < len(cases):
        first = _go_on(trial, cases, attempt, first, folder / "found.jsonl") + 1


def _go_on(trial: Trial, cases: Sequence[Case], attempt: Callable[[Trial, Case], None], first: int, found: Path) -> int:
    """Try the cases from the first on; the number of the last that was tried."""
    found.write_text("")
    with mmap.mmap(-1, 24) as told:
        numbers = memoryview(told).cast("q")  # the case, how many were read, how many refused
        numbers[0] = first
        pid = os.fork()
        if not pid:
            _child(numbers, cases, attempt, found)
        status = _wait(pid, numbers)
        last = numbers[0]
        trial.n_read += numbers[1]
        trial.n_refused += numbers[2]
        numbers.release()
    for line in found.read_text().splitlines():
        trial.findings.setdefault(*json.loads(line))
    if status:
        told_of = f"{_reason(status)}, {cases[last]}"
        trial.findings.setdefault(told_of, "the process ended")
    return last


def _child(numbers: memoryview, cases: Sequence[Case], attempt: Callable[[Trial, Case], None], found: Path) -> None:
    """What the other process does. It ends here."""
    code = 1
    try:
        _limit_memory()
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        trial, n_told = Trial(), 0
        for number in range(numbers[0], len(cases)):
            numbers[0] = number
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            attempt(trial, cases[number])
            numbers[1], numbers[2] = trial.n_read, trial.n_refused
            if len(trial.findings) > n_told:
                with found.open("a") as stream:
                    stream.writelines(f"{json.dumps(each)}\n" for each in list(trial.findings.items())[n_told:])
                n_told = len(trial.findings)
        code = 0
    finally:
        os._exit(code)


def _limit_memory() -> None:
    if "ASAN_OPTIONS" in os.environ:  # which takes all addresses there are
        return
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + ROOM
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _wait(pid: int, numbers: memoryview) -> int:
    """How the process ended; one that stands still is ended."""
    seen, since, pause = numbers[0], time.monotonic(), 0.001
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status
        if numbers[0] != seen:
            seen, since = numbers[0], time.monotonic()
        elif time.monotonic() - since > PATIENCE:
            os.kill(pid, signal.SIGKILL)
        time.sleep(pause)
        pause = min(2 * pause, 0.05)


def _reason(status: int) -> str:
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        return f"no end in {SECONDS} s of processor time" if name == "SIGPROF" else name
    return f"exit code {os.WEXITSTATUS(status)}"
