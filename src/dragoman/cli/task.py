"""`dragoman task`: a shared task from its test sets to the tables of its findings."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from dragoman.cli.output import LanguagePair, emit, output_options, threads_option
from dragoman.ranking.duels import STYLES
from dragoman.stats.concordance import TAU_VARIANTS

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["task"]


@click.group()
def task() -> None:
    """Run a shared task: submissions, scores, rankings, findings."""


@task.command()
@click.argument("folder", type=click.Path())
@click.option("--pair", metavar="SRC-TGT", type=LanguagePair(), required=True, help="Language pair, such as fr-en.")
@click.option("-s", "--src", "source", metavar="FILE", required=True, help="Source of the test set.")
@click.option(
    "-r", "--ref", "references", metavar="FILE", multiple=True, required=True, help="Reference; may be repeated."
)
@click.option(
    "--system", "systems", metavar="[NAME=]FILE", multiple=True, help="An output that you lay in; * is allowed."
)
@click.option("--judgements", metavar="FILE", multiple=True, help="What people said; may be repeated.")
@click.option("--docs", "documents", metavar="FILE", help="A documents.tsv of the test set.")
@click.option(
    "-m", "--metric", "metrics", multiple=True, default=("bleu", "chrf", "ter"), show_default=True, help="A metric."
)
@click.option("--team", "teams", metavar="NAME[=INSTITUTION]", multiple=True, help="A team; may be repeated.")
@click.option("--track", default="news", show_default=True, help="Name of the test set.")
@click.option("--deadline", metavar="TIME", type=click.DateTime(), help="In UTC, such as 2026-05-17T12:00:00.")
@click.option("--title", default="", help="Heading of the findings.")
@click.option(
    "--style",
    type=click.Choice(tuple(STYLES), case_sensitive=False),
    default="wmt13",
    show_default=True,
    help="Year of the ranking tables.",
)
@click.option(
    "--variant",
    type=click.Choice(tuple(TAU_VARIANTS), case_sensitive=False),
    default="wmt14",
    show_default=True,
    help="Year of segment-level τ.",
)
@output_options
def new(
    folder: str,
    pair: str,
    source: str,
    references: tuple[str, ...],
    systems: tuple[str, ...],
    judgements: tuple[str, ...],
    documents: str | None,
    metrics: tuple[str, ...],
    teams: tuple[str, ...],
    track: str,
    deadline: datetime | None,
    title: str,
    style: str,
    variant: str,
    form: str,
    output: str,
) -> None:
    """Begin a task: a folder with a task.toml.

    \b
      dragoman task new wmt13 --pair fr-en -s news.fr -r news.en --system 'outputs/*.gz' --team uedin=Edinburgh

    Further test sets, subtasks of quality estimation and teams' accounts are lines of task.toml. Then: task collect,
    task campaign, and when people have judged, task findings.
    """
    from dragoman.task import new_task

    result = new_task(
        folder,
        pair=pair,
        source=source,
        references=references,
        systems=systems,
        judgements=judgements,
        documents=documents,
        metrics=metrics,
        teams=teams,
        track=track,
        deadline=None if deadline is None else deadline.replace(tzinfo=deadline.tzinfo or UTC),
        title=title,
        style=style,
        variant=variant,
    )
    emit(result, form, output)


@task.command()
@click.argument("folder", type=click.Path())
@output_options
def status(folder: str, form: str, output: str) -> None:
    """Tell how a task stands: tracks, teams, submissions.

    \b
      dragoman task status samples/task
    """
    from dragoman.task import read_task, task_status

    emit(task_status(read_task(folder)), form, output)


@task.command()
@click.argument("folder", type=click.Path())
@click.argument("files", metavar="[SYSTEM=]FILE...", nargs=-1, required=True)
@click.option("--team", required=True, help="Whose they are.")
@click.option("--track", required=True, help="What they are submitted to.")
@click.option(
    "--kind",
    type=click.Choice(("translation", "metrics", "quality"), case_sensitive=False),
    help="metrics: scores by a metric of the team's.",
)
@click.option(
    "--received",
    metavar="TIME",
    type=click.DateTime(),
    help="When they came, in UTC (2026-05-17T11:58:00), if not now.",
)
@output_options
def collect(
    folder: str,
    files: tuple[str, ...],
    team: str,
    track: str,
    kind: str | None,
    received: datetime | None,
    form: str,
    output: str,
) -> None:
    """Take submissions in, and say what is wrong with them.

    \b
      dragoman task collect wmt13 primary=outputs/uedin.en.gz --team uedin --track news

    Looked at: encoding, lines, control characters, whether it is there already, whether it is late, whether it says who
    wrote it. Nothing is thrown away; the last accepted file of a system counts. Ends with 1 if a file was refused.
    """
    from dragoman.task import collect_submissions, read_task

    when = None if received is None else received.replace(tzinfo=received.tzinfo or UTC)
    result = collect_submissions(read_task(folder), files, team=team, track=track, kind=kind, received=when)
    emit(result, form, output)
    if not all(each.is_accepted for each in result.submissions):
        raise click.exceptions.Exit(1)


@task.command()
@click.argument("folder", type=click.Path())
@click.option("--track", required=True, help="Whose systems are judged.")
@click.option("--protocol", default="ranking", show_default=True, help="How: any protocol of campaigns.")
@click.option(
    "--annotator", "annotators", metavar="NAME", multiple=True, help="Who judges; four people if none is named."
)
@click.option("--to", "file", required=True, metavar="FILE", help="The manifest to write.")
@output_options
def campaign(
    folder: str, track: str, protocol: str, annotators: tuple[str, ...], file: str, form: str, output: str
) -> None:
    """Put what was submitted before people.

    \b
      dragoman task campaign samples/task --track news --protocol da --to judged.toml

    The manifest is planned and run as any other (dragoman campaign plan); what it gives is named as judgements in
    task.toml.
    """
    from dragoman.task import campaign_of, read_task

    emit(campaign_of(read_task(folder), track, file, protocol=protocol, annotators=annotators), form, output)


@task.command()
@click.argument("folder", type=click.Path())
@click.option("--to", "scores", type=click.Path(), help="A folder for the scores of systems and segments.")
@threads_option
@output_options
def run(folder: str, scores: str | None, n_threads: int, form: str, output: str) -> None:
    """Score, compare and rank everything, and show the tables.

    \b
      dragoman task run samples/task
      dragoman task run samples/task --json

    Rows of --json: the tables, each with the command that gives it by itself.
    """
    from dragoman.task import read_task, run_task

    declared = read_task(folder)
    with TemporaryDirectory() as temporary:
        target = Path(scores or temporary)
        result = run_task(declared, target, n_threads=n_threads, progress=_told(form))
        emit(result, form, output)


@task.command()
@click.argument("folder", type=click.Path())
@click.option("--to", "site", required=True, type=click.Path(), help="The folder to make.")
@threads_option
@output_options
def findings(folder: str, site: str, n_threads: int, form: str, output: str) -> None:
    """Write the findings: a site, and tables for a paper.

    \b
      dragoman task findings samples/task --to findings

    FOLDER may be a task.toml of any name. Pages open from disk; tables/NAME.tex, .md and .tsv are laid out as WMT
    prints them, each with the command that makes it.
    """
    from dragoman.task import read_task, write_findings

    emit(write_findings(read_task(folder), site, n_threads=n_threads, progress=_told(form)), form, output)


def _told(form: str) -> Callable[[str], None]:
    return lambda step: click.echo(f"{step} …", err=True) if form == "text" else None
