"""Run a command of pip and show the package at hand and how many files are compiled; all its output only if it fails.

python tools/progress.py python -m pip install --verbose .
"""

from __future__ import annotations

import re
import subprocess
import sys
import time

DONE = re.compile(r"^\s*\[(\d+)/(\d+)\] (?!Re-)")  # how Ninja begins a line; looking for new files is no step
PACKAGE = re.compile(r"^(?:Collecting|Building|Installing) [^,(]{1,60}")  # how pip begins one
QUIET = 20.0  # seconds without a line, at most, where lines come
CLEAR = "\r\x1b[K"


class Progress:
    """One line that changes on a terminal; elsewhere a line for every tenth of the compilation, or after 20 seconds."""

    def __init__(self, terminal: bool) -> None:
        self.terminal = terminal
        self.began = self.last = time.monotonic()
        self.tenth = -1
        self.text = ""

    def compiled(self, done: int, total: int) -> None:
        """State that `done` of `total` steps are over."""
        tenth = 10 * done // total
        self.show(f"Compiling: {done} of {total}", tenth != self.tenth)
        self.tenth = tenth

    def show(self, text: str, important: bool = False) -> None:
        """State what is done, with the seconds since the beginning."""
        now = time.monotonic()
        if text == self.text or not (self.terminal or important or now - self.last >= QUIET):
            return
        self.text, self.last = text, now
        line = f"{text} ({now - self.began:.0f} s)"
        sys.stderr.write(CLEAR + line if self.terminal else line + "\n")
        sys.stderr.flush()

    def end(self) -> None:
        """Leave the line."""
        if self.terminal and self.text:
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
                progress.compiled(int(found[1]), max(1, int(found[2])))
            elif package := PACKAGE.match(line):
                progress.show(package[0].strip())
    progress.end()
    if process.returncode:
        sys.stderr.writelines(log)
    return process.returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
