"""From strings to tokens and annotations: tokenisers, normalisation, casing, vocabulary, annotators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

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
else:
    offer(__name__)

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
