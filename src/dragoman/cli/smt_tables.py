"""`dragoman smt extract|index|learn|tables|prune`: phrase tables of several kinds, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from dragoman.cli.output import emit, output_options, threads_option

__all__ = ["extract", "index", "learn", "prune", "tables"]

F = TypeVar("F", bound=Callable[..., Any])


def _phrases_of_text(command: F) -> F:
    """Add aligned text, the folder to make, and how phrases are cut out of it."""
    for add in reversed(
        (
            *(click.argument(name, type=click.Path(allow_dash=True)) for name in ("src", "tgt", "alignment")),
            click.option("-m", "--model", required=True, type=click.Path(), help="The folder to make."),
            click.option(
                "--longest", type=click.IntRange(1, 255), default=7, show_default=True, help="Words of a phrase."
            ),
            click.option(
                "--orientation",
                type=click.Choice(["none", "word", "hierarchical"]),
                default="word",
                show_default=True,
                help="What a phrase is oriented to.",
            ),
            threads_option,
            output_options,
        )
    ):
        command = add(command)
    return command


@click.command()
@_phrases_of_text
@click.option(
    "--smoothing",
    type=click.Choice(["none", "good-turing", "kneser-ney"]),
    default="none",
    show_default=True,
    help="Of phrase probabilities.",
)
def extract(
    src: str,
    tgt: str,
    alignment: str,
    model: str,
    longest: int,
    smoothing: str,
    orientation: str,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Extract a phrase table from tokenised text and its word alignment (Pharaoh format).

    \b
      dragoman smt extract tokenised.en tokenised.de links.txt -m phrases
    """
    from dragoman.report import inspect_model
    from dragoman.smt import PhraseExtraction
    from dragoman.smt.aligned_files import read_aligned

    recipe = PhraseExtraction(longest=longest, smoothing=smoothing, orientation=orientation)
    recipe.extract(*read_aligned(src, tgt, alignment), n_threads=n_threads).save(model)
    emit(inspect_model(model), form, output)


@click.command()
@_phrases_of_text
@click.option("--samples", type=click.IntRange(0), default=1000, show_default=True, help="Occurrences; 0: all.")
def index(
    src: str,
    tgt: str,
    alignment: str,
    model: str,
    longest: int,
    samples: int,
    orientation: str,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Index tokenised text with its word alignment (Pharaoh format): phrases are looked up in it, no table is made.

    \b
      dragoman smt index tokenised.en tokenised.de links.txt -m index
    """
    from dragoman.report import inspect_model
    from dragoman.smt import PhraseSampling
    from dragoman.smt.aligned_files import read_aligned

    recipe = PhraseSampling(longest=longest, orientation=orientation, samples=samples)
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
    from dragoman.files import read_lines
    from dragoman.smt.journal import Learnt

    engine = need(load_engine(model), Learns)
    before = engine.n_pairs
    total = engine.learn(read_lines(src), read_lines(tgt), n_threads=n_threads)
    emit(Learnt(total - before, total), form, output)


@click.command()
@click.argument("models", nargs=-1, required=True, type=click.Path())
@click.option("-m", "--model", required=True, type=click.Path(), help="The new table's folder.")
@click.option(
    "--mode",
    type=click.Choice(["both", "either", "back-off", "fill-up", "interpolated"]),
    default="fill-up",
    show_default=True,
    help="What becomes of the tables.",
)
@click.option("--weight", "weights", type=float, multiple=True, help="Interpolated: of each table, in their order.")
@click.option("--tune-on", metavar="TABLE", type=click.Path(), help="Interpolated: weights by EM on its pairs.")
@click.option("--provenance", is_flag=True, help="Either, back-off: features that tell which tables a pair is from.")
@output_options
def tables(
    models: tuple[str, ...],
    model: str,
    mode: str,
    weights: tuple[float, ...],
    tune_on: str | None,
    provenance: bool,
    form: str,
    output: str,
) -> None:
    """Make one phrase table of several, the first being the nearest to what is to be translated.

    \b
      dragoman smt tables in-domain general -m both --mode fill-up
      dragoman smt tables in-domain general -m mixed --mode interpolated --weight 0.7 --weight 0.3
    """
    from dragoman.report import inspect_model
    from dragoman.smt import PhraseTable, TableCombination

    recipe = TableCombination(mode=mode, weights=weights, provenance=provenance)
    pairs = PhraseTable.load(tune_on) if tune_on else None
    recipe.combine([PhraseTable.load(each) for each in models], pairs=pairs).save(model)
    emit(inspect_model(model), form, output)


@click.command()
@click.argument("table", type=click.Path())
@click.argument("src", type=click.Path(allow_dash=True))
@click.argument("tgt", type=click.Path(allow_dash=True))
@click.argument("alignment", type=click.Path(allow_dash=True))
@click.option("-m", "--model", required=True, type=click.Path(), help="The pruned table's folder.")
@click.option("--n-best", type=click.IntRange(1), default=100, show_default=True, help="Derivations of each pair.")
@click.option("--restore", type=click.IntRange(0), default=3, show_default=True, help="For words without any left.")
@click.option("--reestimate", is_flag=True, help="Set phrase probabilities by how often they were used.")
@threads_option
@output_options
def prune(
    table: str,
    src: str,
    tgt: str,
    alignment: str,
    model: str,
    n_best: int,
    restore: int,
    reestimate: bool,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Prune an extracted phrase table to what its text needs when it is translated again, leaving one out.

    \b
      dragoman smt prune phrases tokenised.en tokenised.de links.txt -m smaller
    """
    from dragoman.smt import ForcedDecoding, PhraseTable
    from dragoman.smt.aligned_files import read_aligned

    recipe = ForcedDecoding(method="reestimate" if reestimate else "prune", n_best=n_best, restore=restore)
    whole = PhraseTable.load(table)
    text, _, _ = read_aligned(src, tgt, alignment, vocabularies=(whole.source, whole.target))
    pruned, report = recipe.prune(whole, text, n_threads=n_threads)
    pruned.save(model)
    emit(report, form, output)
