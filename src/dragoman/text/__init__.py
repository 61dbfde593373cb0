"""From strings to tokens and annotations: tokenisers, normalisation, casing, vocabulary, annotators."""

from dragoman.text.annotate.base import ANNOTATORS, Annotator, annotate_layers, check_needs
from dragoman.text.base import TOKENISERS, Tokeniser
from dragoman.text.casing import lowercase, sentence_case, truecase_by_lemma, uppercase
from dragoman.text.languages import base_language, expected_scripts, language_name, parse_language, text_direction
from dragoman.text.tokens import TokenBatch, TokenIds
from dragoman.text.truecase import Truecaser, TruecaseRecipe
from dragoman.text.vocabulary import Vocabulary

__all__ = [
    "ANNOTATORS",
    "TOKENISERS",
    "Annotator",
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
    "language_name",
    "lowercase",
    "parse_language",
    "sentence_case",
    "text_direction",
    "truecase_by_lemma",
    "uppercase",
]
