"""Noise: pairs that do not translate each other, by scores with bars (CMU at WMT 2012) or a learnt border (KIT)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.align.base import ALIGNERS
from dragoman.corpus.select.base import ReasonedScorer, Scorer, SelectionScore
from dragoman.corpus.select.pair_features import SIX, PairModels, shape_features
from dragoman.corpus.select.texts import TextBatch, Texts
from dragoman.errors import DataError
from dragoman.learn.base import need_sklearn
from dragoman.learn.preparation import spread_out
from dragoman.options import option
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats

__all__ = ["Noise", "NoiseSvm"]

_EACH = 5  # of so many good pairs one is held out, to see how good pairs score that no model has seen
_FEWEST = 20  # good pairs that can be learnt from


@dataclass(frozen=True)
class _ByGoodPairs(SelectionScore):
    """What both methods need: models of good pairs, and good pairs that these have not seen."""

    needs_pairs: ClassVar[bool] = True
    in_parts: ClassVar[bool] = True

    order: int = option(4, low=1, high=9, text="order of the language models")
    aligner: str = option("hmm", of=ALIGNERS, text="how words are linked")
    learnt_from: int = option(100_000, low=_FEWEST, text="good pairs that are learnt from, evenly spread")

    def start(self, like: Texts | None, pool: Texts, *, seed: int, n_threads: int) -> Scorer:
        """See `SelectionScore`."""
        return self._scorer(*self._learnt(like, pool, seed, n_threads), n_threads)

    def learn(self, folder: Path, like: Texts | None, pool: Texts, *, seed: int, n_threads: int) -> None:
        """See `SelectionScore`."""
        models, numbers = self._learnt(like, pool, seed, n_threads)
        models.save(folder)
        np.save(folder / "numbers.npy", numbers)

    def open(self, folder: Path, *, n_threads: int) -> Scorer:
        """See `SelectionScore`."""
        return self._scorer(PairModels.load(folder), np.load(folder / "numbers.npy"), n_threads)

    @abstractmethod
    def _learnt(self, like: Texts | None, pool: Texts, seed: int, n_threads: int) -> tuple[PairModels, Floats]:
        """Models, and a row of numbers for each thing that good pairs tell of their features."""

    @abstractmethod
    def _scorer(self, models: PairModels, numbers: Floats, n_threads: int) -> Scorer:
        """What scores by them."""

    def _good_pairs(self, like: Texts) -> tuple[list[str], list[str]]:
        n_pairs = like.count()
        chosen = like.at(spread_out(n_pairs, self.learnt_from), n_pairs).bitext
        pairs = [(src, tgt) for src, tgt in chosen if src.strip() and tgt.strip()]
        if len(pairs) < _FEWEST:
            raise DataError(
                f"{like.label}: {len(pairs)} pairs have words on both sides; the score {self.name} learns what good "
                f"pairs look like from {_FEWEST} or more."
            )
        return [src for src, _ in pairs], [tgt for _, tgt in pairs]

    def _models(self, srcs: list[str], tgts: list[str], n_threads: int) -> PairModels:
        seen = [place for place in range(len(srcs)) if place % _EACH]
        sides = (self.cut([lines[place] for place in seen], n_threads) for lines in (srcs, tgts))
        return PairModels.of(*sides, order=self.order, aligner=self.aligner, n_threads=n_threads)

    def _six(self, models: PairModels, srcs: Sequence[str], tgts: Sequence[str], n_threads: int) -> Floats:
        return models.six(self.cut(srcs, n_threads), self.cut(tgts, n_threads), n_threads)


@dataclass(frozen=True)
class Noise(_ByGoodPairs):
    """The lowest of CMU's six scores, each in standard deviations from its mean over good pairs.

    A pair whose every score lies above its mean less one deviation has more than −1 (`least=-1`, the paper's `1stdev`);
    with more than −2 it is `2stdev`. The scores: language models of both sides per word, word alignment of both
    directions per link, the shares of linked words.
    """

    name: ClassVar[str] = "noise"

    def _learnt(self, like: Texts | None, pool: Texts, seed: int, n_threads: int) -> tuple[PairModels, Floats]:  # noqa: ARG002
        text = self.wanted(like)
        self.compared_sides(text, pool)
        srcs, tgts = self._good_pairs(text)
        models = self._models(srcs, tgts, n_threads)
        good = self._six(models, srcs[::_EACH], tgts[::_EACH], n_threads)
        return models, np.stack(_mean_and_deviation(good))

    def _scorer(self, models: PairModels, numbers: Floats, n_threads: int) -> Scorer:
        mean, deviation = numbers

        def six(batch: TextBatch) -> Floats:
            srcs, tgts = batch.sides
            deviations: Floats = (self._six(models, srcs, tgts, n_threads) - mean) / deviation
            return deviations

        return _Lowest(six)


class _Lowest(ReasonedScorer):
    """The lowest of the six, and which it is."""

    reasons = SIX

    def __init__(self, six: Callable[[TextBatch], Floats]) -> None:
        self._six = six

    def explained(self, batch: TextBatch) -> tuple[Floats, NDArray[np.int8]]:
        """See `ReasonedScorer`."""
        rows = self._six(batch)
        return rows.min(axis=1), rows.argmin(axis=1).astype(np.int8)


@dataclass(frozen=True)
class NoiseSvm(_ByGoodPairs):
    """The distance from the border that a linear support vector machine draws between good pairs and wrong ones.

    After KIT's filter at WMT 2012; wrong pairs are good ones with the target of another, half of their own, or the
    source in its place. Features: CMU's six scores and differences of length, digits and punctuation. Above 0 is good.
    """

    name: ClassVar[str] = "noise-svm"

    def _learnt(self, like: Texts | None, pool: Texts, seed: int, n_threads: int) -> tuple[PairModels, Floats]:
        need_sklearn(f"The score {self.name}")
        from sklearn.svm import LinearSVC

        text = self.wanted(like)
        self.compared_sides(text, pool)
        srcs, tgts = self._good_pairs(text)
        models = self._models(srcs, tgts, n_threads)

        held = srcs[::_EACH], tgts[::_EACH]
        good = self._features(models, *held, n_threads)
        wrong = np.concatenate(
            [self._features(models, held[0], targets, n_threads) for targets in _wrong_targets(*held, seed)]
        )
        mean, deviation = _mean_and_deviation(good)
        rows = np.concatenate([_scaled(values, mean, deviation) for values in (good, wrong)])
        marks = np.repeat([1, 0], [len(good), len(wrong)])
        machine = LinearSVC(C=0.1, class_weight="balanced", random_state=0, max_iter=20_000).fit(rows, marks)
        weights = np.asarray(machine.coef_[0], dtype=np.float64)
        return models, np.stack([mean, deviation, weights, np.full(len(weights), float(machine.intercept_[0]))])

    def _scorer(self, models: PairModels, numbers: Floats, n_threads: int) -> Scorer:
        mean, deviation, weights, bias = numbers

        def score(batch: TextBatch) -> Floats:
            srcs, tgts = batch.sides
            values = _scaled(self._features(models, srcs, tgts, n_threads), mean, deviation)
            # Not a product of matrices, whose sums depend on how many rows it has.
            distance: Floats = (values * weights).sum(axis=1) + bias[0]
            return distance

        return score

    def _features(self, models: PairModels, srcs: Sequence[str], tgts: Sequence[str], n_threads: int) -> Floats:
        six = self._six(models, srcs, tgts, n_threads)
        return np.concatenate([six, shape_features(srcs, tgts, n_threads)], axis=1)


def _mean_and_deviation(values: Floats) -> tuple[Floats, Floats]:
    return values.mean(axis=0), np.maximum(values.std(axis=0), 1e-9)


def _scaled(values: Floats, mean: Floats, deviation: Floats) -> Floats:
    clipped: Floats = np.clip((values - mean) / deviation, -_FAR, _FAR)
    return clipped


_FAR = 8.0  # deviations; what lies further is no further


def _wrong_targets(srcs: list[str], tgts: list[str], seed: int) -> tuple[list[str], ...]:
    """Targets that do not belong: those of other pairs, the first half of the words, what was not translated."""
    order = Stream(seed, "wrong targets").permutation(len(tgts)).tolist()
    others = dict(zip(order, [*order[1:], order[0]], strict=True))  # one ring, so that no pair keeps its own
    halves = [" ".join(words[: max(1, len(words) // 2)]) for words in map(str.split, tgts)]
    return [tgts[others[place]] for place in range(len(tgts))], halves, srcs
