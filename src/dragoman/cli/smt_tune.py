"""`dragoman smt tune`."""

from __future__ import annotations

import click

from dragoman.cli.output import ObjectiveChoice, RegistryChoice, emit, form_options, threads_option
from dragoman.metrics.base import METRICS
from dragoman.smt.tune.base import TUNERS

__all__ = ["tune"]


@click.command()
@click.option("-m", "--model", required=True, type=click.Path(), help="The engine to tune, a folder.")
@click.option("--dev-src", metavar="FILE", required=True, type=click.Path(), help="Source of the tuning set, raw text.")
@click.option("--dev-ref", "dev_refs", metavar="FILE", multiple=True, required=True, help="Its reference; repeatable.")
@click.option(
    "--method",
    metavar="NAME",
    type=RegistryChoice(TUNERS),
    default="mira",
    show_default=True,
    help="Tuner, perhaps with options (mert:starts=5).",
)
@click.option(
    "--metric",
    metavar="NAME",
    type=ObjectiveChoice(METRICS),
    default="bleu:tokeniser=none",
    show_default=True,
    help="What is made better: an additive metric, or a weighted sum of some (bleu:tokeniser=none+-1*ter). It sees "
    "tokens, in true case.",
)
@click.option("--seeds", type=click.IntRange(min=1), default=1, show_default=True, help="How many times to tune.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="The first seed.")
@click.option("--n-best", type=click.IntRange(min=2), default=100, show_default=True, help="Candidates of a segment.")
@click.option(
    "--pop-limit", type=click.IntRange(min=1), default=200, show_default=True, help="Of the search meanwhile."
)
@click.option("--held-out", type=float, default=0.0, show_default=True, help="Share of segments that only decide.")
@click.option(
    "--feature", "features", metavar="NAME", multiple=True, help="Add a decoder feature, as word-pairs; repeatable."
)
@click.option("--freeze", "frozen", metavar="FEATURE", multiple=True, help="Leave a weight as it is; repeatable.")
@click.option("-o", "--output", "tuned_model", metavar="MODEL", required=True, type=click.Path(), help="Where it goes.")
@click.option("--weights", metavar="FOLDER", type=click.Path(), help="Save the weights with their curve, too.")
@threads_option
@form_options
def tune(
    model: str,
    dev_src: str,
    dev_refs: tuple[str, ...],
    method: str,
    metric: str,
    seeds: int,
    seed: int,
    n_best: int,
    pop_limit: int,
    held_out: float,
    features: tuple[str, ...],
    frozen: tuple[str, ...],
    tuned_model: str,
    weights: str | None,
    n_threads: int,
    form: str,
) -> None:
    """Tune an engine's weights on a tuning set.

    \b
      dragoman smt tune -m engine --dev-src dev.en --dev-ref dev.de -o tuned
      dragoman smt tune -m engine --dev-src dev.en --dev-ref dev.de --method mert --seeds 3 --held-out 0.2 -o tuned
    """
    from dragoman.cli.progress import shown_progress
    from dragoman.files import read_lines
    from dragoman.smt.engine import Engine
    from dragoman.smt.tune.engine import tune_engine

    engine = Engine.load(model).with_features(*features)
    with shown_progress() as progress:
        tunings = tune_engine(
            engine,
            read_lines(dev_src),
            {path: read_lines(path) for path in dev_refs},
            method=method,
            metric=metric,
            seeds=range(seed, seed + seeds),
            n_best=n_best,
            pop_limit=pop_limit,
            held_out=held_out,
            frozen=[*frozen, "unknown"],
            n_threads=n_threads,
            progress=progress,
        )
    best = tunings.best
    engine.with_weights(best.weights, report={**engine.report, "tuning": best.to_dict()}).save(tuned_model)
    if weights is not None:
        best.save(weights)
    emit(tunings if seeds > 1 else tunings.best, form, "-")
