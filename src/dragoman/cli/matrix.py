"""`dragoman metric matrix`."""

from __future__ import annotations

import click

from dragoman.cli.output import RegistryChoice, emit, layer_option, output_options, threads_option
from dragoman.metrics.base import METRICS
from dragoman.metrics.specs import make_metrics

__all__ = ["matrix"]


@click.command()
@click.argument("hyps")
@click.argument("refs", required=False)
@click.option(
    "-m",
    "--metric",
    metavar="NAME",
    type=RegistryChoice(METRICS),
    default="chrf",
    show_default=True,
    help="Metric, perhaps with options (chrf:word_order=2).",
)
@click.option("--expected", is_flag=True, help="One row per hypothesis: its mean score over the references.")
@layer_option
@threads_option
@output_options
def matrix(
    hyps: str,
    refs: str | None,
    metric: str,
    expected: bool,
    layers: tuple[str, ...],
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Score every line of one file against every line of another.

    \b
      dragoman metric matrix candidates.en -m chrf --expected
      dragoman metric matrix queries.en memory.en -m bleu --form tsv

    Without REFS the hypotheses are scored against each other; the best expected score is the choice of minimum risk.
    """
    from dragoman.metrics import matrix as run
    from dragoman.report import Only
    from dragoman.text import read_text_lines
    from dragoman.text.layers import read_layers

    lines = read_text_lines(hyps)
    others = lines if refs is None else read_text_lines(refs)
    (chosen,) = make_metrics(metric, read_layers(layers))
    result = run(lines, others, chosen, n_threads=n_threads)
    emit(Only(result, result.expectations()) if expected else result, form, output)
