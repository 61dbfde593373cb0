"""`dragoman inflect verbs train|simplify|restore|evaluate`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

import click

from dragoman.cli.output import emit, output_options, seed_option
from dragoman.cli.recipes import recipe_options
from dragoman.cli.streaming import stream_lines
from dragoman.cli.text import source_argument
from dragoman.syntax.verbs import VerbRecipe

if TYPE_CHECKING:
    from dragoman.text.conllu import Sentence

__all__ = ["verbs"]

_model_option = click.option("-m", "--model", required=True, type=click.Path(), help="The verb model's folder.")
_treebanks = click.argument("treebanks", nargs=-1, required=True, type=click.Path(), metavar="TREEBANK...")


@click.group()
def verbs() -> None:
    """Translate verbs without person and number, and inflect them again."""


@verbs.command()
@_treebanks
@_model_option
@recipe_options(VerbRecipe)
@seed_option
@output_options
def train(treebanks: tuple[str, ...], model: str, recipe: VerbRecipe, seed: int, form: str, output: str) -> None:
    """Learn person and number of verbs, and their forms, from treebanks with lemmas.

    \b
      dragoman inflect verbs train es_gsd-ud-train.conllu -m verbs.es
    """
    from dragoman.report import inspect_model

    recipe.train(_sentences(treebanks), seed=seed).save(model)
    emit(inspect_model(model), form, output)


@verbs.command()
@_treebanks
@output_options
def simplify(treebanks: tuple[str, ...], form: str, output: str) -> None:
    """Write the sentences of CoNLL-U as tokens, finite verbs without person and number.

    \b
      dragoman syntax parser apply text.es -m parser.es | dragoman inflect verbs simplify - > simplified.es
    """
    from dragoman.report import Lines
    from dragoman.syntax.verbs import simplified_verbs

    lines = tuple(" ".join(simplified_verbs(sentence)) for sentence in _sentences(treebanks))
    emit(Lines(lines, {"treebanks": list(treebanks)}), form, output)


@verbs.command()
@source_argument
@_model_option
@output_options
def restore(source: str, model: str, form: str, output: str) -> None:
    """Give simplified verbs of tokenised text person, number and form.

    \b
      dragoman inflect verbs restore translated.es -m verbs.es
    """
    from dragoman.syntax.verbs import VerbModel

    stream_lines(VerbModel.load(model).restore, source, form=form, output=output, made_by={"model": model})


@verbs.command()
@_treebanks
@_model_option
@output_options
def evaluate(treebanks: tuple[str, ...], model: str, form: str, output: str) -> None:
    """Tell how many verbs of treebanks get their person and number back, and their form.

    \b
      dragoman inflect verbs evaluate es_gsd-ud-test.conllu -m verbs.es
    """
    from dragoman.syntax.verbs import VerbModel, evaluate_verbs

    emit(evaluate_verbs(VerbModel.load(model), _sentences(treebanks)), form, output)


def _sentences(paths: tuple[str, ...]) -> Iterator[Sentence]:
    from dragoman.text.conllu import iter_conllu

    return chain.from_iterable(map(iter_conllu, paths))
