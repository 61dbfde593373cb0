"""`dragoman smt search`."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import click

from dragoman.cli.output import ObjectiveChoice, emit, form_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.metrics.base import METRICS
from dragoman.smt.tune.limits import JointSearch

if TYPE_CHECKING:
    from dragoman.smt.tune.direct import Parameter

__all__ = ["search"]


@click.command()
@click.option("-m", "--model", required=True, type=click.Path(), help="The engine to search, a folder.")
@click.option("--dev-src", metavar="FILE", required=True, type=click.Path(), help="Source of the tuning set, raw text.")
@click.option("--dev-ref", "dev_refs", metavar="FILE", multiple=True, required=True, help="Its reference; repeatable.")
@click.option(
    "-p",
    "--parameter",
    "specs",
    metavar="NAME=START[:LOW:HIGH]",
    multiple=True,
    required=True,
    help="What is searched: a feature (lm), a limit (distortion_limit) or future.FEATURE; repeatable.",
)
@recipe_options(JointSearch, types={"metric": ObjectiveChoice(METRICS)})
@click.option("-o", "--output", "target", metavar="MODEL", required=True, type=click.Path(), help="Where it goes.")
@threads_option
@form_options
def search(
    model: str,
    dev_src: str,
    dev_refs: tuple[str, ...],
    specs: tuple[str, ...],
    recipe: JointSearch,
    target: str,
    n_threads: int,
    form: str,
) -> None:
    """Search weights and limits of an engine together, by decoding with each candidate.

    \b
      dragoman smt search -m engine --dev-src dev.en --dev-ref dev.de -p distortion_limit=6:0:12 -p lm=0.1 -o found
    """
    from dragoman.cli.progress import shown_progress
    from dragoman.data.assemble import assemble
    from dragoman.smt.engine import Engine
    from dragoman.smt.tune.limits import search_engine

    engine, dev = Engine.load(model), assemble(srcs=dev_src, refs=dev_refs)
    parameters = [_parameter(spec) for spec in specs]
    with shown_progress() as progress:
        best = search_engine(engine, dev, parameters, recipe, n_threads=n_threads, progress=progress)
    engine.with_weights(best.weights, search=best.limits).save(target)
    emit(best, form, "-")


def _parameter(spec: str) -> Parameter:
    from dragoman.smt.search import SearchLimits
    from dragoman.smt.tune.direct import Parameter

    name, equals, text = spec.partition("=")
    try:
        start, *bounds = (float(part) for part in text.split(":"))
        if not name or not equals or len(bounds) not in (0, 2):
            raise ValueError
    except ValueError:
        raise click.UsageError(f"-p {spec!r} is no parameter; write NAME=START or NAME=START:LOW:HIGH.") from None
    is_whole = type(getattr(SearchLimits(), name, None)) is int
    low, high = bounds or (-inf, inf)
    return Parameter(name, start, low, high, integer=is_whole)
