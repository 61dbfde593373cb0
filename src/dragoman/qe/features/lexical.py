"""Features that ask what words are translations of which: IBM model 1, lexical tables, units smaller than words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman.align.base import Aligner
from dragoman.align.result import AlignmentResult
from dragoman.metrics.units import UnitModels, tag_spans
from dragoman.options import option
from dragoman.qe.features.alignment import side_given_other
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, least, means, once, shares
from dragoman.qe.resources.lexicon import LexicalTable
from dragoman.stats.arrays import Floats

__all__ = ["Entropy", "Ibm1Score", "LexicalMatch", "UnitIbm1", "UnitLM"]

_LIMSI = "Zhuang et al., WMT 2012, §3"
_POPOVIC = "Popović, WMT 2012, §2"
_DIRECTIONS = ("target", "source")
_TAGS = ("tag", "morph")
_UNITS = {"piece": "pieces", "class": "classes", "morpheme": "morphemes"}  # unit → resource


@dataclass(frozen=True)
class Ibm1Score(Feature):
    """Natural logarithm of IBM model 1's probability of one side given the other, as it is or per word of a side."""

    name: ClassVar[str] = "ibm1"
    paper: ClassVar[str] = f"{_LIMSI}; {_POPOVIC}"
    needs: ClassVar[tuple[str, ...]] = ("ibm1",)

    of: str = option("target", choices=_DIRECTIONS, text="whose probability, given the other side")
    per: str = option("", choices=("", "source", "target"), text="divided by the length of a side")

    def values(self, batch: Batch) -> Floats:
        """Log-probabilities of each pair."""
        return side_given_other(batch, _ibm1(batch, self.compat), self.of, self.per, self.compat)


@once
def _ibm1(batch: Batch, compat: str) -> AlignmentResult:
    lines = [batch.tokens(side, compat).lines for side in ("source", "target")]
    return batch.resources.ask("ibm1", Aligner).align(*lines, n_threads=batch.n_threads)


def _units(batch: Batch, unit: str) -> UnitModels:
    return batch.resources.ask(_UNITS[unit], UnitModels)


@dataclass(frozen=True)
class _OfUnits(Feature):
    """Base of features that ask models of units."""

    needs: ClassVar[tuple[str, ...]] = ("pieces",)

    unit: str = option("piece", choices=tuple(_UNITS), text="roots and endings, word classes, or morphemes")
    per: str = option("", choices=("", "source", "target"), text="divided by the length of a side in words")

    def needed(self) -> tuple[str, ...]:
        """The models."""
        return (_UNITS[self.unit],)


@dataclass(frozen=True)
class UnitIbm1(_OfUnits):
    """The same of units smaller or coarser than words: MIBM1 of morphemes, P4IBM1 of runs of four classes.

    `morpheme` is learnt from the text; `piece`, a root of four letters and an ending, stands in for it. `tag` and
    `morph` are runs of four true parts of speech, plain or with their morphology.
    """

    name: ClassVar[str] = "unit-ibm1"
    paper: ClassVar[str] = _POPOVIC

    unit: str = option(
        "piece", choices=(*_UNITS, *_TAGS), text="roots and endings, word classes, morphemes, or parts of speech"
    )
    of: str = option("target", choices=_DIRECTIONS, text="whose probability, given the other side")

    def needed(self) -> tuple[str, ...]:
        """The models, and of tags the parsers."""
        if self.unit in _TAGS:
            return (f"{self.unit}_ibm1", "source_parser", "target_parser")
        return super().needed()

    def values(self, batch: Batch) -> Floats:
        """Log-probabilities of each pair."""
        return side_given_other(batch, _unit_ibm1(batch, self.unit, self.compat), self.of, self.per, self.compat)


@once
def _unit_ibm1(batch: Batch, unit: str, compat: str) -> AlignmentResult:
    if unit in _TAGS:
        aligner = batch.resources.ask(f"{unit}_ibm1", Aligner)
        spans = [tag_spans(batch.parses(side).lines(unit)) for side in ("source", "target")]
        return aligner.align(*spans, n_threads=batch.n_threads)
    models = _units(batch, unit)
    lines = [models.spans(side, batch.tokens(side, compat).lines) for side in ("source", "target")]
    return models.ibm1.align(*lines, n_threads=batch.n_threads)


@dataclass(frozen=True)
class UnitLM(_OfUnits):
    """log10 of the probability of a side as units, in a 6-gram model: MLM6 of morphemes, PLM6 of classes."""

    name: ClassVar[str] = "unit-lm"
    paper: ClassVar[str] = _POPOVIC

    on: str = option("target", choices=("source", "target"), text="of which side")

    def values(self, batch: Batch) -> Floats:
        """Log-probabilities of each sentence."""
        models = _units(batch, self.unit)
        lines = models.units(self.on, batch.tokens(self.on, self.compat).lines)
        scores = models.models[self.on].score(lines, n_threads=batch.n_threads)
        return shares(scores, batch.tokens(self.per, self.compat).lengths) if self.per else scores


@dataclass(frozen=True)
class Entropy(Feature):
    """Entropy of the translations of the source's words, −Σ p ln p of each, summed or per word; unknown words: 0."""

    name: ClassVar[str] = "translation-entropy"
    paper: ClassVar[str] = "Hardmeier et al., WMT 2012, §3"
    side: ClassVar[Literal["source"]] = "source"
    needs: ClassVar[tuple[str, ...]] = ("lexicon",)

    mean: bool = option(False, choices=(False, True), text="per word")

    def values(self, batch: Batch) -> Floats:
        """Entropies of each source."""
        lexicon = batch.resources.ask("lexicon", LexicalTable)
        tokens = batch.tokens("source", self.compat)
        of_words = lexicon.entropies[lexicon.vocabulary.ids(tokens.words)] if tokens.words else np.zeros(0)
        entropies = tokens.sums(of_words)
        return shares(entropies, tokens.lengths) if self.mean else entropies


@dataclass(frozen=True)
class LexicalMatch(Feature):
    """How well words of one side find a translation in the other: c(w) = max over the other side's words of p(w | v).

    `mean` of c, its `geometric` mean (with 10⁻⁴ added), the `worst` word's, or the `share` of words with c above a
    threshold. Words of the source are looked up in p(source | target).
    """

    name: ClassVar[str] = "lexical-match"
    paper: ClassVar[str] = "González-Rubio et al., WMT 2012, §3 (IBM-1 confidence); Mehdad et al., WMT 2012, §3 (PT)"
    needs: ClassVar[tuple[str, ...]] = ("lexicon",)

    of: str = option("target", choices=_DIRECTIONS, text="whose words are to be explained")
    value: str = option("mean", choices=("mean", "geometric", "worst", "share"), text="what of the words' confidence")
    threshold: float = option(0.1, low=0, high=1, text="of share")

    def needed(self) -> tuple[str, ...]:
        """The table of the direction."""
        return ("lexicon",) if self.of == "target" else ("inverse_lexicon",)

    def values(self, batch: Batch) -> Floats:
        """The value of each pair."""
        best, sentence = _best(batch, self.of, self.needed()[0], self.compat)
        if self.value == "worst":
            return least(best, sentence, len(batch), empty=1.0)
        values = {"mean": best, "geometric": np.log(best + 1e-4), "share": best > self.threshold}[self.value]
        return means(values, sentence, len(batch))


@once
def _best(batch: Batch, of: str, name: str, compat: str) -> tuple[Floats, NDArray[np.int64]]:
    """The confidence of each word of a side, and its sentence."""
    table = batch.resources.ask(name, LexicalTable)
    other, side = (
        batch.tokens(each, compat) for each in (("source", "target") if of == "target" else ("target", "source"))
    )
    others, own = other.ids_in(table.vocabulary), side.ids_in(table.target_vocabulary)
    return table.best(others, other.offsets, own, side.offsets), side.sentence
