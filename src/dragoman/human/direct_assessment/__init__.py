"""Direct assessment: scores from 0 to 100, judges controlled by degraded copies and repeats, z-scores.

Graham, Baldwin, Moffat & Zobel: *Continuous Measurement Scales* (LAW VII 2013) and *Is Machine Translation Getting
Better over Time?* (EACL 2014). Called DA-SCALE and DA-TIME in the comments of this folder; "tool" is what their authors
released with the papers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.human.direct_assessment.analysis import DirectAnalysis, analyse_direct
    from dragoman.human.direct_assessment.assessments import Assessments
    from dragoman.human.direct_assessment.degraders import DEGRADERS, degrade
    from dragoman.human.direct_assessment.over_time import Gain, GainOverTime, gain_over_time
    from dragoman.human.direct_assessment.power import PowerCurve, power_curve
    from dragoman.human.direct_assessment.protocol import DirectAssessment
    from dragoman.human.direct_assessment.scores import standardise
    from dragoman.human.direct_assessment.simulation import Population, simulate_campaign, simulate_judgements
    from dragoman.human.direct_assessment.workers import WORKER_TESTS, WorkerReport
else:
    offer(__name__)

__all__ = [
    "DEGRADERS",
    "WORKER_TESTS",
    "Assessments",
    "DirectAnalysis",
    "DirectAssessment",
    "Gain",
    "GainOverTime",
    "Population",
    "PowerCurve",
    "WorkerReport",
    "analyse_direct",
    "degrade",
    "gain_over_time",
    "power_curve",
    "simulate_campaign",
    "simulate_judgements",
    "standardise",
]
