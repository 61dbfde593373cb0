"""Topics that two languages share: latent Dirichlet allocation on sentence pairs (Rubino et al. 2012)."""

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
from dragoman.options import Recipe, option
from dragoman.qe.resources.stored import StoredArtifact
from dragoman.qe.resources.words import Ids, encode_words, lines_digest
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats
from dragoman.text.vocabulary import Vocabulary

__all__ = ["TopicModel", "TopicRecipe"]

_SIDES = ("source", "target")
_ROUNDS = 50  # of folding in


@dataclass(frozen=True)
class TopicRecipe(Recipe):
    """How to find topics: each sentence pair is one document, whose words are of either language.

    Words in more than the share `common` of the pairs are left out in place of a list of stop words, which not every
    language has, and so are words in fewer than `least` pairs. Where no word is left, all topics have equal shares.
    """

    n_topics: int = option(10, low=2, high=1000, text="topics")
    sweeps: int = option(200, low=1, text="sweeps of Gibbs sampling over the corpus")
    alpha: float = option(0.1, low=1e-6, text="of a document's topics")
    beta: float = option(0.01, low=1e-6, text="of a topic's words")
    common: float = option(0.1, low=0.0, high=1.0, text="share of pairs beyond which a word says nothing of the topic")
    least: int = option(3, low=1, text="pairs that a word must stand in")
    most: int = option(100_000, low=1, text="sentence pairs to learn from, evenly spread")

    def train(self, sources: Sequence[str], targets: Sequence[str], *, seed: int = 1) -> TopicModel:
        """Sample the topics of a tokenised bitext; one thread, as each draw follows from the one before."""
        self.check()
        check_parallel({"sources": sources, "targets": targets})
        n = len(sources)
        rows = range(n) if n <= self.most else [n * at // self.most for at in range(self.most)]
        sides = [self._side([lines[row] for row in rows]) for lines in (sources, targets)]
        n_source = len(sides[0][2]) - 1
        n_words = n_source + len(sides[1][2]) - 1
        ids, offsets = _joined(sides[0][:2], (np.where(sides[1][0] >= 0, sides[1][0] + n_source, -1), sides[1][1]))
        counts = _core.lexical.sample_topics(
            ids,
            offsets,
            n_words=n_words,
            n_topics=self.n_topics,
            alpha=self.alpha,
            beta=self.beta,
            sweeps=self.sweeps,
            key=Stream(seed, "topics").key,
        )
        vocabularies = {side: words for side, (_, _, words) in zip(_SIDES, sides, strict=True)}
        return TopicModel(self, vocabularies, counts, seed=seed, data=lines_digest(sources, targets))

    def _side(self, lines: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64], Vocabulary]:
        """The tokens as numbers of the words that speak of topics."""
        ids, offsets, words = encode_words(lines)
        n = len(words) - 1
        sentence = np.repeat(np.arange(len(lines)), np.diff(offsets))
        once = np.unique(sentence * max(n, 1) + ids)
        times = np.bincount(once % max(n, 1), minlength=n)[:n] if n else np.zeros(0, dtype=np.int64)
        telling = (times >= self.least) & (times <= self.common * len(lines))
        names = words.words()[1:]
        chosen = [name for name, stays in zip(names, telling.tolist(), strict=True) if stays]
        vocabulary = Vocabulary(unk=" ")
        if chosen:
            vocabulary.ids(chosen)
        number = np.where(telling, np.cumsum(telling) - 1, -1).astype(np.int32)
        return number[ids] if len(ids) else ids, offsets, vocabulary.freeze()


@dataclass(eq=False, repr=False)
class TopicModel(StoredArtifact):
    """How often the words of two languages were given each topic: int32 (source words, then target words; topics)."""

    kind: ClassVar[str] = "topics"
    format: ClassVar[int] = 2

    recipe: TopicRecipe
    vocabularies: dict[str, Vocabulary]
    counts: NDArray[np.int32]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Words of either side."""
        return tuple(len(self.vocabularies[side]) - 1 for side in _SIDES)

    def _check(self) -> None:
        check_array("counts.npy", self.counts, np.int32, sum(self.sizes), self.recipe.n_topics)

    def p_words(self) -> Floats:
        """p(word | topic): (words, topics)."""
        smooth = self.counts + self.recipe.beta
        p: Floats = smooth / smooth.sum(axis=0)
        return p

    def shares(self, side: str, tokens: Ids, *, n_threads: int = 1) -> Floats:
        """The topics of sentences of a side, given as its word numbers: (sentences, topics), each row summing to 1."""
        first = 0 if side == "source" else len(self.vocabularies["source"]) - 1
        own = np.ascontiguousarray(self.p_words()[first : first + len(self.vocabularies[side]) - 1])
        if not len(own):
            return np.full((len(tokens[1]) - 1, self.recipe.n_topics), 1 / self.recipe.n_topics)
        return _core.lexical.fold_in(*tokens, own, alpha=self.recipe.alpha, rounds=_ROUNDS, n_threads=n_threads)

    def words(self, side: str, topic: int, n: int = 10) -> list[str]:
        """The words that are most often of a topic, counted from 0."""
        first = 0 if side == "source" else len(self.vocabularies["source"]) - 1
        names = self.vocabularies[side].words()[1:]
        column = self.counts[first : first + len(names), topic]
        return [names[at] for at in np.argsort(-column, kind="stable")[:n] if column[at] > 0]

    def like(self, other: TopicModel) -> TopicModel:
        """The same topics in the order in which another model of the same languages has those most like them.

        Topics have no order of their own; features that name one by its number need the same in every model.
        """
        from scipy.optimize import linear_sum_assignment

        if self.recipe.n_topics != other.recipe.n_topics:
            raise DataError(f"{self.recipe.n_topics} topics are not those of a model of {other.recipe.n_topics}.")
        alike = np.zeros((self.recipe.n_topics, self.recipe.n_topics))
        mine, theirs = self.p_words(), other.p_words()
        shift = [0, 0]
        for side in _SIDES:
            names = self.vocabularies[side].words()[1:]
            number = other.vocabularies[side].ids(names) - 1 if names else np.zeros(0, dtype=np.int32)
            both = number >= 0
            here = mine[shift[0] : shift[0] + len(names)][both]
            there = theirs[shift[1] + number[both]]
            alike += np.sqrt(there).T @ np.sqrt(here)  # Bhattacharyya's coefficient
            shift = [shift[0] + len(names), shift[1] + len(other.vocabularies[side]) - 1]
        _, order = linear_sum_assignment(-alike)
        counts = np.ascontiguousarray(self.counts[:, order])
        return TopicModel(self.recipe, self.vocabularies, counts, seed=self.seed, data=self.data)


def _joined(first: Ids, second: Ids) -> Ids:
    """Sentences of both sides behind each other, pair by pair."""
    lengths = np.diff(first[1]) + np.diff(second[1])
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    ids = np.empty(int(offsets[-1]), dtype=np.int32)
    for shift, (some, ends) in ((offsets[:-1], first), (offsets[:-1] + np.diff(first[1]), second)):
        ids[np.arange(len(some)) + np.repeat(shift - ends[:-1], np.diff(ends))] = some
    return ids, offsets
