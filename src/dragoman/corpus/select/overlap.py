"""A tuning set must not stand in the training text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman._core import corpus as core
from dragoman.corpus.select.texts import TextBatch, Texts
from dragoman.errors import DataError

__all__ = ["Overlap", "check_apart", "overlap"]


@dataclass(frozen=True)
class Overlap:
    """Lines or pairs of a tuning set that stand in a training text, compared by letters and digits."""

    training: str
    noun: str
    n_lines: int
    places: tuple[int, ...]  # in the tuning set, from 0

    def __str__(self) -> str:
        first = ", ".join(str(place + 1) for place in self.places[:3])
        return (
            f"{len(self.places)} of the {self.n_lines} {self.noun} to tune on stand in the training text "
            f"{self.training} (number {first}{' …' if len(self.places) > 3 else ''})"
        )


def overlap(tuning: Texts, training: Texts) -> Overlap:
    """What of a tuning set stands in a training text: pairs, or lines where one of them is one text."""
    n_sides = min(tuning.n_sides, training.n_sides)
    parts = [_keys(batch, n_sides) for batch in tuning.batches()]
    keys = np.concatenate([np.zeros(0, dtype=np.uint64), *parts])
    known: set[int] = set()
    wanted = np.unique(keys)
    for batch in training.batches():
        met = np.intersect1d(wanted, _keys(batch, n_sides))
        known.update(met.tolist())
    places = tuple(place for place, key in enumerate(keys.tolist()) if key in known)
    return Overlap(training.label, tuning.noun, len(keys), places)


def check_apart(tuning: Texts, training: Texts, *, force: bool = False) -> Overlap:
    """Refuse a tuning set that has something of the training text, unless `force`."""
    common = overlap(tuning, training)
    if common.places and not force:
        raise DataError(
            f"{common}. Weights tuned on what the tables know by heart trust long phrases and give up the language "
            "model and reordering: Tamchyna et al. (2012) lost half of their BLEU by it, 6.4 in place of 12.3. Select "
            "from text that was not trained on, or insist with --force."
        )
    return common


def _keys(batch: TextBatch, n_sides: int) -> NDArray[np.uint64]:
    hashes = [core.hash_lines([line.casefold() for line in side], skeleton=True) for side in batch.sides[:n_sides]]
    return hashes[0] if n_sides == 1 else core.hash_pairs(*hashes)
