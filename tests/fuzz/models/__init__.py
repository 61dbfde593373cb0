"""A small model of every kind that is saved, and what loads and uses it, by the rooms that they come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.fuzz.models import engines, lists, lm, metrics, quality, tables, text
from tests.fuzz.models.base import Seed

__all__ = ["FAMILIES", "Seed"]

FAMILIES: dict[str, Callable[[], Iterator[Seed]]] = {
    "language models": lm.seeds,
    "tables, aligners, orders": tables.seeds,
    "text and trees": text.seeds,
    "engines": engines.seeds,
    "metrics": metrics.seeds,
    "quality estimation": quality.seeds,
    "lists and post-editing": lists.seeds,
}
