"""Is a word of a translation right? Smoothed naive Bayes on words that post-editors kept or changed.

After González-Rubio, Sanchis & Casacuberta (WMT 2012) and Sanchis, Juan & Vidal (2007). Their words were compared with
references, and n-best lists gave most of what is known of a word; here post-edits say what was right, and what is known
is the word, its neighbours and how well the source explains it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.arrays import check_array
from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.metrics.hter import WordTags
from dragoman.options import Recipe, option
from dragoman.qe.resources.lexicon import LexicalTable
from dragoman.qe.resources.stored import StoredArtifact
from dragoman.qe.resources.words import lines_digest
from dragoman.stats.arrays import Floats
from dragoman.text.vocabulary import Vocabulary

__all__ = ["WordBayes", "WordBayesRecipe"]

_KINDS = ("word", "before", "behind", "explained")
_QUARTILES = 4


@dataclass(frozen=True)
class WordBayesRecipe(Recipe):
    """How to learn P(kept | word, word before, word behind, quartile of IBM model 1's confidence).

    P(x | class) is discounted: what `discount` takes of each seen x is spread evenly over all.
    """

    discount: float = option(0.7, low=0.01, high=0.99, text="taken of each count")

    def train(
        self, sources: Sequence[str], outputs: Sequence[str], tags: Sequence[WordTags], lexicon: LexicalTable
    ) -> WordBayes:
        """Count in tokenised outputs with their tags."""
        self.check()
        check_parallel({"sources": sources, "outputs": outputs, "tags": tags})
        words = Vocabulary(unk=" ")
        ids, offsets = words.core.encode(list(outputs), _core.text.surface_tokeniser("none"))
        survived = np.array([tag == "OK" for each in tags for tag in each.words], dtype=np.int64)
        if len(survived) != len(ids):
            raise DataError(f"The outputs have {len(ids)} words and {len(survived)} tags.")
        if not len(survived):
            raise DataError("There are no words to learn from: the outputs are empty.")
        words.freeze()
        source_words = Vocabulary()
        raw, ends = source_words.core.encode(list(sources), _core.text.surface_tokeniser("none"))
        names = source_words.words()
        of_source = lexicon.vocabulary.ids(names)[raw] if names else raw
        best = lexicon.best(of_source, ends, lexicon.target_vocabulary.ids(words.words())[ids], offsets)
        cuts = np.quantile(best, [0.25, 0.5, 0.75])
        n_values = _n_values(len(words))
        values = _values(ids, offsets, np.searchsorted(cuts, best), len(words))
        counts = tuple(
            np.bincount(survived * n + of_kind, minlength=2 * n).reshape(2, n)
            for of_kind, n in zip(values, n_values, strict=True)
        )
        model = WordBayes(self, words, counts, cuts, np.zeros(3), data=lines_digest(sources, outputs))
        model.bounds = np.quantile(model.p_kept(values, own=survived), [0.25, 0.5, 0.75])
        return model


@dataclass(eq=False, repr=False)
class WordBayes(StoredArtifact):
    """Counts of what kept and changed words look like, and quartiles of confidence among the words it learnt from."""

    kind: ClassVar[str] = "word naive Bayes"
    format: ClassVar[int] = 2

    recipe: WordBayesRecipe
    vocabulary: Vocabulary
    counts: tuple[NDArray[np.int64], ...]  # of each kind: (changed and kept, values)
    cuts: Floats  # between quartiles of IBM model 1's confidence
    bounds: Floats  # between quartiles of P(kept), each word's taken without the word itself

    @property
    def sizes(self) -> tuple[int, ...]:
        """Different values of each kind."""
        return tuple(int((table.sum(axis=0) > 0).sum()) for table in self.counts)

    def _check(self) -> None:
        for place, (table, n) in enumerate(zip(self.counts, _n_values(len(self.vocabulary)), strict=True)):
            check_array(f"counts.{place}.npy", table, np.int64, 2, n)
        for name, cuts in (("cuts", self.cuts), ("bounds", self.bounds)):
            check_array(f"{name}.npy", cuts, np.float64, _QUARTILES - 1)

    def values(self, ids: NDArray[np.int32], offsets: NDArray[np.int64], best: Floats) -> tuple[NDArray[np.int64], ...]:
        """What is known of each token, given as ids of the vocabulary."""
        return _values(ids, offsets, np.searchsorted(self.cuts, best), len(self.vocabulary))

    def p_kept(self, values: tuple[NDArray[np.int64], ...], *, own: NDArray[np.int64] | None = None) -> Floats:
        """P(kept) of each token; with `own`, its class, from counts that it is taken out of."""
        n = len(values[0])
        total = self.counts[0].sum(axis=1).astype(np.float64)
        logs = np.zeros((n, 2))
        for label in (0, 1):
            less = np.zeros(n) if own is None else (own == label).astype(np.float64)
            of_class = np.maximum(total[label] - less, 1e-9)
            logs[:, label] = np.log(of_class + 1.0)
            for table, of_kind in zip(self.counts, values, strict=True):
                counts = table[label].astype(np.float64)
                spread = self.recipe.discount * (counts > 0).sum() / of_class / len(counts)
                there = np.maximum(counts[of_kind] - less - self.recipe.discount, 0.0) / of_class
                logs[:, label] += np.log(there + np.maximum(spread, 1e-12))
        p: Floats = 1.0 / (1.0 + np.exp(np.clip(logs[:, 0] - logs[:, 1], -500, 500)))
        return p


def _n_values(n_words: int) -> tuple[int, ...]:
    """How many values there are of each kind."""
    return n_words, n_words + 1, n_words + 1, _QUARTILES


def _values(
    ids: NDArray[np.int32], offsets: NDArray[np.int64], quartile: NDArray[np.int64], n_words: int
) -> tuple[NDArray[np.int64], ...]:
    """Of each token: itself, the one before, the one behind (`n_words` at the ends), its quartile."""
    here = ids.astype(np.int64)
    before, behind = np.full(len(ids), n_words), np.full(len(ids), n_words)
    before[1:], behind[:-1] = here[:-1], here[1:]
    starts = offsets[:-1][np.diff(offsets) > 0]
    before[starts] = n_words
    behind[offsets[1:][np.diff(offsets) > 0] - 1] = n_words
    return here, before, behind, quartile.astype(np.int64)
