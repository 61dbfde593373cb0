"""`dragoman text subword train|encode|decode`."""

from __future__ import annotations

from dataclasses import replace

import click
from click.core import ParameterSource

from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.cli.streaming import stream_lines
from dragoman.cli.text import source_argument
from dragoman.options import Recipe, options_of
from dragoman.text.morphemes import MorphemeRecipe
from dragoman.text.subword_training import SubwordRecipe

__all__ = ["subword"]

model_option = click.option("-m", "--model", required=True, type=click.Path(), help="The subword model's folder.")


@click.group()
def subword() -> None:
    """Train a model of subwords or morphemes; cut text with it."""


@subword.command()
@source_argument
@model_option
@click.option(
    "--method",
    type=click.Choice(["unigram", "bpe", "morpheme"], case_sensitive=False),
    default="unigram",
    show_default=True,
    help="Pieces of a unigram model, byte pairs, or morphemes.",
)
@recipe_options(SubwordRecipe, skip=("method",), spellings={"vocab_size": ("--size",)}, argument="pieces")
@recipe_options(MorphemeRecipe, skip=("longest", "tolerance", "max_rounds"), argument="morphemes")
@seed_option
@output_options
def train(
    source: str,
    model: str,
    method: str,
    pieces: SubwordRecipe,
    morphemes: MorphemeRecipe,
    seed: int,
    form: str,
    output: str,
) -> None:
    """Train a subword model on text.

    Morphemes are learnt from words: give text that is tokenised.

    \b
      dragoman text subword train samples/phrasebook.de -m pieces --size 1000
      dragoman text tokenise samples/phrasebook.de | dragoman text subword train -m morphs --method morpheme
    """
    from dragoman.files import iter_lines
    from dragoman.report import inspect_model

    recipe = morphemes if method == "morpheme" else replace(pieces, method=method)
    _refuse_options(SubwordRecipe if recipe is morphemes else MorphemeRecipe, method)
    recipe.train(iter_lines(source), seed=seed).save(model)
    emit(inspect_model(model), form, output)


def _refuse_options(other: type[Recipe], method: str) -> None:
    """Raise if an option of the other recipe was given."""
    context = click.get_current_context()
    for param in context.command.params:
        source = context.get_parameter_source(param.name or "")
        if param.name != "method" and param.name in options_of(other) and source is not ParameterSource.DEFAULT:
            raise click.UsageError(f"{param.opts[0]} does not go with --method {method}.")


@subword.command()
@source_argument
@model_option
@threads_option
@output_options
def encode(source: str, model: str, n_threads: int, form: str, output: str) -> None:
    """Cut text into pieces, separated by spaces.

    \b
      dragoman text subword encode samples/testset/source.de -m pieces
    """
    from dragoman.text import open_subwords

    pieces = open_subwords(model)
    stream_lines(
        lambda lines: [" ".join(line) for line in pieces.encode(lines, n_threads=n_threads)],
        source,
        form=form,
        output=output,
        made_by={"model": model},
    )


@subword.command()
@source_argument
@model_option
@output_options
def decode(source: str, model: str, form: str, output: str) -> None:
    """Join pieces to text again.

    \b
      dragoman text subword decode pieces.txt -m pieces
    """
    from dragoman.text import open_subwords

    pieces = open_subwords(model)
    stream_lines(
        lambda lines: pieces.decode([line.split() for line in lines]),
        source,
        form=form,
        output=output,
        made_by={"model": model},
    )
