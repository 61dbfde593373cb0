"""From strings to tokens and annotations: tokenisers, normalisation, casing, vocabulary, annotators."""

from dragoman.text.base import TOKENISERS, Tokeniser

__all__ = ["TOKENISERS", "Tokeniser"]
