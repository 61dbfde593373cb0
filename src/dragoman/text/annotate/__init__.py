"""Annotators: stems, lemmas, parts of speech, synonyms, function words, behind one interface."""

from dragoman.text.annotate.base import ANNOTATORS, Annotator, Need, TypeAnnotator, check_needs

__all__ = ["ANNOTATORS", "Annotator", "Need", "TypeAnnotator", "check_needs"]
