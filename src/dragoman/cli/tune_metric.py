"""`dragoman metric tune`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, layer_option, output_options, seed_option, threads_option
from dragoman.cli.progress import shown_progress
from dragoman.cli.recipes import recipe_options
from dragoman.metrics.amber_tuning import AmberTuning

__all__ = ["tune_metric"]


@click.command("tune")
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@click.option("-r", "--ref", "refs", metavar="FILE", multiple=True, required=True, help="Reference; may be repeated.")
@click.option(
    "--human",
    metavar="FILE",
    required=True,
    help="Judgements, higher for better: of one system a number a line, of several lines `system<TAB>number`.",
)
@click.option(
    "--metric",
    type=click.Choice(["amber", "amber1"], case_sensitive=False),
    default="amber",
    show_default=True,
    help="Metric.",
)
@recipe_options(AmberTuning, skip=("orders", "tolerance"), spellings={"max_evaluations": ("--evaluations",)})
@click.option("--to", metavar="FOLDER", help="Save the parameters there, as a model.")
@layer_option
@seed_option
@threads_option
@output_options
def tune_metric(
    systems: tuple[str, ...],
    refs: tuple[str, ...],
    human: str,
    metric: str,
    recipe: AmberTuning,
    to: str | None,
    layers: tuple[str, ...],
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Tune AMBER's parameters to human judgements.

    \b
      dragoman metric tune output.en -r reference.en --human judgements.txt
      dragoman metric tune a.en b.en c.en d.en -r reference.en --human systems.tsv --to amber-de-en

    The line below the table names the tuned metric as `dragoman score -m` takes it (Chen, Kuhn & Foster, WMT 2012).
    """
    from dragoman.data import assemble
    from dragoman.metrics.amber import Amber, Amber1
    from dragoman.metrics.judgement_files import read_segment_judgements, read_system_judgements

    test_set = assemble(refs=refs, systems=systems, layers=layers, n_threads=n_threads)
    judgements = (read_segment_judgements if len(test_set.systems) == 1 else read_system_judgements)(human)
    start = Amber() if metric == "amber" else Amber1()
    with shown_progress() as progress:
        tuned = recipe.train(test_set, judgements, metric=start, seed=seed, progress=progress, n_threads=n_threads)
    if to is not None:
        tuned.save(to)
    emit(tuned.report(), form, output)
