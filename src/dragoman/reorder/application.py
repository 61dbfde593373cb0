"""Lines of text in the order of the target language, as text or as lattices."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.reorder.annotation import Annotated
from dragoman.reorder.lattice import OrderLattice
from dragoman.reorder.model import Reorderer
from dragoman.reorder.orders import Order, check_order
from dragoman.report import Column, Result, Table

__all__ = ["Reordered", "lattice_json", "lattice_lines", "lattice_plf", "reorder"]


@dataclass(frozen=True)
class Reordered(Result):
    """Lines with the orders of their words: `orders[i]` has the places of line i's words as they are read now."""

    kind: ClassVar[str] = "reordered text"

    token_lines: tuple[tuple[str, ...], ...]
    orders: tuple[Order, ...]

    @property
    def lines(self) -> list[str]:
        """The words in their new order, joined by spaces."""
        pairs = zip(self.token_lines, self.orders, strict=True)
        return [" ".join([tokens[place] for place in order]) for tokens, order in pairs]

    def tables(self) -> list[Table]:
        """A row for each line."""
        orders = [" ".join(map(str, order)) for order in self.orders]
        return [
            Table("Reordered lines", (Column("text"), Column("order")), tuple(zip(self.lines, orders, strict=True)))
        ]


def reorder(
    reorderer: Reorderer,
    lines: Sequence[str],
    *,
    sentences: Sequence[Annotated] | None = None,
    n_threads: int = 1,
) -> Reordered:
    """Put the words of tokenised lines into the order of the target; `sentences` are the lines annotated by others."""
    token_lines = [line.split() for line in lines]
    annotated = reorderer.annotate(token_lines, n_threads=n_threads) if sentences is None else sentences
    orders = [reorderer.order(sentence) for sentence in annotated]
    for tokens, order in zip(token_lines, orders, strict=True):
        check_order(order, len(tokens))
    return Reordered(tuple(map(tuple, token_lines)), tuple(orders))


def lattice_json(lattice: OrderLattice, tokens: Sequence[str]) -> str:
    """A lattice as `dragoman translate --lattice` reads it: `[[from, to, token, score, place], …]`."""
    rows: list[list[Any]] = [[a, b, tokens[place], round(score, 6), place] for a, b, place, score in lattice.arcs]
    return json.dumps(rows, ensure_ascii=False)


def lattice_plf(lattice: OrderLattice, tokens: Sequence[str]) -> str:
    """A lattice in Moses' Python lattice format: columns of `('token',probability,distance)`."""
    columns: list[list[str]] = [[] for _ in range(lattice.n_nodes - 1)]
    for a, b, place, score in lattice.arcs:
        columns[a].append(f"({tokens[place]!r},{math.exp(score):.6g},{b - a}),")
    joined = ["(" + "".join(column) + ")," for column in columns]
    return "(" + "".join(joined) + ")"


def lattice_lines(
    reorderer: Reorderer,
    lines: Sequence[str],
    form: str = "json",
    *,
    sentences: Sequence[Annotated] | None = None,
    n_threads: int = 1,
) -> list[str]:
    """The lattice of each tokenised line, as JSON or PLF."""
    token_lines = [line.split() for line in lines]
    annotated = reorderer.annotate(token_lines, n_threads=n_threads) if sentences is None else sentences
    write = lattice_json if form == "json" else lattice_plf
    return [write(reorderer.lattice(each), tokens) for each, tokens in zip(annotated, token_lines, strict=True)]
