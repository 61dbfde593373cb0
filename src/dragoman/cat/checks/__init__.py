"""Checks of translations: codes, numbers, marks, terms, spelling, length, and unlike translations of one segment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.cat.checks.base import CHECKS, Check, Finding, Pair, check_pair, check_pairs
    from dragoman.cat.checks.report import CheckReport
else:
    offer(__name__)

__all__ = ["CHECKS", "Check", "CheckReport", "Finding", "Pair", "check_pair", "check_pairs"]
