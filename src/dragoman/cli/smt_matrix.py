"""`dragoman smt tune-matrix`."""

from __future__ import annotations

import click

from dragoman.cli.output import ObjectiveChoice, RegistryChoice, emit, output_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.metrics.base import METRICS
from dragoman.smt.tune.base import TUNERS
from dragoman.smt.tuning import Tuning

__all__ = ["tune_matrix"]


@click.command("tune-matrix")
@click.option("-m", "--model", required=True, type=click.Path(), help="The engine to tune, a folder.")
@click.option("--dev-src", metavar="FILE", required=True, type=click.Path(), help="Source of the tuning set, raw text.")
@click.option("--dev-ref", "dev_refs", metavar="FILE", multiple=True, required=True, help="Its reference; repeatable.")
@click.option("--test-src", metavar="FILE", required=True, type=click.Path(), help="Source of the test set, raw text.")
@click.option(
    "--test-ref", "test_refs", metavar="FILE", multiple=True, required=True, help="Its reference; repeatable."
)
@click.option(
    "--metric",
    "metrics",
    type=ObjectiveChoice(METRICS),
    multiple=True,
    default=("bleu", "tesla-m", "meteor"),
    show_default=True,
    help="Tune to this one and test with it; repeatable.",
)
@click.option("--also", type=RegistryChoice(METRICS), multiple=True, help="Test with this one, too; repeatable.")
@recipe_options(Tuning, skip=("seeds", "metric"), types={"method": RegistryChoice(TUNERS)})
@click.option(
    "--trials", type=click.IntRange(min=1), default=1000, show_default=True, help="Resamples of the test set."
)
@click.option("--to", metavar="FOLDER", type=click.Path(), help="Write the translations there, a file for each tuning.")
@threads_option
@output_options
def tune_matrix(
    model: str,
    dev_src: str,
    dev_refs: tuple[str, ...],
    test_src: str,
    test_refs: tuple[str, ...],
    metrics: tuple[str, ...],
    also: tuple[str, ...],
    recipe: Tuning,
    trials: int,
    to: str | None,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Tune an engine to several metrics, and test it with all of them.

    \b
      dragoman smt tune-matrix -m engine --dev-src dev.de --dev-ref dev.en --test-src test.de --test-ref test.en
      dragoman smt tune-matrix … --metric bleu --metric tesla-m --also ter --method mert --to outputs

    The matrix has a row for each tuning and a column for each test; differences come with a paired bootstrap test and
    with a sign test over segments (Liu, Dahlmeier & Ng, EMNLP 2011).
    """
    from dragoman.cli.progress import shown_progress
    from dragoman.data.assemble import assemble
    from dragoman.metrics.compare import ComparisonRecipe
    from dragoman.smt.engine import Engine
    from dragoman.smt.tune.matrix import tune_matrix as run

    engine = Engine.load(model)
    dev, test = assemble(srcs=dev_src, refs=dev_refs), assemble(srcs=test_src, refs=test_refs)
    with shown_progress() as progress:
        found = run(
            engine,
            dev,
            test,
            metrics,
            also=also,
            tuning=recipe,
            comparison=ComparisonRecipe(trials=trials),
            n_threads=n_threads,
            progress=progress,
        )
    if to is not None:
        found.write(to)
    emit(found, form, output)
