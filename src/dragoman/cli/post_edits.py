"""`dragoman post-edits`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.cli.output import RegistryChoice, emit, layer_option, output_options, threads_option
from dragoman.text import TOKENISERS

if TYPE_CHECKING:
    from dragoman.analysis import PostEdited

__all__ = ["post_edits"]


@click.command("post-edits")
@click.argument("files", metavar="TABLE | OUTPUT POST_EDIT", nargs=-1, required=True)
@click.option("--header", metavar="FILE", help="With a table: its column names, if they stand in a file of their own.")
@click.option("--scores", metavar="FILE", help="With line files: perceived quality, a number a line, high is good.")
@click.option("--seconds", metavar="FILE", help="With line files: editing time.")
@click.option("--keystrokes", metavar="FILE", help="With line files: keys pressed.")
@click.option(
    "--tokeniser",
    "--tokenizer",
    type=RegistryChoice(TOKENISERS),
    default="13a",
    show_default=True,
    help="How texts are cut into words; none: they are already.",
)
@layer_option
@click.option("--low-score", type=float, help="A score of much effort is at most this; 2.5 of 5 in the paper.")
@click.option("--high-score", type=float, help="A score of little effort is at least this; 4 of 5 in the paper.")
@click.option("--few-edits", type=float, help="Few edits per word are at most this; .33 in the paper.")
@click.option("--many-edits", type=float, help="Many edits per word are at least this; .45 in the paper.")
@click.option("--matched", is_flag=True, help="Compare as many segments as disagree, the nearest in edits.")
@click.option("--contrasts", "only_contrasts", is_flag=True, help="Only list the segments of the contrast sets.")
@click.option("--html", "page", metavar="FILE", help="Also write the study as one HTML file.")
@threads_option
@output_options
def post_edits(
    files: tuple[str, ...],
    header: str | None,
    scores: str | None,
    seconds: str | None,
    keystrokes: str | None,
    tokeniser: str,
    layers: tuple[str, ...],
    low_score: float | None,
    high_score: float | None,
    few_edits: float | None,
    many_edits: float | None,
    matched: bool,
    only_contrasts: bool,
    page: str | None,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Tell what post-editors did, and what it cost them.

    \b
      dragoman post-edits samples/studies/post-editing/post-edits.tsv --layer lemma=simplemma:lang=en
      dragoman post-edits output.es post-edit.es --scores effort.txt --html effort.html

    A TABLE is tab-separated; its columns are known by their names: output (or MT), post_edit (PE), score (effort, DA),
    seconds, PET's time in milliseconds, keystrokes, hter. Unless all four thresholds are given they are taken from the
    data: the fifth of the segments with the lowest and highest scores, two fifths with the fewest and most edits.
    Without the layer lemma no word counts as changed in form only, without pos there are no classes of words.
    """
    from dragoman.analysis import analyse_post_editing
    from dragoman.analysis.post_editing import Thresholds
    from dragoman.files import write_lines
    from dragoman.text.layers import read_layers

    options = (low_score, high_score, few_edits, many_edits)
    limits = [limit for limit in options if limit is not None]
    if limits and len(limits) < len(options):
        raise click.UsageError("give all of --low-score, --high-score, --few-edits and --many-edits, or none.")
    result = analyse_post_editing(
        _read(files, header, scores, seconds, keystrokes),
        tokeniser=tokeniser,
        layers=read_layers(layers),
        thresholds=Thresholds(*limits) if limits else None,
        matched=matched,
        n_threads=n_threads,
    )
    if page is not None:
        write_lines(page, result.html().splitlines())
    emit(result.contrast_sets if only_contrasts else result, form, output)


def _read(
    files: tuple[str, ...], header: str | None, scores: str | None, seconds: str | None, keystrokes: str | None
) -> PostEdited:
    from dragoman.analysis import PostEdited, read_post_edits
    from dragoman.files import read_lines
    from dragoman.qe.files import read_scores

    if len(files) == 1:
        if scores or seconds or keystrokes:
            raise click.UsageError("--scores, --seconds and --keystrokes go with line files; a table has columns.")
        return read_post_edits(files[0], header=header)
    if len(files) > 2 or header:
        raise click.UsageError("give one table, or the outputs and their post-edits.")
    outputs, edited = (tuple(read_lines(path)) for path in files)
    score, time, keys = (None if path is None else tuple(read_scores(path)) for path in (scores, seconds, keystrokes))
    return PostEdited(outputs, edited, score=score, seconds=time, keystrokes=keys)
