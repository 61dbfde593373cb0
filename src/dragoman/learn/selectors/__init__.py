"""Selectors of features: which to keep, or which combinations to make."""

from dragoman.learn.selectors.base import SELECTORS, Job, Selector

__all__ = ["SELECTORS", "Job", "Selector"]
