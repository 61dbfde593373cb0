"""The code blocks of the documentation, run as a reader would run them.

A `console` block holds commands behind `$ ` and what they print; a line `…` stands for any number of lines left out.
The blocks of one file run in order in one fresh folder. A command may fail only where the document shows what it says
of its failure. A `python` block with `>>>` is a doctest. An `sh` block is for the reader's own files: it does not run,
but its commands and their options must exist.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

ELLIPSIS = "…"


@dataclass(frozen=True)
class Command:
    """A command of a console block, with the output that the document shows."""

    line: int
    command: str
    shown: list[str]


def code_blocks(text: str, language: str) -> list[tuple[int, list[str]]]:
    """The fenced blocks of a language: (line number of the first line, lines)."""
    blocks = []
    opened: tuple[int, list[str]] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if opened is not None and line.startswith("```"):
            blocks.append(opened)
            opened = None
        elif opened is not None:
            opened[1].append(line)
        elif re.fullmatch(rf"```{language}\s*", line):
            opened = (number + 1, [])
    return blocks


def commands(text: str) -> list[Command]:
    """All commands of the console blocks; a line that ends in a backslash goes on."""
    found: list[Command] = []
    for first, lines in code_blocks(text, "console"):
        continued = False
        for number, line in enumerate(lines, start=first):
            if continued:
                last = found[-1]
                found[-1] = Command(last.line, f"{last.command[:-1]}{line.strip()}", [])
            elif line.startswith("$ "):
                found.append(Command(number, line[2:], []))
            else:
                found[-1].shown.append(line)
            continued = (line.startswith("$ ") or continued) and line.endswith("\\")
    return found


_READER_LEFT = 141  # SIGPIPE: `head` had enough


def run(command: str, folder: Path, environment: dict[str, str]) -> tuple[int, list[str]]:
    """How a command ends, and what it prints: standard error after standard output, without blanks at line ends."""
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    code = 0 if done.returncode == _READER_LEFT else done.returncode
    return code, [line.rstrip() for line in (done.stdout + done.stderr).rstrip("\n").split("\n")]


def tells_failure(shown: list[str]) -> bool:
    """Whether the output that a document shows is that of a command that failed, to whoever reads it."""
    return any(re.match(r"dragoman: |Error: |Usage: |.*\bfail|.*\bFAIL", line) for line in shown)


def shell_lines(text: str) -> list[tuple[int, str]]:
    """The commands of the `sh` blocks, joined where they go on after a backslash or inside quotes."""
    found: list[tuple[int, str]] = []
    for first, lines in code_blocks(text, "sh"):
        whole = ""
        for number, line in enumerate(lines, start=first):
            whole += line
            if whole.endswith("\\") or whole.count("'") % 2:
                whole = whole.removesuffix("\\") + "\n" * whole.count("'")
                continue
            found.append((number, whole))
            whole = ""
    return found


def agrees(shown: list[str], printed: list[str]) -> bool:
    """Whether the output is the one shown, `…` standing for any lines (alone on a line) or any text (inside one)."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == ELLIPSIS else ".*".join(map(re.escape, line.rstrip().split(ELLIPSIS))) + r"\n"
        for line in shown
    )
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None
