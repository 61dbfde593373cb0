"""What a tokeniser is told to leave whole: patterns with a name, and regular expressions of the caller's.

A pattern is one of the names below, matched by the core in linear time, or `re:` and a regular expression of Python's,
matched here, line by line, before the batch goes to the core. Of matches that overlap the leftmost stays, of those that
begin together the longest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from dragoman.errors import DataError, UnknownName

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PATTERNS", "named_patterns", "own_patterns", "spans_of"]

PATTERNS: dict[str, str] = {
    "url": "http://, https://, ftp://, rsync:// or www. and what follows, without the sentence's closing punctuation",
    "email": "name@host.domain",
    "tag": "<b>, </b>, <a href='…'>, <br/>",
    "placeholder": "{name}, {{name}}, ${name}, %s, %1$d, %.2f, %(name)s",
    "handle": "@name",
    "hashtag": "#name",
    "entity": "&amp;, &#39;, &#x27;",
}
"""The named patterns and what they match; the order is that of the core's `Pattern`."""


def named_patterns(patterns: Sequence[str]) -> int:
    """The named ones among `patterns`, one bit each. Unknown names raise."""
    if isinstance(patterns, str):
        raise DataError(f"Protected patterns are a tuple of strings, got one string. Write ({patterns!r},).")
    names = list(PATTERNS)
    bits = 0
    for pattern in patterns:
        if pattern.startswith("re:"):
            continue
        if pattern not in PATTERNS:
            near = get_close_matches(pattern, names, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise UnknownName(
                f"No pattern is called {pattern!r}.{hint} Known: {', '.join(names)}; "
                "a regular expression starts with re:"
            )
        bits |= 1 << names.index(pattern)
    return bits


def own_patterns(patterns: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    """The regular expressions among `patterns`. Bad ones raise."""
    compiled = []
    for pattern in patterns:
        if pattern.startswith("re:"):
            try:
                compiled.append(re.compile(pattern.removeprefix("re:")))
            except re.error as error:
                raise DataError(f"The protected pattern {pattern!r} is no regular expression: {error}.") from error
    return tuple(compiled)


def spans_of(lines: Sequence[str], patterns: Sequence[re.Pattern[str]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The running count of matches after each line, and begin and end of each match, as the core takes them."""
    import numpy as np

    ends, places = [], []
    for line in lines:
        spans = [match.span() for pattern in patterns for match in pattern.finditer(line)]
        reached = 0
        for begin, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            if reached <= begin < end:
                places += [begin, end]
                reached = end
        ends.append(len(places) // 2)
    return np.array(ends, dtype=np.int64), np.array(places, dtype=np.int64)
