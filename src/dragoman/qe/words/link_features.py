"""What links to the source show of a word: the word it translates, how probable that is, its class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.metrics.units import UnitModels
from dragoman.options import option
from dragoman.qe.features.alignment import link_places
from dragoman.qe.features.batch import Batch, once
from dragoman.qe.resources.lexicon import LexicalTable
from dragoman.qe.words.features import Neighbours, Symbols, WordFeature, moved, words_of
from dragoman.stats.arrays import Floats

__all__ = ["Distortion", "Fertility", "Lexicon", "Pair", "SourceWord", "WordClass", "partners_of"]


_JOIN = "grow-diag-final-and"


@once
def partners_of(batch: Batch) -> NDArray[np.int64]:
    """The first source token that each token of the output is linked to; −1: none."""
    _, places = link_places(batch, _JOIN, "")
    source, target = places["source"], places["target"]
    partner = np.full(int(batch.tokens("target").offsets[-1]), -1, dtype=np.int64)
    # Of several assignments the last counts: the first source word is to win.
    order = np.argsort(-source, kind="stable")
    partner[target[order]] = source[order]
    return partner


@dataclass(frozen=True)
class SourceWord(WordFeature):
    """The source word that the word is linked to, or a neighbour of that one."""

    name: ClassVar[str] = "source"
    paper: ClassVar[str] = "LIG, WMT 2014 (alignment context)"
    needs: ClassVar[tuple[str, ...]] = ("aligner",)

    at: int = option(0, low=-3, high=3, text="of the source word so many places to the right of the linked one")

    def column(self, batch: Batch) -> Symbols:
        """The source words; ∅ for words without a link."""
        words = [word.lower() for word in words_of(batch, "source")]
        if self.at:
            words = list(moved(words, batch.tokens("source").offsets, self.at))
        return ["∅" if place < 0 else words[place] for place in partners_of(batch).tolist()]


@dataclass(frozen=True)
class Pair(WordFeature):
    """The word together with the source word that it is linked to."""

    name: ClassVar[str] = "pair"
    paper: ClassVar[str] = "LIG, WMT 2014"
    needs: ClassVar[tuple[str, ...]] = ("aligner",)

    def column(self, batch: Batch) -> Symbols:
        """Both words."""
        sources = SourceWord().column(batch)
        return [f"{word.lower()} {source}" for word, source in zip(words_of(batch), sources, strict=True)]


@dataclass(frozen=True)
class Fertility(Neighbours):
    """The number of source words that the word is linked to, at most 3."""

    name: ClassVar[str] = "fertility"
    paper: ClassVar[str] = "FBK-UPV-UEdin, WMT 2014"
    needs: ClassVar[tuple[str, ...]] = ("aligner",)

    def own(self, batch: Batch) -> Symbols:
        """The numbers of links."""
        _, places = link_places(batch, _JOIN, "")
        counts = np.bincount(places["target"], minlength=int(batch.tokens("target").offsets[-1]))
        return [str(min(3, count)) for count in counts.tolist()]


@dataclass(frozen=True)
class Distortion(WordFeature):
    """How far the word's source lies from that of the word before, in words; NaN without links."""

    name: ClassVar[str] = "distortion"
    paper: ClassVar[str] = "LIG, WMT 2014 (alignment context)"
    needs: ClassVar[tuple[str, ...]] = ("aligner",)

    def column(self, batch: Batch) -> Floats:
        """The jumps."""
        partner = partners_of(batch).astype(np.float64)
        partner[partner < 0] = np.nan
        before = moved(partner, batch.tokens("target").offsets, -1)
        return np.asarray(partner - np.asarray(before))


@dataclass(frozen=True)
class Lexicon(Neighbours):
    """Lexical probability of the word given the source words: the best, or the mean over all of them and NULL.

    `backward` asks for the probability of a source word given this one. Natural logarithm; floor e⁻²⁰.
    """

    name: ClassVar[str] = "lexicon"
    paper: ClassVar[str] = "FBK-UPV-UEdin, WMT 2014 (WL); LIMSI, WMT 2014"

    value: str = option("best", choices=("best", "mean"), text="the best or the mean of all source words")
    direction: str = option("forward", choices=("forward", "backward"), text="p(target | source) or the inverse")

    def needed(self) -> tuple[str, ...]:
        """The table of this direction."""
        return ("lexicon",) if self.direction == "forward" else ("inverse_lexicon",)

    def own(self, batch: Batch) -> Floats:
        """Logarithms of probabilities."""
        (name,) = self.needed()
        table = batch.resources.ask(name, LexicalTable)
        source, target = batch.tokens("source"), batch.tokens("target")
        sides = {"source": source, "target": target}
        first, second = ("source", "target") if self.direction == "forward" else ("target", "source")
        ids = {
            first: table.vocabulary.ids(sides[first].words) if sides[first].words else np.zeros(0, dtype=np.int32),
            second: table.target_vocabulary.ids(sides[second].words)
            if sides[second].words
            else np.zeros(0, dtype=np.int32),
        }
        column = np.zeros(int(target.offsets[-1]))
        for pair in range(len(batch)):
            of_source = ids["source"][source.ids[source.offsets[pair] : source.offsets[pair + 1]]]
            of_target = ids["target"][target.ids[target.offsets[pair] : target.offsets[pair + 1]]]
            if not len(of_source) or not len(of_target):
                continue
            left = np.repeat(of_source[np.newaxis], len(of_target), axis=0).ravel()
            right = np.repeat(of_target, len(of_source))
            p = table.probabilities(*((left, right) if self.direction == "forward" else (right, left)))
            grid = p.reshape(len(of_target), len(of_source))
            best = grid.max(axis=1) if self.value == "best" else grid.sum(axis=1) / (len(of_source) + 1)
            column[target.offsets[pair] : target.offsets[pair + 1]] = best
        return np.log(np.maximum(column, np.exp(-20.0)))


@dataclass(frozen=True)
class WordClass(Neighbours):
    """The class of the word, or of the source word it is linked to, in place of a part of speech."""

    name: ClassVar[str] = "class"
    paper: ClassVar[str] = "FBK-UPV-UEdin, WMT 2014 (parts of speech)"
    needs: ClassVar[tuple[str, ...]] = ("classes",)

    side: str = option("target", choices=("source", "target"), text="of which word")

    def needed(self) -> tuple[str, ...]:
        """Classes; links for the source's."""
        return (*self.needs, "aligner") if self.side == "source" else self.needs

    def own(self, batch: Batch) -> Symbols:
        """The classes."""
        units = batch.resources.ask("classes", UnitModels)
        classes = [unit for line in units.units(self.side, batch.tokens(self.side).lines) for unit in line.split()]
        if self.side == "target":
            return classes
        return ["" if place < 0 else classes[place] for place in partners_of(batch).tolist()]
