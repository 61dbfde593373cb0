"""What phrases are taken from beside sources, outputs and scores (Wu & Zhao, WMT 2012)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dragoman.align.ibm import Diagonal
from dragoman.data import Bitext
from dragoman.errors import FormatError
from dragoman.files import StrPath, iter_lines

__all__ = ["Phrase", "PhraseMaterial", "functional_bigrams", "read_table_phrases", "split_bigrams"]

Phrase = tuple[str, ...]
_SHORT = 3  # letters of a functional word, at most: the paper's stand-in for parts of speech


@dataclass(frozen=True)
class PhraseMaterial:
    """Texts of the sentences, a line each, and what a corpus and a phrase table tell; each may be missing."""

    post_edits: Sequence[str] | None = None
    references: Sequence[str] | None = None
    back: Sequence[str] | None = None  # the outputs, translated back
    splits: Mapping[Phrase, int] | None = None  # source bigrams that a corpus splits → in how many sentences
    usual: frozenset[Phrase] | None = None  # target bigrams with a functional word that a corpus has
    table: Mapping[str, frozenset[Phrase]] = field(default_factory=dict)  # side → phrases of a phrase table

    def streams(self) -> dict[str, Sequence[str] | None]:
        """What goes by sentences."""
        return {"post_edits": self.post_edits, "references": self.references, "back": self.back}

    def take(self, places: Sequence[int]) -> PhraseMaterial:
        """Of some sentences alone; corpus and table as they are."""
        post_edits, references, back = (
            None if lines is None else [lines[place] for place in places] for lines in self.streams().values()
        )
        return replace(self, post_edits=post_edits, references=references, back=back)

    def having_corpus(self, bitext: Bitext, *, n_threads: int = 1) -> PhraseMaterial:
        """With what a tokenised bitext tells, linked by an aligner that is trained on it."""
        pairs = list(bitext)
        sources, targets = [source for source, _ in pairs], [target for _, target in pairs]
        linked = Diagonal().train(sources, targets, n_threads=n_threads).align(sources, targets, n_threads=n_threads)
        splits = split_bigrams(sources, linked.links, linked.offsets)
        return replace(self, splits=splits, usual=frozenset(functional_bigrams(targets)))


def split_bigrams(sources: Sequence[str], links: NDArray[np.uint16], offsets: NDArray[np.int64]) -> dict[Phrase, int]:
    """Source bigrams whose words' counterparts stand apart: no target word of one is, or is beside, one of the other.

    With the number of sentences in which that is so. A word without a counterpart is apart from nothing.
    """
    counts: dict[Phrase, int] = {}
    for line, (start, end) in zip(sources, pairwise(offsets.tolist()), strict=True):
        words = line.split()
        linked: list[set[int]] = [set() for _ in words]
        for source, target in links[start:end].tolist():
            linked[source].add(target)
        split = {
            (words[at], words[at + 1])
            for at, (one, other) in enumerate(pairwise(linked))
            if one and other and min(abs(a - b) for a in one for b in other) > 1
        }
        for bigram in split:
            counts[bigram] = counts.get(bigram, 0) + 1
    return counts


def functional_bigrams(lines: Iterable[str]) -> set[Phrase]:
    """Bigrams that begin or end with a word of three letters or fewer."""
    return {
        (first, second)
        for line in lines
        for first, second in pairwise(line.split())
        if min(len(first), len(second)) <= _SHORT
    }


def read_table_phrases(path: StrPath) -> dict[str, frozenset[Phrase]]:
    """The phrases of either side of a phrase table in Moses' form: source, target and scores between `|||`."""
    sides: tuple[set[Phrase], set[Phrase]] = (set(), set())
    for number, line in enumerate(iter_lines(path), start=1):
        parts = line.split(" ||| ")
        if len(parts) < 2:
            raise FormatError("expected a source phrase and a target phrase between |||.", path=path, line=number)
        for phrases, text in zip(sides, parts[:2], strict=True):
            phrases.add(tuple(text.split()))
    return {"source": frozenset(sides[0]), "target": frozenset(sides[1])}
