"""The parts of BLEU as things to predict, and BLEU from them again (Soricut & Narsale, WMT 2012)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dragoman.errors import DataError
from dragoman.metrics.bleu import Bleu
from dragoman.stats.arrays import Floats

__all__ = ["ORDERS", "Components", "document_bleu", "document_numbers", "gold_components", "sentence_bleu"]

ORDERS = 4
_LEAST_PRECISION = 1e-4  # the paper does not say what a precision of 0 is; its logarithm must be finite
_LEAST_PENALTY = float(np.exp(-3.0))


@dataclass(frozen=True, eq=False)
class Components:
    """Clipped precisions and brevity penalty of each sentence, and what the output itself tells."""

    precisions: Floats  # (sentences, 4); of a sentence too short for an order, that of the order below
    penalties: Floats  # (sentences,)
    lengths: Floats  # words of each output

    @property
    def counts(self) -> Floats:
        """n-grams of each output: (sentences, 4)."""
        counts: Floats = np.maximum(0.0, self.lengths[:, np.newaxis] - np.arange(ORDERS))
        return counts

    @property
    def columns(self) -> Floats:
        """The five numbers to predict: (sentences, 5)."""
        return np.column_stack([self.precisions, self.penalties])

    @classmethod
    def of(cls, columns: ArrayLike, lengths: ArrayLike) -> Components:
        """Predicted columns, brought into the range of what they are."""
        array = np.asarray(columns, dtype=np.float64)
        words = np.asarray(lengths, dtype=np.float64)
        if array.shape != (len(words), ORDERS + 1):
            raise DataError(f"{len(words)} sentences need ({len(words)}, {ORDERS + 1}) components, got {array.shape}.")
        return cls(
            np.clip(array[:, :ORDERS], _LEAST_PRECISION, 1.0), np.clip(array[:, ORDERS], _LEAST_PENALTY, 1.0), words
        )


def gold_components(outputs: Sequence[str], references: Sequence[str], *, n_threads: int = 1) -> Components:
    """The components of tokenised outputs against their references, unsmoothed."""
    rows = Bleu(tokeniser="none").stats(outputs, [list(references)], n_threads=n_threads)
    lengths, wanted = rows[:, 0], rows[:, 1]
    matches, counts = rows[:, 2 : 2 + ORDERS], rows[:, 2 + ORDERS :]
    precisions = np.divide(matches, counts, out=np.zeros_like(matches), where=counts > 0)
    for n in range(1, ORDERS):
        precisions[:, n] = np.where(counts[:, n] > 0, precisions[:, n], precisions[:, n - 1])
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        short = np.exp(1 - wanted / lengths)
    penalties = np.where(lengths >= wanted, 1.0, np.where(lengths > 0, short, 0.0))
    return Components(precisions, penalties, lengths)


def sentence_bleu(components: Components) -> Floats:
    """BLEU of each sentence, 0 to 100: the formula on its components, over the orders that it is long enough for."""
    used = components.counts > 0
    used[:, 0] = True
    logs = np.log(np.maximum(components.precisions, _LEAST_PRECISION))
    mean = np.where(used, logs, 0.0).sum(axis=1) / used.sum(axis=1)
    bleu: Floats = 100 * components.penalties * np.exp(mean)
    return np.where(components.lengths > 0, bleu, 0.0)


def document_numbers(documents: Sequence[Hashable]) -> tuple[list[Hashable], NDArray[np.int64]]:
    """The documents in the order of their first sentence, and the number of each sentence's."""
    names = list(dict.fromkeys(documents))
    place = {name: number for number, name in enumerate(names)}
    return names, np.array([place[name] for name in documents], dtype=np.int64)


def document_bleu(components: Components, documents: Sequence[Hashable] | None = None) -> Floats:
    """BLEU of each document, from 0 to 100: matches and lengths are summed, never scores.

    The reference's length, which the penalty implies where it is below 1, is c·(1 − ln BP). Without `documents` all
    sentences are one. The components of references give corpus BLEU where no output is longer than its reference.
    """
    names, number = document_numbers(documents if documents is not None else [0] * len(components.lengths))
    if len(number) != len(components.lengths):
        raise DataError(f"Every sentence has a document: {len(components.lengths)} sentences, {len(number)} documents.")
    counts = components.counts
    total, matched = np.zeros((len(names), ORDERS)), np.zeros((len(names), ORDERS))
    np.add.at(total, number, counts)
    np.add.at(matched, number, components.precisions * counts)
    length = np.bincount(number, weights=components.lengths, minlength=len(names))
    with np.errstate(divide="ignore", invalid="ignore"):
        implied = np.where(components.lengths > 0, components.lengths * (1 - np.log(components.penalties)), 0.0)
    wanted = np.bincount(number, weights=implied, minlength=len(names))
    rows = np.column_stack([length, wanted, matched, total])
    return Bleu(tokeniser="none", smoothing="none").values(rows)
