"""Experiments with engines: ladders, learning curves, matrices of directions, and what each text gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.smt.experiments.curves import (
        CurvePoint,
        LearningCurve,
        curve_trials,
        doubling_sizes,
        learning_curve,
        plan_curve,
    )
    from dragoman.smt.experiments.domains import Domains, compare_domains, domain_distances, jensen_shannon
    from dragoman.smt.experiments.ladders import LadderRung, climb_ladder, plan_ladder, read_rungs
    from dragoman.smt.experiments.matrix import (
        Direction,
        MatrixText,
        TranslationMatrix,
        plan_matrix,
        translation_matrix,
    )
    from dragoman.smt.experiments.selections import bleu_of
    from dragoman.smt.experiments.trials import ExperimentPlan, Trial, Trials
else:
    offer(__name__)

__all__ = [
    "CurvePoint",
    "Direction",
    "Domains",
    "ExperimentPlan",
    "LadderRung",
    "LearningCurve",
    "MatrixText",
    "TranslationMatrix",
    "Trial",
    "Trials",
    "bleu_of",
    "climb_ladder",
    "compare_domains",
    "curve_trials",
    "domain_distances",
    "doubling_sizes",
    "jensen_shannon",
    "learning_curve",
    "plan_curve",
    "plan_ladder",
    "plan_matrix",
    "read_rungs",
    "translation_matrix",
]
