"""`dragoman syntax parser train|apply|evaluate`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.cli.text import source_argument
from dragoman.syntax.parser import ParserRecipe

if TYPE_CHECKING:
    from dragoman.text.conllu import Sentence

__all__ = ["parser"]

_BATCH = 2_000  # lines parsed before they are written

_model_option = click.option("-m", "--model", required=True, type=click.Path(), help="The parser's folder.")
_treebanks = click.argument("treebanks", nargs=-1, required=True, type=click.Path(), metavar="TREEBANK...")


@click.group()
def parser() -> None:
    """Learn to tag and parse from treebanks, and annotate text with it."""


@parser.command()
@_treebanks
@_model_option
@click.option(
    "--dev",
    multiple=True,
    type=click.Path(),
    metavar="TREEBANK",
    help="Kept out of learning: accuracy is told and confidences are fitted there. May be repeated.",
)
@recipe_options(ParserRecipe, skip=("folds", "runs", "explore", "smallest_tag", "smallest_arc"))
@seed_option
@threads_option
@output_options
def train(
    treebanks: tuple[str, ...],
    model: str,
    dev: tuple[str, ...],
    recipe: ParserRecipe,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Learn a parser from treebanks in CoNLL-U.

    \b
      dragoman syntax parser train es_gsd-ud-train.conllu es_ancora-ud-train.conllu --dev es_gsd-ud-dev.conllu -m es
    """
    from dragoman.report import inspect_model
    from dragoman.syntax import evaluate_parser

    held_out = list(_sentences(dev))
    learnt = recipe.train(_sentences(treebanks), dev=held_out or None, seed=seed, n_threads=n_threads)
    learnt.save(model)
    emit(evaluate_parser(learnt, held_out, n_threads=n_threads) if held_out else inspect_model(model), form, output)


@parser.command()
@source_argument
@_model_option
@click.option("--tags-only", is_flag=True, help="Parts of speech and morphology, no trees: quicker.")
@click.option("--confidences", is_flag=True, help="Add PTag and PHead to MISC: how probably tag and head are right.")
@threads_option
@output_options
def apply(source: str, model: str, tags_only: bool, confidences: bool, n_threads: int, form: str, output: str) -> None:
    """Parse tokenised text, a sentence a line, into CoNLL-U.

    \b
      dragoman text tokenize output.es -t moses:lang=es | dragoman syntax parser apply -m parser.es > output.conllu

    A line without tokens becomes a sentence of the one word _ under the comment "# text =", so that sentences and lines
    stay side by side.
    """
    from dragoman.files import iter_lines, open_writer
    from dragoman.syntax import Parser
    from dragoman.syntax.result import ParsedLines, empty_line

    loaded = Parser.load(model)

    def parsed() -> Iterator[Sentence]:
        lines = iter_lines(source)
        while batch := [line.split() for line in islice(lines, _BATCH)]:
            parses = loaded.annotate(batch, trees=not tags_only, n_threads=n_threads)
            yield from (found or empty_line() for found in parses.sentences(confidences=confidences))

    if form != "text":
        emit(ParsedLines(tuple(parsed()), model), form, output)
        return
    with open_writer(output) as stream:
        for sentence in parsed():
            stream.writelines(line + "\n" for line in sentence.lines())


@parser.command()
@_treebanks
@_model_option
@threads_option
@output_options
def evaluate(treebanks: tuple[str, ...], model: str, n_threads: int, form: str, output: str) -> None:
    """Tell how many tags and heads of treebanks a parser finds.

    \b
      dragoman syntax parser evaluate es_gsd-ud-test.conllu -m parser.es
    """
    from dragoman.syntax import Parser, evaluate_parser

    emit(evaluate_parser(Parser.load(model), _sentences(treebanks), n_threads=n_threads), form, output)


def _sentences(paths: tuple[str, ...]) -> Iterator[Sentence]:
    from dragoman.text.conllu import iter_conllu

    return chain.from_iterable(map(iter_conllu, paths))
