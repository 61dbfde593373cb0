"""Lexical translation tables: p(target word | source word), as IBM model 1 gives them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dragoman.align.ibm import Ibm1
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines, write_lines
from dragoman.text.vocabulary import Vocabulary

__all__ = ["LexicalTable"]

_UNKNOWN = " "  # no token is a space
_SLACK = 1.01  # probabilities of one word may sum to this much: tables are printed with few digits


class LexicalTable:
    """The translations of source words with their probabilities."""

    def __init__(self, entries: Iterable[tuple[str, str, float]]) -> None:
        self.vocabulary = Vocabulary(unk=_UNKNOWN)
        words, targets, probabilities = [], [], []
        for source, target, probability in entries:
            if not 0 <= probability <= 1:
                raise DataError(f"p({target!r} | {source!r}) is {probability}; a probability lies between 0 and 1.")
            words.append(source)
            targets.append(target)
            probabilities.append(probability)
        if not words:
            raise DataError("The lexical table is empty.")
        self._source = self.vocabulary.ids(words)
        self._targets = targets
        self._p = np.array(probabilities)
        self.vocabulary.freeze()
        sums = np.bincount(self._source, weights=self._p, minlength=len(self.vocabulary))
        if sums.max() > _SLACK:
            word = self.vocabulary.word(int(sums.argmax()))
            raise DataError(
                f"The probabilities of {word!r} sum to {sums.max():.4g}, more than 1. Is the table of the other "
                "direction? Expected p(target | source) in lines of source, target, probability."
            )

    def __len__(self) -> int:
        """The number of entries."""
        return len(self._p)

    def n_translations(self, threshold: float) -> NDArray[np.int64]:
        """How many translations more probable than the threshold each word of the vocabulary has, by id."""
        return np.bincount(self._source[self._p > threshold], minlength=len(self.vocabulary))

    def entries(self) -> Iterator[tuple[str, str, float]]:
        """Source word, target word, probability, in the order they came in."""
        words = self.vocabulary.words()
        for source, target, probability in zip(self._source.tolist(), self._targets, self._p.tolist(), strict=True):
            yield words[source], target, probability

    def write(self, path: StrPath) -> None:
        """Write the table as `read` takes it."""
        write_lines(path, (f"{source}\t{target}\t{p!r}" for source, target, p in self.entries()))

    @classmethod
    def of_bitext(cls, sources: Sequence[str], targets: Sequence[str], *, n_threads: int = 1) -> Self:
        """What IBM model 1 learns from a tokenised bitext (Brown et al. 1993)."""
        lexicon = Ibm1().train(sources, targets, n_threads=n_threads).lexicon()
        names = lexicon.source_vocabulary.words(), lexicon.target_vocabulary.words()
        table = zip(lexicon.sources.tolist(), lexicon.targets.tolist(), lexicon.p.tolist(), strict=True)
        return cls((names[0][s], names[1][t], p) for s, t, p in table if s >= 0)

    @classmethod
    def read(cls, path: StrPath) -> Self:
        """From lines of source word, target word and probability, separated by tabs or blanks."""

        def entries() -> Iterable[tuple[str, str, float]]:
            for number, line in enumerate(iter_lines(path), start=1):
                cells = line.split()
                try:
                    source, target, probability = cells[0], cells[1], float(cells[2])
                except (IndexError, ValueError):
                    probability = math.nan
                if len(cells) != 3 or not math.isfinite(probability):
                    raise FormatError(
                        f"expected source word, target word and probability; found {line[:60]!r}.",
                        path=path,
                        line=number,
                    )
                yield source, target, probability

        try:
            return cls(entries())
        except FormatError:
            raise
        except DataError as error:
            raise FormatError(str(error), path=path) from None
