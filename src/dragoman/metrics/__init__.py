"""Automatic metrics: one contract, one module per metric, scores at every level from one pass of statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.metrics.amber import WordOrder, word_orders
    from dragoman.metrics.amber_tuning import AmberTuning, TunedAmber
    from dragoman.metrics.base import METRICS, BestReference, Metric
    from dragoman.metrics.buckets import Breakdown
    from dragoman.metrics.compare import ComparisonRecipe, compare
    from dragoman.metrics.comparison import Comparison, SystemPair, SystemScore
    from dragoman.metrics.error_classes import ErrorProfile, error_profile, label_words
    from dragoman.metrics.error_labels import ErrorLabels, ErrorsByTag
    from dragoman.metrics.gate import Gate, GateCheck, GateRecipe, gate
    from dragoman.metrics.given_files import read_given_scores
    from dragoman.metrics.given_scores import GivenScores
    from dragoman.metrics.hter import Hter, WordTags, hter
    from dragoman.metrics.matrix import ScoreMatrix, matrix
    from dragoman.metrics.meta import (
        HumanRankings,
        MetaEvaluation,
        MetaEvaluations,
        MetaRecipe,
        meta_evaluate,
        meta_evaluate_files,
    )
    from dragoman.metrics.meta.significance import SignificanceAccuracy, SignificanceRecipe, significance_accuracy
    from dragoman.metrics.ngram_contrast import NgramContrast
    from dragoman.metrics.references import References, as_test_set, by_reference
    from dragoman.metrics.resegment import Resegmentation, resegment, resegment_systems
    from dragoman.metrics.sacrebleu import SacrebleuReport, sacrebleu_report, sacrebleu_segments
    from dragoman.metrics.score_cache import ScoreCache
    from dragoman.metrics.score_sheet import ReferenceScores, Score, ScoreSheet
    from dragoman.metrics.scoring import ScoreRecipe, Statistics, best_reference, collect, score, score_test_set
    from dragoman.metrics.signature import metric_of_signature
    from dragoman.metrics.slope import LearningCurves, Slope, SlopeRecipe, cut_blocks, learning_curves, percentage_slope
    from dragoman.metrics.specs import make_metric
    from dragoman.metrics.traces import EditCounts, EditTraces, Shift, Step, Trace, ter_trace, trace_edits
    from dragoman.metrics.training import MetricTraining, TrainedMetric
else:
    offer(__name__)

__all__ = [
    "METRICS",
    "AmberTuning",
    "BestReference",
    "Breakdown",
    "Comparison",
    "ComparisonRecipe",
    "EditCounts",
    "EditTraces",
    "ErrorLabels",
    "ErrorProfile",
    "ErrorsByTag",
    "Gate",
    "GateCheck",
    "GateRecipe",
    "GivenScores",
    "Hter",
    "HumanRankings",
    "LearningCurves",
    "MetaEvaluation",
    "MetaEvaluations",
    "MetaRecipe",
    "Metric",
    "MetricTraining",
    "NgramContrast",
    "ReferenceScores",
    "References",
    "Resegmentation",
    "SacrebleuReport",
    "Score",
    "ScoreCache",
    "ScoreMatrix",
    "ScoreRecipe",
    "ScoreSheet",
    "Shift",
    "SignificanceAccuracy",
    "SignificanceRecipe",
    "Slope",
    "SlopeRecipe",
    "Statistics",
    "Step",
    "SystemPair",
    "SystemScore",
    "Trace",
    "TrainedMetric",
    "TunedAmber",
    "WordOrder",
    "WordTags",
    "as_test_set",
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
    "meta_evaluate",
    "meta_evaluate_files",
    "metric_of_signature",
    "percentage_slope",
    "read_given_scores",
    "resegment",
    "resegment_systems",
    "sacrebleu_report",
    "sacrebleu_segments",
    "score",
    "score_test_set",
    "significance_accuracy",
    "ter_trace",
    "trace_edits",
    "word_orders",
]
