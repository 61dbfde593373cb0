"""What text of another field gives to a phrase table: links, scores, entries (Haddow & Koehn, WMT 2012), and its mark.

The *pool* is the table of all texts together. A table of the first text may take its scores from there, or the entries
that it lacks; and each pair may say in features of its own of which texts it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dragoman import _core

if TYPE_CHECKING:
    from dragoman.smt.phrase_table import PhraseTable

__all__ = ["DOMAINS", "POOLED", "domain_features", "pair_scores", "pooled_scores"]

POOLED = ("pooled", "pooled-links", "pooled-scores", "pooled-entries")
DOMAINS = ("none", "indicator", "ratio", "subset")


def pair_scores(table: PhraseTable, pairs: PhraseTable) -> NDArray[np.float32]:
    """All scores that a table has for the pairs of another, -inf for those that it lacks."""
    maps = [pairs.source.merge(table.source).maps[1], pairs.target.merge(table.target).maps[1]]
    return _core.phrase.scores_of((table.core, table.core.n_scores, maps[0], maps[1]), pairs.core)


def pooled_scores(table: PhraseTable, pool: PhraseTable) -> NDArray[np.float32]:
    """The scores of a table's pairs in the pool; their own where the pool was cut before them."""
    scores = pair_scores(pool, table)
    return np.where(np.isfinite(scores[:, :1]), scores, _core.phrase.all_scores(table.core))


def domain_features(kind: str, pairs: PhraseTable, tables: Sequence[PhraseTable]) -> dict[str, NDArray[np.float32]]:
    """By name, for each pair, of which texts it is; `tables` are the texts', whose counts are their last three scores.

    `indicator` is 1 for each text that has the pair, `ratio` the text's share of its counts, `subset` 1 for exactly
    these texts and no others.
    """
    counts = np.stack([np.maximum(pair_scores(table, pairs)[:, -3], 0) for table in tables], axis=1)
    present = counts > 0
    if kind == "subset":
        subsets = range(1, 2 ** len(tables))
        names = ["+".join(str(i + 1) for i in range(len(tables)) if subset >> i & 1) for subset in subsets]
        number = present @ (1 << np.arange(len(tables)))
        return {
            f"domain.{name}": (number == subset).astype(np.float32) for name, subset in zip(names, subsets, strict=True)
        }
    values = present if kind == "indicator" else counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-9)
    return {f"domain.{i + 1}": values[:, i].astype(np.float32) for i in range(len(tables))}
