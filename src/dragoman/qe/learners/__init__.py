"""Learners of quality estimates: a recipe trained on features and scores gives a model."""

from dragoman.qe.learners.base import LEARNERS, QERecipe
from dragoman.qe.learners.model import Predictions, QEModel, Training
from dragoman.qe.learners.selectors import SELECTORS

__all__ = ["LEARNERS", "SELECTORS", "Predictions", "QEModel", "QERecipe", "Training"]
