"""Run a command that compiles and show how many files are done; its whole output only if it fails.

python tools/progress.py python -m pip install --verbose .
"""

from __future__ import annotations

import re
import subprocess
import sys
import time

DONE = re.compile(r"^\s*\[(\d+)/(\d+)\] ")  # how Ninja begins a line
CLEAR = "\r\x1b[K"


class Progress:
    """One line that changes on a terminal; elsewhere a line for every tenth of the work."""

    def __init__(self, terminal: bool) -> None:
        self.terminal = terminal
        self.began = time.monotonic()
        self.tenth = -1
        self.step = (0, 0)

    def show(self, done: int, total: int) -> None:
        """State that `done` of `total` steps are over."""
        if (done, total) == self.step:
            return
        self.step = (done, total)
        text = f"Compiling: {done} of {total} ({time.monotonic() - self.began:.0f} s)"
        tenth = 10 * done // total
        if self.terminal:
            sys.stderr.write(CLEAR + text)
        elif tenth != self.tenth:
            sys.stderr.write(text + "\n")
        self.tenth = tenth
        sys.stderr.flush()

    def end(self) -> None:
        """Leave the line."""
        if self.terminal and self.step != (0, 0):
            sys.stderr.write("\n")


def main(command: list[str]) -> int:
    """Run the command; return its exit status."""
    if not command:
        sys.stderr.write((__doc__ or "") + "\n")
        return 2
    progress = Progress(sys.stderr.isatty())
    log: list[str] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        for line in process.stdout or ():
            log.append(line)
            if found := DONE.match(line):
                progress.show(int(found[1]), max(1, int(found[2])))
    progress.end()
    if process.returncode:
        sys.stderr.writelines(log)
    return process.returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
