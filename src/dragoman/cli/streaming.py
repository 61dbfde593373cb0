"""Commands that turn lines into lines: in batches, so that memory does not grow with the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from dragoman.cli.output import emit

__all__ = ["stream_lines"]

_BATCH = 10_000  # lines; enough to keep the core's threads busy


def stream_lines(
    change: Callable[[list[str]], list[str]], source: str, *, form: str, output: str, made_by: dict[str, Any]
) -> None:
    """Read lines, change them batch by batch, and write them; in a form other than text, as one result."""
    from dragoman.files import iter_lines, open_writer
    from dragoman.report import Lines

    changed = (line for batch in _batches(iter_lines(source)) for line in change(batch))
    if form != "text":
        emit(Lines(tuple(changed), made_by), form, output)
        return
    with open_writer(output) as stream:
        for line in changed:
            stream.write(line + "\n")


def _batches(lines: Iterator[str]) -> Iterator[list[str]]:
    while batch := list(islice(lines, _BATCH)):
        yield batch
