"""What a tagger of names looks at: the word, its letters and those of its neighbours, and lists of names.

Nothing here knows a language. The features are those that taggers of CoNLL 2003 had in common: words, affixes, shapes,
neighbours, and whether a list has the word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from dragoman.learn.chain import TokenVectors

__all__ = ["NameColumns", "NameEncoder", "NameLists", "word_shape"]

_AFFIXES = (1, 2, 3, 4)
_RUNS = re.compile(r"(.)\1+")
_LONGEST_NAME = 12  # tokens of a listed name
_EDGE = -1


def word_shape(word: str) -> str:
    """The word with a letter for each kind of character: `McDonald's-7` is `XxXxxxxx'x-9`."""
    return "".join(
        "X" if c.isupper() or c.istitle() else "x" if c.isalpha() else "9" if c.isnumeric() else c for c in word[:40]
    )


class NameLists:
    """Lists of names, each looked for in text as it is and without regard to case; the longest that fits is taken."""

    def __init__(self, lists: Mapping[str, Sequence[str]]) -> None:
        self.lists = {name: tuple(dict.fromkeys(" ".join(entry.split()) for entry in lists[name])) for name in lists}
        self._known = {name: {entry.casefold() for entry in self.lists[name]} - {""} for name in self.lists}

    def places(self, name: str, tokens: Sequence[str]) -> list[str]:
        """`B` where an entry of the list begins, `I` inside, an empty string elsewhere."""
        known, folded = self._known[name], [token.casefold() for token in tokens]
        found, at = [""] * len(tokens), 0
        while at < len(tokens):
            ends = range(min(len(tokens), at + _LONGEST_NAME), at, -1)
            end = next((end for end in ends if " ".join(folded[at:end]) in known), 0)
            if end:
                found[at:end] = ["B", *["I"] * (end - at - 1)]
            at = max(end, at + 1)
        return found


@dataclass(frozen=True, eq=False)
class NameColumns:
    """The features of tokens, by name: the distinct values of each, and which one each token has (−1 is none)."""

    offsets: NDArray[np.int64]
    columns: Mapping[str, tuple[list[str], NDArray[np.int64]]]

    @classmethod
    def of(cls, token_lines: Sequence[Sequence[str]], lists: NameLists) -> NameColumns:
        """Look at lines of tokens."""
        offsets = np.array([0, *accumulate(map(len, token_lines))], dtype=np.int64)
        types: dict[str, int] = {}
        ids = np.array([types.setdefault(t, len(types)) for t in chain.from_iterable(token_lines)], dtype=np.int64)
        words = list(types)
        line = np.repeat(np.arange(len(token_lines)), np.diff(offsets))
        found: dict[str, tuple[list[str], NDArray[np.int64]]] = {}

        def by_word(of: Callable[[str], str]) -> tuple[list[str], NDArray[np.int64]]:
            values: dict[str, int] = {}
            numbers = [values.setdefault(of(word), len(values)) for word in words]
            return list(values), np.array(numbers, dtype=np.int64)[ids]

        found["word"] = by_word(str)
        lower, shape = by_word(str.lower), by_word(word_shape)
        short = by_word(lambda word: _RUNS.sub(r"\1", word_shape(word)))
        for by in (-2, -1, 0, 1, 2):
            found[f"lower{by:+d}"] = lower[0], _moved(lower[1], line, by)
        for by in (-1, 0, 1):
            found[f"short{by:+d}"] = short[0], _moved(short[1], line, by)
        found["shape"] = shape
        for n in _AFFIXES:
            found[f"prefix{n}"] = by_word(lambda word, n=n: word[:n])  # type: ignore[misc]
            found[f"suffix{n}"] = by_word(lambda word, n=n: word[-n:])  # type: ignore[misc]
        first = np.zeros(len(ids), dtype=bool)
        first[offsets[:-1][np.diff(offsets) > 0]] = True
        found["short-first"] = _pairs(short, (["", "first"], first.astype(np.int64)))
        found["short-pair"] = _pairs(short, found["short+1"])
        found["before-short"] = _pairs(found["lower-1"], short)
        for name in lists.lists:
            marks = list(chain.from_iterable(lists.places(name, tokens) for tokens in token_lines))
            number = {"": _EDGE, "B": 0, "I": 1}
            own = np.array([number[mark] for mark in marks], dtype=np.int64)
            for by in (-1, 0, 1):
                found[f"list {name}{by:+d}"] = ["B", "I"], _moved(own, line, by)
        return cls(offsets, found)


class NameEncoder:
    """The features a tagger knows, each value of a column with a number."""

    def __init__(self, known: Mapping[str, Sequence[str]]) -> None:
        self.known = {name: list(values) for name, values in known.items()}
        total = 1  # 0 is the constant
        self._numbers: dict[str, dict[str, int]] = {}
        for name, values in self.known.items():
            self._numbers[name] = {value: total + place for place, value in enumerate(values)}
            total += len(values)
        self.n_features = total

    @classmethod
    def fit(cls, columns: NameColumns, *, least: int) -> NameEncoder:
        """All values that are there `least` times."""
        known = {}
        for name, (values, numbers) in columns.columns.items():
            counts = Counter(numbers.tolist())
            known[name] = sorted(value for place, value in enumerate(values) if counts[place] >= least)
        return cls(known)

    def vectors(self, columns: NameColumns) -> TokenVectors:
        """The tokens as vectors."""
        table = np.full((int(columns.offsets[-1]), len(self.known) + 1), -1, dtype=np.int32)
        table[:, 0] = 0
        for place, (name, numbers) in enumerate(self._numbers.items(), start=1):
            values, ids = columns.columns[name]
            by_value = np.array([*(numbers.get(value, -1) for value in values), -1], dtype=np.int32)
            table[:, place] = by_value[ids]
        return TokenVectors.of_table(table, columns.offsets, self.n_features)


def _moved(values: NDArray[np.int64], line: NDArray[np.int64], by: int) -> NDArray[np.int64]:
    """The value of the token `by` places on in the same line; −1 where there is none."""
    places = np.arange(len(values)) + by
    there = (places >= 0) & (places < len(values))
    there[there] = line[places[there]] == line[there]
    found = np.full(len(values), _EDGE, dtype=np.int64)
    found[there] = values[places[there]]
    return found


def _pairs(
    first: tuple[list[str], NDArray[np.int64]], second: tuple[list[str], NDArray[np.int64]]
) -> tuple[list[str], NDArray[np.int64]]:
    """The pairs of two columns' values; an edge is a value of its own here."""
    n = len(second[0]) + 1
    both, numbers = np.unique((first[1] + 1) * n + second[1] + 1, return_inverse=True)
    left, right = ["", *first[0]], ["", *second[0]]
    return [f"{left[code // n]}\t{right[code % n]}" for code in both.tolist()], numbers.astype(np.int64)
