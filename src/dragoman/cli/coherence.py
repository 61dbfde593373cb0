"""`dragoman metric coherence` and `dragoman metric responsiveness`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.metrics.coherence.model import CoherenceRecipe
from dragoman.metrics.coherence.responsiveness import ResponsivenessRecipe

__all__ = ["coherence", "responsiveness"]

texts_argument = click.argument("texts", metavar="TEXTS")
refs_option = click.option(
    "-r", "--ref", "refs", metavar="FILE", multiple=True, required=True, help="Model summaries; may be repeated."
)
model_option = click.option("-m", "--model", metavar="FOLDER", required=True, help="What `train` saved.")


@click.group()
def coherence() -> None:
    """Tell how coherent texts are, by their discourse relations."""


@coherence.command("train")
@texts_argument
@click.option("--ratings", metavar="FILE", help="What people gave the texts, a number a line.")
@click.option("--topics", metavar="FILE", help="A name a line: only texts of one topic are compared.")
@click.option("--to", metavar="FOLDER", required=True, help="Save the model there.")
@recipe_options(CoherenceRecipe)
@seed_option
@output_options
def train_coherence(
    texts: str,
    ratings: str | None,
    topics: str | None,
    to: str,
    recipe: CoherenceRecipe,
    seed: int,
    form: str,
    output: str,
) -> None:
    """Learn coherence from texts and other orders of their sentences, or from ratings.

    \b
      dragoman metric coherence train texts.en --to coherence
      dragoman metric coherence train summaries.en --ratings readability.txt --topics topics.txt --to coherence

    TEXTS has a text a line. The scores shown are those of the texts it learnt from.
    """
    from dragoman.files import read_lines
    from dragoman.metrics.coherence.model import cut_text
    from dragoman.qe.files import read_scores

    cut = cut_text(read_lines(texts), recipe.lang)
    model = recipe.train(
        cut,
        None if ratings is None else read_scores(ratings),
        None if topics is None else read_lines(topics),
        seed=seed,
    )
    model.save(to)
    emit(model.report(cut), form, output)


@coherence.command("score")
@texts_argument
@model_option
@output_options
def score_coherence(texts: str, model: str, form: str, output: str) -> None:
    """Score texts, one a line.

    \b
      dragoman metric coherence score texts.en -m coherence
    """
    from dragoman.files import read_lines
    from dragoman.metrics.coherence.model import CoherenceModel, cut_text

    loaded = CoherenceModel.load(model)
    emit(loaded.report(cut_text(read_lines(texts), loaded.recipe.lang)), form, output)


@click.group()
def responsiveness() -> None:
    """Tell how well summaries answer, by content and coherence."""


@responsiveness.command("train")
@texts_argument
@refs_option
@click.option("--ratings", metavar="FILE", required=True, help="What people gave the summaries, a number a line.")
@click.option("--coherence", "coherence_model", metavar="FOLDER", required=True, help="A model of coherence.")
@click.option("--to", metavar="FOLDER", required=True, help="Save the model there.")
@recipe_options(ResponsivenessRecipe)
@seed_option
@threads_option
@output_options
def train_responsiveness(
    texts: str,
    refs: tuple[str, ...],
    ratings: str,
    coherence_model: str,
    to: str,
    recipe: ResponsivenessRecipe,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Learn from rated summaries, one a line, with their model summaries.

    \b
      dragoman metric responsiveness train sums.en -r models.en --ratings ratings.txt --coherence coherence --to cremer
    """
    from dragoman.files import read_lines
    from dragoman.metrics.coherence.model import CoherenceModel
    from dragoman.qe.files import read_scores

    lines, streams = read_lines(texts), [read_lines(path) for path in refs]
    loaded = CoherenceModel.load(coherence_model)
    model = recipe.train(lines, streams, read_scores(ratings), loaded, seed=seed, n_threads=n_threads)
    model.save(to)
    emit(model.score(lines, streams, n_threads=n_threads), form, output)


@responsiveness.command("score")
@texts_argument
@refs_option
@model_option
@threads_option
@output_options
def score_responsiveness(texts: str, refs: tuple[str, ...], model: str, n_threads: int, form: str, output: str) -> None:
    """Score summaries, one a line.

    \b
      dragoman metric responsiveness score summaries.en -r models.en -m cremer
    """
    from dragoman.files import read_lines
    from dragoman.metrics.coherence.responsiveness import ResponsivenessModel

    loaded = ResponsivenessModel.load(model)
    streams = [read_lines(path) for path in refs]
    emit(loaded.score(read_lines(texts), streams, n_threads=n_threads), form, output)
