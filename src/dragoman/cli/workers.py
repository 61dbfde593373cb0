"""Options of commands that can work in parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from dragoman.parts import Workshop

__all__ = ["open_shop", "pool_options", "work_option"]

F = TypeVar("F", bound=Callable[..., Any])


work_option = click.option(
    "--work",
    metavar="DIR",
    type=click.Path(),
    default="dragoman.work",
    show_default=True,
    help="With --workers or --cluster, where what parts give is kept until all are done; workers must share it.",
)


@contextmanager
def open_shop(work: str, n_workers: int, cluster: str | None) -> Iterator[Workshop | None]:
    """Where parts are worked on, if a command is to work in parts; its folder goes when all is done."""
    from dragoman.parts import Workshop, open_pool

    with open_pool(n_workers, cluster) as pool:
        shop = Workshop(Path(work) / "parts", pool) if pool is not None else None
        yield shop
        if shop is not None:
            shop.clear()
            with suppress(OSError):
                Path(work).rmdir()  # unless it holds anything else


def pool_options(command: F) -> F:
    """Add who works, and on how much at a time."""
    options = [
        click.option(
            "--workers",
            "n_workers",
            metavar="N",
            type=click.IntRange(min=0),
            default=0,
            show_default=True,
            help="Work in parts, with so many processes of this machine; 0: not in parts.",
        ),
        click.option("--cluster", metavar="ADDRESS", help="Work in parts, on a Dask cluster: tcp://HOST:8786."),
        click.option(
            "--part",
            metavar="PAIRS",
            type=click.IntRange(min=1),
            default=50_000,
            show_default=True,
            help="Sentence pairs of a part; what comes out does not depend on it.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command
