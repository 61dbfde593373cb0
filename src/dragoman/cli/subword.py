"""`dragoman subword train|encode|decode`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.cli.streaming import stream_lines
from dragoman.cli.text import source_argument

__all__ = ["subword"]

model_option = click.option("-m", "--model", required=True, type=click.Path(), help="The subword model's folder.")


@click.group()
def subword() -> None:
    """Train a subword model (BPE or unigram) and cut text with it."""


@subword.command()
@source_argument
@model_option
@click.option("--method", type=click.Choice(["unigram", "bpe"]), default="unigram", show_default=True, help="Method.")
@click.option("--size", type=click.IntRange(min=2), default=8000, show_default=True, help="Pieces in the vocabulary.")
@seed_option
@output_options
def train(source: str, model: str, method: str, size: int, seed: int, form: str, output: str) -> None:
    """Train a subword model on text.

    \b
      dragoman subword train samples/phrasebook.de -m pieces --size 1000
    """
    from dragoman.files import iter_lines
    from dragoman.report import inspect_model
    from dragoman.text import SubwordRecipe

    SubwordRecipe(method=method, vocab_size=size).train(iter_lines(source), seed=seed).save(model)
    emit(inspect_model(model), form, output)


@subword.command()
@source_argument
@model_option
@threads_option
@output_options
def encode(source: str, model: str, n_threads: int, form: str, output: str) -> None:
    """Cut text into pieces, separated by spaces.

    \b
      dragoman subword encode samples/testset/source.de -m pieces
    """
    from dragoman.text import SubwordModel

    pieces = SubwordModel.load(model)
    stream_lines(
        lambda lines: [" ".join(line) for line in pieces.encode(lines, n_threads=n_threads)],
        source, form=form, output=output, made_by={"model": model},
    )  # fmt: skip


@subword.command()
@source_argument
@model_option
@output_options
def decode(source: str, model: str, form: str, output: str) -> None:
    """Join pieces to text again.

    \b
      dragoman subword decode pieces.txt -m pieces
    """
    from dragoman.text import SubwordModel

    pieces = SubwordModel.load(model)
    stream_lines(
        lambda lines: pieces.decode([line.split() for line in lines]),
        source, form=form, output=output, made_by={"model": model},
    )  # fmt: skip
