"""Selection by retrieval: what a search for each sentence of the test text finds (Tamchyna et al. 2012)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from dragoman.corpus.retrieval import LineIndex, Retrieval
from dragoman.corpus.select.base import Scorer, SelectionScore
from dragoman.corpus.select.texts import TextBatch, Texts
from dragoman.options import option
from dragoman.stats.arrays import Floats
from dragoman.text import TOKENISERS
from dragoman.text.layers import annotate_once, make_annotator

__all__ = ["Retrieve"]


@dataclass(frozen=True)
class Retrieve(SelectionScore):
    """Lines that a search for the sentences of the text to be like finds, the source side of a test set above all.

    `best`: what is among the `per_query` best of any sentence, by its score through that of the sentence's best;
    the rest is not taken. `mean`: the mean score over all sentences.
    """

    name: ClassVar[str] = "retrieve"

    side: Literal["both", "source", "target"] = option(
        "source", choices=("source", "target"), text="side of the pool that is searched"
    )
    by: Literal["best", "mean"] = option("best", choices=("best", "mean"), text="what a line is scored by")
    per_query: int = option(100, low=1, text="lines taken for each sentence (best)")
    lemmas: str = option("", text="who gives base forms, which are indexed instead of words: simplemma+lang=cs")
    weighting: str = option(
        "bm25", choices=("bm25", "classic", "cosine"), text="BM25, Lucene's classic tf-idf, cosine of tf-idf"
    )

    def start(self, like: Texts | None, pool: Texts, *, seed: int, n_threads: int) -> Scorer:  # noqa: ARG002
        """See `SelectionScore`."""
        text = self.wanted(like)
        like_side, pool_side = self.compared_sides(text, pool)[0]
        recipe = Retrieval(weighting=self.weighting, tokeniser="none" if self.lemmas else self.tokeniser)
        batches = (self._words(batch.sides[pool_side], n_threads) for batch in pool.batches())
        index = recipe.index(batches, n_threads=n_threads)
        queries = self._words(list(text.lines(like_side)), n_threads)
        scores = (
            index.mean_scores(queries, n_threads=n_threads)
            if self.by == "mean"
            else self._best(index, queries, n_threads)
        )

        def score(batch: TextBatch) -> Floats:
            return scores[batch.start : batch.start + len(batch)]

        return score

    def _words(self, lines: Sequence[str], n_threads: int) -> Sequence[str]:
        """What is indexed and asked for: the lines, or the base forms of their words."""
        if not self.lemmas:
            return lines
        tokens = [line.split() for line in TOKENISERS.make(self.tokeniser).tokenise(list(lines), n_threads=n_threads)]
        forms = annotate_once(make_annotator(self.lemmas, ("lemma", "stem")), tokens)
        # A base form of several words is one word of the index; a word without one is its own.
        return [
            " ".join("_".join((form or token).split()) for form, token in zip(*each, strict=True))
            for each in zip(forms, tokens, strict=True)
        ]

    def _best(self, index: LineIndex, queries: Sequence[str], n_threads: int) -> Floats:
        """The best share of a query's highest score that a line has; −∞ where it is among the best of none."""
        scores = np.full(len(index), -np.inf)
        for first in range(0, len(queries), _QUERIES):
            hits = index.best(queries[first : first + _QUERIES], self.per_query, n_threads=n_threads)
            met = hits.places >= 0
            shares = hits.scores / np.maximum(hits.scores[:, :1], np.finfo(np.float32).tiny)
            np.maximum.at(scores, hits.places[met], shares[met].astype(np.float64))
        return scores


_QUERIES = 10_000  # at a time
