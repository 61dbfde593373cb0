"""Lexical translation tables: p(target word | source word), as IBM model 1 gives them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dragoman.align.ibm import Ibm1
from dragoman.align.lexicon import Lexicon
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines, write_lines
from dragoman.qe.resources.ngrams import look_up
from dragoman.stats.arrays import Floats
from dragoman.text.vocabulary import Vocabulary

__all__ = ["LexicalTable"]

_UNKNOWN = " "  # no token is a space
_SLACK = 1.01  # probabilities of one word may sum to this much: tables are printed with few digits


class LexicalTable:
    """The translations of source words with their probabilities."""

    def __init__(self, entries: Iterable[tuple[str, str, float]]) -> None:
        words, targets, probabilities = [], [], []
        for source, target, probability in entries:
            if not 0 <= probability <= 1:
                raise DataError(f"p({target!r} | {source!r}) is {probability}; a probability lies between 0 and 1.")
            words.append(source)
            targets.append(target)
            probabilities.append(probability)
        vocabularies = Vocabulary(unk=_UNKNOWN), Vocabulary(unk=_UNKNOWN)
        none = np.zeros(0, dtype=np.int32)
        self._fill(
            vocabularies[0].ids(words) if words else none,
            vocabularies[1].ids(targets) if targets else none,
            np.array(probabilities, dtype=np.float64),
            vocabularies,
        )

    def _fill(
        self,
        sources: NDArray[np.int32],
        targets: NDArray[np.int32],
        p: Floats,
        vocabularies: tuple[Vocabulary, Vocabulary],
    ) -> None:
        if not len(p):
            raise DataError("The lexical table is empty.")
        self.vocabulary, self.target_vocabulary = (each.freeze() for each in vocabularies)
        self._source, self._target, self._p = sources, targets, p
        sums = np.bincount(sources, weights=p, minlength=len(self.vocabulary))
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

    @cached_property
    def entropies(self) -> Floats:
        """−Σ p ln p of the translations of each word of the vocabulary, by id."""
        parts = -self._p * np.log(np.where(self._p > 0, self._p, 1.0))
        return np.bincount(self._source, weights=parts, minlength=len(self.vocabulary)).astype(np.float64)

    def probabilities(self, sources: NDArray[np.int32], targets: NDArray[np.int32]) -> Floats:
        """p(target | source) of pairs of ids of the two vocabularies, 0 for pairs that the table has not."""
        keys, p = self._sorted
        return look_up(sources.astype(np.int64) * len(self.target_vocabulary) + targets, keys, p, 0.0)

    @cached_property
    def _sorted(self) -> tuple[NDArray[np.int64], Floats]:
        keys = self._source.astype(np.int64) * len(self.target_vocabulary) + self._target
        order = np.argsort(keys, kind="stable")
        return keys[order], self._p[order]

    def best(
        self,
        givens: NDArray[np.int32],
        given_offsets: NDArray[np.int64],
        wanted: NDArray[np.int32],
        wanted_offsets: NDArray[np.int64],
    ) -> Floats:
        """For each wanted word, ids of the target vocabulary, the highest p(word | v) of a word v of its sentence."""
        best = np.zeros(len(wanted))
        n = len(wanted_offsets) - 1
        lengths, widths = np.diff(wanted_offsets), np.diff(given_offsets)
        # All pairs of words of a sentence pair, a slice of sentences at a time to bound memory.
        for first in range(0, n, 2000):
            last = min(first + 2000, n)
            rows = np.arange(wanted_offsets[first], wanted_offsets[last])
            width = np.repeat(widths[first:last], lengths[first:last])
            start = np.repeat(given_offsets[first:last], lengths[first:last])
            flat = np.repeat(rows, width)
            inner = np.arange(len(flat)) - np.repeat(np.cumsum(width) - width, width)
            np.maximum.at(best, flat, self.probabilities(givens[np.repeat(start, width) + inner], wanted[flat]))
        return best

    def entries(self) -> Iterator[tuple[str, str, float]]:
        """Source word, target word, probability, in the order they came in."""
        words, others = self.vocabulary.words(), self.target_vocabulary.words()
        for s, t, p in zip(self._source.tolist(), self._target.tolist(), self._p.tolist(), strict=True):
            yield words[s], others[t], p

    def write(self, path: StrPath) -> None:
        """Write the table as `read` takes it."""
        write_lines(path, (f"{source}\t{target}\t{p!r}" for source, target, p in self.entries()))

    @classmethod
    def of_lexicon(cls, lexicon: Lexicon) -> Self:
        """The table that an aligner learnt, without the empty word."""
        table = cls.__new__(cls)
        real = lexicon.sources >= 0
        first, second = (
            Vocabulary([_UNKNOWN, *each.words()], unk=_UNKNOWN)
            for each in (lexicon.source_vocabulary, lexicon.target_vocabulary)
        )
        # The unknown word stands first, so every id is one higher.
        table._fill(
            lexicon.sources[real] + 1, lexicon.targets[real] + 1, lexicon.p[real].astype(float), (first, second)
        )
        return table

    @classmethod
    def of_bitext(cls, sources: Sequence[str], targets: Sequence[str], *, n_threads: int = 1) -> Self:
        """What IBM model 1 learns from a tokenised bitext (Brown et al. 1993)."""
        return cls.of_lexicon(Ibm1().train(sources, targets, n_threads=n_threads).lexicon())

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
