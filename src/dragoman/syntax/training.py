"""Learning a parser from a treebank: tags first, then trees over tags as they will be in use.

A tagger that has seen a sentence tags it better than any other. What builds on tags therefore learns from tags of
taggers that have not: the treebank is cut into folds, and each is tagged by a tagger that learnt from the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dragoman._core import syntax as core
from dragoman.rng import Stream
from dragoman.syntax.morphology import attribute_table
from dragoman.syntax.treebank import LabelIds, Treebank

__all__ = ["Arrays", "Settings", "TagWeights", "Trainer"]

T = TypeVar("T")
Job = TypeVar("Job")
Arrays = tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.uint16], NDArray[np.float32]]
NO_LABELS: LabelIds = np.zeros(0, dtype=np.uint16)


@dataclass(frozen=True, eq=False)
class TagWeights:
    """A layer of tags as arrays: its weights, and which labels go with those of the layer below."""

    arrays: Arrays
    allowed: NDArray[np.uint8]

    def layer(self) -> core.TagLayer:
        """The layer, ready to tag."""
        return core.TagLayer(*self.arrays, self.allowed)


@dataclass(frozen=True)
class Settings:
    """How long to learn, and what to keep; see `ParserRecipe`."""

    runs: int
    tag_epochs: int
    epochs: int
    explore: float
    smallest_tag: float
    smallest_arc: float


@dataclass(frozen=True)
class Trainer:
    """A treebank cut into folds, and how long to learn from it."""

    treebank: Treebank
    folds: tuple[NDArray[np.int64], ...]  # the sentences of each; none if there is but one sentence
    settings: Settings
    seed: int
    n_threads: int

    @classmethod
    def of(cls, treebank: Treebank, settings: Settings, *, folds: int, seed: int, n_threads: int) -> Trainer:
        """The trainer for a treebank, with at most as many folds as there are sentences."""
        order = Stream(seed, "folds").permutation(len(treebank))
        n = min(folds, len(treebank))
        parts = tuple(np.sort(order[k::n]) for k in range(n)) if n > 1 else ()
        return cls(treebank, parts, settings, seed, n_threads)

    def jackknife(
        self, labels: LabelIds, n_labels: int, given: LabelIds, n_given: int, name: str
    ) -> tuple[LabelIds, NDArray[np.float32]]:
        """Labels and margins of all tokens, each by a layer that learnt from the other folds."""
        found, margins = labels.copy(), np.full(len(labels), np.inf, dtype=np.float32)

        def tag(fold: NDArray[np.int64]) -> tuple[NDArray[np.int64], LabelIds, NDArray[np.float32]]:
            rest = np.setdiff1d(np.arange(len(self.treebank)), fold)
            weights = self.tags(labels, n_labels, given, n_given, name, rest)
            part, places = self.treebank.take(fold)
            return places, *weights.layer().tag(part, given[places] if len(given) else given)

        for places, values, ahead in self._all(tag, self.folds):
            found[places], margins[places] = values, ahead
        return found, margins

    def tags(
        self, labels: LabelIds, n_labels: int, given: LabelIds, n_given: int, name: str, sentences: NDArray[np.int64]
    ) -> TagWeights:
        """A layer that learns from some sentences. `given` are the labels of the layer below, or none."""
        part, places = self.treebank.take(sentences)
        own, below = labels[places], given[places] if len(given) else given
        allowed = np.zeros((max(1, n_given), n_labels), dtype=np.uint8)
        allowed[below if len(below) else np.zeros(len(own), dtype=np.uint16), own] = 1
        allowed[~allowed.any(axis=1)] = 1  # nothing is known of a label below that was not met
        runs = [
            core.learn_tags(
                part, below, own, allowed, epochs=self.settings.tag_epochs, key=Stream(self.seed, f"{name} {run}").key
            )
            for run in range(self.settings.runs)
        ]
        return TagWeights(core.mean_weights(runs, smallest=self.settings.smallest_tag), allowed)

    def arcs(self, upos: LabelIds, feats: LabelIds, parts: Sequence[NDArray[np.int64]]) -> list[Arrays]:
        """A parser for each set of sentences, learnt from them with these tags."""
        bank = self.treebank
        morphology = attribute_table(bank.labels.feats)

        def learn(job: tuple[NDArray[np.int64], int]) -> Arrays:
            sentences, run = job
            part, places = bank.take(sentences)
            return core.learn_arcs(
                part,
                upos[places],
                feats[places],
                morphology,
                bank.projective[places],
                bank.relations[places],
                n_relations=len(bank.labels.deprel),
                root=bank.labels.root,
                epochs=self.settings.epochs,
                explore=self.settings.explore,
                key=Stream(self.seed, f"arcs {run}").key,
            )

        runs = self.settings.runs
        found = self._all(learn, [(sentences, run) for sentences in parts for run in range(runs)])
        smallest = self.settings.smallest_arc
        return [core.mean_weights(found[k : k + runs], smallest=smallest) for k in range(0, len(found), runs)]

    def _all(self, work: Callable[[Job], T], items: Sequence[Job]) -> list[T]:
        if self.n_threads == 1:
            return [work(item) for item in items]
        with ThreadPoolExecutor(self.n_threads) as pool:
            return list(pool.map(work, items))
