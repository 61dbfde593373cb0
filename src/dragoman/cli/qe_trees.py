"""`dragoman qe trees train|predict`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.qe.tasks import SCORE_TASKS

if TYPE_CHECKING:
    from dragoman.text.trees import Tree

__all__ = ["trees"]

_features = click.option("--features", metavar="FILE", help="Table of features, such as dragoman qe features makes.")
_trees = click.option(
    "--trees", "files", multiple=True, required=True, metavar="NAME=FILE",
    help="Trees of the sentences: brackets, a line each, or .conllu. May be repeated.",
)  # fmt: skip


@click.group()
def trees() -> None:
    """Estimate quality from the syntax of source and output, by tree kernels."""


@trees.command()
@click.argument("scores")
@_trees
@_features
@click.option("-m", "--model", required=True, type=click.Path(), help="The folder to make.")
@click.option(
    "--kernel", type=click.Choice(["partial", "subset"]), default="partial", show_default=True,
    help="Parts of trees that are counted: partial for dependencies, subset for constituents.",
)  # fmt: skip
@click.option("--task", type=click.Choice(list(SCORE_TASKS)), default="hter", show_default=True, help="What is scored.")
@seed_option
@threads_option
@output_options
def train(
    scores: str, files: tuple[str, ...], features: str | None, model: str, kernel: str, task: str, seed: int,
    n_threads: int, form: str, output: str,
) -> None:  # fmt: skip
    """Learn scores from trees, and from features if there are any.

    \b
      dragoman qe trees train train.hter --trees source=train.src.conllu --trees target=train.mt.conllu -m trees
    """
    from dragoman.qe.features import read_features
    from dragoman.qe.files import read_scores
    from dragoman.qe.trees import TreeRecipe

    made = TreeRecipe(kernel=kernel).train(
        read_features(features) if features else None, _read(files), read_scores(scores), task=task, seed=seed,
        n_threads=n_threads,
    )  # fmt: skip
    made.save(model)
    emit(made.training, form, output)


@trees.command()
@_trees
@_features
@click.option("-m", "--model", required=True, type=click.Path(exists=True), help="The folder of a model.")
@threads_option
@output_options
def predict(
    files: tuple[str, ...], features: str | None, model: str, n_threads: int, form: str, output: str
) -> None:  # fmt: skip
    """Estimate scores with such a model; trees have the names they were trained by.

    \b
      dragoman qe trees predict --trees source=test.src.conllu --trees target=test.mt.conllu -m trees
    """
    from dragoman.qe.features import read_features
    from dragoman.qe.trees import TreeModel

    table = read_features(features) if features else None
    emit(TreeModel.load(model).predict(table, _read(files), n_threads=n_threads), form, output)


def _read(files: tuple[str, ...]) -> dict[str, list[Tree]]:
    from dragoman.qe.trees import read_parses

    found: dict[str, list[Tree]] = {}
    for each in files:
        name, equals, path = each.partition("=")
        if not equals or not name or name in found:
            raise click.BadParameter(
                "write NAME=FILE, each name once, as in source=train.conllu.", param_hint="--trees"
            )
        found[name] = read_parses(path)
    return found
