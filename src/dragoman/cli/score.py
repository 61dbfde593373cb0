"""`dragoman score`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.cli.output import RegistryChoice, emit, output_options, threads_option
from dragoman.metrics.base import METRICS

if TYPE_CHECKING:
    from dragoman.metrics.results import Level

__all__ = ["score"]


@click.command()
@click.argument("systems", metavar="[SYSTEM]...", nargs=-1)
@click.option("-r", "--ref", "refs", metavar="FILE", multiple=True, help="Reference; may be repeated.")
@click.option("-s", "--src", metavar="FILE", help="Source, for metrics that ask for it.")
@click.option(
    "-m", "--metric", "metrics", metavar="NAME", type=RegistryChoice(METRICS), multiple=True, default=("bleu",),
    show_default=True, help="Metric, perhaps with options (bleu:tokeniser=zh); may be repeated.",
)  # fmt: skip
@click.option("--segments", is_flag=True, help="One score per segment.")
@click.option("--documents", is_flag=True, help="One score per document; needs --docs.")
@click.option("--docs", metavar="FILE", help="Document of each segment, or a documents.tsv.")
@click.option("--resegment", is_flag=True, help="Cut the output into the references' segments first (minimum WER).")
@click.option("--ci", is_flag=True, help="95 % intervals by bootstrap.")
@click.option(
    "--trials", type=click.IntRange(min=1), default=1000, show_default=True, help="Bootstrap samples of --ci."
)
@click.option("--seed", type=click.IntRange(min=0), default=12345, show_default=True, help="Seed of --ci.")
@click.option("--list", "list_all", is_flag=True, help="List the metrics and stop.")
@threads_option
@output_options
def score(
    systems: tuple[str, ...], refs: tuple[str, ...], src: str | None, metrics: tuple[str, ...], segments: bool,
    documents: bool, docs: str | None, resegment: bool, ci: bool, trials: int, seed: int, list_all: bool,
    n_threads: int, form: str, output: str,
) -> None:  # fmt: skip
    """Score systems against references.

    \b
      dragoman score output.en -r reference.en
      dragoman score A=a.en B=b.en -r reference-1.en -r reference-2.en -m bleu -m chrf -m ter --ci
      cat output.en | dragoman score -r reference.en -m bleu:tokeniser=intl

    Systems are files, one segment a line, as PATH or NAME=PATH; without any, standard input is scored.
    """
    if list_all:
        from dragoman.report import Listing

        emit(Listing.of_registry(METRICS), form, output)
        return
    if not refs:
        raise click.UsageError("Name a reference with -r.")
    if ci and (segments or documents or resegment):
        raise click.UsageError("--ci is for the score of the whole corpus; leave --segments, --documents, --resegment.")
    from dragoman.metrics import score as run
    from dragoman.metrics import score_with_intervals

    systems = systems or ("-",)
    if resegment:
        from dragoman.data import read_systems

        outputs = {file.name: file.lines for file in read_systems(systems)}
        sides = {file.name: file.lines for file in read_systems(refs, kind="references")}
        emit(run(outputs, sides, metrics=metrics, resegmented=True, n_threads=n_threads), form, output)
        return
    from dragoman.data import assemble

    test_set = assemble(srcs=src, refs=refs, systems=systems, docs=docs)
    if ci:
        sheet = score_with_intervals(
            test_set.systems, test_set.refs, test_set.srcs, metrics=metrics, trials=trials, seed=seed,
            n_threads=n_threads,
        )  # fmt: skip
    else:
        level: Level = "segment" if segments else "document" if documents else "corpus"
        sheet = run(
            test_set.systems, test_set.refs, test_set.srcs, metrics=metrics, level=level, docs=test_set.docs,
            n_threads=n_threads,
        )  # fmt: skip
    emit(sheet, form, output)
