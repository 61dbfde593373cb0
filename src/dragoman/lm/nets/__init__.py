"""Continuous-space models: feed-forward nets over n-grams of words, whose output is factored by word classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.lm.nets.examples import Examples, window
    from dragoman.lm.nets.model import NetModel
    from dragoman.lm.nets.outputs import OutputWords
    from dragoman.lm.nets.recipe import NetRecipe
    from dragoman.lm.nets.storage import read_net
    from dragoman.lm.nets.training import Curve, NetTraining, train_lm_net, trained_net
else:
    offer(__name__)

__all__ = [
    "Curve",
    "Examples",
    "NetModel",
    "NetRecipe",
    "NetTraining",
    "OutputWords",
    "read_net",
    "train_lm_net",
    "trained_net",
    "window",
]
