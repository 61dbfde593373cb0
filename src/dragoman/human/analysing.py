"""Judgements of any kind analysed: the kind says by which protocol."""

from __future__ import annotations

from typing import Any

from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.report.result import Result

__all__ = ["analyse"]


def analyse(judgements: Judgements, **options: Any) -> Result:
    """Analyse judgements by their kind; the options are those of the kind's own function.

    Direct assessment: `direct_assessment.analyse_direct`.
    """
    kind = judgements.schema.kind
    if kind == "direct-assessment":
        from dragoman.human.direct_assessment.analysis import analyse_direct

        return analyse_direct(judgements, **options)
    raise DataError(f"There is no analysis for judgements of the kind {kind!r} yet.")
