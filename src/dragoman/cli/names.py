"""`dragoman syntax names train|apply|evaluate`."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.cli.text import source_argument
from dragoman.syntax.names import NameRecipe

if TYPE_CHECKING:
    from dragoman.syntax import NamedSentence

__all__ = ["names"]

_BATCH = 2_000  # lines tagged before they are written

_model_option = click.option("-m", "--model", required=True, type=click.Path(), help="The tagger's folder.")
_files = click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...")


@click.group()
def names() -> None:
    """Learn to find names of persons, places …, and find them."""


@names.command()
@_files
@_model_option
@click.option(
    "--dev",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="Kept out of learning: accuracy is told there. May be repeated.",
)
@click.option(
    "--list",
    "lists",
    multiple=True,
    metavar="TITLE=FILE",
    help="Names of a kind, one a line, such as places=cities.txt: a hint, not a rule. May be repeated.",
)
@recipe_options(NameRecipe, skip=("penalty",))
@seed_option
@threads_option
@output_options
def train(
    files: tuple[str, ...],
    model: str,
    dev: tuple[str, ...],
    lists: tuple[str, ...],
    recipe: NameRecipe,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Learn from columns as of CoNLL 2002 and 2003 (token first, label last), or from CoNLL-U with NER= in MISC.

    \b
      dragoman syntax names train esp.train --dev esp.testa -m names.es
      dragoman syntax names train names.en.bio -m names.en --list places=cities.txt
    """
    from dragoman.files import read_lines
    from dragoman.report import inspect_model
    from dragoman.syntax import evaluate_names

    names_by_title = {}
    for text in lists:
        title, _, path = text.partition("=")
        if not title or not path:
            raise click.UsageError(f"--list {text}: expected TITLE=FILE.")
        names_by_title[title] = read_lines(path)
    held_out = _sentences(dev)
    tagger = recipe.train(_sentences(files), lists=names_by_title, seed=seed)
    tagger.save(model)
    emit(evaluate_names(tagger, held_out, n_threads=n_threads) if held_out else inspect_model(model), form, output)


@names.command()
@source_argument
@_model_option
@threads_option
@output_options
def apply(source: str, model: str, n_threads: int, form: str, output: str) -> None:
    """Find the names in tokenised text, a sentence a line: each token a line with its label, or a table (--json …).

    \b
      dragoman text tokenize output.es -t moses:lang=es | dragoman syntax names apply -m names.es
      dragoman text tokenize output.es -t moses:lang=es | dragoman syntax names apply -m names.es --form tsv

    A line without tokens is an empty sentence: a blank line more.
    """
    from dragoman.files import iter_lines, open_writer, read_lines
    from dragoman.syntax import NameTagger
    from dragoman.syntax.name_evaluation import FoundNames

    tagger = NameTagger.load(model)
    if form != "text":
        token_lines = tuple(tuple(line.split()) for line in read_lines(source))
        emit(FoundNames(token_lines, tuple(tagger.tag(token_lines, n_threads=n_threads)), model), form, output)
        return
    lines = iter_lines(source)
    with open_writer(output) as stream:
        while batch := [line.split() for line in islice(lines, _BATCH)]:
            for tokens, labels in zip(batch, tagger.label(batch, n_threads=n_threads), strict=True):
                stream.writelines(f"{token} {label}\n" for token, label in zip(tokens, labels, strict=True))
                stream.write("\n")


@names.command()
@_files
@_model_option
@threads_option
@output_options
def evaluate(files: tuple[str, ...], model: str, n_threads: int, form: str, output: str) -> None:
    """Tell how many of the names in annotated text a tagger finds: whole names of the right kind.

    \b
      dragoman syntax names evaluate esp.testb -m names.es
    """
    from dragoman.syntax import NameTagger, evaluate_names

    emit(evaluate_names(NameTagger.load(model), _sentences(files), n_threads=n_threads), form, output)


def _sentences(paths: tuple[str, ...]) -> list[NamedSentence]:
    from dragoman.syntax import read_named

    return list(chain.from_iterable(map(read_named, paths)))
