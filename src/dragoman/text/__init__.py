"""From strings to tokens and annotations: tokenisers, normalisation, casing, vocabulary, annotators."""

from dragoman.text.annotate.base import ANNOTATORS, Annotator, annotate_layers, check_needs
from dragoman.text.base import TOKENISERS, Tokeniser
from dragoman.text.casing import lowercase, sentence_case, truecase_by_lemma, uppercase
from dragoman.text.languages import base_language, expected_scripts, language_name, parse_language, text_direction
from dragoman.text.subword_training import SubwordModel, SubwordRecipe
from dragoman.text.tokens import TokenBatch, TokenIds
from dragoman.text.truecase import Truecaser, TruecaseRecipe
from dragoman.text.unicode import (
    find_controls,
    find_normalisation,
    normalise_unicode,
    remove_controls,
    script_counts,
    squeeze_spaces,
)
from dragoman.text.vocabulary import Vocabulary

__all__ = [
    "ANNOTATORS",
    "TOKENISERS",
    "Annotator",
    "SubwordModel",
    "SubwordRecipe",
    "TokenBatch",
    "TokenIds",
    "Tokeniser",
    "TruecaseRecipe",
    "Truecaser",
    "Vocabulary",
    "annotate_layers",
    "base_language",
    "check_needs",
    "expected_scripts",
    "find_controls",
    "find_normalisation",
    "language_name",
    "lowercase",
    "normalise_unicode",
    "parse_language",
    "remove_controls",
    "script_counts",
    "sentence_case",
    "squeeze_spaces",
    "text_direction",
    "truecase_by_lemma",
    "uppercase",
]
