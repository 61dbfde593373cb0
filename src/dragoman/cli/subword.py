"""`dragoman text subword train|encode|decode`."""

from __future__ import annotations

from typing import Any

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.cli.streaming import stream_lines
from dragoman.cli.text import source_argument

__all__ = ["subword"]

model_option = click.option("-m", "--model", required=True, type=click.Path(), help="The subword model's folder.")


@click.group()
def subword() -> None:
    """Train a model of subwords or morphemes; cut text with it."""


@subword.command()
@source_argument
@model_option
@click.option(
    "--method",
    type=click.Choice(["unigram", "bpe", "morpheme"]),
    default="unigram",
    show_default=True,
    help="Pieces of a unigram model, byte pairs, or morphemes.",
)
@click.option("--size", type=click.IntRange(min=2), help="Pieces in the vocabulary (unigram, bpe).  [default: 8000]")
@click.option(
    "--counting",
    type=click.Choice(["types", "log", "tokens"]),
    help="What words count for morphemes: one, log2(1 + n), or as often as they are met.  [default: types]",
)
@click.option(
    "--corpus-weight",
    type=float,
    help="Weight of the words against the lexicon of morphemes: the higher, the fewer cuts.  [default: 1]",
)
@seed_option
@output_options
def train(
    source: str,
    model: str,
    method: str,
    size: int | None,
    counting: str | None,
    corpus_weight: float | None,
    seed: int,
    form: str,
    output: str,
) -> None:
    """Train a subword model on text.

    Morphemes are learnt from words: give text that is tokenised.

    \b
      dragoman text subword train samples/phrasebook.de -m pieces --size 1000
      dragoman text tokenise samples/phrasebook.de | dragoman text subword train -m morphs --method morpheme
    """
    from dragoman.files import iter_lines
    from dragoman.report import inspect_model
    from dragoman.text import MorphemeRecipe, SubwordRecipe

    of_morphemes = {"counting": counting, "corpus_weight": corpus_weight}
    chosen: dict[str, Any] = {name: value for name, value in of_morphemes.items() if value is not None}
    if method == "morpheme":
        if size is not None:
            raise click.UsageError(
                "--size is not for morphemes: their number follows from the text. "
                "A lower --corpus-weight cuts more and so needs fewer."
            )
        MorphemeRecipe(**chosen).train(iter_lines(source), seed=seed).save(model)
    else:
        if chosen:
            raise click.UsageError(f"--{next(iter(chosen)).replace('_', '-')} goes with --method morpheme.")
        SubwordRecipe(method=method, vocab_size=size or 8000).train(iter_lines(source), seed=seed).save(model)
    emit(inspect_model(model), form, output)


@subword.command()
@source_argument
@model_option
@threads_option
@output_options
def encode(source: str, model: str, n_threads: int, form: str, output: str) -> None:
    """Cut text into pieces, separated by spaces.

    \b
      dragoman text subword encode samples/testset/source.de -m pieces
    """
    from dragoman.text import open_subwords

    pieces = open_subwords(model)
    stream_lines(
        lambda lines: [" ".join(line) for line in pieces.encode(lines, n_threads=n_threads)],
        source,
        form=form,
        output=output,
        made_by={"model": model},
    )


@subword.command()
@source_argument
@model_option
@output_options
def decode(source: str, model: str, form: str, output: str) -> None:
    """Join pieces to text again.

    \b
      dragoman text subword decode pieces.txt -m pieces
    """
    from dragoman.text import open_subwords

    pieces = open_subwords(model)
    stream_lines(
        lambda lines: pieces.decode([line.split() for line in lines]),
        source,
        form=form,
        output=output,
        made_by={"model": model},
    )
