"""`dragoman slope`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.cli.output import RegistryChoice, emit, output_options, seed_option, threads_option
from dragoman.metrics.base import METRICS

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["slope"]


@click.command()
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@click.option("-r", "--ref", "refs", metavar="FILE", multiple=True, required=True, help="Reference; may be repeated.")
@click.option(
    "-m",
    "--metric",
    metavar="NAME",
    type=RegistryChoice(METRICS),
    default="bleu",
    show_default=True,
    help="Metric whose errors are counted.",
)
@click.option("--blocks", metavar="FILE", help="Block of each segment, one name a line.")
@click.option(
    "--words",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Without --blocks: a new block after so many words of the first reference.",
)
@click.option("--incremental", is_flag=True, help="Score all blocks up to each, not each by itself.")
@click.option(
    "--trials", type=click.IntRange(min=0), default=1000, show_default=True, help="Resamples of the interval."
)
@seed_option
@threads_option
@output_options
def slope(
    systems: tuple[str, ...],
    refs: tuple[str, ...],
    metric: str,
    blocks: str | None,
    words: int,
    incremental: bool,
    trials: int,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Say whether an engine learns while it is used.

    \b
      dragoman slope fixed.en adaptive.en -r reference.en --words 1000
      dragoman slope adaptive.en -r reference.en -m ter --blocks days.txt

    The percentage slope of its errors: 100 is no learning, less is learning; systems are compared with the first
    (Bertoldi et al., WMT 2012).
    """
    from dragoman.data import assemble
    from dragoman.files import read_lines
    from dragoman.metrics import cut_blocks, learning_curves

    test_set = assemble(refs=refs, systems=systems, n_threads=n_threads)
    named: Sequence[int | str]
    if blocks is not None:
        named = read_lines(blocks)
    else:
        named = [number + 1 for number in cut_blocks(list(map(str, next(iter(test_set.refs.values())))), words=words)]
    result = learning_curves(
        test_set.systems,
        test_set.refs,
        blocks=named,
        metric=metric,
        mode="incremental" if incremental else "block",
        trials=trials,
        seed=seed,
        n_threads=n_threads,
    )
    emit(result, form, output)
