"""`dragoman agree`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from dragoman.cli.output import LanguagePair, emit, output_options, strict_option

if TYPE_CHECKING:
    from dragoman.report import Result

__all__ = ["agree"]


@click.command()
@click.argument("judgements", metavar="JUDGEMENTS...", nargs=-1, required=True)
@click.option(
    "--format",
    "format_name",
    metavar="NAME",
    help="Format, where the file does not tell it; pairwise-ranking:split_merged=no keeps the joint names of equal "
    "outputs.",
)
@click.option("--pair", metavar="SRC-TGT", type=LanguagePair(), help="Language pair, such as fr-en; all if not given.")
@click.option("--by", type=click.Choice(["judge", "pair"]), help="A line for each annotator, or for every two of them.")
@click.option(
    "--mode",
    type=click.Choice(["clean", "official", "all"]),
    default="clean",
    show_default=True,
    help="Which pairs of judgements count: clean, different annotators and systems in any order; official, as the "
    "scripts of WMT 2013–2015; all, an annotator's own repeats too.",
)
@click.option(
    "--chance",
    type=click.Choice(["empirical", "uniform"]),
    default="empirical",
    show_default=True,
    help="P(E) of rankings: from the share of ties, or 1/3 as until 2011.",
)
@click.option("--bins", type=click.IntRange(min=2), help="Scores: also the κ of that many categories, P(E) = 1/bins.")
@click.option("--random", "spot", is_flag=True, help="Instead, tell which annotators cannot be told from chance.")
@click.option("--controls", metavar="FILE", help="Instead, hold the annotators against controls made from this file.")
@click.option(
    "--margin",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="Votes by which a control must be decided among the annotators of --controls.",
)
@click.option(
    "--trials", type=click.IntRange(min=0), default=1000, show_default=True, help="Bootstrap samples; 0: no intervals."
)
@click.option("--seed", type=click.IntRange(min=0), default=12345, show_default=True, help="Seed of the samples.")
@click.option("--html", "page", metavar="FILE", help="Also write the agreement as one HTML file.")
@strict_option
@output_options
def agree(
    judgements: tuple[str, ...],
    format_name: str | None,
    pair: str | None,
    by: Literal["judge", "pair"] | None,
    mode: Literal["clean", "official", "all"],
    chance: Literal["empirical", "uniform"],
    bins: int | None,
    spot: bool,
    controls: str | None,
    margin: int,
    trials: int,
    seed: int,
    page: str | None,
    form: str,
    output: str,
) -> None:
    """Tell how far annotators agree, with others and with themselves.

    \b
      dragoman agree judgements.csv --pair fr-en
      dragoman agree judgements.csv --by judge --html agreement.html
      dragoman agree judgements.csv --random

    Reads any file of judgements that Dragoman knows: relative rankings, direct assessments, scales. Rows: language
    pair, inter or intra, coefficient with its interval, P(A), P(E), and from how many pairs of judgements.
    """
    from dragoman import human
    from dragoman.data.judgements import read_judgements
    from dragoman.files import open_writer
    from dragoman.report import Section
    from dragoman.report import page as as_page

    if spot and controls is not None:
        raise click.UsageError("Ask for --random or for --controls, not for both.")
    table = read_judgements(judgements, format=format_name)
    result: Result
    if spot:
        result = human.spot_random(table, pair=pair)
    elif controls is not None:
        trusted = human.control_pairs(read_judgements(controls, format=format_name), pair=pair, margin=margin)
        result = human.control_agreement(table, trusted)
    else:
        result = human.agree(table, pair=pair, by=by, mode=mode, chance=chance, bins=bins, trials=trials, seed=seed)
    if page is not None:
        with open_writer(page) as stream:
            stream.write(as_page("Agreement of annotators", [Section.of("Agreement", result)]))
    emit(result, form, output)
