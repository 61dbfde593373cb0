"""A neural engine of our own: a small Transformer, trained with JAX, decoded by CTranslate2 without it."""

from dragoman.neural.engine import NeuralEngine
from dragoman.neural.recipe import NeuralRecipe, Shape
from dragoman.neural.training import Curve, NeuralTraining, train_neural

__all__ = ["Curve", "NeuralEngine", "NeuralRecipe", "NeuralTraining", "Shape", "train_neural"]
