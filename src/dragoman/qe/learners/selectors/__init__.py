"""Selectors of features: which to keep, or which combinations to make."""

from dragoman.qe.learners.selectors.base import SELECTORS, Job, Selector

__all__ = ["SELECTORS", "Job", "Selector"]
