"""A small checker of language: repeated words and marks, forms of small words, agreement. Its rules are data."""

from dragoman.qe.checks.find import Hits, find
from dragoman.qe.checks.rules import CHECKS, Rule, Rules, rules_of
from dragoman.qe.checks.text import CheckedText, check_text

__all__ = ["CHECKS", "CheckedText", "Hits", "Rule", "Rules", "check_text", "find", "rules_of"]
