"""`dragoman compounds learn|split|merge`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.cli.streaming import stream_lines
from dragoman.cli.text import source_argument
from dragoman.text.compounds import CompoundModel, CompoundRecipe

__all__ = ["compounds"]

model_option = click.option("-m", "--model", required=True, type=click.Path(), help="The compound model's folder.")


@click.group()
def compounds() -> None:
    """Cut compounds into the words they are made of, and merge them."""


@compounds.command()
@source_argument
@model_option
@click.option("--tgt", metavar="FILE", type=click.Path(), help="Translations, line by line: they prove what is cut.")
@recipe_options(CompoundRecipe)
@threads_option
@output_options
def learn(
    source: str, model: str, tgt: str | None, recipe: CompoundRecipe, n_threads: int, form: str, output: str
) -> None:
    """Learn compounds from tokenised text in true case.

    \b
      dragoman compounds learn tokenised.de -m compounds
      dragoman compounds learn tokenised.de --tgt tokenised.en -m compounds
    """
    from dragoman.files import read_lines
    from dragoman.report import inspect_model
    from dragoman.smt.training_pieces import learn_compounds

    targets = None if tgt is None else read_lines(tgt)
    learn_compounds(recipe, read_lines(source), targets, n_threads=n_threads).save(model)
    emit(inspect_model(model), form, output)


@compounds.command()
@source_argument
@model_option
@click.option("--marked", is_flag=True, help="Parts keep their letters and a mark, so that they can be merged.")
@output_options
def split(source: str, model: str, marked: bool, form: str, output: str) -> None:
    """Cut the compounds of tokenised text.

    \b
      dragoman compounds split tokenised.de -m compounds
      dragoman compounds split tokenised.de -m compounds --marked
    """
    cutter = CompoundModel.load(model)
    stream_lines(
        lambda lines: cutter.split(lines, marked=marked), source, form=form, output=output, made_by={"model": model}
    )


@compounds.command()
@source_argument
@model_option
@output_options
def merge(source: str, model: str, form: str, output: str) -> None:
    """Merge the marked parts of compounds, in a translation for instance.

    \b
      dragoman compounds merge translated.de -m compounds
    """
    merger = CompoundModel.load(model)
    stream_lines(merger.merge, source, form=form, output=output, made_by={"model": model})
