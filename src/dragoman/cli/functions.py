"""`dragoman syntax functions train|apply|evaluate`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Literal

import click

from dragoman.cli.output import emit, output_options
from dragoman.cli.recipes import recipe_options
from dragoman.syntax.functions import FunctionRecipe

if TYPE_CHECKING:
    from dragoman.text.conllu import Sentence

__all__ = ["functions"]

_treebanks = click.argument("treebanks", nargs=-1, required=True, type=click.Path(), metavar="TREEBANK...")
_model = click.option("-m", "--model", required=True, type=click.Path(), help="The labeller's folder.")


@click.group()
def functions() -> None:
    """Learn grammatical functions, and fill in what trees lack."""


@functions.command()
@_treebanks
@_model
@recipe_options(FunctionRecipe)
@output_options
def train(treebanks: tuple[str, ...], model: str, recipe: FunctionRecipe, form: str, output: str) -> None:
    """Learn by naive Bayes from treebanks in CoNLL-U.

    \b
      dragoman syntax functions train en_ewt-ud-dev.conllu -m functions.en
    """
    from dragoman.report import inspect_model

    recipe.train(_sentences(treebanks)).save(model)
    emit(inspect_model(model), form, output)


@functions.command()
@_treebanks
@_model
@click.option("--all", "everything", is_flag=True, help="Guess every function anew, not only _ and dep.")
@click.option(
    "--together",
    type=click.Choice(["joint", "sequential"], case_sensitive=False),
    default="joint",
    show_default=True,
    help="The functions below one head: the best assignment, or one after the other.",
)
@output_options
def apply(treebanks: tuple[str, ...], model: str, everything: bool, together: str, form: str, output: str) -> None:
    """Fill in the functions of trees in CoNLL-U that say `_` or `dep`, such as projected ones.

    \b
      dragoman syntax functions apply projected.conllu -m functions.en > labelled.conllu
    """
    from dragoman.files import open_writer
    from dragoman.syntax import FunctionLabeller
    from dragoman.syntax.result import ParsedLines

    labeller = FunctionLabeller.load(model)
    way: Literal["sequential", "joint"] = "sequential" if together == "sequential" else "joint"
    labelled = (labeller.label(tree, everything=everything, together=way) for tree in _sentences(treebanks))
    if form != "text":
        emit(ParsedLines(tuple(labelled), model), form, output)
        return
    with open_writer(output) as stream:
        for sentence in labelled:
            stream.writelines(line + "\n" for line in sentence.lines())


@functions.command()
@_treebanks
@_model
@output_options
def evaluate(treebanks: tuple[str, ...], model: str, form: str, output: str) -> None:
    """Tell how many functions of treebanks are guessed, by fewer and more attributes, alone and together.

    \b
      dragoman syntax functions evaluate en_ewt-ud-test.conllu -m functions.en
    """
    from dragoman.syntax import FunctionLabeller, evaluate_functions

    emit(evaluate_functions(FunctionLabeller.load(model), _sentences(treebanks)), form, output)


def _sentences(paths: tuple[str, ...]) -> Iterator[Sentence]:
    from dragoman.text.conllu import iter_conllu

    return chain.from_iterable(map(iter_conllu, paths))
