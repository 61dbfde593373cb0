"""Models of what a stream has brought so far: the foreground, beside an engine's own or alone (Bertoldi et al. 2012).

All pairs seen are indexed, which gives phrases with scores and orientations of their own, and a small language model is
made of their targets. Beside the background both are further features, whose weights are shares of the background's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp

import numpy as np
from numpy.typing import NDArray

from dragoman.align import Aligner
from dragoman.errors import DataError
from dragoman.lm import KneserNey, LanguageModel
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.bitext_index import BitextIndex, PhraseSampling
from dragoman.smt.engine import Engine
from dragoman.smt.models import Models
from dragoman.smt.pairs import encode
from dragoman.smt.phrase_table import PhraseTable

__all__ = ["MODEL", "Shares", "StreamModels", "dictionary"]

MODEL = "stream-lm"  # the feature of the foreground's language model
_LEAST = 0.05  # p(t|s) of a word pair in the dictionary that helps to align


@dataclass(frozen=True)
class Shares:
    """Weights of the foreground's features, as multiples of those of the background's."""

    phrases: float = 1.0
    lm: float = 1.0
    left: float = 0.5  # what is left of the weights of the background's language models


class StreamModels:
    """The pairs of a stream, aligned, and engines that know them."""

    def __init__(self, engine: Engine, *, order: int = 3, n_threads: int = 1) -> None:
        table = engine.models.table
        if engine.models.grammar is not None:
            raise DataError(
                "The background of a stream is an engine with a phrase table alone, and this one has a grammar: train "
                "one with grammar.kind=none."
            )
        if table is None or engine.models.index is not None:
            raise DataError(
                "The background of a stream is an engine with a phrase table alone; one that looks phrases up learns "
                "by itself: dragoman cat learning."
            )
        self.engine = engine
        self.order = order
        self.n_threads = n_threads
        self.table: PhraseTable = table
        self._words = dictionary(table)
        self._source, self._target = table.source.thawed(), table.target.thawed()
        self._sides: tuple[list[str], list[str]] = [], []
        self._links: list[NDArray[np.uint16]] = []

    def __len__(self) -> int:
        """How many pairs it knows."""
        return len(self._links)

    def learn(self, sources: list[str], targets: list[str]) -> None:
        """Take in pairs of raw text; they are aligned by what all pairs so far and the background's words say."""
        engine = self.engine
        new = (
            engine.source.cased(sources, n_threads=self.n_threads),
            engine.target.cased(targets, n_threads=self.n_threads),
        )
        for side, lines in zip(self._sides, new, strict=True):
            side.extend(lines)
        aligner = self._aligner()
        alignment = aligner.align(*new, symmetrisation=engine.recipe.align.symmetrisation, n_threads=self.n_threads)
        self._links += [alignment.links[a:b] for a, b in pairwise(alignment.offsets.tolist())]

    def _aligner(self) -> Aligner:
        sides = ([*self._words[i], *self._sides[i]] for i in (0, 1))
        return self.engine.recipe.align.train(*sides, n_threads=self.n_threads)

    def beside(self, shares: Shares) -> Engine:
        """The engine with the foreground beside its own models."""
        own, engine = self.engine.trained_weights, self.engine
        models = replace(
            engine.models, index=self._index("beside"), more={**engine.models.more, MODEL: self._language_model()}
        )
        left = {name: shares.left * own[name] for name in engine.models.language_models}
        weights = {
            **own,
            **left,
            **{f"index.{i}": shares.phrases * own[name] for i, name in enumerate(self.table.features[:4], start=1)},
            MODEL: shares.lm * own["lm"],
        }
        return self._engine(models, weights, "beside")

    def alone(self) -> Engine:
        """An engine of the foreground and nothing else."""
        models = Models(self._language_model(), index=self._index("only"), splitters=self.engine.models.splitters)
        return self._engine(models, self.engine.trained_weights, "only")

    def _engine(self, models: Models, weights: Mapping[str, float], use: str) -> Engine:
        engine = self.engine
        recipe = replace(engine.recipe, index=replace(engine.recipe.index, use=use))
        casers = engine.source.truecaser, engine.target.truecaser
        names = Engine(recipe, models, truecasers=casers).weights
        chosen = {name: weights.get(name, weight) for name, weight in names.items()}
        sparse = {name: weight for name, weight in weights.items() if " " in name}
        return Engine(recipe, models, truecasers=casers, weights={**sparse, **chosen})

    def _language_model(self) -> LanguageModel:
        return KneserNey(order=self.order).train(self._sides[1])

    def _index(self, use: str) -> BitextIndex:
        ids = encode(self._source, self._sides[0]), encode(self._target, self._sides[1])
        offsets = np.cumsum([0, *map(len, self._links)], dtype=np.int64)
        text = AlignedText(*ids, np.concatenate(self._links), offsets)
        recipe = PhraseSampling(use=use, longest=self.table.core.longest, orientation=self.table.orientation)
        source, target = (words.thawed() for words in (self._source, self._target))  # an index freezes its own
        return recipe.index(text, source, target, n_threads=self.n_threads)


def dictionary(table: PhraseTable, least: float = _LEAST) -> tuple[list[str], list[str]]:
    """The word pairs of a phrase table, as lines of one word: what an aligner can learn of words from it."""
    sources, targets = [], []
    for word in table.source.words():
        for pair in table.translations(word):
            if " " not in pair.target and exp(pair.scores[2]) >= least:
                sources.append(word)
                targets.append(pair.target)
    return sources, targets
