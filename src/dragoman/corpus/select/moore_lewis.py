"""Selection by language models: the difference of cross-entropies (Moore & Lewis 2010), and plain perplexity.

A line is worth taking if it is likely in the text that it shall be like and not just likely anywhere. Of pairs the
differences of both sides are added (Axelrod et al. 2011).
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.corpus.select.base import Scorer, SelectionScore, SidePair, word_counts
from dragoman.corpus.select.texts import TextBatch, Texts
from dragoman.errors import DataError
from dragoman.lm import KneserNey
from dragoman.lm.opening import open_model
from dragoman.options import option
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats

__all__ = ["MooreLewis", "PlainPerplexity"]


class LineScorer(Protocol):
    """Any language model: log10 probabilities of whole sentences."""

    def score(self, lines: Sequence[str], *, n_threads: int = 1) -> NDArray[np.float64]:
        """One number a line."""


_Models = tuple[LineScorer, ...]  # of one side: of the text to be like; of the pool, and for what that has seen


@dataclass(frozen=True, eq=False)
class _Learnt:
    """Models of sides of the pool, and the places of the pool that the second ones have seen."""

    sides: list[int]
    models: Sequence[_Models]
    seen: NDArray[np.int64]

    def save(self, folder: Path, given: Sequence[Sequence[str]]) -> None:
        """Write what was built; of models that were given, by side, their names."""
        for side, models in zip(self.sides, self.models, strict=True):
            for number, model in enumerate(models if not given else ()):
                saved: Any = model
                saved.save(folder / f"model.{side}.{number}")
        about = {"sides": self.sides, "n_models": [len(models) for models in self.models], "given": given}
        (folder / "models.json").write_text(json.dumps(about), encoding="utf-8")
        np.save(folder / "seen.npy", self.seen)

    @classmethod
    def load(cls, folder: Path) -> _Learnt:
        about = json.loads((folder / "models.json").read_text(encoding="utf-8"))
        names = about["given"] or [
            [folder / f"model.{side}.{number}" for number in range(n_models)]
            for side, n_models in zip(about["sides"], about["n_models"], strict=True)
        ]
        models = [tuple(open_model(name) for name in each) for each in names]
        return cls(about["sides"], models, np.load(folder / "seen.npy"))


@dataclass(frozen=True)
class _ByModels(SelectionScore):
    """What both scores need: a model of the text to be like, for each side."""

    in_parts: ClassVar[bool] = True

    order: int = option(3, low=1, high=9, text="order of the models that are built")
    least: int = option(2, low=1, text="words met less often are unknown to the models that are built")
    inside: tuple[str, ...] = option(
        (), text="language models of the text to be like, one a side, in place of building"
    )

    def start(self, like: Texts | None, pool: Texts, *, seed: int, n_threads: int) -> Scorer:
        """See `SelectionScore`."""
        return self._scorer(self._learnt(like, pool, seed, n_threads), n_threads)

    def anywhere(self) -> Self:
        """See `SelectionScore`."""
        return replace(self, inside=_absolute(self.inside))

    def learn(self, folder: Path, like: Texts | None, pool: Texts, *, seed: int, n_threads: int) -> None:
        """See `SelectionScore`."""
        self._learnt(like, pool, seed, n_threads).save(folder, self._given())

    def open(self, folder: Path, *, n_threads: int) -> Scorer:
        """See `SelectionScore`."""
        return self._scorer(_Learnt.load(folder), n_threads)

    @abstractmethod
    def _learnt(self, like: Texts | None, pool: Texts, seed: int, n_threads: int) -> _Learnt:
        """Models built, or opened."""

    @abstractmethod
    def _scorer(self, learnt: _Learnt, n_threads: int) -> Scorer:
        """What scores by them."""

    def _given(self) -> list[tuple[str, ...]]:
        """The names of models that were given, by side."""
        return [(name,) for name in self.inside]

    def _words(self, texts: Texts, side: int, n_threads: int) -> set[str]:
        """The words that a text has often enough."""
        counts = Counter(word for line in self.cut_side(texts, side, n_threads) for word in line.split(" "))
        return {word for word, count in counts.items() if count >= self.least} - _SPECIAL

    def _like_words(self, texts: Texts, side: int, n_threads: int) -> set[str]:
        """The words of the text to be like, which must have some."""
        words = self._words(texts, side, n_threads)
        if not words:
            raise DataError(
                f"{texts.label}: no word is there {self.least} times; a model of it would know none. Give more text, "
                "or lower 'least'."
            )
        return words

    def _train(self, texts: Texts, side: int, vocabulary: set[str], n_threads: int) -> LineScorer:
        lines = self.cut_side(texts, side, n_threads)
        return KneserNey(order=self.order).train(lines, vocabulary=sorted(vocabulary), n_threads=n_threads)

    def _open(self, paths: tuple[str, ...], sides: list[int]) -> list[LineScorer]:
        if len(paths) != len(sides):
            raise DataError(f"{len(sides)} sides are looked at, and {len(paths)} models given; name one for each side.")
        return [open_model(path) for path in paths]

    def _given_sides(self, like: Texts | None, pool: Texts) -> list[int]:
        """The sides that given models look at."""
        return self.pool_sides(pool) if like is None else [side for _, side in self.compared_sides(like, pool)]


@dataclass(frozen=True)
class MooreLewis(_ByModels):
    """Cross-entropy in the pool less that in the text to be like, per word (Moore & Lewis 2010), both sides added.

    The pool's models are built from random samples of it, and no line is scored by a model that has seen it. All models
    know the same words; those of given models must agree, too. `damping` keeps short lines, which chance moves most,
    from the ends of the ranking; 0 is the paper's measure.
    """

    name: ClassVar[str] = "moore-lewis"

    sample: float = option(2.0, low=0.01, text="lines of the pool in a sample, for each line of the text to be like")
    damping: float = option(50.0, low=0, text="words that say nothing, by which every line is taken to be longer")
    outside: tuple[str, ...] = option((), text="language models of the pool, one a side, in place of building")

    def anywhere(self) -> Self:
        """See `SelectionScore`."""
        return replace(self, inside=_absolute(self.inside), outside=_absolute(self.outside))

    def _given(self) -> list[tuple[str, ...]]:
        return list(zip(self.inside, self.outside, self.outside, strict=True))

    def _learnt(self, like: Texts | None, pool: Texts, seed: int, n_threads: int) -> _Learnt:
        if bool(self.inside) != bool(self.outside):
            raise DataError("The score moore-lewis takes models of both texts, or of none: inside=…,outside=….")
        if self.inside:
            sides = self._given_sides(like, pool)
            return _Learnt(sides, self._opened_models(sides), np.zeros(0, dtype=np.int64))
        text = self.wanted(like)
        pairs = self.compared_sides(text, pool)
        seen, models = self._built_models(text, pool, pairs, seed, n_threads)
        return _Learnt([side for _, side in pairs], models, seen)

    def _scorer(self, learnt: _Learnt, n_threads: int) -> Scorer:
        seen = learnt.seen

        def score(batch: TextBatch) -> Floats:
            total: Floats = np.zeros(len(batch))
            places = seen[np.searchsorted(seen, batch.start) : np.searchsorted(seen, batch.start + len(batch))]
            for (inside, outside, other), side in zip(learnt.models, learnt.sides, strict=True):
                lines = self.cut(batch.sides[side], n_threads)
                there = np.array(outside.score(lines, n_threads=n_threads))
                if len(places):
                    own = places - batch.start
                    there[own] = other.score([lines[place] for place in own], n_threads=n_threads)
                difference = inside.score(lines, n_threads=n_threads) - there
                total += difference / (word_counts(lines) + 1 + self.damping)
            return total

        return score

    def _opened_models(self, sides: list[int]) -> list[_Models]:
        pairs = list(zip(self._open(self.inside, sides), self._open(self.outside, sides), strict=True))
        for (inside, outside), names in zip(pairs, zip(self.inside, self.outside, strict=True), strict=True):
            _check_words_agree(inside, outside, names)
        return [(inside, outside, outside) for inside, outside in pairs]

    def _built_models(
        self, like: Texts, pool: Texts, pairs: list[SidePair], seed: int, n_threads: int
    ) -> tuple[NDArray[np.int64], list[_Models]]:
        """The places of the first sample, and for each side the models of the text and of two samples of the pool."""
        size = max(1, round(self.sample * like.count()))
        order = Stream(seed, "select sample").permutation(pool.count())
        places = [np.sort(part) for part in (order[:size], order[size : 2 * size])]
        if not len(places[1]):  # a pool too small for a second sample is cut in two
            places = [np.sort(part) for part in np.array_split(order, 2)]
        samples = [pool.at(each, len(order)) for each in places]
        models: list[_Models] = []
        for like_side, pool_side in pairs:
            words = self._like_words(like, like_side, n_threads) | self._words(samples[0], pool_side, n_threads)
            inside = self._train(like, like_side, words, n_threads)
            first, second = (self._train(sample, pool_side, words, n_threads) for sample in samples)
            models.append((inside, first, second))
        return places[0], models


@dataclass(frozen=True)
class PlainPerplexity(_ByModels):
    """Log-probability per word in a model of the text to be like: short and common lines come first.

    On two sides it orders as the geometric mean of both perplexities does.
    """

    name: ClassVar[str] = "perplexity"

    def _learnt(self, like: Texts | None, pool: Texts, seed: int, n_threads: int) -> _Learnt:  # noqa: ARG002
        if self.inside:
            sides = self._given_sides(like, pool)
            models = self._open(self.inside, sides)
        else:
            text = self.wanted(like)
            pairs = self.compared_sides(text, pool)
            sides = [side for _, side in pairs]
            models = [self._train(text, side, self._like_words(text, side, n_threads), n_threads) for side, _ in pairs]
        return _Learnt(sides, [(model,) for model in models], np.zeros(0, dtype=np.int64))

    def _scorer(self, learnt: _Learnt, n_threads: int) -> Scorer:
        def score(batch: TextBatch) -> Floats:
            total: Floats = np.zeros(len(batch))
            for (model,), side in zip(learnt.models, learnt.sides, strict=True):
                lines = self.cut(batch.sides[side], n_threads)
                total += model.score(lines, n_threads=n_threads) / (word_counts(lines) + 1)
            return total

        return score


def _absolute(paths: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(str(Path(path).resolve()) for path in paths)


_SPECIAL = {"<unk>", "<s>", "</s>"}


def _check_words_agree(inside: object, outside: object, names: tuple[str, str]) -> None:
    # A word that one model alone knows would make lines look alike or different by the model's vocabulary.
    first, second = (set(getattr(model, "words", list)()) for model in (inside, outside))
    if first != second:
        lost = sorted(first ^ second)[:3]
        raise DataError(
            f"The vocabularies of {names[0]} ({len(first)} words) and {names[1]} ({len(second)}) differ, for example "
            f"in {', '.join(map(repr, lost))}; their scores cannot be compared. Build both with one vocabulary."
        )
