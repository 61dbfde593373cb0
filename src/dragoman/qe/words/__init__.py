"""Word-level quality estimation: which words, and which gaps between them, are wrong."""

from dragoman.learn.chain import Chain, TokenVectors, fit_crf, fit_perceptron
from dragoman.qe.words.encoding import Columns, Encoder, at_gaps
from dragoman.qe.words.extract import extract_words
from dragoman.qe.words.features import NET_SET, WORD_FEATURES, WORD_SET, WordFeature, make_word_features
from dragoman.qe.words.model import WordModel, WordPredictions, WordRecipe, WordTraining

__all__ = [
    "NET_SET",
    "WORD_FEATURES",
    "WORD_SET",
    "Chain",
    "Columns",
    "Encoder",
    "TokenVectors",
    "WordFeature",
    "WordModel",
    "WordPredictions",
    "WordRecipe",
    "WordTraining",
    "at_gaps",
    "extract_words",
    "fit_crf",
    "fit_perceptron",
    "make_word_features",
]
