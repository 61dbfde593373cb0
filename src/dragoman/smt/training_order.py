"""The order of a training's source text: put into that of the target before its words are linked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dragoman.files import read_lines, write_lines
from dragoman.reorder.model import Reorderer
from dragoman.reorder.orders import Order
from dragoman.smt.ordering import LATTICE, reordered_lines, with_own_order
from dragoman.smt.pairs import Linked, TokenisedPairs
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.work import PlannedStep

__all__ = ["OrderStep", "OrderedPairs", "order_steps"]

_NAME, _FILE = "order", "orders.txt"


def order_steps(recipe: EngineRecipe, clean: str) -> list[PlannedStep]:
    """The step that reorders, if the recipe has a reorderer; `clean` is the key of the text's step."""
    if not recipe.reorder:
        return []
    settings = {"use": recipe.reorder.use}
    inputs = (clean, recipe.reorder.fingerprint())
    return [PlannedStep(_NAME, "put source words into the target's order", settings, inputs, 2)]


@dataclass(frozen=True)
class OrderedPairs:
    """Sentence pairs whose sources are in another order, and by whom; without orders, as they are."""

    pairs: TokenisedPairs
    orders: Sequence[Order] = ()
    reorderer: Reorderer | None = None

    def extracted(self, linked: Linked, use: str) -> Linked:
        """What phrases are extracted from: the text that was linked; for lattices also in the order it had before."""
        if use != LATTICE or not self.orders:
            return linked
        return replace(linked, text=with_own_order(linked.text, self.orders))


class OrderStep:
    """Puts the sources of a training into another order."""

    def __init__(self, recipe: EngineRecipe, step: Callable[..., Any], n_threads: int) -> None:
        self.recipe = recipe
        self.step = step
        self.n_threads = n_threads

    def make(self, clean: TokenisedPairs) -> OrderedPairs:
        """The pairs in the order that is linked; unchanged without a reorderer."""
        if not self.recipe.reorder:
            return OrderedPairs(clean)
        reorderer = self.recipe.reorder.read()
        orders: list[Order] = self.step(
            _NAME,
            make=lambda: reordered_lines(reorderer, clean.source, n_threads=self.n_threads)[1],
            save=_save,
            load=_load,
            outcome=_outcome,
        )
        lines = [
            " ".join([tokens[place] for place in order])
            for tokens, order in zip((line.split() for line in clean.source), orders, strict=True)
        ]
        return OrderedPairs(replace(clean, source=lines), orders, reorderer)


def _save(orders: Sequence[Order], folder: Path) -> None:
    write_lines(folder / _FILE, (" ".join(map(str, order)) for order in orders))


def _load(folder: Path) -> list[Order]:
    return [tuple(map(int, line.split())) for line in read_lines(folder / _FILE)]


def _outcome(orders: Sequence[Order]) -> str:
    moved = sum(order != tuple(range(len(order))) for order in orders)
    return f"{moved} of {len(orders)} sentences in another order"
