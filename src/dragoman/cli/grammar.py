"""`dragoman syntax grammar train|parse|evaluate|phrases`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.cli.output import emit, output_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.cli.streaming import stream_lines
from dragoman.cli.text import source_argument
from dragoman.syntax.constituents import GrammarRecipe

if TYPE_CHECKING:
    from dragoman.text.trees import Tree

__all__ = ["grammar"]

_model = click.option("-m", "--model", required=True, type=click.Path(exists=True), help="The folder of a grammar.")
_treebanks = click.argument("treebanks", nargs=-1, required=True, metavar="TREEBANK...")
_longest = click.option(
    "--longest",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Longer sentences are parsed in pieces.",
)


@click.group()
def grammar() -> None:
    """Learn grammars from treebanks and parse sentences into phrases."""


@grammar.command()
@_treebanks
@click.option("-m", "--model", required=True, type=click.Path(), help="The folder to make.")
@recipe_options(GrammarRecipe, skip=("smoothing", "least"))
@output_options
def train(treebanks: tuple[str, ...], model: str, recipe: GrammarRecipe, form: str, output: str) -> None:
    """Learn a grammar from trees in brackets, or from dependencies (.conllu) turned into phrases.

    \b
      dragoman syntax grammar train wsj_*.mrg -m grammar.en
      dragoman syntax grammar train es_gsd-ud-train.conllu -m grammar.es
    """
    from dragoman.report import inspect_model

    recipe.train(_read(treebanks)).save(model)
    emit(inspect_model(model), form, output)


@grammar.command()
@source_argument
@_model
@click.option("--table", is_flag=True, help="Likelihood, number of trees, confidence and shape instead of the tree.")
@click.option(
    "--n-best", type=click.IntRange(min=1), default=100, show_default=True, help="Trees to find at most, with --table."
)
@_longest
@threads_option
@output_options
def parse(
    source: str, model: str, table: bool, n_best: int, longest: int, n_threads: int, form: str, output: str
) -> None:
    """Parse tokenised sentences, one a line: the best tree of each in brackets, or a table of what is known of it.

    \b
      dragoman syntax grammar parse tokenised.en -m grammar.en -o trees.en
      dragoman syntax grammar parse tokenised.en -m grammar.en --table --form tsv
    """
    from dragoman.files import read_lines
    from dragoman.syntax import Grammar, SentenceParses

    loaded = Grammar.load(model)
    if table:
        token_lines = [line.split() for line in read_lines(source)]
        parses = loaded.parse(token_lines, n_best=n_best, longest=longest, n_threads=n_threads)
        emit(SentenceParses(parses, model), form, output)
        return

    def change(lines: list[str]) -> list[str]:
        parsed = loaded.parse([line.split() for line in lines], longest=longest, n_threads=n_threads)
        return [str(each.tree) for each in parsed]

    stream_lines(change, source, form=form, output=output, made_by={"model": model})


@grammar.command()
@_treebanks
@_model
@_longest
@threads_option
@output_options
def evaluate(treebanks: tuple[str, ...], model: str, longest: int, n_threads: int, form: str, output: str) -> None:
    """Parse the sentences of a treebank and compare the brackets (PARSEVAL).

    \b
      dragoman syntax grammar evaluate test.mrg -m grammar.en
    """
    from dragoman.syntax import Grammar, evaluate_grammar

    trees = _read(treebanks)
    emit(evaluate_grammar(Grammar.load(model), trees, longest=longest, n_threads=n_threads), form, output)


@grammar.command()
@_treebanks
@output_options
def phrases(treebanks: tuple[str, ...], form: str, output: str) -> None:
    """Turn the dependencies of CoNLL-U files into phrases, a tree in brackets a line.

    \b
      dragoman syntax grammar phrases es_gsd-ud-train.conllu -o es.trees
    """
    from dragoman.files import open_writer
    from dragoman.report import Lines

    lines = tuple(map(str, _read(treebanks)))
    if form != "text":
        emit(Lines(lines, {"treebanks": list(treebanks)}), form, output)
        return
    with open_writer(output) as stream:
        stream.writelines(f"{line}\n" for line in lines)


def _read(paths: tuple[str, ...]) -> list[Tree]:
    from dragoman.files import plain_name
    from dragoman.syntax import phrase_trees, read_treebank
    from dragoman.text.conllu import iter_conllu

    trees: list[Tree] = []
    for path in paths:
        if plain_name(path).endswith(".conllu"):
            trees += phrase_trees(iter_conllu(path))
        else:
            trees += read_treebank(path)
    return trees
