"""What a command tells somebody at a terminal besides its result: that it waits for input, and what it has written."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from dragoman import files

__all__ = ["told_on_terminal"]

_MOST = 5  # files named one by one; of more, their number in each folder


@contextmanager
def told_on_terminal() -> Iterator[None]:
    """Inside, reading standard input and writing files is told on standard error, where that is a terminal."""
    paths: dict[Path, None] = {}
    files.waiting.append(_say_what_is_waited_for)
    files.written.append(paths.setdefault)
    try:
        yield
    finally:
        files.waiting.pop()
        files.written.pop()
        if sys.stderr.isatty():
            for line in _lines(list(paths)):
                click.echo(line, err=True)


def _say_what_is_waited_for() -> None:
    if sys.stdin.isatty():
        click.echo("dragoman: reading standard input; end it with Ctrl-D, or name a file.", err=True)


def _lines(paths: list[Path]) -> list[str]:
    if len(paths) <= _MOST:
        return [f"wrote {path}" for path in paths]
    folder = os.path.commonpath([path.absolute().parent for path in paths])
    return [f"wrote {len(paths)} files in {os.path.relpath(folder)}"]
