"""What features look things up in: language models, n-gram counts, lexical tables, aligners."""

from dragoman.metrics.units import UnitModels, UnitRecipe
from dragoman.qe.resources.bag_nets import BagNet, BagNetRecipe
from dragoman.qe.resources.base import HeldOut, Resources
from dragoman.qe.resources.build import BuiltResources, build_resources
from dragoman.qe.resources.confidence import ConfidenceRecipe, WordConfidence
from dragoman.qe.resources.declared import Group, Resource
from dragoman.qe.resources.folder import copy_resources, having_layers, load_resources
from dragoman.qe.resources.groups import EXTRAS, GROUPS, RESOURCES, extras_for, options_for
from dragoman.qe.resources.indicators import IndicatorRecipe, PhraseIndicators
from dragoman.qe.resources.lexicon import LexicalTable
from dragoman.qe.resources.ngrams import NgramCounts, NgramRecipe
from dragoman.qe.resources.parses import GivenParses, Parsed
from dragoman.qe.resources.quartiles import ListQuartiles
from dragoman.qe.resources.similarity import GoodText, GoodTextRecipe
from dragoman.qe.resources.topics import TopicModel, TopicRecipe
from dragoman.qe.resources.traces import TraceIndex
from dragoman.qe.resources.triggers import TriggerRecipe, Triggers
from dragoman.qe.resources.unaligned import UnalignedRates, UnalignedRecipe
from dragoman.qe.resources.word_bayes import WordBayes, WordBayesRecipe
from dragoman.qe.resources.word_lexicon import WordLexicon, WordLexiconRecipe

__all__ = [
    "EXTRAS",
    "GROUPS",
    "RESOURCES",
    "BagNet",
    "BagNetRecipe",
    "BuiltResources",
    "ConfidenceRecipe",
    "GivenParses",
    "GoodText",
    "GoodTextRecipe",
    "Group",
    "HeldOut",
    "IndicatorRecipe",
    "LexicalTable",
    "ListQuartiles",
    "NgramCounts",
    "NgramRecipe",
    "Parsed",
    "PhraseIndicators",
    "Resource",
    "Resources",
    "TopicModel",
    "TopicRecipe",
    "TraceIndex",
    "TriggerRecipe",
    "Triggers",
    "UnalignedRates",
    "UnalignedRecipe",
    "UnitModels",
    "UnitRecipe",
    "WordBayes",
    "WordBayesRecipe",
    "WordConfidence",
    "WordLexicon",
    "WordLexiconRecipe",
    "build_resources",
    "copy_resources",
    "extras_for",
    "having_layers",
    "load_resources",
    "options_for",
]
