"""What features look things up in: language models, n-gram counts, lexical tables, aligners."""

from dragoman.qe.resources.base import HeldOut, Resources, present
from dragoman.qe.resources.build import (
    BuiltResources,
    build_resources,
    copy_resources,
    load_resources,
    with_parses,
)
from dragoman.qe.resources.confidence import ConfidenceRecipe, WordConfidence
from dragoman.qe.resources.indicators import IndicatorRecipe, PhraseIndicators
from dragoman.qe.resources.lexicon import LexicalTable
from dragoman.qe.resources.ngrams import NgramCounts, NgramRecipe
from dragoman.qe.resources.parses import GivenParses, Parsed
from dragoman.qe.resources.units import UnitModels, UnitRecipe

__all__ = [
    "BuiltResources",
    "ConfidenceRecipe",
    "GivenParses",
    "HeldOut",
    "IndicatorRecipe",
    "LexicalTable",
    "NgramCounts",
    "NgramRecipe",
    "Parsed",
    "PhraseIndicators",
    "Resources",
    "UnitModels",
    "UnitRecipe",
    "WordConfidence",
    "build_resources",
    "copy_resources",
    "load_resources",
    "present",
    "with_parses",
]
