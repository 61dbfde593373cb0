"""`dragoman study proposals`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, seed_option

__all__ = ["proposals"]


@click.command()
@click.argument("judgements", metavar="JUDGEMENTS...", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option("--level", type=float, default=0.95, show_default=True, help="Level of the intervals.")
@click.option("--trials", type=click.IntRange(min=1), default=1000, show_default=True, help="Samples of the bootstrap.")
@seed_option
@output_options
def proposals(judgements: tuple[str, ...], level: float, trials: int, seed: int, form: str, output: str) -> None:
    """Say what became of proposed error spans.

    \b
      dragoman study proposals judgements.csv

    Judgements of the protocol esa-ai: accepted, changed, removed and added spans, and automation bias: how much more of
    what a model proposes is marked because it was shown, by the outputs that were judged without.
    """
    from dragoman.data.judgements import read_judgements
    from dragoman.human.proposal_effects import proposal_effects

    emit(proposal_effects(read_judgements(judgements), level=level, trials=trials, seed=seed), form, output)
