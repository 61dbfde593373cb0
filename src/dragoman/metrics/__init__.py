"""Automatic metrics: one contract, one module per metric, scores at every level from one pass of statistics."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dragoman.metrics.amber import WordOrder, word_orders
    from dragoman.metrics.amber_tuning import AmberTuning, TunedAmber
    from dragoman.metrics.base import METRICS, BestReference, Metric, make_metric
    from dragoman.metrics.buckets import Breakdown
    from dragoman.metrics.compare import compare
    from dragoman.metrics.comparison import Comparison, SystemPair, SystemScore
    from dragoman.metrics.error_classes import ErrorLabels, ErrorProfile, error_profile, label_words
    from dragoman.metrics.gate import Gate, GateCheck, gate
    from dragoman.metrics.hter import Hter, WordTags, hter
    from dragoman.metrics.kept import ScoreCache
    from dragoman.metrics.matrix import ScoreMatrix, matrix
    from dragoman.metrics.meta import HumanRankings, MetaEvaluation, MetaEvaluations, meta_evaluate, meta_evaluate_files
    from dragoman.metrics.meta.significance import SignificanceAccuracy, significance_accuracy
    from dragoman.metrics.ngram_contrast import NgramContrast
    from dragoman.metrics.references import References, by_reference
    from dragoman.metrics.resegment import Resegmentation, resegment
    from dragoman.metrics.results import ReferenceScores, Score, ScoreSheet
    from dragoman.metrics.sacrebleu import SacrebleuReport, sacrebleu_report, sacrebleu_segments
    from dragoman.metrics.scoring import Statistics, best_reference, collect, score, score_with_intervals
    from dragoman.metrics.signature import metric_of_signature
    from dragoman.metrics.slope import LearningCurves, Slope, cut_blocks, learning_curves, percentage_slope
    from dragoman.metrics.traces import EditCounts, EditTraces, Shift, Step, Trace, ter_trace, trace_edits

# Where each name of the room lives. They are imported on first use: who scores by BLEU need not wait for the tuners.
_HOMES = {
    "amber": ("WordOrder", "word_orders"),
    "amber_tuning": ("AmberTuning", "TunedAmber"),
    "base": ("METRICS", "BestReference", "Metric", "make_metric"),
    "buckets": ("Breakdown",),
    "compare": ("compare",),
    "comparison": ("Comparison", "SystemPair", "SystemScore"),
    "error_classes": ("ErrorLabels", "ErrorProfile", "error_profile", "label_words"),
    "gate": ("Gate", "GateCheck", "gate"),
    "hter": ("Hter", "WordTags", "hter"),
    "kept": ("ScoreCache",),
    "matrix": ("ScoreMatrix", "matrix"),
    "meta": ("HumanRankings", "MetaEvaluation", "MetaEvaluations", "meta_evaluate", "meta_evaluate_files"),
    "meta.significance": ("SignificanceAccuracy", "significance_accuracy"),
    "ngram_contrast": ("NgramContrast",),
    "references": ("References", "by_reference"),
    "resegment": ("Resegmentation", "resegment"),
    "results": ("ReferenceScores", "Score", "ScoreSheet"),
    "sacrebleu": ("SacrebleuReport", "sacrebleu_report", "sacrebleu_segments"),
    "scoring": ("Statistics", "best_reference", "collect", "score", "score_with_intervals"),
    "signature": ("metric_of_signature",),
    "slope": ("LearningCurves", "Slope", "cut_blocks", "learning_curves", "percentage_slope"),
    "traces": ("EditCounts", "EditTraces", "Shift", "Step", "Trace", "ter_trace", "trace_edits"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "METRICS",
    "AmberTuning",
    "BestReference",
    "Breakdown",
    "Comparison",
    "EditCounts",
    "EditTraces",
    "ErrorLabels",
    "ErrorProfile",
    "Gate",
    "GateCheck",
    "Hter",
    "HumanRankings",
    "LearningCurves",
    "MetaEvaluation",
    "MetaEvaluations",
    "Metric",
    "NgramContrast",
    "ReferenceScores",
    "References",
    "Resegmentation",
    "SacrebleuReport",
    "Score",
    "ScoreCache",
    "ScoreMatrix",
    "ScoreSheet",
    "Shift",
    "SignificanceAccuracy",
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
    "meta_evaluate",
    "meta_evaluate_files",
    "metric_of_signature",
    "percentage_slope",
    "resegment",
    "sacrebleu_report",
    "sacrebleu_segments",
    "score",
    "score_with_intervals",
    "significance_accuracy",
    "ter_trace",
    "trace_edits",
    "word_orders",
]


class _Room(ModuleType):
    """The package as a module in which functions outrank the modules of the same name.

    Python binds a submodule to its package's attribute once it is imported: without this, `metrics.compare` would be
    the function or the module, as it happens.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        own = isinstance(value, ModuleType) and _HOME.get(name) == name
        super().__setattr__(name, getattr(value, name) if own else value)


if not TYPE_CHECKING:  # a type checker would take the function for leave to ask for any name
    sys.modules[__name__].__class__ = _Room

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(import_module(f"dragoman.metrics.{_HOME[name]}"), name)
        raise AttributeError(f"module 'dragoman.metrics' has no attribute {name!r}")
