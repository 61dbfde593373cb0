"""`dragoman smt extract|index|learn|tables|prune`: phrase tables of several kinds, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import click

from dragoman.cli.output import emit, output_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.smt.bitext_index import PhraseSampling
from dragoman.smt.forced import ForcedDecoding
from dragoman.smt.phrase_table import SMOOTHINGS, PhraseExtraction, TableCombination

__all__ = ["extract", "index", "learn", "prune", "tables"]

F = TypeVar("F", bound=Callable[..., Any])


def _aligned_text(command: F) -> F:
    """Add aligned text and the folder to make."""
    for add in reversed(
        (
            *(click.argument(name, type=click.Path(allow_dash=True)) for name in ("src", "tgt", "alignment")),
            click.option("-m", "--model", required=True, type=click.Path(), help="The folder to make."),
            threads_option,
            output_options,
        )
    ):
        command = add(command)
    return command


@click.command()
@_aligned_text
@recipe_options(PhraseExtraction, skip=("smoothing",))
@click.option(
    "--smoothing",
    type=click.Choice(SMOOTHINGS, case_sensitive=False),
    default="none",
    show_default=True,
    help="Of phrase probabilities.",
)
@click.option("--weights", metavar="FILE", type=click.Path(), help="What each sentence pair counts, one number a line.")
def extract(
    src: str,
    tgt: str,
    alignment: str,
    model: str,
    recipe: PhraseExtraction,
    smoothing: str,
    weights: str | None,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Extract a phrase table from tokenised text and its word alignment (Pharaoh format).

    \b
      dragoman smt extract tokenised.en tokenised.de links.txt -m phrases
      dragoman smt extract tokenised.en tokenised.de links.txt -m phrases --weights weights.txt
    """
    from dragoman.report import inspect_model
    from dragoman.smt.aligned_files import read_aligned
    from dragoman.smt.pair_weights import PairWeights

    smoothed = replace(recipe, smoothing=smoothing)
    text, source, target = read_aligned(src, tgt, alignment)
    if weights:
        text = replace(text, weights=PairWeights(path=weights).read(len(text), src))
    smoothed.extract(text, source, target, n_threads=n_threads).save(model)
    emit(inspect_model(model), form, output)


@click.command()
@_aligned_text
@recipe_options(PhraseSampling, skip=("use",))
def index(
    src: str, tgt: str, alignment: str, model: str, recipe: PhraseSampling, n_threads: int, form: str, output: str
) -> None:
    """Index tokenised text with its word alignment (Pharaoh format): phrases are looked up in it, no table is made.

    \b
      dragoman smt index tokenised.en tokenised.de links.txt -m index
    """
    from dragoman.report import inspect_model
    from dragoman.smt.aligned_files import read_aligned

    recipe.index(*read_aligned(src, tgt, alignment), n_threads=n_threads).save(model)
    emit(inspect_model(model), form, output)


@click.command()
@click.option("-m", "--model", required=True, type=click.Path(), help="The engine's folder.")
@click.option("--src", required=True, metavar="FILE", type=click.Path(), help="Source side, a sentence a line.")
@click.option("--tgt", required=True, metavar="FILE", type=click.Path(), help="Its translation, line by line.")
@threads_option
@output_options
def learn(model: str, src: str, tgt: str, n_threads: int, form: str, output: str) -> None:
    """Let an engine learn sentence pairs: the next translation can use them.

    \b
      dragoman smt learn -m engine --src corrected.en --tgt corrected.de

    The engine must look phrases up in its text: train it with --set index.use=only, or beside.
    """
    from dragoman.engines import Learns, load_engine, need
    from dragoman.engines.journal import Learnt
    from dragoman.files import read_lines

    engine = need(load_engine(model), Learns)
    before = engine.n_pairs
    total = engine.learn(read_lines(src), read_lines(tgt), n_threads=n_threads)
    emit(Learnt(total - before, total), form, output)


@click.command()
@click.argument("models", nargs=-1, required=True, type=click.Path())
@click.option("-m", "--model", required=True, type=click.Path(), help="The new table's folder.")
@recipe_options(TableCombination, spellings={"weights": ["--weight"]})
@click.option("--tune-on", metavar="TABLE", type=click.Path(), help="Interpolated: weights by EM on its pairs.")
@output_options
def tables(
    models: tuple[str, ...], model: str, recipe: TableCombination, tune_on: str | None, form: str, output: str
) -> None:
    """Make one phrase table of several, the first being the nearest to what is to be translated.

    \b
      dragoman smt tables in-domain general -m both --mode fill-up
      dragoman smt tables in-domain general -m mixed --mode interpolated --weight 0.7 --weight 0.3
    """
    from dragoman.report import inspect_model
    from dragoman.smt import PhraseTable

    pairs = PhraseTable.load(tune_on) if tune_on else None
    recipe.combine([PhraseTable.load(each) for each in models], pairs=pairs, names=models).save(model)
    emit(inspect_model(model), form, output)


@click.command()
@click.argument("table", type=click.Path())
@_aligned_text
@recipe_options(ForcedDecoding, skip=("method", "tuner"))
@click.option("--weights", metavar="FILE", help="Weights to translate with, as weights.tsv of a tuned engine.")
@click.option("--reestimate", is_flag=True, help="Set phrase probabilities by how often they were used.")
def prune(
    table: str,
    src: str,
    tgt: str,
    alignment: str,
    model: str,
    recipe: ForcedDecoding,
    weights: str | None,
    reestimate: bool,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Prune an extracted phrase table to what its text needs when it is translated again, leaving one out.

    \b
      dragoman smt prune phrases tokenised.en tokenised.de links.txt -m smaller --weights engine/weights.tsv
    """
    from pathlib import Path

    from dragoman.smt import PhraseTable
    from dragoman.smt.aligned_files import read_aligned
    from dragoman.smt.weights import read_weights

    method = replace(recipe, method="reestimate" if reestimate else "prune")
    whole = PhraseTable.load(table)
    text, _, _ = read_aligned(src, tgt, alignment, vocabularies=(whole.source, whole.target))
    told = read_weights(Path(weights)) if weights else None
    pruned, report = method.prune(whole, text, weights=told, n_threads=n_threads)
    pruned.save(model)
    emit(report, form, output)
