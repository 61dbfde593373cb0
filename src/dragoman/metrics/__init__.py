"""Automatic metrics: one contract, one module per metric, scores at every level from one pass of statistics."""

from dragoman.metrics.base import METRICS, BestReference, Metric, make_metric
from dragoman.metrics.matrix import ScoreMatrix, matrix
from dragoman.metrics.references import References, by_reference
from dragoman.metrics.results import ReferenceScores, Score, ScoreSheet
from dragoman.metrics.scoring import Statistics, best_reference, collect, score
from dragoman.metrics.signature import metric_of_signature

__all__ = [
    "METRICS",
    "BestReference",
    "Metric",
    "ReferenceScores",
    "References",
    "Score",
    "ScoreMatrix",
    "ScoreSheet",
    "Statistics",
    "best_reference",
    "by_reference",
    "collect",
    "make_metric",
    "matrix",
    "metric_of_signature",
    "score",
]
