"""`dragoman rankings head-to-head` and `dragoman rankings compare`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from dragoman.cli.output import LanguagePair, emit, output_options, strict_option
from dragoman.cli.recipes import recipe_options
from dragoman.errors import DataError
from dragoman.ranking.duels import DuelRecipe

if TYPE_CHECKING:
    from dragoman.data.comparisons import Comparisons

__all__ = ["compare_rankings", "head_to_head", "ranges"]


@click.command()
@click.argument("judgements", metavar="JUDGEMENTS...", nargs=-1, required=True)
@click.option(
    "--pair",
    metavar="SRC-TGT",
    type=LanguagePair(),
    help="Language pair, such as fr-en; needed where there are several.",
)
@recipe_options(DuelRecipe)
@click.option(
    "--consistency", is_flag=True, help="Instead, look for circles of systems and annotators who contradict themselves."
)
@click.option("--html", "page", metavar="FILE", help="Also write the matrix as one HTML file.")
@strict_option
@output_options
def head_to_head(
    judgements: tuple[str, ...],
    pair: str | None,
    recipe: DuelRecipe,
    consistency: bool,
    page: str | None,
    form: str,
    output: str,
) -> None:
    """Show who beats whom, pair by pair, with exact sign tests.

    \b
      dragoman rankings head-to-head judgements.csv --pair fr-en --html matrix.html
      dragoman rankings head-to-head judgements.csv --consistency

    A cell is the share of comparisons that the column's system won against the row's. Rows of --json: the pairs.
    """
    from dragoman import ranking
    from dragoman.files import open_writer
    from dragoman.report import Result, Section
    from dragoman.report import page as as_page

    comparisons = _comparisons(judgements, pair)
    result: Result
    if consistency:
        result = ranking.consistency(comparisons)
        written = as_page("Consistency", [Section.of("Consistency", result)]) if page is not None else ""
    else:
        result = matrix = ranking.head_to_head(comparisons, recipe)
        written = matrix.html() if page is not None else ""
    if page is not None:
        with open_writer(page) as stream:
            stream.write(written)
    emit(result, form, output)


@click.command("compare")
@click.argument("first")
@click.argument("second")
@click.option("--judgements", metavar="FILE", multiple=True, help="Test the swapped pairs on these; may be repeated.")
@click.option("--pair", metavar="SRC-TGT", type=LanguagePair(), help="Language pair of the judgements.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the tests of swapped pairs.")
@strict_option
@output_options
def compare_rankings(
    first: str, second: str, judgements: tuple[str, ...], pair: str | None, alpha: float, form: str, output: str
) -> None:
    """Compare two rankings: how alike they are, and what moved.

    \b
      dragoman rankings compare expected-wins.tsv gaussian-skill.tsv --judgements judgements.csv

    A ranking is a TSV or CSV file with the columns system and score (more is better) or system and rank.
    """
    from dragoman import ranking

    comparisons = _comparisons(judgements, pair) if judgements else None
    result = ranking.compare_rankings(
        _ranking(first), _ranking(second), names=(first, second), comparisons=comparisons, alpha=alpha
    )
    emit(result, form, output)


@click.command()
@click.argument("judgements", metavar="JUDGEMENTS...", nargs=-1, required=True)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the sign tests.")
@strict_option
@output_options
def ranges(judgements: tuple[str, ...], alpha: float, form: str, output: str) -> None:
    """Rank by adequacy and fluency, with ranges as in 2006.

    \b
      dragoman rankings ranges adequacy-fluency.csv

    Scores from 1 to 5 count by their order among the outputs of one sentence that one person judged. A range spans the
    systems from which a system does not differ significantly.
    """
    from dragoman.data.judgements import read_judgements
    from dragoman.ranking import scale_ranges

    emit(scale_ranges(read_judgements(judgements), alpha=alpha), form, output)


def _comparisons(paths: tuple[str, ...], pair: str | None) -> Comparisons:
    """The pairwise outcomes of the files, which their provenance names."""
    from dragoman.data.comparisons import compare_pairwise
    from dragoman.data.judgements import read_judgements

    comparisons = compare_pairwise(read_judgements(paths), pair=pair)
    return replace(comparisons, provenance={**comparisons.provenance, "files": ", ".join(paths)})


def _ranking(path: str) -> dict[str, float]:
    """Scores by system; a rank counts downwards."""
    from dragoman.data import FORMATS
    from dragoman.files import plain_name
    from dragoman.spreadsheets import plain_cell

    table = FORMATS.make("csv" if plain_name(path).lower().endswith(".csv") else "tsv").read(path)
    measure = next((name for name in ("score", "rank") if name in table.columns), None)
    if "system" not in table.columns or measure is None:
        raise DataError(f"{path} has the columns {', '.join(table.columns)}; a ranking has system, and score or rank.")
    names, values = [plain_cell(str(name)) for name in table.column("system")], table.column(measure)
    scores: dict[str, float] = {}
    for number, (name, value) in enumerate(zip(names, values, strict=True), start=1):
        try:
            score = float(str(value))
        except ValueError:
            raise DataError(f"{path}: row {number} has the {measure} {value!r}; a number was expected.") from None
        if name in scores:
            raise DataError(f"{path}: the system {name!r} stands there twice.")
        scores[name] = -score if measure == "rank" else score
    return scores
