"""`dragoman smt cost`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options

__all__ = ["cost"]


@click.command()
@click.argument("model", type=click.Path())
@click.option("--pairs", "n_pairs", metavar="N", type=click.IntRange(min=1), required=True, help="Sentence pairs.")
@click.option(
    "--workers",
    "n_workers",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Who would work on them, a thread each.",
)
@output_options
def cost(model: str, n_pairs: int, n_workers: int, form: str, output: str) -> None:
    """Say what a larger text would take, by what the parts of a training took: hours, disk, memory.

    \b
      dragoman smt cost engine --pairs 100000000 --workers 16

    The engine must have been trained with --workers or --cluster, in one go. What it says is what was measured, times
    how much larger the text is: no more than that is known.
    """
    from dragoman.smt.cost import estimate_cost

    emit(estimate_cost(model, n_pairs, n_workers), form, output)
