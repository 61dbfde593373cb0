"""`dragoman campaign`: from the plan to the analysis. What needs only the database is in `campaign_server`."""

from __future__ import annotations

from typing import Any

import click

from dragoman.cli import campaign_server
from dragoman.cli.campaign_simulate import named_numbers, simulate
from dragoman.cli.database import db_option, open_store, reading
from dragoman.cli.output import LanguagePair, emit, form_options, output_options, seed_option, strict_option
from dragoman.cli.tree import SectionedGroup

__all__ = ["campaign"]


_HEADINGS = {
    "Plan": ("plan", "propose", "new", "set", "coverage", "power", "simulate", "rehearse", "list"),
    "People": ("add", "invite", "invites", "users", "managers", "exclude"),
    "While it runs": ("status", "pause", "resume", "close", "payments", "audit"),
    "Answers": ("answers", "judgements", "quality", "agreement", "disputes", "decide", "decisions"),
    "Results": ("analyse", "budget", "results", "ranking", "standing", "publish"),
    "Files": ("import", "export", "forms", "restore", "migrate"),
}


@click.group(cls=SectionedGroup, headings=_HEADINGS)
def campaign() -> None:
    """Plan how people judge translations, and analyse what they said."""


for _command in (*campaign_server.COMMANDS, simulate):
    campaign.add_command(_command)


@campaign.command()
@click.argument("manifest", type=click.Path())
@click.option("-o", "--output", "folder", metavar="FOLDER", help="Write the plan into this new folder.")
@form_options
def plan(manifest: str, folder: str | None, form: str) -> None:
    """Show who judges what how often, before anybody is invited.

    \b
      dragoman campaign plan campaign.toml
      dragoman campaign plan campaign.toml -o plan

    The manifest is a TOML file: name, protocol, annotators, test_set, and the protocol's options. The folder gets
    tasks.jsonl (what annotators may see), assignments.tsv, key.tsv (what each item is; not for annotators) and
    plan.json. The same manifest gives the same plan.
    """
    from dragoman.human.manifest import read_manifest
    from dragoman.human.planning import plan as run
    from dragoman.human.planning import write_plan

    planned = run(read_manifest(manifest))
    emit(planned if folder is None else write_plan(planned, folder), form, "-")


@campaign.command()
@click.argument("manifest", type=click.Path())
@db_option
@click.option(
    "-o", "--output", "folder", metavar="FOLDER", help="Make a folder for a campaign without a server instead."
)
@click.option("--title", help="What annotators see above their work; the name if not given.")
@click.option("--instructions", metavar="FILE", type=click.Path(), help="Text that annotators can open, from a file.")
@click.option(
    "--lease",
    "lease_minutes",
    type=click.IntRange(min=1),
    default=1440,
    show_default=True,
    help="Minutes that a task may lie untouched before others may get it.",
)
@click.option("--code", default="", help="Completion code for everybody; by default each person gets their own.")
@click.option("--return-url", metavar="URL", help="Where a crowd platform wants people back; {code} is filled in.")
@click.option("--qualified", is_flag=True, help="Only for people who are qualified in the target language.")
@click.option("--dynamic", is_flag=True, help="Choose every next task by the answers so far; stop when it is enough.")
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="Public address of the server.")
@form_options
def new(
    manifest: str,
    db: str,
    folder: str | None,
    title: str | None,
    instructions: str | None,
    url: str,
    form: str,
    **more: Any,
) -> None:
    """Plan a campaign and put it into the database that `dragoman serve` serves.

    \b
      dragoman campaign new campaign.toml && dragoman serve
      dragoman campaign new campaign.toml -o folder

    Prints the coverage, and on standard error a link by which annotators join. With -o there is no server: the folder
    gets the plan and an empty log for the judgements.
    """
    from dragoman.files import read_text
    from dragoman.human.manifest import read_manifest
    from dragoman.human.planning import new_campaign
    from dragoman.human.planning import plan as run

    declared = read_manifest(manifest)
    if folder is not None:
        emit(new_campaign(declared, folder), form, "-")
        return
    store = open_store(db, make=True)
    from dragoman.store.audit import COMMAND_LINE
    from dragoman.store.judging.campaigns import create_campaign
    from dragoman.store.people.invites import make_invite

    more |= {"title": title, "instructions": None if instructions is None else read_text(instructions)}
    planned = run(declared)  # before the transaction for which those who work at a server wait
    with store.write() as connection:
        create_campaign(connection, declared, actor=COMMAND_LINE, planned=planned, **more)
        invite = make_invite(
            connection, secret=store.secret, address=url.rstrip("/"), actor=COMMAND_LINE, campaign=declared.name
        )
    emit(planned, form, "-")
    click.echo(
        f"{declared.name} is in {store.name}. Start the server (dragoman serve --db {db}), then send annotators this "
        f"link, good for 14 days:\n{invite.link}",
        err=True,
    )


@campaign.command()
@click.argument("manifest", type=click.Path())
@click.argument("labels", metavar="SYSTEM=LABELS...", nargs=-1, required=True)
@click.option("--severity", default="major", show_default=True, help="What BAD words are; other labels say themselves.")
@click.option("-o", "--output", "file", metavar="FILE", required=True, help="Write the error spans there, as a table.")
@form_options
def propose(manifest: str, labels: tuple[str, ...], severity: str, file: str, form: str) -> None:
    """Make proposals of error spans from word labels, for the protocol esa-ai.

    \b
      dragoman qe words predict source.de ember.en -m words --tags ember.tags
      dragoman campaign propose campaign.toml ember=ember.tags -o proposals.csv

    A file of labels has a line for each output and a label for each word between blanks: OK, BAD or a severity. Words
    side by side with one label are one span. The manifest's option proposals names the file.
    """
    from dragoman.data.judgements.own import JudgementTable
    from dragoman.files import read_lines
    from dragoman.human.manifest import read_manifest
    from dragoman.human.proposals import proposals_from_labels

    files = {}
    for word in labels:
        system, equals, path = word.partition("=")
        if not (system and equals and path):
            raise click.BadParameter(f"{word!r} is not SYSTEM=LABELS.", param_hint="SYSTEM=LABELS")
        files[system] = read_lines(path)
    result = proposals_from_labels(read_manifest(manifest).test_set, files, severity=severity)
    JudgementTable().write(result.judgements, file)
    emit(result, form, "-")


@campaign.command("import")
@click.argument("manifest", type=click.Path())
@click.argument("batches", type=click.Path())
@click.option("-o", "--output", "folder", metavar="FOLDER", required=True, help="Make this new folder.")
@seed_option
@form_options
def import_(manifest: str, batches: str, folder: str, seed: int, form: str) -> None:
    """Take a campaign over from Appraise: its manifest and its batches.

    \b
      dragoman campaign import manifest.json batches.json -o taken-over
      dragoman campaign new taken-over/manifest.toml

    Tasks are judged as they stand in the batches, with their controls and tutorials, by people with the names of
    Appraise's accounts. The folder gets manifest.toml and the batches.
    """
    from dragoman.human.importing import import_campaign

    emit(import_campaign(manifest, batches, folder, seed=seed), form, "-")


@campaign.command()
@click.argument("campaign_or_folder", metavar="NAME|FOLDER", type=click.Path())
@db_option
@output_options
def status(campaign_or_folder: str, db: str, form: str, output: str) -> None:
    """Show how far the annotators of a campaign have come.

    \b
      dragoman campaign status sample-da
      dragoman campaign status folder

    A folder that `campaign new -o` made, or the name of a campaign in the database.
    """
    from pathlib import Path

    if Path(campaign_or_folder).is_dir():
        from dragoman.human.status import progress

        emit(progress(campaign_or_folder), form, output)
        return
    from dragoman.store.judging.results import campaign_progress

    with reading(db) as connection:
        emit(campaign_progress(connection, campaign_or_folder), form, output)


@campaign.command()
@click.option(
    "--quality",
    "qualities",
    metavar="SYSTEM=MEAN",
    multiple=True,
    required=True,
    help="True mean score of a system, 0–100; once for each.",
)
@click.option(
    "--population",
    metavar="HABIT=SHARE,…",
    default="honest=0.6,noisy=0.2,random=0.2",
    show_default=True,
    help="Who answers: honest, lenient, harsh, noisy, random, constant, copycat.",
)
@click.option(
    "-n",
    "--judgements",
    "sizes",
    type=click.IntRange(min=1),
    multiple=True,
    default=(50, 100, 200, 500, 1000),
    show_default=True,
    help="Judgements per system; may be repeated.",
)
@click.option("--trials", type=click.IntRange(min=1), default=20, show_default=True, help="Campaigns of each size.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of all tests.")
@seed_option
@output_options
def power(
    qualities: tuple[str, ...],
    population: str,
    sizes: tuple[int, ...],
    trials: int,
    alpha: float,
    seed: int,
    form: str,
    output: str,
) -> None:
    """How many judgements tell systems apart, by simulated campaigns.

    \b
      dragoman campaign power --quality new=68 --quality old=64 --population honest=0.7,random=0.3
    """
    from dragoman.human.direct_assessment.power import power_curve
    from dragoman.human.direct_assessment.simulation import Population

    shares = Population(named_numbers(population.split(","), "--population"))
    quality = named_numbers(qualities, "--quality")
    emit(power_curve(quality, shares, judgements=sizes, trials=trials, alpha=alpha, seed=seed), form, output)


@campaign.command()
@click.argument("judgements", metavar="JUDGEMENTS...", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--pair", metavar="SRC-TGT", type=LanguagePair(), help="Language pair, where the judgements have several."
)
@click.option("--attribute", metavar="NAME", help="adequacy, fluency …, where the judgements have several.")
@click.option(
    "--test",
    metavar="NAME",
    help="Direct assessment: test of annotators by their controls, t (default), wilcoxon, sign, randomisation, welch, "
    "mann-whitney or none.",
)
@click.option("--alpha", type=float, help="Level of all tests; 0.05 if not given.")
@click.option(
    "--over",
    metavar="NAME",
    help="Direct assessment: scores that an annotator's mean and sd are taken of, all (default), no-references or "
    "genuine.",
)
@click.option(
    "--unit", metavar="NAME", help="Direct assessment: what a system's score is the mean of, judgement or segment."
)
@click.option("--method", metavar="NAME", help="Relative rankings: ranking method; expected-wins if not given.")
@click.option(
    "--severity",
    "costs",
    metavar="NAME=COST",
    multiple=True,
    help="Error spans: what an error costs, once for each severity; neutral 0, minor 1, major 5 if not given.",
)
@click.option("--segments", is_flag=True, help="Print the scores of single outputs instead.")
@click.option(
    "--on-bad",
    type=click.Choice(["error", "drop"], case_sensitive=False),
    default="error",
    show_default=True,
    help="Wrong rows.",
)
@click.option("--html", "page", metavar="FILE", help="Also write the analysis as one HTML file.")
@seed_option
@strict_option
@output_options
def analyse(
    judgements: tuple[str, ...],
    pair: str | None,
    attribute: str | None,
    test: str | None,
    alpha: float | None,
    over: str | None,
    unit: str | None,
    method: str | None,
    costs: tuple[str, ...],
    segments: bool,
    on_bad: str,
    page: str | None,
    seed: int,
    form: str,
    output: str,
) -> None:
    """Say who judged with care, and how the systems stand.

    \b
      dragoman campaign analyse judgements.csv
      dragoman campaign analyse batch-1.csv batch-2.csv --html analysis.html

    Files of judgements in any known format: own tables and logs, crowd-platform batches, Appraise, WMT's rankings.
    Direct assessment: rows of system, cluster, mean z with its interval, mean raw score, n. Relative rankings: the
    ranking with clusters, who beat whom, agreement, random clickers. Scales: means with intervals. Every other kind
    that a campaign collects has its analysis, too: what `campaign export -o judgements.csv` wrote is read back.
    """
    from dragoman.data.judgements import read_judgements
    from dragoman.files import open_writer
    from dragoman.human.analysing import analyse as run

    result = run(
        read_judgements(judgements, on_bad=on_bad),
        pair=pair,
        attribute=attribute,
        test=test,
        alpha=alpha,
        over=over,
        unit=unit,
        method=method,
        severities=named_numbers(costs, "--severity") or None,
        seed=seed,
    )
    if page is not None:
        with open_writer(page) as stream:
            stream.write(result.html())
    emit(result.segment_scores() if segments else result, form, output)


@campaign.command()
@click.argument("judgements", metavar="JUDGEMENTS...", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--pair", metavar="SRC-TGT", type=LanguagePair(), help="Language pair, where the judgements have several."
)
@click.option(
    "--share", "shares", type=float, multiple=True, help="Part of the judgements, 0 to 1; may be repeated. [5 to 90 %]"
)
@click.option("--wanted", type=float, default=0.95, show_default=True, help="Kendall's tau that is good enough.")
@click.option("--trials", type=click.IntRange(min=1), default=100, show_default=True, help="Draws of each size.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the tests behind clusters.")
@seed_option
@output_options
def budget(judgements: tuple[str, ...], shares: tuple[float, ...], form: str, output: str, **more: Any) -> None:
    """Say how few judgements would have given the same ranking.

    \b
      dragoman campaign budget judgements.csv
      dragoman campaign budget fr-en.csv --share 0.01 --share 0.1 --share 0.5

    Direct assessments, error spans or relative rankings: parts of them are drawn, systems ranked by each, and the
    ranking compared with that of all: tau, rho, the same best system, order, clusters.
    """
    from dragoman.data.judgements import read_judgements
    from dragoman.human.budget import SHARES, judgement_budget
    from dragoman.human.counting import warn_of_not_counted

    table = read_judgements(judgements)
    warn_of_not_counted(table)
    emit(judgement_budget(table, shares=shares or SHARES, **more), form, output)
