"""Quality estimation with syntax: support vectors over features and tree kernels."""

from dragoman.qe.trees.kernels import TreeKernel, Trees
from dragoman.qe.trees.model import TreeModel, TreeRecipe, TreeTraining, read_parses

__all__ = ["TreeKernel", "TreeModel", "TreeRecipe", "TreeTraining", "Trees", "read_parses"]
