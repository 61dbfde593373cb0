"""Continuous-space translation models: nets over the words or phrases of bilingual tuples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.smt.nets.factors import FACTORS, Factor
    from dragoman.smt.nets.model import TupleNet
    from dragoman.smt.nets.recipe import TupleNetRecipe
    from dragoman.smt.nets.streams import Streams, unfolded
    from dragoman.smt.nets.training import train_tuple_net
else:
    offer(__name__)

__all__ = ["FACTORS", "Factor", "Streams", "TupleNet", "TupleNetRecipe", "train_tuple_net", "unfolded"]
