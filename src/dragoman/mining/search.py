"""Search with translated queries: documents ranked by BM25, and what that is worth beside the queries' own score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dragoman.corpus.retrieval import LineIndex, Retrieval
from dragoman.data.parallel import check_parallel
from dragoman.data.retrieval import Qrels, Run
from dragoman.errors import DataError
from dragoman.metrics.retrieval import RetrievalScores, score_runs
from dragoman.metrics.specs import make_metric

__all__ = ["score_queries", "search_documents"]


def search_documents(
    documents: Mapping[str, str],
    queries: Mapping[str, Sequence[str]],
    topics: Sequence[str],
    *,
    recipe: Retrieval | None = None,
    most: int = 1000,
    n_threads: int = 1,
) -> list[Run]:
    """What each system's queries, one for each topic, find among the documents: at most so many, best first."""
    check_parallel({"topics": topics, **queries})
    if not documents:
        raise DataError("There are no documents to search.")
    if len(set(topics)) < len(topics):
        raise DataError("Two topics have one name. Give each query a topic of its own.")
    names = list(documents)
    index = LineIndex.of(list(documents.values()), recipe, n_threads=n_threads)
    runs = []
    for system, lines in queries.items():
        hits = index.best(lines, most, n_threads=n_threads)
        rows = zip(topics, hits.places.tolist(), hits.scores.tolist(), strict=True)
        found = {t: {names[p]: s for p, s in zip(places, scores, strict=True) if p >= 0} for t, places, scores in rows}
        runs.append(Run(system, found))
    return runs


def score_queries(
    runs: Sequence[Run],
    qrels: Qrels,
    queries: Mapping[str, Sequence[str]],
    reference: Sequence[str],
    *,
    metric: str = "bleu",
    n_threads: int = 1,
) -> RetrievalScores:
    """The measures of runs beside the scores of the queries that they were made with, against reference queries."""
    chosen = make_metric(metric)
    scores = {
        name: float(chosen.value(chosen.stats(lines, [reference], n_threads=n_threads).sum(axis=0)))
        for name, lines in queries.items()
    }
    if not chosen.higher_is_better:
        raise DataError(f"{chosen.label} counts errors; name a metric that is higher for better queries.")
    return score_runs(runs, qrels, translation=scores, metric=chosen.label)
