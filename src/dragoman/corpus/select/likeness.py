"""Tuning sets that are like the test text (GTH-UPM at WMT 2012): by a language model of its source side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from dragoman.corpus.select.base import Scorer, SelectionScore
from dragoman.corpus.select.texts import TextBatch, Texts
from dragoman.lm import KneserNey, LanguageModel
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["LikeTest"]


@dataclass(frozen=True)
class LikeTest(SelectionScore):
    """How like the source side of the test set a line is, by a model of that text.

    `plain`: the mean log10 probability of its words, without the sentence's end. `normalised`: less the words' unigram
    probabilities, so that common words and short lines are not taken for likeness. The paper's second formula is lost;
    this is the difference that its text describes.
    """

    name: ClassVar[str] = "test-like"
    in_parts: ClassVar[bool] = True

    side: Literal["both", "source", "target"] = option(
        "source", choices=("source", "target"), text="side of the pool that is looked at"
    )
    order: int = option(3, low=1, high=9, text="order of the model")
    similarity: Literal["plain", "normalised"] = option(
        "normalised", choices=("plain", "normalised"), text="mean log-probability, or less that of unigrams"
    )

    def start(self, like: Texts | None, pool: Texts, *, seed: int, n_threads: int) -> Scorer:  # noqa: ARG002
        """See `SelectionScore`."""
        return self._scorer(*self._learnt(like, pool, n_threads), n_threads)

    def learn(self, folder: Path, like: Texts | None, pool: Texts, *, seed: int, n_threads: int) -> None:  # noqa: ARG002
        """See `SelectionScore`."""
        models, pool_side = self._learnt(like, pool, n_threads)
        for number, model in enumerate(models):
            model.save(folder / f"model{number}")
        (folder / "sides.json").write_text(json.dumps([len(models), pool_side]), encoding="utf-8")

    def open(self, folder: Path, *, n_threads: int) -> Scorer:
        """See `SelectionScore`."""
        n_models, pool_side = json.loads((folder / "sides.json").read_text(encoding="utf-8"))
        models = [LanguageModel.load(folder / f"model{number}") for number in range(n_models)]
        return self._scorer(models, pool_side, n_threads)

    def _learnt(self, like: Texts | None, pool: Texts, n_threads: int) -> tuple[list[LanguageModel], int]:
        """The models, and the side of the pool that they see."""
        text = self.wanted(like)
        like_side, pool_side = self.compared_sides(text, pool)[0]
        models = [
            KneserNey(order=order).train(self.cut_side(text, like_side, n_threads), n_threads=n_threads)
            for order in ((self.order,) if self.similarity == "plain" else (self.order, 1))
        ]
        return models, pool_side

    def _scorer(self, models: Sequence[LanguageModel], pool_side: int, n_threads: int) -> Scorer:
        def score(batch: TextBatch) -> Floats:
            lines = self.cut(batch.sides[pool_side], n_threads)
            lengths = np.array([max(1, len(line.split())) for line in lines], dtype=np.float64)
            log_p, *unigrams = (model.score(lines, eos=False, n_threads=n_threads) for model in models)
            return np.asarray((log_p - sum(unigrams)) / lengths, dtype=np.float64)

        return score
