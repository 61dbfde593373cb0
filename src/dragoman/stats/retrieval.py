"""Measures of ranked lists, as trec_eval defines them: what a search is worth to somebody who reads from the top.

A list is the relevance of its documents, best first: a positive number is relevant, 0 is not, `None` was not judged.
`judged` is the relevance of all judged documents of the topic, found or not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log2

__all__ = ["MEASURES", "measure"]

Ranking = Sequence[int | None]
Judged = Sequence[int]


def _hits(ranking: Ranking) -> list[bool]:
    return [relevance is not None and relevance > 0 for relevance in ranking]


def _n_relevant(judged: Judged) -> int:
    return sum(relevance > 0 for relevance in judged)


def _precision_at(k: int) -> Callable[[Ranking, Judged], float]:
    return lambda ranking, _: sum(_hits(ranking)[:k]) / k


def _gain(relevances: Sequence[int | None], k: int) -> float:
    return sum(max(0, relevance or 0) / log2(rank + 1) for rank, relevance in enumerate(relevances[:k], start=1))


def _ndcg_at(k: int) -> Callable[[Ranking, Judged], float]:
    def ndcg(ranking: Ranking, judged: Judged) -> float:
        ideal = _gain(sorted(judged, reverse=True), k)
        return _gain(ranking, k) / ideal if ideal else 0.0

    return ndcg


def _average_precision(ranking: Ranking, judged: Judged) -> float:
    """The mean over all relevant documents of the precision at their ranks, 0 for those that were not found."""
    total, found = 0.0, 0
    for rank, hit in enumerate(_hits(ranking), start=1):
        found += hit
        total += found / rank if hit else 0.0
    return total / n if (n := _n_relevant(judged)) else 0.0


def _r_precision(ranking: Ranking, judged: Judged) -> float:
    n = _n_relevant(judged)
    return sum(_hits(ranking)[:n]) / n if n else 0.0


def _bpref(ranking: Ranking, judged: Judged) -> float:
    """How seldom a document that was judged not relevant stands above one that is (Buckley & Voorhees, SIGIR 2004)."""
    n = _n_relevant(judged)
    limit = min(n, len(judged) - n)
    total, others = 0.0, 0
    for relevance in ranking:
        if relevance is not None and relevance > 0:
            total += 1 - (min(others, n) / limit if others else 0.0)
        elif relevance is not None:
            others += 1
    return total / n if n else 0.0


def _reciprocal_rank(ranking: Ranking, _: Judged) -> float:
    hits = _hits(ranking)
    return 1 / (hits.index(True) + 1) if any(hits) else 0.0


def _found(ranking: Ranking, _: Judged) -> float:
    return float(sum(_hits(ranking)))


MEASURES: Mapping[str, Callable[[Ranking, Judged], float]] = {
    "P@5": _precision_at(5),
    "P@10": _precision_at(10),
    "NDCG@5": _ndcg_at(5),
    "NDCG@10": _ndcg_at(10),
    "MAP": _average_precision,
    "Rprec": _r_precision,
    "bpref": _bpref,
    "MRR": _reciprocal_rank,
    "found": _found,
}


def measure(ranking: Ranking, judged: Judged) -> dict[str, float]:
    """All measures of one topic's list.

    >>> measure([1, 0, None, 2], [1, 0, 2, 1])["MAP"]
    0.5
    """
    return {name: value(ranking, judged) for name, value in MEASURES.items()}
