"""Is a word of a translation right? Smoothed naive Bayes on words that post-editors kept or changed.

After González-Rubio, Sanchis & Casacuberta (WMT 2012) and Sanchis, Juan & Vidal (2007). Their words were compared with
references, and n-best lists gave most of what is known of a word; here post-edits say what was right, and what is known
is the word, its neighbours and how well the source explains it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.artifact import Artifact, Manifest
from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.metrics.hter import WordTags
from dragoman.options import Recipe, option
from dragoman.qe.resources.lexicon import LexicalTable
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
        kept = np.array([tag == "OK" for each in tags for tag in each.words], dtype=np.int64)
        if len(kept) != len(ids):
            raise DataError(f"The outputs have {len(ids)} words and {len(kept)} tags.")
        if not len(kept):
            raise DataError("There are no words to learn from: the outputs are empty.")
        words.freeze()
        given = Vocabulary()
        raw, ends = given.core.encode(list(sources), _core.text.surface_tokeniser("none"))
        names = given.words()
        of_source = lexicon.vocabulary.ids(names)[raw] if names else raw
        best = lexicon.best(of_source, ends, lexicon.target_vocabulary.ids(words.words())[ids], offsets)
        cuts = np.quantile(best, [0.25, 0.5, 0.75])
        n_values = (len(words), len(words) + 1, len(words) + 1, _QUARTILES)
        counts = []
        seen = _values(ids, offsets, np.searchsorted(cuts, best), len(words))
        for values, n in zip(seen, n_values, strict=True):
            counts.append(np.bincount(kept * n + values, minlength=2 * n).reshape(2, n))
        found = WordBayes(self, words, tuple(counts), cuts, np.zeros(3), data=lines_digest(sources, outputs))
        found.bounds = np.quantile(found.kept(seen, own=kept), [0.25, 0.5, 0.75])
        return found


class WordBayes(Artifact):
    """Counts of what kept and changed words look like, and quartiles of confidence among the words it learnt from."""

    kind: ClassVar[str] = "word naive Bayes"
    format: ClassVar[int] = 1

    def __init__(
        self,
        recipe: WordBayesRecipe,
        vocabulary: Vocabulary,
        counts: tuple[NDArray[np.int64], ...],
        cuts: Floats,
        bounds: Floats,
        *,
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.recipe: WordBayesRecipe = recipe
        self.vocabulary = vocabulary
        self.counts = counts  # of each kind: (changed and kept, values)
        self.cuts = cuts  # between quartiles of IBM model 1's confidence
        self.bounds = bounds  # between quartiles of P(kept), each word's taken without the word itself
        self.data = dict(data or {})

    @property
    def sizes(self) -> tuple[int, ...]:
        """Different values of each kind."""
        return tuple(int((table.sum(axis=0) > 0).sum()) for table in self.counts)

    def seen(self, ids: NDArray[np.int32], offsets: NDArray[np.int64], best: Floats) -> tuple[NDArray[np.int64], ...]:
        """What is known of each token, given as ids of the vocabulary."""
        return _values(ids, offsets, np.searchsorted(self.cuts, best), len(self.vocabulary))

    def kept(self, seen: tuple[NDArray[np.int64], ...], *, own: NDArray[np.int64] | None = None) -> Floats:
        """P(kept) of each token; with `own`, its class, from counts that it is taken out of."""
        n = len(seen[0])
        total = self.counts[0].sum(axis=1).astype(np.float64)
        logs = np.zeros((n, 2))
        for label in (0, 1):
            less = np.zeros(n) if own is None else (own == label).astype(np.float64)
            of_class = np.maximum(total[label] - less, 1e-9)
            logs[:, label] = np.log(of_class + 1.0)
            for table, values in zip(self.counts, seen, strict=True):
                counts = table[label].astype(np.float64)
                spread = self.recipe.discount * (counts > 0).sum() / of_class / len(counts)
                there = np.maximum(counts[values] - less - self.recipe.discount, 0.0) / of_class
                logs[:, label] += np.log(there + np.maximum(spread, 1e-12))
        found: Floats = 1.0 / (1.0 + np.exp(np.clip(logs[:, 0] - logs[:, 1], -500, 500)))
        return found

    def _write(self, folder: Path) -> None:
        self.vocabulary.save(folder / "vocabulary.bin")
        for name, table in zip(_KINDS, self.counts, strict=True):
            np.save(folder / f"{name}.npy", table, allow_pickle=False)
        np.save(folder / "bounds.npy", np.stack([self.cuts, self.bounds]), allow_pickle=False)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        counts = tuple(np.load(folder / f"{name}.npy", allow_pickle=False) for name in _KINDS)
        cuts, bounds = np.load(folder / "bounds.npy", allow_pickle=False)
        recipe = WordBayesRecipe.from_dict(manifest.recipe)
        return cls(recipe, Vocabulary.load(folder / "vocabulary.bin"), counts, cuts, bounds, data=manifest.data)


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
