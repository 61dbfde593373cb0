"""`dragoman agree`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.cli.output import LanguagePair, emit, output_options, strict_option
from dragoman.cli.recipes import recipe_options
from dragoman.human.agreement import AgreementRecipe

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
@recipe_options(AgreementRecipe, skip=("level",))
@click.option("--random", "spot", is_flag=True, help="Instead, tell which annotators cannot be told from chance.")
@click.option("--controls", metavar="FILE", help="Instead, hold the annotators against controls made from this file.")
@click.option(
    "--margin",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="Votes by which a control must be decided among the annotators of --controls.",
)
@click.option("--html", "page", metavar="FILE", help="Also write the agreement as one HTML file.")
@strict_option
@output_options
def agree(
    judgements: tuple[str, ...],
    format_name: str | None,
    pair: str | None,
    recipe: AgreementRecipe,
    spot: bool,
    controls: str | None,
    margin: int,
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
        from dragoman.human.counting import warn_of_not_counted

        warn_of_not_counted(table)
        result = human.agree(table, recipe, pair=pair)
    if page is not None:
        with open_writer(page) as stream:
            stream.write(as_page("Agreement of annotators", [Section.of("Agreement", result)]))
    emit(result, form, output)
