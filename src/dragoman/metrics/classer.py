"""Class error rates: what kind of errors a translation makes, and sums of them as metrics (Popović, WMT 2012).

Every word is correct or in one of five classes (Popović & Ney, CL 2011; the tool Hjerson). A class has a word rate, its
words per hundred words, and a block rate, its runs of words per hundred words. Missing words are words of the reference
and counted by its length; all others are words of the hypothesis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import DataError
from dragoman.metrics.base import Metric, Rows, ratio
from dragoman.metrics.references import References, ScoredText
from dragoman.metrics.words import Ids, WordMetric, encode_lines
from dragoman.options import option
from dragoman.text import Vocabulary
from dragoman.text.annotate import TypeAnnotator
from dragoman.text.layers import annotate_once, make_annotator

__all__ = [
    "BASE_LAYERS",
    "CLASSES",
    "PREFIX",
    "BlockErrors",
    "Classified",
    "EnxErrors",
    "WordBlockErrors",
    "WordErrors",
    "WordReader",
    "Words",
    "XenErrors",
    "class_rates",
    "classify",
    "nearest_reference",
]

# The classes in the order of the kernel's labels 1 … 5 and of the papers' tables.
CLASSES = ("inflection", "order", "missing", "extra", "lexical")
_MISSING = CLASSES.index("missing")

PREFIX = "prefix"
BASE_LAYERS = ("lemma", "stem")  # what base forms are taken from, the first before the second
_PREFIX_LETTERS = 4  # what stands for the base form where there is no lemmatiser, as in Hjerson
_MOST_CELLS = 1 << 31  # of an alignment, one byte each


@dataclass(frozen=True, eq=False)
class Words:
    """Lines as ids of their words and of the words' base forms; line i is [offsets[i], offsets[i + 1])."""

    full: NDArray[np.int32]
    base: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Words per line."""
        return np.diff(self.offsets)


class WordReader:
    """Reads lines into `Words`; all that one reader has read can be compared.

    `base` says where base forms come from: `prefix`, the first four letters, or an annotator that gives lemmas or stems
    (`snowball+lang=de`).
    """

    def __init__(
        self,
        *,
        tokeniser: str = "13a",
        lowercase: bool = False,
        base: str = PREFIX,
        vocabulary: Vocabulary | None = None,  # of ids that are there already
    ) -> None:
        self._tokeniser, self._lowercase = tokeniser, lowercase
        self._annotator = None if base == PREFIX else make_annotator(base, BASE_LAYERS)
        self._full, self._base = Vocabulary() if vocabulary is None else vocabulary, Vocabulary()
        self._base_of_word = np.empty(0, dtype=np.int32)  # by the word's number, of all words seen so far

    def read(self, lines: Sequence[str], *, n_threads: int = 1) -> Words:
        """Words and base forms of lines."""
        return self.with_bases(self._encode(lines, self._tokeniser, self._full, n_threads))

    def with_bases(self, ids: Ids) -> Words:
        """Words that were cut and numbered, with their base forms."""
        full, offsets = ids
        # One base form per distinct word where the annotator allows, else one per word in its line.
        if self._annotator is None or isinstance(self._annotator, TypeAnnotator):
            self._learn_bases()
            return Words(full, self._base_of_word[full], offsets)
        words = self.words(full)
        cuts = offsets.tolist()
        base_lines = annotate_once(self._annotator, [words[a:b] for a, b in pairwise(cuts)])
        return Words(full, self._base.ids([form for line in base_lines for form in line]), offsets)

    def _learn_bases(self) -> None:
        """The base forms of words that are new in the vocabulary."""
        if len(self._full) == len(self._base_of_word):
            return
        new = self._full.words()[len(self._base_of_word) :]
        if isinstance(self._annotator, TypeAnnotator):
            forms = list(self._annotator.annotate([new])[0])
        else:
            forms = [word[:_PREFIX_LETTERS] for word in new]
        self._base_of_word = np.concatenate([self._base_of_word, self._base.ids(forms)])

    def read_with_bases(
        self, lines: Sequence[str], bases: Sequence[str], *, name: str = "hyps", n_threads: int = 1
    ) -> Words:
        """Words of lines whose base forms stand in parallel lines, separated by white space."""
        full, offsets = self._encode(lines, self._tokeniser, self._full, n_threads)
        base, base_offsets = self._encode(bases, "none", self._base, n_threads)
        lengths, base_lengths = np.diff(offsets), np.diff(base_offsets)
        if len(lengths) != len(base_lengths):
            raise DataError(f"{name} has {len(lengths)} lines, its base forms {len(base_lengths)}.")
        if (wrong := np.flatnonzero(lengths != base_lengths)).size:
            at = int(wrong[0])
            raise DataError(
                f"Line {at + 1} of {name} has {lengths[at]} words and {base_lengths[at]} base forms; there must be one "
                "per word. Were both tokenised in the same way (tokeniser='none' takes words as they stand)?"
            )
        return Words(full, base, offsets)

    def _encode(self, lines: Sequence[str], tokeniser: str, vocabulary: Vocabulary, n_threads: int) -> Ids:
        return encode_lines(lines, tokeniser, lowercase=self._lowercase, vocabulary=vocabulary, n_threads=n_threads)

    def words(self, ids: NDArray[np.int32]) -> list[str]:
        """The words that ids stand for."""
        vocabulary = self._full.words()
        return [vocabulary[number] for number in ids.tolist()]


@dataclass(frozen=True, eq=False)
class Classified:
    """The classes of all words of hypotheses and references: 0 correct, else a number in `CLASSES` from 1 on."""

    hyp: Words
    ref: Words
    hyp_labels: NDArray[np.uint8]
    ref_labels: NDArray[np.uint8]
    edits: NDArray[np.int64]  # per line

    def rows(self) -> Rows:
        """Per line: words of each class, blocks of each class, length of hypothesis and of reference."""
        words, blocks = self.counts(ref_side=False)
        ref_words, ref_blocks = self.counts(ref_side=True)
        words[:, _MISSING], blocks[:, _MISSING] = ref_words[:, _MISSING], ref_blocks[:, _MISSING]
        lengths = np.stack([self.hyp.lengths, self.ref.lengths], axis=1)
        return np.concatenate([words, blocks, lengths], axis=1).astype(np.float64)

    def counts(self, *, ref_side: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Words and blocks of each class on one side: arrays (lines, classes)."""
        labels, offsets = (self.ref_labels, self.ref.offsets) if ref_side else (self.hyp_labels, self.hyp.offsets)
        begins = np.ones(len(labels), dtype=bool)  # of a block: the word before has another label or is in another line
        begins[1:] = labels[1:] != labels[:-1]
        begins[offsets[:-1][offsets[:-1] < offsets[1:]]] = True
        # The place of each word in a table of lines and labels.
        n_lines, width = len(offsets) - 1, len(CLASSES) + 1
        places = np.repeat(np.arange(n_lines) * width, np.diff(offsets)) + labels
        words, blocks = (
            np.bincount(each, minlength=n_lines * width).reshape(n_lines, width)[:, 1:]
            for each in (places, places[begins])
        )
        return words, blocks

    def error_rates(self) -> NDArray[np.float64]:
        """Word error rate of each line; infinite where words face an empty reference."""
        length = self.ref.lengths.astype(np.float64)
        return ratio(self.edits.astype(np.float64), length) + np.where((length == 0) & (self.edits > 0), np.inf, 0.0)


def classify(hyp: Words, ref: Words, *, n_threads: int = 1) -> Classified:
    """The class of every word of hypotheses and of their references."""
    cells = (hyp.lengths + 1) * (ref.lengths + 1)
    if cells.size and cells.max() > _MOST_CELLS:
        at = int(cells.argmax())
        raise DataError(
            f"Segment {at + 1} is too long to classify: {hyp.lengths[at]} words against {ref.lengths[at]}. "
            "Cut it into sentences."
        )
    hyp_labels, ref_labels, edits = _core.classer.classify(
        hyp.full, hyp.base, hyp.offsets, ref.full, ref.base, ref.offsets, n_threads=n_threads
    )
    return Classified(hyp, ref, hyp_labels, ref_labels, edits)


def nearest_reference(classified: Sequence[Classified], refs: References) -> NDArray[np.int64]:
    """For each segment, the reference with the lowest word error rate, the first of equals."""
    rates = np.stack([each.error_rates() for each in classified])
    absent = refs.present == 0
    # An absent reference loses even to an infinite rate.
    order = np.lexsort((np.broadcast_to(np.arange(len(classified))[:, np.newaxis], rates.shape), rates, absent), axis=0)
    nearest: NDArray[np.int64] = order[0]
    return nearest


def class_rates(totals: Rows) -> NDArray[np.float64]:
    """Word rates and block rates in per cent, from summed rows: array (…, 10)."""
    totals = np.asarray(totals, dtype=np.float64)
    n = len(CLASSES)
    is_missing = np.arange(2 * n) % n == _MISSING
    lengths = np.where(is_missing, totals[..., 2 * n + 1, np.newaxis], totals[..., 2 * n, np.newaxis])
    return 100.0 * ratio(totals[..., : 2 * n], lengths)


@dataclass(frozen=True)
class _ClassErrorRate(WordMetric):
    """A sum of class error rates. Of several references the one with the lowest word error rate counts."""

    higher_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (
        0.0,
        200.0,
    )  # all words of the hypothesis wrong, all of the reference missing
    kernel: ClassVar[str] = ""  # not a kernel of pairs of ids: it also takes base forms
    weights: ClassVar[tuple[float, ...]]  # of the five word rates, then of the five block rates

    base: str = option(
        PREFIX,
        layers=BASE_LAYERS,
        text="base forms: prefix (the first four letters), the layer lemma or stem, or an annotator (snowball+lang=de)",
    )

    def check(self) -> Self:
        """The metric itself if its options are sound."""
        super().check()
        if self.base not in {PREFIX, *BASE_LAYERS}:
            make_annotator(self.base, BASE_LAYERS)
        return self

    def batch_rows(self, text: ScoredText, n_threads: int) -> Rows:
        """Words and blocks of each class against each segment's nearest reference."""
        reader = WordReader(tokeniser=self.tokeniser, lowercase=self.lowercase, base=self.base)
        streams = [reader.read(text.refs.lines(r), n_threads=n_threads) for r in range(len(text.refs.streams))]
        rows = []
        for hyps in text.systems:
            hyp = reader.read(hyps, n_threads=n_threads)
            classified = [classify(hyp, ref, n_threads=n_threads) for ref in streams]
            choices = np.stack([each.rows() for each in classified])
            nearest = nearest_reference(classified, text.refs)
            rows.append(np.take_along_axis(choices, nearest[np.newaxis, :, np.newaxis], axis=0)[0])
        return np.stack(rows)

    def pair_rows(self, hyps: Sequence[str], refs: Sequence[str], *, n_threads: int = 1) -> Rows:
        """Statistics of every hypothesis against every reference: array (hyps, refs, statistics)."""
        return Metric.pair_rows(self, hyps, refs, n_threads=n_threads)

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Sums of rates."""
        values: NDArray[np.float64] = (class_rates(totals) * self.weights).sum(axis=-1)
        return values

    def verbose(self, totals: Rows) -> str:
        """The word rate and the block rate of each class."""
        rates = class_rates(totals)
        n = len(CLASSES)
        return " ".join(f"{name} = {rates[k]:.1f}/{rates[n + k]:.1f}" for k, name in enumerate(CLASSES))


def _normalised(*weights: float) -> tuple[float, ...]:
    return tuple(weight / sum(weights) for weight in weights)


@dataclass(frozen=True)
class WordErrors(_ClassErrorRate):
    """WΣER: the sum of the word rates of the five classes."""

    name: ClassVar[str] = "worderrcats"
    label_pattern: ClassVar[str] = "WORDERRCATS"
    weights: ClassVar[tuple[float, ...]] = (1.0,) * 5 + (0.0,) * 5


@dataclass(frozen=True)
class BlockErrors(_ClassErrorRate):
    """BΣER: the sum of the block rates of the five classes."""

    name: ClassVar[str] = "blockerrcats"
    label_pattern: ClassVar[str] = "BLOCKERRCATS"
    weights: ClassVar[tuple[float, ...]] = (0.0,) * 5 + (1.0,) * 5


@dataclass(frozen=True)
class WordBlockErrors(_ClassErrorRate):
    """WBΣER: the mean of WΣER and BΣER, which agreed best with human rankings."""

    name: ClassVar[str] = "wordblockerrcats"
    label_pattern: ClassVar[str] = "WORDBLOCKERRCATS"
    weights: ClassVar[tuple[float, ...]] = (0.5,) * 10


# Weights: the rank≥ column of the paper's Table 2 for the direction, divided by their sum.
@dataclass(frozen=True)
class XenErrors(_ClassErrorRate):
    """XENΣER: a mean of all ten rates, weighted for translation into English."""

    name: ClassVar[str] = "xenerrcats"
    label_pattern: ClassVar[str] = "XENERRCATS"
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    weights: ClassVar[tuple[float, ...]] = _normalised(46.2, 53.8, 26.3, 42.7, 86.0, 47.9, 78.3, 21.1, 36.8, 79.5)


@dataclass(frozen=True)
class EnxErrors(_ClassErrorRate):
    """ENXΣER: a mean of all ten rates, weighted for translation out of English."""

    name: ClassVar[str] = "enxerrcats"
    label_pattern: ClassVar[str] = "ENXERRCATS"
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    weights: ClassVar[tuple[float, ...]] = _normalised(71.7, 51.1, 54.4, 12.2, 58.3, 75.6, 60.0, 53.9, 10.0, 62.8)
