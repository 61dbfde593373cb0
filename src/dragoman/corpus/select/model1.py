"""Selection by IBM model 1: pairs whose words translate each other as in a good bitext."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from dragoman.corpus.learnt import Model1
from dragoman.corpus.scorers import PairScorer
from dragoman.corpus.select.base import Scorer, SelectionScore
from dragoman.corpus.select.texts import TextBatch, Texts
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["Model1Score"]


@dataclass(frozen=True)
class Model1Score(SelectionScore):
    """IBM model 1's log-probability per word, the mean of both directions, by a lexicon of the bitext to be like.

    This is the score of Edinburgh's system at WMT 2012, and the learnt filter `model1`.
    """

    name: ClassVar[str] = "model1"
    needs_pairs: ClassVar[bool] = True
    in_parts: ClassVar[bool] = True

    learnt_from: int = option(200_000, low=2, text="pairs that are learnt from, evenly spread")

    def start(self, like: Texts | None, pool: Texts, *, seed: int, n_threads: int) -> Scorer:  # noqa: ARG002
        """See `SelectionScore`."""
        return _scorer(self._learnt(like, pool, n_threads), n_threads)

    def learn(self, folder: Path, like: Texts | None, pool: Texts, *, seed: int, n_threads: int) -> None:  # noqa: ARG002
        """See `SelectionScore`."""
        self._learnt(like, pool, n_threads).save(folder / "model1")

    def open(self, folder: Path, *, n_threads: int) -> Scorer:
        """See `SelectionScore`."""
        return _scorer(PairScorer.load(folder / "model1"), n_threads)

    def _learnt(self, like: Texts | None, pool: Texts, n_threads: int) -> PairScorer:
        text = self.wanted(like)
        self.compared_sides(text, pool)
        recipe = Model1(tokeniser=self.tokeniser, most=self.learnt_from)
        return recipe.train(text.bitext, n_threads=n_threads)


def _scorer(learnt: PairScorer, n_threads: int) -> Scorer:
    def score(batch: TextBatch) -> Floats:
        return learnt.score(*batch.sides, n_threads=n_threads)

    return score
