"""`dragoman smt search`."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import click

from dragoman.cli.output import ObjectiveChoice, emit, form_options, seed_option, threads_option
from dragoman.metrics.base import METRICS

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
@click.option(
    "--metric",
    metavar="NAME",
    type=ObjectiveChoice(METRICS),
    default="bleu:tokeniser=none",
    show_default=True,
    help="What is made better, as for smt tune.",
)
@click.option(
    "--method",
    type=click.Choice(["nelder-mead", "powell"]),
    default="nelder-mead",
    show_default=True,
    help="Simplex, or one direction after another.",
)
@click.option("--evaluations", type=click.IntRange(min=1), default=60, show_default=True, help="Candidates at most.")
@click.option("--budget", type=float, metavar="N", help="Hypotheses and model queries a segment; more is penalised.")
@click.option("-o", "--output", "found_model", metavar="MODEL", required=True, type=click.Path(), help="Where it goes.")
@seed_option
@threads_option
@form_options
def search(
    model: str,
    dev_src: str,
    dev_refs: tuple[str, ...],
    specs: tuple[str, ...],
    metric: str,
    method: str,
    evaluations: int,
    budget: float | None,
    found_model: str,
    seed: int,
    n_threads: int,
    form: str,
) -> None:
    """Search weights and limits of an engine together, by decoding with each candidate.

    \b
      dragoman smt search -m engine --dev-src dev.en --dev-ref dev.de -p distortion_limit=6:0:12 -p lm=0.1 -o found
    """
    from dragoman.cli.progress import shown_progress
    from dragoman.files import read_lines
    from dragoman.smt.engine import Engine
    from dragoman.smt.tune.limits import search_engine

    engine = Engine.load(model)
    with shown_progress() as progress:
        found = search_engine(
            engine,
            read_lines(dev_src),
            {path: read_lines(path) for path in dev_refs},
            [_parameter(s) for s in specs],
            metric=metric,
            method=method,
            evaluations=evaluations,
            budget=budget,
            seed=seed,
            n_threads=n_threads,
            progress=progress,
        )
    engine.with_weights(found.weights, search=found.limits).save(found_model)
    emit(found, form, "-")


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
