"""Run a command and print what it cost, as a row of a Markdown table: clock, processor time, peak memory.

    python tools/costs.py make check

Memory is that of all processes of the command together, shared pages counted once, looked at every second (Linux; on
other systems that of the largest process). Ends as the command ends.
"""

from __future__ import annotations

import os
import resource
import shlex
import subprocess
import sys
import threading
import time
from pathlib import Path

HEAD = "| command | seconds | of processor time | MB |\n| --- | ---: | ---: | ---: |"
INTERVAL = 1.0  # seconds between two looks


def descendants(pid: int) -> list[int]:
    """Return a process and its descendants; those that ended meanwhile are left out."""
    found, left = [], [pid]
    while left:
        found.append(left.pop())
        for children in Path(f"/proc/{found[-1]}/task").glob("*/children"):
            try:
                left += map(int, children.read_text().split())
            except OSError:
                continue
    return found


def memory_mb(pid: int) -> float:
    """Return the memory of a process and its descendants, each shared page counted once."""
    total = 0
    for each in descendants(pid):
        try:
            text = Path(f"/proc/{each}/smaps_rollup").read_text()
        except OSError:  # it ended, or its memory is no longer there
            continue
        total += sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))
    return total / 1024


class PeakMemory:
    """The largest memory of a process and its descendants, looked at by a thread until `end`."""

    def __init__(self, pid: int, interval: float = INTERVAL) -> None:
        self._peak, self._ended = 0.0, threading.Event()
        self._thread = threading.Thread(target=self._watch, args=(pid, interval), daemon=True)
        self._thread.start()

    def _watch(self, pid: int, interval: float) -> None:
        while not self._ended.is_set():
            self._peak = max(self._peak, memory_mb(pid))
            self._ended.wait(interval)

    def end(self, usage: resource.struct_rusage) -> int:
        """Return the peak in MB: no less than that of the largest process, which the system counts."""
        self._ended.set()
        self._thread.join()
        per_mb = 2**20 if sys.platform == "darwin" else 2**10  # macOS counts bytes, Linux kilobytes
        return round(max(self._peak, usage.ru_maxrss / per_mb))


def main(command: list[str]) -> int:
    """Run the command, print the row, and return the command's exit status."""
    if not command:
        sys.stderr.write((__doc__ or "") + "\n")
        return 2
    clock = time.perf_counter()
    process = subprocess.Popen(command)
    memory = PeakMemory(process.pid)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds, cpu = time.perf_counter() - clock, usage.ru_utime + usage.ru_stime
    words = " ".join(shlex.join(command).split()).replace("|", "\\|")
    print(HEAD, f"| `{words}` | {seconds:.0f} | {cpu:.0f} | {memory.end(usage)} |", sep="\n", flush=True)
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
