"""`dragoman smt tuples train|engine|extract`: units of a source in the order of its translation."""

from __future__ import annotations

from dataclasses import replace

import click

from dragoman.cli.output import emit, output_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.smt.tuple_engine import TupleEngineRecipe
from dragoman.smt.tuple_model import TupleRecipe

__all__ = ["tuples"]


@click.group()
def tuples() -> None:
    """Cut sentence pairs into tuples, and estimate n-gram models of them."""


@tuples.command()
@click.argument("src", type=click.Path(allow_dash=True))
@click.argument("tgt", type=click.Path(allow_dash=True))
@click.option("-m", "--model", required=True, type=click.Path(), help="The model's folder.")
@recipe_options(TupleRecipe)
@threads_option
@output_options
def train(src: str, tgt: str, model: str, recipe: TupleRecipe, n_threads: int, form: str, output: str) -> None:
    """Estimate a bilingual n-gram model from tokenised text: its pairs as sequences of tuples.

    \b
      dragoman smt tuples train tokenised.de tokenised.en -m tuples
      dragoman rescore train val.nbest -s val.de -r val.en -f tuple:tuples,cut=engine -o rescorer
    """
    from dragoman.files import read_lines
    from dragoman.report import inspect_model

    recipe.train(read_lines(src), read_lines(tgt), n_threads=n_threads).save(model)
    emit(inspect_model(model), form, output)


@tuples.command()
@click.argument("src", type=click.Path(allow_dash=True))
@click.argument("tgt", type=click.Path(allow_dash=True))
@click.option("-m", "--model", required=True, type=click.Path(), help="The engine's folder.")
@recipe_options(TupleEngineRecipe, skip=("src_lang", "tgt_lang"))
@click.option("--lang-src", metavar="LANG", required=True, help="Language translated from.")
@click.option("--lang-tgt", metavar="LANG", required=True, help="Language translated into.")
@click.option("--parser", metavar="FOLDER", type=click.Path(), help="Whose parts of speech rules are of; else words.")
@threads_option
@output_options
def engine(
    src: str,
    tgt: str,
    model: str,
    recipe: TupleEngineRecipe,
    lang_src: str,
    lang_tgt: str,
    parser: str | None,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Train an engine that translates with tuples, from raw text.

    \b
      dragoman smt tuples engine train.de train.en --lang-src de --lang-tgt en --parser parser.de -m engine
      dragoman translate text.de -m engine

    It reads the source in orders that rewrite rules allow, which are learnt from crossing links.
    """
    from dragoman.files import read_lines
    from dragoman.report import inspect_model
    from dragoman.syntax import Parser

    chosen = replace(recipe, src_lang=lang_src, tgt_lang=lang_tgt)
    tagger = None if parser is None else Parser.load(parser)
    chosen.train(read_lines(src), read_lines(tgt), tagger=tagger, n_threads=n_threads).save(model)
    emit(inspect_model(model), form, output)


@tuples.command()
@click.argument("src", type=click.Path(allow_dash=True))
@click.argument("tgt", type=click.Path(allow_dash=True))
@click.option("-m", "--model", required=True, type=click.Path(), help="A model whose aligner links the words.")
@threads_option
@output_options
def extract(src: str, tgt: str, model: str, n_threads: int, form: str, output: str) -> None:
    """Write the tuples of tokenised pairs in the order of the target, and how probable each pair is.

    \b
      dragoman smt tuples extract tokenised.de tokenised.en -m tuples
    """
    from dragoman.files import read_lines
    from dragoman.smt.tuple_model import TupleModel, shown_tuples

    emit(shown_tuples(TupleModel.load(model), read_lines(src), read_lines(tgt), n_threads=n_threads), form, output)
