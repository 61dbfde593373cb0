"""Language models: how probable a sentence is. Estimation, ARPA files, scoring, mixtures."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dragoman.lm.classes import ClassKneserNey, ClassModel, WordClasses, cluster_words, open_model
    from dragoman.lm.interpolation import Interpolation, learn_weights
    from dragoman.lm.kneser_ney import KneserNey
    from dragoman.lm.measures import Perplexity, SentenceScores, perplexity, score_sentences
    from dragoman.lm.mixture import Mixture, mixture_weights
    from dragoman.lm.model import LanguageModel, ScoredTokens

_HOME = {
    "ClassKneserNey": "classes",
    "ClassModel": "classes",
    "Interpolation": "interpolation",
    "KneserNey": "kneser_ney",
    "LanguageModel": "model",
    "Mixture": "mixture",
    "Perplexity": "measures",
    "ScoredTokens": "model",
    "SentenceScores": "measures",
    "WordClasses": "classes",
    "cluster_words": "classes",
    "learn_weights": "interpolation",
    "mixture_weights": "mixture",
    "open_model": "classes",
    "perplexity": "measures",
    "score_sentences": "measures",
}

__all__ = [
    "ClassKneserNey",
    "ClassModel",
    "Interpolation",
    "KneserNey",
    "LanguageModel",
    "Mixture",
    "Perplexity",
    "ScoredTokens",
    "SentenceScores",
    "WordClasses",
    "cluster_words",
    "learn_weights",
    "mixture_weights",
    "open_model",
    "perplexity",
    "score_sentences",
]


if not TYPE_CHECKING:  # a type checker would take the function for leave to ask for any name

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(import_module(f"dragoman.lm.{_HOME[name]}"), name)
        raise AttributeError(f"module 'dragoman.lm' has no attribute {name!r}")
