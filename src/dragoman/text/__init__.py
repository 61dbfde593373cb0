"""From strings to tokens and annotations: tokenisers, normalisation, casing, vocabulary, annotators."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dragoman.text.annotate.base import ANNOTATORS, Annotator, check_needs
    from dragoman.text.base import TOKENISERS, Tokeniser
    from dragoman.text.casing import lowercase, sentence_case, truecase_by_lemma, uppercase
    from dragoman.text.detokenise import MosesDetokeniser
    from dragoman.text.languages import base_language, expected_scripts, language_name, parse_language, text_direction
    from dragoman.text.lines import TextLines, read_text_lines, read_text_streams
    from dragoman.text.morphemes import MorphemeModel, MorphemeRecipe, open_subwords
    from dragoman.text.moses import MosesTokeniser
    from dragoman.text.prefixes import prefixes_of, read_prefixes
    from dragoman.text.punctuation import PunctuationNormaliser
    from dragoman.text.quotes import QuoteStyle, normalise_quotes
    from dragoman.text.sentences import SentenceSplitter
    from dragoman.text.spelling import Dictionary
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

# Where each name of the room lives. They are imported on first use: who tokenises need not wait for the annotators.
_HOMES = {
    "annotate.base": ("ANNOTATORS", "Annotator", "check_needs"),
    "base": ("TOKENISERS", "Tokeniser"),
    "casing": ("lowercase", "sentence_case", "truecase_by_lemma", "uppercase"),
    "detokenise": ("MosesDetokeniser",),
    "languages": ("base_language", "expected_scripts", "language_name", "parse_language", "text_direction"),
    "lines": ("TextLines", "read_text_lines", "read_text_streams"),
    "morphemes": ("MorphemeModel", "MorphemeRecipe", "open_subwords"),
    "moses": ("MosesTokeniser",),
    "prefixes": ("prefixes_of", "read_prefixes"),
    "punctuation": ("PunctuationNormaliser",),
    "quotes": ("QuoteStyle", "normalise_quotes"),
    "sentences": ("SentenceSplitter",),
    "spelling": ("Dictionary",),
    "subword_training": ("SubwordModel", "SubwordRecipe"),
    "tokens": ("TokenBatch", "TokenIds"),
    "truecase": ("TruecaseRecipe", "Truecaser"),
    "unicode": (
        "find_controls",
        "find_normalisation",
        "normalise_unicode",
        "remove_controls",
        "script_counts",
        "squeeze_spaces",
    ),
    "vocabulary": ("Vocabulary",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "ANNOTATORS",
    "TOKENISERS",
    "Annotator",
    "Dictionary",
    "MorphemeModel",
    "MorphemeRecipe",
    "MosesDetokeniser",
    "MosesTokeniser",
    "PunctuationNormaliser",
    "QuoteStyle",
    "SentenceSplitter",
    "SubwordModel",
    "SubwordRecipe",
    "TextLines",
    "TokenBatch",
    "TokenIds",
    "Tokeniser",
    "TruecaseRecipe",
    "Truecaser",
    "Vocabulary",
    "base_language",
    "check_needs",
    "expected_scripts",
    "find_controls",
    "find_normalisation",
    "language_name",
    "lowercase",
    "normalise_quotes",
    "normalise_unicode",
    "open_subwords",
    "parse_language",
    "prefixes_of",
    "read_prefixes",
    "read_text_lines",
    "read_text_streams",
    "remove_controls",
    "script_counts",
    "sentence_case",
    "squeeze_spaces",
    "text_direction",
    "truecase_by_lemma",
    "uppercase",
]


if not TYPE_CHECKING:  # a type checker would take the function for leave to ask for any name

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(import_module(f"dragoman.text.{_HOME[name]}"), name)
        raise AttributeError(f"module 'dragoman.text' has no attribute {name!r}")
