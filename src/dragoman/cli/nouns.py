"""`dragoman syntax nouns train|apply|evaluate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.cli.output import emit, output_options
from dragoman.cli.recipes import recipe_options
from dragoman.syntax.noun_roles import NounRoleRecipe

if TYPE_CHECKING:
    from dragoman.syntax import NounFrame

__all__ = ["nouns"]

_trees = click.argument("trees", nargs=-1, required=True, type=click.Path(), metavar="TREES...")
_model = click.option("-m", "--model", required=True, type=click.Path(), help="The labeller's folder.")
_nombank = click.option("--nombank", metavar="FILE", help="NomBank's annotation of the trees below the folder TREES.")


@click.group()
def nouns() -> None:
    """Learn to find the arguments of nouns, and find them."""


@nouns.command()
@_trees
@_model
@_nombank
@recipe_options(NounRoleRecipe)
@output_options
def train(
    trees: tuple[str, ...], model: str, nombank: str | None, recipe: NounRoleRecipe, form: str, output: str
) -> None:
    """Learn from trees in brackets with NomBank's annotation, or from their function tags.

    \b
      dragoman syntax nouns train treebank.mrg -m nouns
      dragoman syntax nouns train penn --nombank nombank.1.0 -m nouns

    Without NomBank, what function tags, possessives and prepositions tell stands for it: nouns that look like actions,
    with the phrases around them. What is shown is how far it learnt that, on the same trees.
    """
    frames = _frames(trees, nombank)
    labeller = recipe.train(frames)
    labeller.save(model)
    emit(labeller.evaluate(frames), form, output)


@nouns.command()
@_trees
@_model
@output_options
def apply(trees: tuple[str, ...], model: str, form: str, output: str) -> None:
    """Show the arguments of nouns in trees, such as `dragoman syntax grammar parse` makes.

    \b
      dragoman syntax nouns apply trees.mrg -m nouns
    """
    from dragoman.syntax import NounRoleLabeller, read_treebank

    labeller = NounRoleLabeller.load(model)
    emit(labeller.label_all([tree for path in trees for tree in read_treebank(path)]), form, output)


@nouns.command()
@_trees
@_model
@_nombank
@output_options
def evaluate(trees: tuple[str, ...], model: str, nombank: str | None, form: str, output: str) -> None:
    """Compare with NomBank's annotation, or with what function tags tell.

    \b
      dragoman syntax nouns evaluate test.mrg -m nouns
    """
    from dragoman.syntax import NounRoleLabeller

    emit(NounRoleLabeller.load(model).evaluate(_frames(trees, nombank)), form, output)


def _frames(trees: tuple[str, ...], nombank: str | None) -> list[NounFrame]:
    from dragoman.syntax import function_tag_frames, read_nombank, read_treebank

    if nombank is None:
        return function_tag_frames([tree for path in trees for tree in read_treebank(path)])
    if len(trees) != 1:
        raise click.BadParameter("name one folder that NomBank's trees lie in.", param_hint="TREES")
    return read_nombank(nombank, trees[0])
