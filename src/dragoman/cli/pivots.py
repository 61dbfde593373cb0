"""`dragoman metric pivots`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.cli.progress import shown_progress
from dragoman.cli.recipes import recipe_options
from dragoman.smt.pivots import PivotRecipe

__all__ = ["pivots"]


@click.command()
@click.argument("pivot", type=click.Path(exists=True, allow_dash=True))
@click.argument("text", type=click.Path(exists=True, allow_dash=True))
@click.option("--to", metavar="FOLDER", required=True, help="Save the table there, for `-m tesla-b:pivots=FOLDER`.")
@recipe_options(PivotRecipe)
@seed_option
@threads_option
@output_options
def pivots(
    pivot: str, text: str, to: str, recipe: PivotRecipe, seed: int, n_threads: int, form: str, output: str
) -> None:
    """Make a table of pivots from a bitext.

    \b
      dragoman metric pivots corpus.fr corpus.en --to pivots.fr
      dragoman score output.en -r reference.en -m tesla-b:pivots=pivots.fr

    PIVOT translates TEXT line by line. The table has the phrases of TEXT with their translations, so that two texts of
    its language can be compared in the other one.
    """
    from dragoman.files import read_lines
    from dragoman.report import inspect_model

    with shown_progress() as progress:
        table = recipe.find(read_lines(pivot), read_lines(text), seed=seed, progress=progress, n_threads=n_threads)
    table.save(to)
    emit(inspect_model(to), form, output)
