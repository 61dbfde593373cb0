"""Given scores of systems beside the order that people gave them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from dragoman.errors import UnknownName
from dragoman.metrics.given_scores import GivenScores
from dragoman.report import Column, Figure, Section, Table
from dragoman.stats import kendall, pearson

__all__ = ["beside_people"]


def beside_people(given: Sequence[GivenScores], people: Mapping[str, float], *, title: str = "") -> Section:
    """Each system's mean by each metric and its score by people, drawn against each other, with their correlation.

    Systems that only one side has are left out and counted; a metric that has none of the systems is refused.
    """
    items = [part for each in given for part in _parts(each, people)]
    return Section(f"Metrics beside people{title}", "Each point is a system.", items)


def _parts(given: GivenScores, people: Mapping[str, float]) -> tuple[Figure, Table]:
    means = {system: _mean(scores) for system, scores in given.scores.items()}
    rows = [(name, means[name], score) for name, score in people.items() if means.get(name) is not None]
    if not rows:
        raise UnknownName(
            f"{given.name} has no scores of the systems that people ranked ({', '.join(people)}). "
            f"It has: {', '.join(given.scores)}."
        )
    columns = [Column("system"), Column("metric", given.name, digits=3), Column("people", digits=3)]
    note = f"{len(rows)} of {len(people)} ranked systems have scores. {_correlation(rows)}"
    table = Table.of(f"{given.name} beside people", columns, rows, note=note.strip())
    return Figure(table.title, "scatter", table, x="metric", y="people"), table


def _mean(scores: Sequence[float | None]) -> float | None:
    numbers = [score for score in scores if score is not None and math.isfinite(score)]
    return sum(numbers) / len(numbers) if numbers else None


def _correlation(rows: Sequence[tuple[str, float | None, float]]) -> str:
    ours, theirs = [row[1] or 0.0 for row in rows], [row[2] for row in rows]
    if len(rows) < 3 or len(set(ours)) < 2 or len(set(theirs)) < 2:
        return ""
    return f"Pearson r = {pearson(ours, theirs):.3f}, Kendall τ = {kendall(ours, theirs):.3f}."
