"""Features of the links between words: what is aligned, what is not, in which shapes (de Souza et al. 2013)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.align.base import Aligner
from dragoman.align.result import AlignmentResult
from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, means, most, once, shares, sums
from dragoman.qe.features.corpus import corpus_counts, corpus_frequencies
from dragoman.stats.arrays import Floats

__all__ = [
    "AlignedRuns",
    "AlignmentScore",
    "Crossings",
    "IdfRatio",
    "LinkShapes",
    "OfLinks",
    "link_places",
    "links_of",
    "side_given_other",
]

_FBK = "de Souza et al., WMT 2013, §2.1"
_SIDES = ("source", "target")
_JOINS = ("intersection", "grow-diag-final-and")


@once
def links_of(batch: Batch, join: str, compat: str) -> AlignmentResult:
    """The links of each pair, both directions joined."""
    lines = [batch.tokens(side, compat).lines for side in _SIDES]
    aligner = batch.resources.ask("aligner", Aligner)
    return aligner.align(*lines, symmetrisation=join, n_threads=batch.n_threads)


def link_places(batch: Batch, join: str, compat: str) -> tuple[NDArray[np.int64], dict[str, NDArray[np.int64]]]:
    """The pair of each link, and by side the place of its word among all tokens."""
    links = links_of(batch, join, compat)
    pair = np.repeat(np.arange(len(batch)), np.diff(links.offsets))
    places = {
        side: batch.tokens(side, compat).offsets[pair] + links.links[:, column].astype(np.int64)
        for column, side in enumerate(_SIDES)
    }
    return pair, places


def _fertilities(batch: Batch, join: str, on: str, compat: str) -> NDArray[np.int64]:
    """The number of links of each token of a side."""
    place = link_places(batch, join, compat)[1][on]
    return np.bincount(place, minlength=int(batch.tokens(on, compat).offsets[-1]))


def side_given_other(batch: Batch, links: AlignmentResult, of: str, per: str, compat: str) -> Floats:
    """Ln p of a side given the other, 0 where it is not finite; divided by the length of a side if asked."""
    values = np.asarray(links.log_p_forward if of == "target" else links.log_p_backward, dtype=np.float64)
    values = np.where(np.isfinite(values), values, 0.0)
    return shares(values, batch.tokens(per, compat).lengths) if per else values


@dataclass(frozen=True)
class OfLinks(Feature):
    """Base of features that ask the word aligner."""

    needs: ClassVar[tuple[str, ...]] = ("aligner",)

    join: str = option("intersection", choices=_JOINS, text="how both directions of the alignment are joined")


@dataclass(frozen=True)
class AlignedRuns(OfLinks):
    """Which of a side's words are aligned.

    `aligned`: their share. `unaligned`: number of words without a link. `runs`: runs of unaligned words per word.
    `longest-aligned`, `longest-unaligned`: the longest run per word; `mean-aligned`, `mean-unaligned`: mean length of
    runs. `first`, `last`: place of the first and last unaligned word, 0 to 1, −1 if all are aligned. `ngrams`: share of
    n-grams of `length` words all of which are aligned.
    """

    name: ClassVar[str] = "aligned"
    paper: ClassVar[str] = f"{_FBK}; Graham et al., SemEval 2013, feature A1"

    on: str = option("source", choices=_SIDES, text="of which side")
    value: str = option(
        "aligned",
        choices=(
            "aligned",
            "unaligned",
            "runs",
            "longest-aligned",
            "longest-unaligned",
            "mean-aligned",
            "mean-unaligned",
            "first",
            "last",
            "ngrams",
        ),
        text="what of them",
    )
    length: int = option(2, low=2, high=5, text="of ngrams")

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence."""
        tokens = batch.tokens(self.on, self.compat)
        linked = _fertilities(batch, self.join, self.on, self.compat) > 0
        n = tokens.lengths
        total = len(batch)
        if self.value in ("aligned", "unaligned"):
            counts = sums(linked, tokens.sentence, total)
            return shares(counts, n) if self.value == "aligned" else (n - counts).astype(np.float64)
        if self.value in ("first", "last"):
            return _place(linked, tokens.sentence, tokens.offsets, n, last=self.value == "last")
        if self.value == "ngrams":
            return _whole_ngrams(linked, tokens.sentence, self.length, total)
        wanted = self.value.endswith("-aligned")
        sentence, lengths = _runs(linked if wanted else ~linked, tokens.sentence)
        if self.value.startswith("longest"):
            return shares(most(lengths, sentence, total), n)
        if self.value == "runs":
            return shares(np.bincount(sentence, minlength=total), n)
        return means(lengths, sentence, total)


def _runs(chosen: NDArray[np.bool_], sentence: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The runs of chosen tokens inside sentences: their sentence and their length."""
    begins = chosen.copy()
    if len(chosen) > 1:
        begins[1:] &= ~(chosen[:-1] & (sentence[1:] == sentence[:-1]))
    number = np.cumsum(begins) - 1
    lengths = np.bincount(number[chosen], minlength=int(begins.sum()))
    return sentence[begins], lengths


def _place(
    linked: NDArray[np.bool_],
    sentence: NDArray[np.int64],
    offsets: NDArray[np.int64],
    n: NDArray[np.int64],
    *,
    last: bool,
) -> Floats:
    free = np.flatnonzero(~linked)
    if last:
        free = free[::-1]
    places = np.full(len(n), -1.0)
    # Of several assignments to one sentence the last counts: go through the places from the far end.
    for_place = free[::-1]
    places[sentence[for_place]] = (for_place - offsets[sentence[for_place]]) / np.maximum(n[sentence[for_place]] - 1, 1)
    return places


def _whole_ngrams(linked: NDArray[np.bool_], sentence: NDArray[np.int64], length: int, total: int) -> Floats:
    n = max(0, len(linked) - length + 1)
    whole = np.ones(n, dtype=bool)
    for shift in range(length):
        whole &= linked[shift : shift + n]
    inside = sentence[:n] == sentence[length - 1 :] if n else np.zeros(0, dtype=bool)
    return means(whole[inside], sentence[:n][inside], total)


@dataclass(frozen=True)
class LinkShapes(OfLinks):
    """Share of a side's words in links of one shape; `count` gives the number of one-to-one links instead.

    `one-one`: both words have this link alone; `one-many`: the word has several, each partner this one alone;
    `many-one`: the word has one, its partner several; `many-many`: the rest; `none`: unaligned.
    """

    name: ClassVar[str] = "link-shape"
    paper: ClassVar[str] = "Hardmeier et al., WMT 2012, §3; Soricut et al., WMT 2012, LF11 to LF13"

    on: str = option("source", choices=_SIDES, text="of which side")
    shape: str = option(
        "one-one", choices=("one-one", "one-many", "many-one", "many-many", "none", "count"), text="which links"
    )

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence."""
        other = "target" if self.on == "source" else "source"
        own, across = (_fertilities(batch, self.join, side, self.compat) for side in (self.on, other))
        _, places = link_places(batch, self.join, self.compat)
        tokens = batch.tokens(self.on, self.compat)
        partner = np.zeros(len(own), dtype=np.int64)  # links of the partner that has most
        np.maximum.at(partner, places[self.on], across[places[other]])
        shapes = {
            "one-one": (own == 1) & (partner == 1),
            "one-many": (own > 1) & (partner == 1),
            "many-one": (own == 1) & (partner > 1),
            "many-many": (own > 1) & (partner > 1),
            "none": own == 0,
        }
        if self.shape == "count":
            return sums(shapes["one-one"], tokens.sentence, len(batch))
        return means(shapes[self.shape], tokens.sentence, len(batch))


@dataclass(frozen=True)
class Crossings(OfLinks):
    """Share of neighbouring links, in the order of the source, whose target words stand the other way about."""

    name: ClassVar[str] = "crossings"
    paper: ClassVar[str] = "Graham et al., SemEval 2013 (word order of links)"

    def values(self, batch: Batch) -> Floats:
        """Shares of each pair."""
        pair, places = link_places(batch, self.join, self.compat)
        target = places["target"]
        same = pair[1:] == pair[:-1]
        back = (target[1:] < target[:-1]) & same
        return shares(sums(back, pair[1:], len(batch)), sums(same, pair[1:], len(batch)))


@dataclass(frozen=True)
class AlignmentScore(Feature):
    """Natural log-probability of one side given the other in the aligner's model, per word of that side if asked."""

    name: ClassVar[str] = "alignment-score"
    paper: ClassVar[str] = "Felice & Specia, WMT 2012, §3 (alignment score)"
    needs: ClassVar[tuple[str, ...]] = ("aligner",)

    of: str = option("target", choices=_SIDES, text="whose probability, given the other side")
    mean: bool = option(True, choices=(False, True), text="per word")

    def values(self, batch: Batch) -> Floats:
        """The value of each pair."""
        links = links_of(batch, "intersection", self.compat)
        return side_given_other(batch, links, self.of, self.of if self.mean else "", self.compat)


@dataclass(frozen=True)
class IdfRatio(OfLinks):
    """Weight of the aligned words of the source by that of the target's, or the inverse; 0 where nothing divides.

    A word weighs ln((1 + N)/(1 + frequency)) with N the words of its corpus: rare words weigh more.
    """

    name: ClassVar[str] = "idf-ratio"
    paper: ClassVar[str] = f"{_FBK} (IDF)"
    needs: ClassVar[tuple[str, ...]] = ("aligner", "ngrams", "target_ngrams")

    of: str = option("source", choices=_SIDES, text="which weight is divided")

    def values(self, batch: Batch) -> Floats:
        """The ratio of each pair."""
        weights = {}
        for side in _SIDES:
            frequency, sentence = corpus_frequencies(batch, side, 1, self.compat)
            total = int(corpus_counts(batch, side).tables[0][1].sum())
            weight = np.log((1 + total) / (1 + frequency.astype(np.float64)))
            linked = _fertilities(batch, self.join, side, self.compat) > 0
            weights[side] = sums(weight * linked, sentence, len(batch))
        return shares(weights[self.of], weights["target" if self.of == "source" else "source"])
