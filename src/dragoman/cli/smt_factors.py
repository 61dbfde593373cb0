"""`dragoman smt setup|endings`: words and their forms."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, seed_option

__all__ = ["endings", "setup"]


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


@click.command()
@click.argument("model", type=click.Path())
@click.option("--hide", type=float, default=0.05, show_default=True, help="The share of forms that are hidden.")
@click.option("--least", type=click.IntRange(1), default=10, show_default=True, help="Changes seen together so often.")
@seed_option
@output_options
def endings(model: str, hide: float, least: int, seed: int, form: str, output: str) -> None:
    """Hide forms from an engine's lexicon, and tell how many endings translate.

    \b
      dragoman smt endings model --hide 0.05
    """
    from dragoman.errors import DataError
    from dragoman.smt import Engine
    from dragoman.smt.hidden_forms import evaluate_endings

    table = Engine.load(model).models.table
    if table is None:
        raise DataError(f"{model} has no phrase table; endings are learnt from one.")
    emit(evaluate_endings(table, hidden=hide, least=least, seed=seed), form, output)
