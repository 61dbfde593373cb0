"""Quality estimation with syntax: support vectors over features and tree kernels."""

from dragoman.qe.trees.model import TreeModel, TreeRecipe, TreeTraining, read_parses
from dragoman.qe.trees.parsing import TreeMakers

__all__ = ["TreeMakers", "TreeModel", "TreeRecipe", "TreeTraining", "read_parses"]
