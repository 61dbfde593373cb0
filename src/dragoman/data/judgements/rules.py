"""What the fields of one judgement must not say together, kind by kind: fields are checked one by one elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

__all__ = ["RULES"]


def ranking_problems(row: Mapping[str, Any]) -> Iterator[str]:
    """A system stands on a screen once, and what is ranked is a system."""
    seen: set[str] = set()
    n = 1
    while f"system{n}" in row:
        system = row[f"system{n}"]
        if system is None and row[f"rank{n}"] is not None:
            yield f"rank{n} is {row[f'rank{n}']}, but there is no system{n}"
        if system is not None and system in seen:
            yield f"the system {system!r} is ranked twice on one screen"
        seen.add(system)
        n += 1


RULES: dict[str, Callable[[Mapping[str, Any]], Iterator[str]]] = {"relative-ranking": ranking_problems}
