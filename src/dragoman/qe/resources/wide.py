"""Corpora beside the bitext: counts of n-grams of further text of one language, or lists of n-grams with counts."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import numpy as np

from dragoman import _core
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, read_lines
from dragoman.qe.resources.ngrams import NgramCounts, NgramRecipe, ngram_keys
from dragoman.text.vocabulary import Vocabulary

__all__ = ["MOST_WIDE", "count_wide", "counts_of_list", "wide_name"]

MOST_WIDE = 4  # corpora a side
_ORDER = 3
_UNKNOWN = " "  # no token is a space
_LIST = (".tsv", ".tsv.gz")


def wide_name(side: str, number: int) -> str:
    """What a further corpus of a side is called among the resources; numbers start at 1."""
    return f"wide_{side}_{number}"


def count_wide(path: StrPath, *, without: frozenset[str] = frozenset()) -> NgramCounts:
    """Counts of a file: tokenised text, or, `.tsv`, a list of n-grams and counts. All is lower-cased.

    Lines of text that are among `without` (lower-cased, one space between tokens) are left out: text that holds the
    sentences to judge knows too much of them.
    """
    lines = read_lines(path)
    if Path(path).name.lower().endswith(_LIST):
        try:
            return counts_of_list(_row(line, number) for number, line in enumerate(lines, start=1))
        except _RowError as error:
            raise FormatError(str(error), path=path) from None
    rest = (lowered for line in lines if (lowered := " ".join(line.lower().split())) not in without)
    return NgramRecipe(order=_ORDER).train(rest)


class _RowError(Exception):
    """A line that is no n-gram with its count."""


def _row(line: str, number: int) -> tuple[str, float]:
    ngram, _, count = line.rpartition("\t")
    try:
        value = float(count)
        if not ngram.split() or not 0 <= value < np.inf:
            raise ValueError
    except ValueError:
        raise _RowError(
            f"line {number} is {line!r}; expected an n-gram, words separated by spaces, a tabulator and its count."
        ) from None
    return ngram, value


def counts_of_list(rows: Iterable[tuple[str, float]]) -> NgramCounts:
    """Counts from n-grams and their frequencies, which are rounded up; n-grams longer than three words are left out."""
    words = Vocabulary([_UNKNOWN])
    whitespace = _core.text.surface_tokeniser("none")
    by_length: dict[int, tuple[list[str], list[int]]] = {}
    digest = sha256()
    for ngram, count in rows:
        lowered = " ".join(ngram.lower().split())
        length = lowered.count(" ") + 1
        if length <= _ORDER and count > 0:
            lines, counts = by_length.setdefault(length, ([], []))
            lines.append(lowered)
            counts.append(int(np.ceil(count)))
            digest.update(f"{lowered}\t{counts[-1]}\n".encode())
    if not by_length:
        raise DataError("There are no words to count: the list of n-grams is empty.")
    order = max(by_length)
    tables = []
    for length in range(1, order + 1):
        lines, counts = by_length.get(length, ([], []))
        ids, offsets = words.core.encode(lines, whitespace)
        keys, place = np.unique(ngram_keys(ids, offsets, length)[0], return_inverse=True)
        totals = np.zeros(len(keys), dtype=np.int64)
        np.add.at(totals, place, np.asarray(counts, dtype=np.int64))
        tables.append((keys, totals))
    vocabulary = Vocabulary(words.words(), unk=_UNKNOWN).freeze()
    return NgramCounts(NgramRecipe(order=order), vocabulary, tuple(tables), data={"list": digest.hexdigest()})
