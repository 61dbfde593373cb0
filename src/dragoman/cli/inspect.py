"""`dragoman inspect`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options

__all__ = ["inspect"]


@click.command()
@click.argument("model", type=click.Path())
@output_options
def inspect(model: str, form: str, output: str) -> None:
    """Show what is in a model folder and whether it is whole.

    \b
      dragoman inspect my-truecaser
    """
    from dragoman.report import inspect_model

    emit(inspect_model(model), form, output)
