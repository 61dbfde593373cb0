"""`dragoman report`."""

from __future__ import annotations

import click

from dragoman.cli.given_scores import given_scores, scores_options
from dragoman.cli.output import emit, layer_option, output_options, seed_option, threads_option

__all__ = ["report"]


@click.command()
@click.option("--to", "folder", required=True, type=click.Path(), help="The folder to make.")
@click.option("--title", default="Evaluation", show_default=True, help="Heading of the first page.")
@click.option("--test-set", type=click.Path(), help="Test set with systems and references: comparison by metrics.")
@click.option("-m", "--metric", "metrics", multiple=True, default=("bleu", "chrf"), show_default=True, help="A metric.")
@scores_options
@click.option("--judgements", multiple=True, metavar="FILE", help="What people said; may be repeated.")
@click.option("--post-edits", multiple=True, metavar="TABLE", help="Outputs with post-edits; may be repeated.")
@layer_option
@seed_option
@threads_option
@output_options
def report(
    folder: str,
    title: str,
    test_set: str | None,
    metrics: tuple[str, ...],
    score_files: tuple[str, ...],
    lower_is_better: tuple[str, ...],
    layers: tuple[str, ...],
    judgements: tuple[str, ...],
    post_edits: tuple[str, ...],
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Write a whole evaluation as one HTML site.

    \b
      dragoman report --to site --test-set samples/testset --judgements samples/testset/judgements/ranking.csv
      dragoman report --to site --post-edits samples/studies/post-editing/post-edits.tsv

    Pages open from disk and ask nothing of the network: comparison of systems, ranking with clusters, what annotators
    said and how far they agree, post-editing.
    """
    from dragoman.site import write_site

    result = write_site(
        folder,
        title=title,
        test_set=test_set,
        metrics=metrics,
        scores=given_scores(score_files, lower_is_better),
        layers=layers,
        judgements=judgements,
        post_edits=post_edits,
        seed=seed,
        n_threads=n_threads,
        progress=lambda step: click.echo(f"{step} …", err=True) if form == "text" else None,
    )
    emit(result, form, output)
