"""Translation for search: how well documents are found by translated queries (Findings of WMT 2014, §5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from dragoman.data.retrieval import Qrels, Run
from dragoman.errors import DataError
from dragoman.report import Column, Result, Table
from dragoman.stats.retrieval import MEASURES, measure

__all__ = ["RetrievalScores", "score_runs"]


@dataclass(frozen=True)
class RetrievalScores(Result):
    """The measures of runs, means over all judged topics; `found` is the number of relevant documents found."""

    kind: ClassVar[str] = "retrieval"

    names: tuple[str, ...]
    values: tuple[Mapping[str, float], ...]  # of each run
    n_topics: int
    n_relevant: int
    translation: Mapping[str, float]  # by run, the score of its queries as translations, where there is one
    metric: str = ""

    @property
    def disagreements(self) -> tuple[tuple[str, str], ...]:
        """Pairs of runs whose queries are the better translations and find the worse documents, in this order."""
        pairs = []
        maps = {name: values["MAP"] for name, values in zip(self.names, self.values, strict=True)}
        for a, b in combinations([name for name in self.names if name in self.translation], 2):
            first, second = (a, b) if self.translation[a] > self.translation[b] else (b, a)
            if self.translation[first] > self.translation[second] and maps[first] < maps[second]:
                pairs.append((first, second))
        return tuple(pairs)

    def tables(self) -> list[Table]:
        """A row a run."""
        columns: list[str | Column] = [
            "run",
            *(Column(name, digits=4) for name in MEASURES if name != "found"),
            "found",
        ]
        if self.translation:
            columns.insert(1, Column("translation", self.metric, digits=2))
        rows = []
        for name, values in zip(self.names, self.values, strict=True):
            cells: list[Any] = [values[each] for each in MEASURES if each != "found"]
            score = [self.translation.get(name)] if self.translation else []
            rows.append((name, *score, *cells, round(values["found"])))
        return [Table.of("Retrieval", columns, rows, note=" ".join([self._counts(), *self._flags()]))]

    def _counts(self) -> str:
        return f"Means over {self.n_topics} topics with {self.n_relevant} relevant documents; no answer counts as 0."

    def _flags(self) -> list[str]:
        return [
            f"By {self.metric} {a} is the better translation, by MAP {b} finds more." for a, b in self.disagreements
        ]

    def meta(self) -> dict[str, Any]:
        """Topics, and where translation and retrieval disagree."""
        return {
            "n_topics": self.n_topics,
            "n_relevant": self.n_relevant,
            "metric": self.metric,
            "disagreements": [list(pair) for pair in self.disagreements],
        }


def score_runs(
    runs: Sequence[Run], qrels: Qrels, *, translation: Mapping[str, float] | None = None, metric: str = ""
) -> RetrievalScores:
    """Score runs by relevance judgements; `translation` has the scores of their queries by `metric`, if any."""
    topics = [topic for topic, judged in qrels.judged.items() if any(r > 0 for r in judged.values())]
    if not topics:
        raise DataError("No topic has a relevant document; there is nothing to find.")
    names = [run.name for run in runs]
    if len(set(names)) < len(names):
        raise DataError(f"Runs need names of their own, got {', '.join(names)}.")
    for run in runs:
        if not set(run.found) & set(topics):
            raise DataError(
                f"The run {run.name!r} has no topic of the judgements; theirs are {', '.join(topics[:3])} …"
            )
    values = []
    for run in runs:
        by_topic = [
            measure([qrels.judged[t].get(document) for document in run.ranking(t)], list(qrels.judged[t].values()))
            for t in topics
        ]
        means = {name: float(np.mean([each[name] for each in by_topic])) for name in MEASURES}
        values.append({**means, "found": float(sum(each["found"] for each in by_topic))})
    n_relevant = sum(r > 0 for t in topics for r in qrels.judged[t].values())
    return RetrievalScores(tuple(names), tuple(values), len(topics), n_relevant, dict(translation or {}), metric)
