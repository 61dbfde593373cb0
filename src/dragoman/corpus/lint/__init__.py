"""What is suspicious about a test set or a bitext, before anybody scores or trains on it."""

from dragoman.corpus.lint.base import CHECKS, SEVERITIES, Check, Finding, Material, TextStream
from dragoman.corpus.lint.run import LintReport, lint

__all__ = ["CHECKS", "SEVERITIES", "Check", "Finding", "LintReport", "Material", "TextStream", "lint"]
