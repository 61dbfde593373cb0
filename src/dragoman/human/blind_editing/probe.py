"""The probe study: how many segments and how many references make automatic scores agree with people.

Findings of WMT 2013, §4.4: sets of random segments with random references each are drawn again and again, all systems
scored on them, and the order compared with the human one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dragoman.data.judgements import Judgements
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.blind_editing.scores import new_references, understandability
from dragoman.human.draws import Draws
from dragoman.metrics.base import METRICS, Metric
from dragoman.metrics.references import ScoredText
from dragoman.report import Column, Result, Table
from dragoman.stats.arrays import check_trials
from dragoman.stats.correlation import spearman

__all__ = ["Probe", "ProbeCell", "probe_references", "probe_reviews"]


@dataclass(frozen=True)
class ProbeCell:
    """Draws of one size with so many references each."""

    metric: str
    segments: int
    references: int
    n: int  # draws with a correlation: without a difference between systems there is none
    mean: float | None  # of Spearman's rho with the human scores
    sd: float | None


@dataclass(frozen=True)
class Probe(Result):
    """Correlations by metric, segments and references."""

    kind: ClassVar[str] = "reference-probe"

    cells: tuple[ProbeCell, ...]
    n_available: Mapping[int, int]  # segments with at least so many references
    systems: tuple[str, ...]
    trials: int
    seed: int

    def tables(self) -> list[Table]:
        """One row per cell."""
        measured = [Column(name, digits=3) for name in ("mean", "sd")]
        columns: list[Column | str] = ["metric", "segments", "references", "n", *measured]
        rows = [(c.metric, c.segments, c.references, c.n, c.mean, c.sd) for c in self.cells]
        available = ", ".join(f"{n} ({refs})" for refs, n in self.n_available.items())
        note = (
            f"Spearman's rho between scores and human scores of {len(self.systems)} systems over {self.trials} draws, "
            f"seed {self.seed}. Segments with at least so many references: {available}."
        )
        return [Table.of("References and segments", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """How it was made."""
        return {"systems": list(self.systems), "trials": self.trials, "seed": self.seed}


def probe_references(
    test_set: TestSet,
    references: Mapping[int, Sequence[str]],
    human: Mapping[str, float],
    *,
    metrics: Sequence[str] = ("bleu", "nist"),
    sizes: Sequence[int] = (10, 30, 100),
    counts: Sequence[int] = (1, 2, 3),
    trials: int = 20,
    seed: int = 1,
    n_threads: int = 1,
) -> Probe:
    """Score systems on random segments with random references, and correlate with their human scores, higher better.

    `references` are by segment, from 1. A cell draws among the segments that have references enough; cells with too
    few of them are left out.
    """
    check_trials(trials)
    systems = [name for name in test_set.systems if name in human]
    if len(systems) < 3:
        raise DataError(
            f"A correlation needs at least three systems with outputs and human scores; got {len(systems)}."
        )
    if not sizes or not counts or min(*sizes, *counts) < 1:
        raise DataError("Segments and references of a draw are counted from 1.")
    wrong = next((segment for segment in references if not 1 <= segment <= len(test_set)), None)
    if wrong is not None:
        raise DataError(f"There are references for segment {wrong}; the test set has {len(test_set)}.")
    texts = {segment: list(dict.fromkeys(lines)) for segment, lines in references.items()}
    pools = {count: [segment for segment, lines in texts.items() if len(lines) >= count] for count in sorted(counts)}
    material = _Material(test_set, systems, texts, [human[name] for name in systems], n_threads)
    cells = []
    for label in metrics:
        metric = METRICS.make(label)
        for size in sorted(sizes):
            for count, pool in pools.items():
                if len(pool) < size:
                    continue
                every = (Draws(seed, f"probe/{size}/{count}/{trial}") for trial in range(trials))
                drawn = [material.correlation(metric, pool, size, count, draws) for draws in every]
                found = [rho for rho in drawn if rho is not None]
                mean = float(np.mean(found)) if found else None
                cells.append(ProbeCell(label, size, count, len(found), mean, float(np.std(found)) if found else None))
    if not cells:
        raise DataError("No segment has references enough; ask for fewer segments or references.")
    return Probe(tuple(cells), {count: len(pool) for count, pool in pools.items()}, tuple(systems), trials, seed)


def probe_reviews(test_set: TestSet, reviews: Judgements, **options: Any) -> Probe:
    """The probe study on reviewed edits, which give both the references and the human scores.

    The test set's own references are among those drawn. Segments of the reviews are numbers, from 1.
    """
    references: dict[int, list[str]] = {}
    for name, approved in new_references(reviews).items():
        if not name.isdecimal():
            raise DataError(f"A review is of segment {name!r}; segments of a test set are numbers.")
        references.setdefault(int(name), []).extend(approved)
    for lines in test_set.refs.values():
        for segment in references:
            if segment <= len(lines) and lines[segment - 1]:
                references[segment].append(str(lines[segment - 1]))
    systems = understandability(reviews, trials=1).systems
    human = {each.system: each.share for each in systems if each.system is not None}
    return probe_references(test_set, references, human, **options)


@dataclass(frozen=True)
class _Material:
    """What all draws have in common."""

    test_set: TestSet
    systems: Sequence[str]
    texts: Mapping[int, Sequence[str]]
    human: Sequence[float]
    n_threads: int

    def correlation(self, metric: Metric, pool: Sequence[int], size: int, count: int, draws: Draws) -> float | None:
        """The correlation of one draw, with the same segments and references for every metric."""
        segments = sorted(draws.sample(pool, size))
        chosen = [draws.sample(self.texts[segment], count) for segment in segments]
        streams = [[lines[n] for lines in chosen] for n in range(count)]
        hyps = [[self.test_set.systems[name][segment - 1] for segment in segments] for name in self.systems]
        srcs = None if self.test_set.srcs is None else [self.test_set.srcs[segment - 1] for segment in segments]
        rows = metric.batch_rows(ScoredText.of_streams(hyps, streams, srcs), self.n_threads)
        scores = metric.values(rows.sum(axis=1))
        if not np.isfinite(scores).all() or len(set(scores.tolist())) == 1 or len(set(self.human)) == 1:
            return None
        return spearman(scores, self.human)
