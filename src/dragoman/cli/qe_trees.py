"""`dragoman qe trees train|predict`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.qe.tasks import SCORE_TASKS
from dragoman.qe.trees import TreeRecipe

if TYPE_CHECKING:
    from dragoman.qe.trees import TreeMakers
    from dragoman.text.trees import Tree

__all__ = ["trees"]

F = TypeVar("F", bound=Callable[..., Any])

_features = click.option("--features", metavar="FILE", help="Table of features, such as dragoman qe features makes.")
_trees = click.option(
    "--trees",
    "files",
    multiple=True,
    metavar="NAME=FILE",
    help="Trees of the sentences: brackets, a line each, or .conllu. May be repeated.",
)


def _text_options(command: F) -> F:
    """Add the options that make trees of text; the command gets them as `text`."""
    options = [
        click.option("--source", metavar="FILE", help="Tokenised sources, to be parsed."),
        click.option("--target", metavar="FILE", help="Tokenised translations, to be parsed."),
        click.option("--source-parser", metavar="MODEL", help="Parser of the sources' dependencies."),
        click.option("--target-parser", metavar="MODEL", help="Parser of the translations' dependencies."),
        click.option("--source-grammar", metavar="MODEL", help="Grammar of the sources' phrases."),
        click.option("--target-grammar", metavar="MODEL", help="Grammar of the translations' phrases."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.group()
def trees() -> None:
    """Estimate quality from the syntax of both sides."""


@trees.command()
@click.argument("scores")
@_trees
@_text_options
@_features
@click.option("-m", "--model", required=True, type=click.Path(), help="The folder to make.")
@recipe_options(TreeRecipe, spellings={"n_folds": ("--folds",)})
@click.option(
    "--task",
    type=click.Choice(list(SCORE_TASKS), case_sensitive=False),
    default="hter",
    show_default=True,
    help="What is scored.",
)
@seed_option
@threads_option
@output_options
def train(
    scores: str,
    files: tuple[str, ...],
    features: str | None,
    model: str,
    recipe: TreeRecipe,
    task: str,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
    **text: str | None,
) -> None:
    """Learn scores from trees, and from features if there are any.

    Trees are read from files, or made of text by parsers and grammars (dragoman syntax --help).

    \b
      dragoman qe trees train train.hter --source train.src --target train.mt --source-parser parser.en \\
        --source-grammar grammar.en --target-parser parser.de --features train.tsv -m trees
      dragoman qe trees train train.hter --trees source=train.src.conllu --trees target=train.mt.conllu -m trees
    """
    from dragoman.qe.features import read_features
    from dragoman.qe.files import read_scores

    gold = read_scores(scores)
    parses, makers = _gather(files, text, n_threads)
    trained = recipe.train(
        read_features(features) if features else None,
        parses,
        gold,
        task=task,
        made_by=makers.digests if makers else None,
        seed=seed,
        n_threads=n_threads,
    )
    trained.save(model)
    emit(trained.training, form, output)


@trees.command()
@_trees
@_text_options
@_features
@click.option("-m", "--model", required=True, type=click.Path(exists=True), help="The folder of a model.")
@click.option("--scores", "plain", metavar="FILE", help="Also write the bare scores there, one a line.")
@threads_option
@output_options
def predict(
    files: tuple[str, ...],
    features: str | None,
    model: str,
    plain: str | None,
    n_threads: int,
    form: str,
    output: str,
    **text: str | None,
) -> None:
    """Estimate scores with such a model; trees have the names they were trained by, parsers are the same.

    \b
      dragoman qe trees predict --source test.src --target test.mt --source-parser parser.en \\
        --source-grammar grammar.en --target-parser parser.de --features test.tsv -m trees
      dragoman qe trees predict --trees source=test.src.conllu --trees target=test.mt.conllu -m trees
    """
    from dragoman.qe.features import read_features
    from dragoman.qe.files import write_scores
    from dragoman.qe.trees import TreeModel

    loaded = TreeModel.load(model)
    table = read_features(features) if features else None
    parses, makers = _gather(files, text, n_threads)
    if makers:
        makers.check_same(loaded.data)
    predictions = loaded.predict(table, parses, n_threads=n_threads)
    if plain is not None:
        write_scores(plain, predictions.scores)
    emit(predictions, form, output)


def _gather(
    files: tuple[str, ...], text: dict[str, str | None], n_threads: int
) -> tuple[dict[str, list[Tree]], TreeMakers | None]:
    """Trees out of files and of text; and what made those of the text."""
    trees = _read(files)
    source, target = text.pop("source"), text.pop("target")
    if not any(text.values()):
        if source or target:
            raise click.UsageError("--source and --target need a parser or a grammar that makes trees of them.")
        if not trees:
            raise click.UsageError("Give --trees, or --source and --target with parsers or grammars.")
        return trees, None
    if not source or not target:
        raise click.UsageError("Parsers and grammars need text: give both --source and --target.")
    from dragoman.files import read_lines
    from dragoman.qe.trees import TreeMakers

    makers = TreeMakers.load(**text)
    parsed = makers.trees(read_lines(source), read_lines(target), n_threads=n_threads)
    twice = sorted(trees.keys() & parsed.keys())
    if twice:
        raise click.UsageError(f"The trees {twice[0]} are given as a file and made of text; take one of the two.")
    return {**trees, **parsed}, makers


def _read(files: tuple[str, ...]) -> dict[str, list[Tree]]:
    from dragoman.qe.trees import read_parses

    trees: dict[str, list[Tree]] = {}
    for each in files:
        name, equals, path = each.partition("=")
        if not equals or not name or name in trees:
            raise click.BadParameter(
                "write NAME=FILE, each name once, as in source=train.conllu.", param_hint="--trees"
            )
        trees[name] = read_parses(path)
    return trees
