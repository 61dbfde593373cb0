"""A hole in a translation, between what a translator has written before it and behind it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

__all__ = ["hole"]


def hole(words: Sequence[str], prefix: Sequence[Collection[str]], suffix: Sequence[Collection[str]]) -> tuple[int, int]:
    """Where in a translation the hole between a prefix and a suffix is: the longest ends with the fewest edits.

    Of a prefix and a suffix each word is given by the words that fit there, without regard to case.
    """
    folded = [word.casefold() for word in words]
    heads, tails = _edits(folded, prefix), _edits(folded[::-1], suffix[::-1])
    n = len(words)
    _, begin, end = min((heads[i] + tails[n - j], -i, j) for i in range(n + 1) for j in range(i, n + 1))
    return -begin, end


def _edits(words: Sequence[str], wanted: Sequence[Collection[str]]) -> list[int]:
    """Edits between each beginning of `words` and all that is wanted, each a set of words that fit."""
    column = list(range(len(wanted) + 1))
    ends = [column[-1]]
    for word in words:
        above = column
        column = [above[0] + 1]
        for j, fitting in enumerate(wanted):
            column.append(min(above[j] + (word not in fitting), above[j + 1] + 1, column[j] + 1))
        ends.append(column[-1])
    return ends
