"""`dragoman smt ensemble`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, form_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.cli.training_text import held_out_set
from dragoman.smt.grammar.ensemble import Mixture

__all__ = ["ensemble"]


@click.command()
@click.argument("engines", nargs=-1, required=True, metavar="ENGINE...", type=click.Path())
@click.option(
    "-o", "--output", "model", required=True, metavar="MODEL", type=click.Path(), help="The ensemble's folder."
)
@click.option("--dev-src", metavar="FILE", type=click.Path(), help="Source of a tuning set, which sets the shares.")
@click.option("--dev-ref", "dev_refs", metavar="FILE", multiple=True, help="Its reference; may be repeated.")
@click.option("--evaluations", type=click.IntRange(min=1), default=20, show_default=True, help="Mixtures to try.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of the order of segments.")
@recipe_options(Mixture)
@threads_option
@form_options
def ensemble(
    engines: tuple[str, ...],
    model: str,
    dev_src: str | None,
    dev_refs: tuple[str, ...],
    evaluations: int,
    seed: int,
    recipe: Mixture,
    n_threads: int,
    form: str,
) -> None:
    """Make one engine of several with grammars, tuned each: their rules mixed in one search.

    \b
      dragoman smt ensemble news web -o both --mix wsum --dev-src dev.en --dev-ref dev.de
      dragoman smt ensemble news web -o both --mix switch-max --shares 0.7+0.3

    Without a tuning set the shares are those given, or all alike.
    """
    from dragoman.smt import Engine
    from dragoman.smt.ensemble import mix_engines, search_ensemble

    parts = [Engine.load(folder) for folder in engines]
    dev = held_out_set("dev", dev_src, dev_refs)
    if dev is None:
        done = mix_engines(parts, recipe)
    else:
        done = search_ensemble(parts, dev, recipe, evaluations=evaluations, seed=seed, n_threads=n_threads)
    done.engine.save(model)
    emit(done, form, "-")
