"""Tables of paraphrases in METEOR's format, millions of pairs, of which a text is asked for its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import FormatError
from dragoman.files import iter_lines
from dragoman.metrics.words import Ids

__all__ = ["ParaphraseTable", "read_paraphrases"]

_BATCH = 300_000  # lines read at a time, a multiple of three
_TURN = "expected lines of probability, phrase, paraphrase in turn"


@dataclass(frozen=True, eq=False)
class ParaphraseTable:
    """Pairs of phrases, each known by the hash of its text: of five million pairs the strings would take a gigabyte."""

    phrases: NDArray[np.int64]  # rising
    others: NDArray[np.int64]  # the paraphrase of each
    places: NDArray[np.int64]  # in the file, counted from 0
    longest: int  # words of a phrase

    def pairs_in(self, texts: Sequence[Ids], words: Sequence[str]) -> list[list[int]]:
        """The phrases of which texts have both sides, as ids, each followed by its paraphrase, in the file's order."""
        grams = list(_ngrams(texts, words, self.longest))
        hashes = np.fromiter((hash(text) for text, _ in grams), dtype=np.int64, count=len(grams))
        order = np.argsort(hashes)
        rising = hashes[order]
        low, high = np.searchsorted(self.phrases, rising, side="left"), np.searchsorted(self.phrases, rising, "right")
        sizes = high - low
        own = np.repeat(order, sizes)
        entries = np.repeat(low - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes) + np.arange(sizes.sum())
        wanted = self.others[entries]
        at = np.searchsorted(rising, wanted).clip(max=max(len(grams) - 1, 0))
        there = rising[at] == wanted if len(grams) else np.zeros(0, dtype=bool)
        found = sorted(
            zip(self.places[entries[there]].tolist(), own[there].tolist(), order[at[there]].tolist(), strict=True)
        )
        return [list(grams[gram][1]) for _, phrase, other in found for gram in (phrase, other)]


def _ngrams(texts: Sequence[Ids], words: Sequence[str], longest: int) -> Any:
    """The distinct runs of words of all lines, with their ids."""
    lines = {tuple(ids[a:b].tolist()) for ids, offsets in texts for a, b in pairwise(offsets.tolist())}
    grams: dict[tuple[int, ...], str] = {}
    for line in lines:
        for begin in range(len(line)):
            for end in range(begin + 1, min(begin + longest, len(line)) + 1):
                gram = line[begin:end]
                if gram not in grams:
                    grams[gram] = " ".join([words[token] for token in gram])
    return ((text, gram) for gram, text in grams.items())


@lru_cache(maxsize=2)
def read_paraphrases(path: str) -> ParaphraseTable:
    """The table of a file: lines of probability, phrase, paraphrase in turn."""
    lines = iter_lines(path)
    sides: list[list[NDArray[np.int64]]] = [[], []]
    longest = done = 0
    while batch := list(islice(lines, _BATCH)):
        _check(batch, path, done)
        for side, texts in zip(sides, (batch[1::3], batch[2::3]), strict=True):
            plain = [" ".join(phrase.split()) for phrase in texts]
            side.append(np.fromiter(map(hash, plain), dtype=np.int64, count=len(plain)))
            longest = max(longest, 1 + max(phrase.count(" ") for phrase in plain))
        done += len(batch)
    empty = [np.zeros(0, dtype=np.int64)]
    phrases, others = (np.concatenate(side or empty) for side in sides)
    order = np.argsort(phrases, kind="stable")
    return ParaphraseTable(phrases[order], others[order], order, longest)


def _check(batch: list[str], path: str, done: int) -> None:
    """Raise for the first line that is not what its turn asks for."""
    try:
        np.array(batch[0::3], dtype=np.float64)
        is_sound = all(map(str.strip, batch[1::3])) and all(map(str.strip, batch[2::3]))
    except ValueError:
        is_sound = False
    if not is_sound:
        for number, line in enumerate(batch, start=done + 1):
            if number % 3 == 1 and not _is_number(line):
                raise FormatError(f"{line[:40]!r} is no probability; {_TURN}.", path=path, line=number)
            if number % 3 != 1 and not line.strip():
                raise FormatError(f"a phrase is empty; {_TURN}.", path=path, line=number)
    if len(batch) % 3:
        raise FormatError("the last entry has no paraphrase; was the file cut off?", path=path, line=done + len(batch))


def _is_number(line: str) -> bool:
    try:
        float(line)
    except ValueError:
        return False
    return True
