"""Features of words: their number, how probable they are after each other, and as translations of the source's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.align import Aligner
from dragoman.align.text import LONGEST
from dragoman.lm import LanguageModel
from dragoman.options import option
from dragoman.rescoring.base import RescoringFeature
from dragoman.rescoring.cutting import ModelFeature, cut_sources, cut_texts
from dragoman.rescoring.lists import CandidateLists
from dragoman.stats.arrays import Floats

__all__ = ["Ibm1", "LanguageModelScore", "Length"]


@dataclass(frozen=True)
class Length(RescoringFeature):
    """How many tokens a candidate has; what other features sum over words makes short ones look good."""

    name: ClassVar[str] = "length"

    cut: str = option("none", text="tokeniser whose tokens are counted, or a phrase engine's folder")

    def scores(self, lists: CandidateLists, *, n_threads: int = 1) -> Floats:
        """The numbers of tokens."""
        lengths = [len(text.split()) for text in cut_texts(lists, self.cut, n_threads=n_threads)]
        return np.array(lengths, dtype=np.float64).reshape(-1, 1)


@dataclass(frozen=True)
class LanguageModelScore(ModelFeature):
    """The logarithm, base 10, of a candidate's probability by a language model of ours or an ARPA file."""

    name: ClassVar[str] = "lm"

    def scores(self, lists: CandidateLists, *, n_threads: int = 1) -> Floats:
        """Of whole sentences."""
        model = LanguageModel.open(self.model)
        texts = cut_texts(lists, self.cut, n_threads=n_threads)
        return np.asarray(model.score(texts, n_threads=n_threads), dtype=np.float64).reshape(-1, 1)


@dataclass(frozen=True)
class Ibm1(ModelFeature):
    """Do the words translate each other: log-probabilities of candidate given source and of source given candidate.

    By a word aligner that `dragoman align --save` kept: IBM model 1, or any other of the methods.
    """

    name: ClassVar[str] = "ibm1"

    @property
    def columns(self) -> tuple[str, ...]:
        """Forward and back."""
        return ("ibm1.forward", "ibm1.back")

    def scores(self, lists: CandidateLists, *, n_threads: int = 1) -> Floats:
        """Natural logarithms; a side without words has no probability to tell, and 0."""
        aligner = Aligner.load(self.model)
        sources, targets = (
            [_shortened(line) for line in cut(lists, self.cut, n_threads=n_threads)] for cut in (cut_sources, cut_texts)
        )
        full = [place for place, both in enumerate(zip(sources, targets, strict=True)) if all(both)]
        values = np.zeros((len(lists.texts), 2))
        if full:
            aligned = aligner.align(_taken(sources, full), _taken(targets, full), n_threads=n_threads)
            values[full] = np.stack([aligned.log_p_forward, aligned.log_p_backward], axis=1)
        return values


def _shortened(line: str) -> str:
    """As many words of a line as an aligner takes."""
    return " ".join(line.split()[:LONGEST])


def _taken(lines: Sequence[str], places: Sequence[int]) -> list[str]:
    return [lines[place] for place in places]
