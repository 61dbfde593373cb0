"""Order: source words put into the order of the target language before any engine translates them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.reorder.annotation import Annotated, annotate, read_annotated
    from dragoman.reorder.application import Reordered, reorder
    from dragoman.reorder.base import METHODS, Move, OrderRules
    from dragoman.reorder.crossings import Crossings, count_crossings
    from dragoman.reorder.evaluation import OrderEvaluation, evaluate_order
    from dragoman.reorder.lattice import OrderLattice
    from dragoman.reorder.learning import Learnt, learn_order
    from dragoman.reorder.model import Reorderer, ReorderRecipe
    from dragoman.reorder.orders import implied_order
else:
    offer(__name__)

__all__ = [
    "METHODS",
    "Annotated",
    "Crossings",
    "Learnt",
    "Move",
    "OrderEvaluation",
    "OrderLattice",
    "OrderRules",
    "ReorderRecipe",
    "Reordered",
    "Reorderer",
    "annotate",
    "count_crossings",
    "evaluate_order",
    "implied_order",
    "learn_order",
    "read_annotated",
    "reorder",
]
