"""`dragoman slope`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.cli.output import emit, layer_option, output_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.metrics.slope import SlopeRecipe, cut_blocks, learning_curves

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["slope"]


@click.command()
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@click.option("-r", "--ref", "refs", metavar="FILE", multiple=True, required=True, help="Reference; may be repeated.")
@click.option("--blocks", metavar="FILE", help="Block of each segment, one name a line.")
@click.option(
    "--words",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Without --blocks: a new block after so many words of the first reference.",
)
@recipe_options(SlopeRecipe, spellings={"metric": ("-m", "--metric")})
@layer_option
@threads_option
@output_options
def slope(
    systems: tuple[str, ...],
    refs: tuple[str, ...],
    blocks: str | None,
    words: int,
    recipe: SlopeRecipe,
    layers: tuple[str, ...],
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

    test_set = assemble(refs=refs, systems=systems, layers=layers, n_threads=n_threads)
    names: Sequence[int | str]
    if blocks is not None:
        names = read_lines(blocks)
    else:
        names = [number + 1 for number in cut_blocks(list(map(str, next(iter(test_set.refs.values())))), words=words)]
    emit(learning_curves(test_set, names, recipe, n_threads=n_threads), form, output)
