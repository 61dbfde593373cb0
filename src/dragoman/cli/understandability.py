"""`dragoman study understandability plan`, `score` and `probe`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option

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


@understandability.command()
@click.argument("reviews", type=click.Path(allow_dash=True))
@click.argument("test_set", metavar="TESTSET", type=click.Path())
@click.option("-m", "--metric", "metrics", multiple=True, default=("bleu", "nist"), show_default=True, help="A metric.")
@click.option("--size", "sizes", type=click.IntRange(min=1), multiple=True, help="Segments of a draw. [10, 30, 100]")
@click.option("--references", "counts", type=click.IntRange(min=1), multiple=True, help="References each. [1, 2, 3]")
@click.option("--trials", type=click.IntRange(min=1), default=20, show_default=True, help="Draws of each size.")
@seed_option
@threads_option
@output_options
def probe(
    reviews: str,
    test_set: str,
    metrics: tuple[str, ...],
    sizes: tuple[int, ...],
    counts: tuple[int, ...],
    trials: int,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Ask how many segments and references make metrics agree with reviewers.

    \b
      dragoman study understandability probe reviews.tsv testset --size 30 --references 1 --references 3

    References are what reviewers approved or made, besides those of the test set; the human score of a system is its
    understandability.
    """
    from dragoman.data.convert import read_test_set
    from dragoman.data.judgements import read_judgements
    from dragoman.data.judgements.blind_edits import REVIEWS
    from dragoman.human.blind_editing.probe import probe_reviews

    more: dict[str, tuple[int, ...]] = {
        name: values for name, values in (("sizes", sizes), ("counts", counts)) if values
    }
    table, texts = read_judgements(reviews, REVIEWS), read_test_set(test_set)
    result = probe_reviews(texts, table, metrics=metrics, trials=trials, seed=seed, n_threads=n_threads, **more)
    emit(result, form, output)
