"""Automatic metrics: one contract, one module per metric, scores at every level from one pass of statistics."""

from dragoman.metrics.amber import WordOrder, word_orders
from dragoman.metrics.amber_tuning import AmberTuning, TunedAmber
from dragoman.metrics.base import METRICS, BestReference, Metric, make_metric
from dragoman.metrics.buckets import Breakdown, NgramContrast
from dragoman.metrics.compare import compare
from dragoman.metrics.comparison import Comparison, SystemPair, SystemScore
from dragoman.metrics.error_classes import ErrorLabels, ErrorProfile, error_profile, label_words
from dragoman.metrics.gate import Gate, GateCheck, gate
from dragoman.metrics.hter import Hter, WordTags, hter
from dragoman.metrics.matrix import ScoreMatrix, matrix
from dragoman.metrics.references import References, by_reference
from dragoman.metrics.resegment import Resegmentation, resegment
from dragoman.metrics.results import ReferenceScores, Score, ScoreSheet
from dragoman.metrics.scoring import Statistics, best_reference, collect, score, score_with_intervals
from dragoman.metrics.signature import metric_of_signature
from dragoman.metrics.slope import LearningCurves, Slope, cut_blocks, learning_curves, percentage_slope
from dragoman.metrics.traces import EditCounts, Shift, Step, Trace, ter_trace

__all__ = [
    "METRICS",
    "AmberTuning",
    "BestReference",
    "Breakdown",
    "Comparison",
    "EditCounts",
    "ErrorLabels",
    "ErrorProfile",
    "Gate",
    "GateCheck",
    "Hter",
    "LearningCurves",
    "Metric",
    "NgramContrast",
    "ReferenceScores",
    "References",
    "Resegmentation",
    "Score",
    "ScoreMatrix",
    "ScoreSheet",
    "Shift",
    "Slope",
    "Statistics",
    "Step",
    "SystemPair",
    "SystemScore",
    "Trace",
    "TunedAmber",
    "WordOrder",
    "WordTags",
    "best_reference",
    "by_reference",
    "collect",
    "compare",
    "cut_blocks",
    "error_profile",
    "gate",
    "hter",
    "label_words",
    "learning_curves",
    "make_metric",
    "matrix",
    "metric_of_signature",
    "percentage_slope",
    "resegment",
    "score",
    "score_with_intervals",
    "ter_trace",
    "word_orders",
]
