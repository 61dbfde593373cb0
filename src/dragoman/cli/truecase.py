"""`dragoman text truecase train|apply|undo`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.cli.streaming import stream_lines
from dragoman.cli.text import source_argument
from dragoman.text.truecase import Truecaser, TruecaseRecipe

__all__ = ["truecase"]

model_option = click.option("-m", "--model", required=True, type=click.Path(), help="The truecaser's folder.")


@click.group()
def truecase() -> None:
    """Learn which words have capitals, and apply or undo it."""


@truecase.command()
@source_argument
@model_option
@recipe_options(TruecaseRecipe)
@threads_option
@output_options
def train(source: str, model: str, recipe: TruecaseRecipe, n_threads: int, form: str, output: str) -> None:
    """Learn a truecaser from tokenised text.

    \b
      dragoman text truecase train tokenised.de -m truecaser --lang de
    """
    from dragoman.files import iter_lines
    from dragoman.report import inspect_model

    recipe.train(iter_lines(source), n_threads=n_threads).save(model)
    emit(inspect_model(model), form, output)


@truecase.command()
@source_argument
@model_option
@click.option(
    "--ignore-case", is_flag=True, help="The case of the input means nothing: every word takes its best form."
)
@threads_option
@output_options
def apply(source: str, model: str, ignore_case: bool, n_threads: int, form: str, output: str) -> None:
    """Give the words of tokenised text their true case.

    \b
      dragoman text truecase apply tokenised.de -m truecaser
    """
    caser = Truecaser.load(model)
    stream_lines(
        lambda lines: caser.apply(lines, ignore_case=ignore_case, n_threads=n_threads),
        source,
        form=form,
        output=output,
        made_by={"model": model},
    )


@truecase.command()
@source_argument
@model_option
@click.option("--headlines", is_flag=True, help="Capitals for all but small words, as English headlines have.")
@threads_option
@output_options
def undo(source: str, model: str, headlines: bool, n_threads: int, form: str, output: str) -> None:
    """Give sentences their capitals back.

    \b
      dragoman text truecase undo truecased.de -m truecaser
    """
    caser = Truecaser.load(model)
    stream_lines(
        lambda lines: caser.undo(lines, headlines=headlines, n_threads=n_threads),
        source,
        form=form,
        output=output,
        made_by={"model": model},
    )
