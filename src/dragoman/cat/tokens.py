"""Words and marks of a text with their places, as calls of prediction name them."""

from __future__ import annotations

import re

__all__ = ["token_spans"]

_TOKEN = re.compile(r"\w+(?:['’\-]\w+)*|[^\w\s]", re.UNICODE)


def token_spans(text: str) -> list[tuple[int, int]]:
    """Where words and single marks stand: characters `[begin, end)`."""
    return [match.span() for match in _TOKEN.finditer(text)]
