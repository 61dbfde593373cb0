"""`dragoman metric train`."""

from __future__ import annotations

import re

import click

from dragoman.cli.output import LanguagePair, emit, layer_option, output_options, seed_option, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.metrics.training import MetricTraining

__all__ = ["train_metric"]


class _Segments(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """A run of segments, `1-1500`."""

    name = "FIRST-LAST"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        found = re.fullmatch(r"(\d+)-(\d+)", value)
        if not found or not 1 <= int(found[1]) <= int(found[2]):
            self.fail(f"{value!r} is no run of segments; write FIRST-LAST, counted from 1, as in 1-1500.", param, ctx)
        return int(found[1]), int(found[2])


@click.command("train")
@click.argument("metric", metavar="METRIC")
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@click.option("-r", "--ref", "refs", metavar="FILE", multiple=True, required=True, help="Reference; may be repeated.")
@click.option("--human", metavar="FILE", required=True, help="Rankings of the systems, or a score a line of one.")
@click.option("--pair", metavar="SRC-TGT", type=LanguagePair(), help="Language pair, where rankings are of several.")
@click.option("--segments", type=_Segments(), help="Learn from these segments only, so that others can test it.")
@click.option("--to", metavar="FOLDER", required=True, help="Save the metric there, for `-m trained:FOLDER`.")
@recipe_options(MetricTraining)
@layer_option
@seed_option
@threads_option
@output_options
def train_metric(
    metric: str,
    systems: tuple[str, ...],
    refs: tuple[str, ...],
    human: str,
    pair: str | None,
    segments: tuple[int, int] | None,
    to: str,
    recipe: MetricTraining,
    layers: tuple[str, ...],
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Let a metric learn from judgements.

    \b
      dragoman metric train tesla-m a.en b.en c.en -r reference.en --human wmt13.csv --segments 1-1500 --to mine
      dragoman metric train spede output.en -r reference.en --human scores.txt --to mine
      dragoman score new.en -r other.en -m trained:mine

    METRIC may have options. What is learnt, from what and how far it agrees with it is saved with it.
    """
    from dragoman.data import assemble
    from dragoman.metrics.specs import make_metric
    from dragoman.metrics.training_data import read_training_judgements

    test_set = assemble(refs=refs, systems=systems, layers=layers, n_threads=n_threads)
    judgements = read_training_judgements(human, pair=pair, segments=segments)
    trained = recipe.train(make_metric(metric), test_set, judgements, seed=seed, n_threads=n_threads)
    trained.save(to)
    emit(trained.report(), form, output)
