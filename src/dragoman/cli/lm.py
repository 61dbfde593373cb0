"""`dragoman lm build|score`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, threads_option
from dragoman.cli.text import source_argument

__all__ = ["lm"]


@click.group()
def lm() -> None:
    """Estimate language models and score text with them."""


@lm.command()
@source_argument
@click.option("-m", "--model", required=True, type=click.Path(), help="The model's folder.")
@click.option("--order", type=click.IntRange(1, 9), default=5, show_default=True, help="Length of the longest n-grams.")
@click.option(
    "--prune", type=int, multiple=True, metavar="N",
    help="By order, from 1 on: n-grams met at most so often are left out. Repeat it; the last one goes on.",
)  # fmt: skip
@click.option("--vocabulary", type=click.Path(exists=True), help="Word list; all other words count as <unk>.")
@click.option("--memory", default="1g", show_default=True, help="For sorting; what does not fit goes to disk.")
@click.option("--arpa", type=click.Path(), metavar="FILE", help="Write the model as ARPA, too.")
@threads_option
@output_options
def build(
    source: str, model: str, order: int, prune: tuple[int, ...], vocabulary: str | None, memory: str, arpa: str | None,
    n_threads: int, form: str, output: str,
) -> None:  # fmt: skip
    """Estimate a language model from tokenised text (modified Kneser–Ney).

    \b
      dragoman lm build tokenised.en -m lm.en --order 5
    """
    from dragoman.files import iter_lines, read_lines
    from dragoman.lm import KneserNey
    from dragoman.report import inspect_model

    words = [line.split("\t")[0] for line in read_lines(vocabulary)] if vocabulary else None
    recipe = KneserNey(order=order, prune=prune, memory=memory)
    recipe.train(iter_lines(source), vocabulary=words, arpa=arpa, n_threads=n_threads).save(model)
    emit(inspect_model(model), form, output)


@lm.command()
@source_argument
@click.option("-m", "--model", required=True, type=click.Path(exists=True), help="A model's folder, or an ARPA file.")
@click.option("--segments", is_flag=True, help="One row for each line instead of the whole text.")
@threads_option
@output_options
def score(source: str, model: str, segments: bool, n_threads: int, form: str, output: str) -> None:
    """Perplexity of tokenised text under a model, or the probability of every line.

    \b
      dragoman lm score test.en -m lm.en
      dragoman lm score test.en -m lm.en --segments --json
    """
    from dragoman.files import iter_lines, read_lines
    from dragoman.lm import LanguageModel, perplexity, score_sentences

    loaded = LanguageModel.open(model)
    if segments:
        emit(score_sentences(loaded, read_lines(source), n_threads=n_threads), form, output)
    else:
        emit(perplexity(loaded, iter_lines(source), n_threads=n_threads), form, output)
