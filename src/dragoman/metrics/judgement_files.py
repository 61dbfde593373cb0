"""Files of human judgements that metrics are tuned to: one number a line, or a system and its number."""

from __future__ import annotations

import math

from dragoman.errors import FormatError
from dragoman.files import StrPath, iter_lines

__all__ = ["read_segment_judgements", "read_system_judgements"]

_NONE = {"", "-", "None"}  # no judgement, as mt-metrics-eval writes it


def read_segment_judgements(path: StrPath) -> list[float | None]:
    """One judgement a line; `None`, `-` or nothing where there is none."""
    return [_number(line, path, number) for number, line in enumerate(iter_lines(path), start=1)]


def read_system_judgements(path: StrPath) -> dict[str, float | None]:
    """Judgements from lines `system<TAB>number`."""
    judgements: dict[str, float | None] = {}
    for number, line in enumerate(iter_lines(path), start=1):
        name, tab, value = line.partition("\t")
        if not tab:
            raise FormatError(f"expected system<TAB>number, got {line[:60]!r}.", path=path, line=number)
        if name in judgements:
            raise FormatError(f"the system {name!r} was judged before.", path=path, line=number)
        judgements[name] = _number(value, path, number)
    return judgements


def _number(text: str, path: StrPath, line: int) -> float | None:
    if text.strip() in _NONE:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise FormatError(f"the judgement is {text[:60]!r}; expected a number, or None.", path=path, line=line)
    return value
