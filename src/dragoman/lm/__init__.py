"""Language models: how probable a sentence is. Estimation, ARPA files, scoring, mixtures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.lm.classes import ClassKneserNey, ClassModel, WordClasses, cluster_words
    from dragoman.lm.heads import HeadsKneserNey, HeadsModel
    from dragoman.lm.interpolation import learn_weights
    from dragoman.lm.mixture import Mixture, mixture_weights
    from dragoman.lm.model import Interpolation, KneserNey, LanguageModel, ScoredTokens
    from dragoman.lm.nets import NetModel, NetRecipe, train_lm_net
    from dragoman.lm.opening import open_model
    from dragoman.lm.perplexity import Perplexity, SentenceScores, perplexity, score_sentences
else:
    offer(__name__)

__all__ = [
    "ClassKneserNey",
    "ClassModel",
    "HeadsKneserNey",
    "HeadsModel",
    "Interpolation",
    "KneserNey",
    "LanguageModel",
    "Mixture",
    "NetModel",
    "NetRecipe",
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
    "train_lm_net",
]
