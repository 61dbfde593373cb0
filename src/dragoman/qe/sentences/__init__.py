"""Scores of sentences: a learner trained on a table of features gives a model."""

from dragoman.qe.sentences.learning import learn_scores
from dragoman.qe.sentences.model import Predictions, QEModel
from dragoman.qe.sentences.training import Training

__all__ = ["Predictions", "QEModel", "Training", "learn_scores"]
