"""Direct assessment: scores from 0 to 100, judges controlled by degraded copies and repeats, z-scores.

Graham, Baldwin, Moffat & Zobel: *Continuous Measurement Scales* (LAW VII 2013) and *Is Machine Translation Getting
Better over Time?* (EACL 2014). Called DA-SCALE and DA-TIME in the comments of this folder; "tool" is what their authors
released with the papers.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "DEGRADERS": "degraders",
    "Assessments": "assessments",
    "DirectAnalysis": "analysis",
    "DirectAssessment": "protocol",
    "Gain": "over_time",
    "GainOverTime": "over_time",
    "Population": "simulation",
    "PowerCurve": "power",
    "WORKER_TESTS": "workers",
    "WorkerReport": "workers",
    "analyse_direct": "analysis",
    "degrade": "degraders",
    "gain_over_time": "over_time",
    "power_curve": "power",
    "simulate_campaign": "simulation",
    "simulate_judgements": "simulation",
    "standardise": "scores",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"dragoman.human.direct_assessment.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'dragoman.human.direct_assessment' has no attribute {name!r}")
