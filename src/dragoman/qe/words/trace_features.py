"""What the n-best list of an engine, the translating one or another, says of a word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dragoman.options import option
from dragoman.qe.features.batch import Batch
from dragoman.qe.features.traced import CRITERIA, WEIGHTINGS, list_confidences
from dragoman.qe.words.features import Neighbours
from dragoman.stats.arrays import Floats

__all__ = ["ListWords", "Posterior"]


@dataclass(frozen=True)
class Posterior(Neighbours):
    """Which share of the n-best list agrees with the word, or with the n-gram that begins with it.

    Criteria and weights are those of the sentence feature `nbest-confidence`; NaN where the sentence ends before the
    n-gram.
    """

    name: ClassVar[str] = "posterior"
    paper: ClassVar[str] = "FBK-UPV-UEdin, WMT 2014 (WPP); González-Rubio et al., WMT 2012"
    needs: ClassVar[tuple[str, ...]] = ("trace",)

    criterion: str = option("levenshtein", choices=CRITERIA, text="when an entry agrees")
    weights: str = option("probability", choices=WEIGHTINGS, text="how entries weigh")
    length: int = option(1, low=1, high=4, text="words of the n-gram")
    scale: float = option(1.0, low=0, text="of scores when probabilities are made of them")

    def own(self, batch: Batch) -> Floats:
        """The shares."""
        values, _ = list_confidences(batch, scale=self.scale)
        return values[:, CRITERIA.index(self.criterion), WEIGHTINGS.index(self.weights), self.length - 1]


@dataclass(frozen=True)
class ListWords(Neighbours):
    """The words that the n-best list has in the place of the word, by edits: a place of a confusion network.

    Largest and smallest share, number of different words (none among them), entropy in nats.
    """

    name: ClassVar[str] = "list-words"
    paper: ClassVar[str] = "FBK-UPV-UEdin, WMT 2014 (CN)"
    needs: ClassVar[tuple[str, ...]] = ("trace",)

    value: str = option("entropy", choices=("most", "least", "alternatives", "entropy"), text="what of them")
    scale: float = option(1.0, low=0, text="of scores when probabilities are made of them")

    def own(self, batch: Batch) -> Floats:
        """The values."""
        _, network = list_confidences(batch, scale=self.scale)
        return network[:, ("most", "least", "alternatives", "entropy").index(self.value)]
