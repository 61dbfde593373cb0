"""`dragoman gate`."""

from __future__ import annotations

import click

from dragoman.cli.output import RegistryChoice, emit, layer_option, output_options, threads_option
from dragoman.metrics.base import METRICS
from dragoman.metrics.specs import make_metrics

__all__ = ["gate"]


@click.command()
@click.argument("baseline")
@click.argument("system")
@click.option("-r", "--ref", "refs", metavar="FILE", multiple=True, required=True, help="Reference; may be repeated.")
@click.option("-s", "--src", metavar="FILE", help="Source, for metrics that look at it.")
@click.option(
    "-m",
    "--metric",
    "metrics",
    metavar="NAME",
    type=RegistryChoice(METRICS),
    multiple=True,
    default=("bleu", "chrf"),
    show_default=True,
    help="Metric, perhaps with options; may be repeated.",
)
@click.option(
    "--min-delta",
    type=float,
    default=0.0,
    show_default=True,
    help="The least gain that passes; −0.5 allows a drop of half a point. More is better for every metric.",
)
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="Fail only if chance reaches the least gain so rarely; 1 fails on any shortfall.",
)
@click.option("--trials", type=click.IntRange(min=1), default=1000, show_default=True, help="Bootstrap samples.")
@click.option("--seed", type=click.IntRange(min=0), default=12345, show_default=True, help="Seed of the samples.")
@click.option("--junit", metavar="FILE", help="Also write the verdicts as JUnit XML.")
@layer_option
@threads_option
@output_options
def gate(
    baseline: str,
    system: str,
    refs: tuple[str, ...],
    src: str | None,
    metrics: tuple[str, ...],
    min_delta: float,
    alpha: float,
    trials: int,
    seed: int,
    junit: str | None,
    layers: tuple[str, ...],
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Fail a build when a system drops below its baseline.

    \b
      dragoman gate base.en new.en -r reference.en -m bleu -m chrf --min-delta -0.5
      dragoman gate base.en new.en -r reference.en --junit gate.xml --form markdown >> "$GITHUB_STEP_SUMMARY"

    Exit code 0: passed. 1: a metric fell, beyond chance, below the least gain.
    """
    from dragoman.data import assemble
    from dragoman.files import open_writer
    from dragoman.metrics.gate import gate as run

    test_set = assemble(srcs=src, refs=refs, systems=[baseline, system], layers=layers)
    before, after = test_set.systems.items()
    result = run(
        before,
        after,
        test_set.refs,
        test_set.srcs,
        metrics=make_metrics(metrics, test_set.layers),
        min_delta=min_delta,
        alpha=alpha,
        trials=trials,
        seed=seed,
        n_threads=n_threads,
    )
    if junit is not None:
        with open_writer(junit) as stream:
            stream.write(result.junit())
    emit(result, form, output)
    if not result.passed:
        click.get_current_context().exit(1)
