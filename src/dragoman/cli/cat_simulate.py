"""`dragoman cat simulate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.cat.simulation import SimulationRecipe
from dragoman.cli.output import emit, output_options, threads_option
from dragoman.cli.progress import shown_progress
from dragoman.cli.recipes import recipe_options

if TYPE_CHECKING:
    from dragoman.cat.simulation import SimulationRecipe as Recipe

__all__ = ["simulate"]


@click.command()
@click.option("-m", "--model", required=True, metavar="ENGINE", help="The engine: a folder, or NAME:OPTIONS.")
@click.option("-s", "--src", required=True, metavar="FILE", help="What is translated, a segment a line.")
@click.option("-r", "--ref", required=True, metavar="FILE", help="The translation that is typed, line by line.")
@recipe_options(SimulationRecipe, spellings={"modes": ("--mode",)})
@threads_option
@output_options
def simulate(model: str, src: str, ref: str, recipe: Recipe, n_threads: int, form: str, output: str) -> None:
    """Count the keys and clicks a translation costs with prediction, by post-editing, and typed from scratch.

    \b
      dragoman cat simulate -m engine --src test.de --ref test.en
      dragoman cat simulate -m neural --src test.de --ref test.en --mode post-edit --mode typing

    The user who is simulated accepts a prediction up to its first wrong character and types the right one. A mode that
    the engine has no role for is refused (exit code 1).
    """
    from dragoman.cat.simulation import simulate as run
    from dragoman.data import assemble
    from dragoman.engines import load_engine

    test_set = assemble(srcs=src, refs=[ref])
    with shown_progress() as progress:
        result = run(load_engine(model), test_set, recipe, n_threads=n_threads, progress=progress)
    emit(result, form, output)
