"""`dragoman smt setup`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options

__all__ = ["setup"]


@click.command()
@click.argument("notation")
@output_options
def setup(notation: str, form: str, output: str) -> None:
    """Read the notation of a factored setup, and say what it does.

    \b
      dragoman smt setup tF-FaT
      dragoman smt setup tL-L+tT-T+gLaT-F:tF-FaLaT

    F are forms, L lemmas, T tags; t translates, g generates; = is between searches, : between alternative paths, +
    between steps, a between factors. An engine is told its setup in the section [factors] of its recipe.
    """
    from dragoman.smt.factor_setup import describe_setup

    emit(describe_setup(notation), form, output)
