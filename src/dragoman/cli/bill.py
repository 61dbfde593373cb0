"""What an engine's work has cost, told when it is done or has failed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dragoman.engines import Translates

__all__ = ["bill_told"]


@contextmanager
def bill_told(engine: Translates | None) -> Iterator[None]:
    """Tell at the end of the block, on standard error, what the engine counts of its work, if it counts."""
    try:
        yield
    finally:
        if engine is not None and engine.bill is not None:
            click.echo(f"Engine: {engine.bill}", err=True)
