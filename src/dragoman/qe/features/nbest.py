"""Features of n-best lists: how far they agree with the output, how far they lie apart, what models of them say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, least, means, once, shares
from dragoman.qe.features.traced import CRITERIA, WEIGHTINGS, Lists, list_confidences, list_numbers, over_lists
from dragoman.qe.resources.quartiles import ListQuartiles
from dragoman.stats.arrays import Floats

__all__ = [
    "ConfidenceQuartile",
    "ListConfidence",
    "ListDistance",
    "ListDiversity",
    "ListLM",
    "ListNumbers",
    "WordNetwork",
]

_PRHLT = "González-Rubio et al., WMT 2012, §3"
_FBK = "de Souza et al., WMT 2013, §2.2"
_LEAST = 1e-10  # of a confidence whose logarithm is taken


@dataclass(frozen=True)
class _OfLists(Feature):
    """Base of features of n-best lists."""

    side: ClassVar[Literal["target"]] = "target"
    needs: ClassVar[tuple[str, ...]] = ("trace",)


@dataclass(frozen=True)
class ListConfidence(_OfLists):
    """Which share of an engine's n-best list agrees with the n-grams of the output: mean, geometric mean, or the least.

    An entry agrees with an n-gram at a place if it has it there (`position`); if a shortest edit script keeps its
    words, next to each other (`levenshtein`); if it has it anywhere (`any`); or within one word of its mean place in
    the list (`average`, a reading of ours: the paper does not define it). Entries weigh by probability (in proportion
    to exp(scale · score)), by rank (the last 1, the one before 2, …), or all alike.
    """

    name: ClassVar[str] = "nbest-confidence"
    paper: ClassVar[str] = f"{_PRHLT}; {_FBK} (WPP); after Ueffing & Ney, Computational Linguistics 2007"

    criterion: str = option("levenshtein", choices=CRITERIA, text="when an entry agrees")
    weights: str = option("probability", choices=WEIGHTINGS, text="how entries weigh")
    length: int = option(1, low=1, high=4, text="words of the n-grams")
    value: str = option("mean", choices=("mean", "geometric", "worst"), text="what of the shares")
    floor: float = option(-20.0, high=0, text="geometric: no natural logarithm below it; FBK cut at -2")
    scale: float = option(1.0, low=0, text="of scores when probabilities are made of them")
    case: bool = option(False, choices=(False, True), text="tell capitals from small letters")

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence; 0 where it has no such n-gram."""
        values = list_confidences(batch, scale=self.scale, case=self.case)[0]
        return _summed(batch, _column(values, self.criterion, self.weights, self.length), self.value, self.floor)


def _column(values: Floats, criterion: str, weights: str, length: int) -> Floats:
    return values[:, CRITERIA.index(criterion), WEIGHTINGS.index(weights), length - 1]


def _summed(batch: Batch, column: Floats, value: str, floor: float) -> Floats:
    """Mean, geometric mean or least of the numbers of each sentence; NaN is none."""
    there = ~np.isnan(column)
    sentence, own = batch.tokens("target").sentence[there], column[there]
    if value == "geometric":
        logs = np.maximum(np.log(np.maximum(own, _LEAST)), floor)
        some = np.bincount(sentence, minlength=len(batch)) > 0
        return np.where(some, np.exp(means(logs, sentence, len(batch))), 0.0)
    return (least if value == "worst" else means)(own, sentence, len(batch))


@dataclass(frozen=True)
class ConfidenceQuartile(_OfLists):
    """The share of an output's n-grams whose agreement with the n-best list falls into a quartile of the training data.

    The first quartile has the least agreement; where ties make cuts equal, what equals a cut lies above it.
    Probabilities are of scores as they are, and words in lower case.
    """

    name: ClassVar[str] = "nbest-quartile"
    paper: ClassVar[str] = _PRHLT
    needs: ClassVar[tuple[str, ...]] = ("quartiles", "trace")

    criterion: str = option("levenshtein", choices=CRITERIA, text="when an entry agrees")
    weights: str = option("probability", choices=WEIGHTINGS, text="how entries weigh")
    length: int = option(1, low=1, high=4, text="words of the n-grams")
    quartile: int = option(1, low=1, high=4, text="which quartile")

    def values(self, batch: Batch) -> Floats:
        """The share of each sentence; 0 where it has no such n-gram."""
        column = _column(list_confidences(batch)[0], self.criterion, self.weights, self.length)
        there = ~np.isnan(column)
        cuts = batch.resources.ask("quartiles", ListQuartiles).cuts(self.criterion, self.weights, self.length)
        part = np.searchsorted(cuts, column[there], side="right") + 1
        return means(part == self.quartile, batch.tokens("target").sentence[there], len(batch))


@dataclass(frozen=True)
class WordNetwork(_OfLists):
    """The words that the n-best list has in the places of the output's words (a confusion network), mean over places.

    `most` and `least`: share of the most and least probable word of a place; `alternatives`: how many there are, having
    none among them; `entropy`: of their shares, in nats.
    """

    name: ClassVar[str] = "nbest-network"
    paper: ClassVar[str] = "de Souza et al., WMT 2014 (CN)"

    value: str = option("entropy", choices=("most", "least", "alternatives", "entropy"), text="what of each place")
    scale: float = option(1.0, low=0, text="of scores when probabilities are made of them")
    case: bool = option(False, choices=(False, True), text="tell capitals from small letters")

    def values(self, batch: Batch) -> Floats:
        """The mean of each sentence."""
        network = list_confidences(batch, scale=self.scale, case=self.case)[1]
        place = ("most", "least", "alternatives", "entropy").index(self.value)
        return _summed(batch, network[:, place], "mean", 0.0)


_DIVERSITY = ("central", "mean-distance", "top-to-central", "near", "repeats", "all-pairs")
_NEAR = (1, 2, 5, 10)


@dataclass(frozen=True)
class ListDiversity(_OfLists):
    """How far the entries of the n-best list lie apart, in edits.

    `central`: rank, from 0, of the entry with the least mean distance to the others; `mean-distance`: that distance by
    the length of the first entry; `top-to-central`: distance of the first to it; `near`: entries within `edits` of the
    first; `repeats`: how often the first comes again; `all-pairs`: mean distance of two entries by the first's length.
    """

    name: ClassVar[str] = "nbest-diversity"
    paper: ClassVar[str] = _FBK

    value: str = option("mean-distance", choices=_DIVERSITY, text="what of them")
    edits: int = option(2, choices=_NEAR, text="near: at most so many")
    unit: str = option("word", choices=("word", "character"), text="what is edited")
    entries: int = option(100, low=1, text="how many entries, from the first, are compared, each with each")

    def values(self, batch: Batch) -> Floats:
        """The value of each list; 0 where it is empty."""
        measures, lengths = _diversities(batch, self.unit, self.entries)
        if self.value == "near":
            return measures[:, 3 + _NEAR.index(self.edits)]
        place = {"central": 0, "mean-distance": 1, "top-to-central": 2, "repeats": 7, "all-pairs": 8}[self.value]
        return shares(measures[:, place], lengths) if place in (1, 8) else measures[:, place]


@once
def _diversities(batch: Batch, unit: str, entries: int) -> tuple[Floats, Floats]:
    """Of each list what the kernel measures, and the length of its first entry."""

    def measure(lists: Lists) -> tuple[Floats, Floats]:
        measures = _core.nbest.diversities(*lists.arrays, entries, n_threads=batch.n_threads)
        return measures, _first_lengths(lists.entry_offsets, lists.list_offsets)

    parts = [(np.zeros((0, 9)), np.zeros(0)), *over_lists(batch, measure, character=unit == "character")]
    return np.concatenate([measures for measures, _ in parts]), np.concatenate([lengths for _, lengths in parts])


def _first_lengths(entry_offsets: NDArray[np.int64], list_offsets: NDArray[np.int64]) -> Floats:
    """The length of each list's first entry; 0 where it is empty."""
    lengths = np.append(np.diff(entry_offsets), 0)
    return np.where(np.diff(list_offsets) > 0, lengths[list_offsets[:-1]], 0).astype(np.float64)


@dataclass(frozen=True)
class ListLM(_OfLists):
    """What a language model trained on the sentence's own n-best list says of the output.

    Log-probability (base 10) as a `sum` or by word (`mean`), or `perplexity`; the end is counted. Counts are
    interpolated by Witten & Bell's rule.
    """

    name: ClassVar[str] = "nbest-lm"
    paper: ClassVar[str] = _PRHLT

    order: int = option(3, low=1, high=5, text="words of the longest n-grams")
    value: str = option("mean", choices=("sum", "mean", "perplexity"), text="what of them")
    case: bool = option(False, choices=(False, True), text="tell capitals from small letters")

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence."""
        log_p = _list_log_p(batch, self.case)[:, self.order - 1]
        mean = log_p / (batch.tokens("target").lengths + 1)
        return log_p if self.value == "sum" else mean if self.value == "mean" else np.asarray(10.0**-mean)


@once
def _list_log_p(batch: Batch, case: bool) -> Floats:
    n_threads = batch.n_threads
    parts = over_lists(batch, lambda lists: _core.nbest.list_log_p(*lists.arrays, n_threads=n_threads), case=case)
    return np.concatenate([np.zeros((0, 5)), *parts])


@dataclass(frozen=True)
class ListNumbers(_OfLists):
    """The n-best list in a number.

    `size`: entries; `length`: their mean number of words; `vocabulary`: different words by that mean;
    `vocabulary-by-source`: the same by the source's words; `entropy` of the entries' probabilities, in nats; `top`: the
    first one's; `gap`: its score less the second's; `range`: less the last's.
    """

    name: ClassVar[str] = "nbest-list"
    paper: ClassVar[str] = f"{_PRHLT}; Rubino et al., WMT 2012 (number of n-bests)"

    value: str = option(
        "size",
        choices=("size", "length", "vocabulary", "vocabulary-by-source", "entropy", "top", "gap", "range"),
        text="which",
    )
    scale: float = option(1.0, low=0, text="of scores when probabilities are made of them")

    def values(self, batch: Batch) -> Floats:
        """The value of each list; 0 where it is empty."""
        numbers = list_numbers(batch, scale=self.scale)
        if self.value == "vocabulary":
            return shares(numbers["vocabulary"], numbers["length"])
        if self.value == "vocabulary-by-source":
            return shares(numbers["vocabulary"], batch.tokens("source").lengths)
        return numbers[self.value]


@dataclass(frozen=True)
class ListDistance(_OfLists):
    """Edits between the output and the list of an engine that need not have made it, by the output's length.

    `top`: to the engine's best translation; `nearest`: to the entry that is nearest; `inside`: 1 if the output is an
    entry, else 0 (not divided).
    """

    name: ClassVar[str] = "nbest-distance"
    paper: ClassVar[str] = "after de Souza et al., WMT 2014 (lists of another engine)"

    value: str = option("nearest", choices=("top", "nearest", "inside"), text="to what")
    case: bool = option(False, choices=(False, True), text="tell capitals from small letters")

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence; 1 (`inside` 0) where the list is empty."""
        return _list_distances(batch, self.case)[:, ("top", "nearest", "inside").index(self.value)]


@once
def _list_distances(batch: Batch, case: bool) -> Floats:
    parts = over_lists(batch, lambda lists: _distances(lists, batch.n_threads), case=case)
    return np.concatenate([np.zeros((0, 3)), *parts])


def _distances(lists: Lists, n_threads: int) -> Floats:
    """Of each output: edits to the first entry and to the nearest one, by its length; whether it is an entry."""
    list_of, some = lists.list_of, lists.sizes > 0
    own = np.diff(lists.output_offsets)
    lengths = own[list_of]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    within = np.arange(int(offsets[-1])) - np.repeat(offsets[:-1], lengths)
    repeated = lists.outputs[within + np.repeat(lists.output_offsets[:-1][list_of], lengths)]
    edits = _core.edit.levenshtein(repeated, offsets, lists.entries, lists.entry_offsets, n_threads=n_threads)
    distances = np.tile([1.0, 1.0, 0.0], (len(own), 1))
    first = lists.list_offsets[:-1][some]
    nearest = np.minimum.reduceat(edits, first) if len(first) else np.zeros(0)
    distances[some, 0] = edits[first] / np.maximum(own[some], 1)
    distances[some, 1] = nearest / np.maximum(own[some], 1)
    distances[some, 2] = nearest == 0
    return distances
