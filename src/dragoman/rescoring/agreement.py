"""How far a candidate agrees with the lists of all engines: what minimum Bayes risk makes high, as features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from dragoman.rescoring.lists import SCORE, CandidateLists
from dragoman.rescoring.risk import Opinion, Squares, probabilities, squares
from dragoman.stats.arrays import Floats

__all__ = ["add_agreement", "engines_of"]


def engines_of(lists: CandidateLists) -> list[str]:
    """The engines whose lists were merged, by their columns; of one list its score."""
    merged = [name for name in lists.names if f"{name}.{SCORE}" in lists.names]
    return merged or [name for name in lists.names if name == SCORE]


def add_agreement(lists: CandidateLists, metrics: Sequence[str], *, n_threads: int = 1) -> CandidateLists:
    """The lists with a candidate's expected metric against each engine's list, and against all by their scores.

    An engine's candidates count alike in its own column, `agreement.bleu.net`, and by exp(score) in that of all,
    `agreement.bleu`. These numbers depend on the whole list, so they are no rescoring features of their own.
    """
    engines = engines_of(lists)
    for metric in metrics:
        table = squares(lists, metric, n_threads=n_threads)
        opinions: dict[str, Mapping[str, Opinion]] = {
            f"agreement.{metric}.{name}": {name: Opinion(scale=0.0)} for name in engines
        }
        opinions[f"agreement.{metric}"] = {name: Opinion() for name in engines}
        columns = [_expected(lists, table, each) for each in opinions.values()]
        lists = lists.with_columns(list(opinions), np.stack(columns, axis=1))
    return lists


def _expected(lists: CandidateLists, table: Squares, opinions: Mapping[str, Opinion]) -> Floats:
    shares = probabilities(lists, opinions)
    parts = [square @ shares[a:b] for square, (a, b) in zip(table, pairwise(lists.offsets.tolist()), strict=True)]
    return np.concatenate([np.zeros(0), *parts])
