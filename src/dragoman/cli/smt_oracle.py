"""`dragoman smt oracle`."""

from __future__ import annotations

import click

from dragoman.cli.output import RegistryChoice, emit, output_options, threads_option
from dragoman.metrics.base import METRICS

__all__ = ["oracle"]


@click.command()
@click.option("-m", "--model", required=True, type=click.Path(), help="The engine, a folder.")
@click.option("--src", metavar="FILE", required=True, type=click.Path(), help="Source text, raw.")
@click.option("--ref", "refs", metavar="FILE", multiple=True, required=True, help="Its reference; repeatable.")
@click.option(
    "--n-best",
    "sizes",
    type=click.IntRange(min=1),
    multiple=True,
    default=(10, 100),
    show_default=True,
    help="Length of a list to choose from; repeatable.",
)
@click.option("--no-graph", is_flag=True, help="Look at lists alone.")
@click.option(
    "--metric",
    metavar="NAME",
    type=RegistryChoice(METRICS),
    default="bleu:tokeniser=none",
    show_default=True,
    help="An additive metric. It sees tokens, in true case.",
)
@threads_option
@output_options
def oracle(
    model: str,
    src: str,
    refs: tuple[str, ...],
    sizes: tuple[int, ...],
    no_graph: bool,
    metric: str,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Show the best that an engine could have said: in its lists and in its search graphs.

    \b
      dragoman smt oracle -m engine --src dev.en --ref dev.de
      dragoman smt oracle -m engine --src dev.en --ref dev.de --n-best 500 --no-graph
    """
    from dragoman.data.assemble import assemble
    from dragoman.smt.engine import Engine
    from dragoman.smt.oracle import measure_oracles

    engine, test = Engine.load(model), assemble(srcs=src, refs=refs)
    oracles = measure_oracles(engine, test, sizes=sizes, graph=not no_graph, metric=metric, n_threads=n_threads)
    emit(oracles, form, output)
