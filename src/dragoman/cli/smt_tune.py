"""`dragoman smt tune`."""

from __future__ import annotations

from dataclasses import replace

import click

from dragoman.cli.output import ObjectiveChoice, RegistryChoice, emit, form_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.metrics.base import METRICS
from dragoman.smt.tune.base import TUNERS
from dragoman.smt.tuning import Tuning

__all__ = ["tune"]


@click.command()
@click.option("-m", "--model", required=True, type=click.Path(), help="The engine to tune, a folder.")
@click.option("--dev-src", metavar="FILE", required=True, type=click.Path(), help="Source of the tuning set, raw text.")
@click.option("--dev-ref", "dev_refs", metavar="FILE", multiple=True, required=True, help="Its reference; repeatable.")
@recipe_options(
    Tuning,
    skip=("seeds",),
    types={"method": RegistryChoice(TUNERS), "metric": ObjectiveChoice(METRICS), "n_best": click.IntRange(min=2)},
)
@click.option("--seeds", type=click.IntRange(min=1), default=1, show_default=True, help="How many times to tune.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="The first seed.")
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
    recipe: Tuning,
    seeds: int,
    seed: int,
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
    from dragoman.data.assemble import assemble
    from dragoman.smt.engine import Engine
    from dragoman.smt.tune.engine import tune_engine

    engine = Engine.load(model).with_features(*features)
    tuning = replace(recipe, seeds=tuple(range(seed, seed + seeds)))
    dev, fixed = assemble(srcs=dev_src, refs=dev_refs), [*frozen, "unknown"]
    with shown_progress() as progress:
        tunings = tune_engine(engine, dev, tuning, frozen=fixed, n_threads=n_threads, progress=progress)
    best = tunings.best
    engine.with_weights(best.weights, report={**engine.report, "tuning": best.to_dict()}).save(tuned_model)
    if weights is not None:
        best.save(weights)
    emit(tunings if seeds > 1 else tunings.best, form, "-")
