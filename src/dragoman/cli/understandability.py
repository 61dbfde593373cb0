"""`dragoman study understandability plan` and `score`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, seed_option

__all__ = ["understandability"]


@click.group()
def understandability() -> None:
    """Plan and score blind editing: output without its source."""


@understandability.command()
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@click.option(
    "-n",
    "--document",
    "documents",
    type=click.IntRange(min=1),
    multiple=True,
    required=True,
    metavar="SEGMENTS",
    help="Segments of a document; once for each.",
)
@click.option("--size", type=click.IntRange(min=1), default=3, show_default=True, help="Segments of a snippet.")
@click.option("--snippets", type=click.IntRange(min=1), default=8, show_default=True, help="Snippets of a task.")
@seed_option
@output_options
def plan(
    systems: tuple[str, ...], documents: tuple[int, ...], size: int, snippets: int, seed: int, form: str, output: str
) -> None:
    """Deal outputs to tasks: neighbouring segments, each from another system.

    \b
      dragoman study understandability plan atlas borealis cobalt dune -n 12 -n 30 --seed 7
    """
    from dragoman.human.blind_editing.plan import plan_blind_editing

    emit(plan_blind_editing(documents, systems, size=size, snippets=snippets, seed=seed), form, output)


@understandability.command()
@click.argument("reviews", type=click.Path(allow_dash=True))
@click.option("--trials", type=click.IntRange(min=1), default=1000, show_default=True, help="Bootstrap samples.")
@click.option("--seed", type=click.IntRange(min=0), default=12345, show_default=True, help="Seed of the samples.")
@output_options
def score(reviews: str, trials: int, seed: int, form: str, output: str) -> None:
    """Score reviewed edits: the share of outputs that were understood.

    \b
      dragoman study understandability score samples/studies/understandability/reviews.tsv

    REVIEWS has the columns editor, reviewer, system, segment, edit, review, and perhaps seen.
    """
    from dragoman.data.judgements import read_judgements
    from dragoman.data.judgements.blind_edits import REVIEWS
    from dragoman.human.blind_editing.scores import understandability as run

    emit(run(read_judgements(reviews, REVIEWS), trials=trials, seed=seed), form, output)
