"""`dragoman rank`."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from dragoman import ranking
from dragoman.cli.given_scores import given_scores, scores_options
from dragoman.cli.output import (
    LanguagePair,
    RegistryChoice,
    emit,
    output_options,
    strict_option,
    threads_option,
    where_options,
)
from dragoman.cli.recipes import recipe_options
from dragoman.cli.spellings import old_spelling
from dragoman.ranking.base import OTHER_NAMES, RANKINGS, Progress
from dragoman.ranking.ranker import RankingRecipe
from dragoman.ranking.selection import METHODS as CHOICES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dragoman.data.judgements import Judgements
    from dragoman.metrics import GivenScores

__all__ = ["rank"]


class _MethodChoice(RegistryChoice):
    """A ranking method, by its name or another that it has."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name, if the registry has it."""
        return value if value.partition(":")[0] in OTHER_NAMES else super().convert(value, param, ctx)


@click.command()
@click.argument("files", metavar="[JUDGEMENTS]...", nargs=-1)
@click.option(
    "--pair",
    metavar="SRC-TGT",
    type=LanguagePair(),
    help="Language pair, such as fr-en; without, every pair is ranked.",
)
@click.option(
    "--method",
    "methods",
    metavar="NAME",
    type=_MethodChoice(RANKINGS),
    multiple=True,
    help="Ranking method, perhaps with options (gaussian-skill:runs=100); several are for --choose. "
    "Default: expected-wins, or da-z for direct assessments.",
)
@old_spelling("-m", "--method", "old_methods", type=_MethodChoice(RANKINGS), multiple=True)
@recipe_options(RankingRecipe, skip=("method",), spellings={"systems": ("--system",)})
@click.option("--audit", "order", metavar="FILE", help="Instead, count what an order of systems, best first, violates.")
@click.option("--choose", is_flag=True, help="Instead, test which method foretells held-out judgements best.")
@click.option("--folds", type=click.IntRange(min=2), default=100, show_default=True, help="Folds of --choose.")
@click.option("--power", "curve", is_flag=True, help="Instead, show how many judgements tell systems apart.")
@click.option("--docs", metavar="FILE", help="Document of each segment, or a documents.tsv, for --where.")
@where_options
@click.option(
    "--style",
    type=click.Choice(("wmt13", "wmt14"), case_sensitive=False),
    help="With --clusters: also the table as WMT prints it; clusters are called by their first place, or counted.",
)
@click.option("--html", "page", metavar="FILE", help="Also write one HTML page, with figures.")
@scores_options
@click.option("--list", "list_all", is_flag=True, help="List the methods and stop.")
@threads_option
@strict_option
@output_options
def rank(
    files: tuple[str, ...],
    pair: str | None,
    methods: tuple[str, ...],
    old_methods: tuple[str, ...],
    recipe: RankingRecipe,
    order: str | None,
    choose: bool,
    folds: int,
    curve: bool,
    docs: str | None,
    where: list[str],
    style: str | None,
    page: str | None,
    score_files: tuple[str, ...],
    lower_is_better: tuple[str, ...],
    list_all: bool,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Rank systems by what people said of them.

    \b
      dragoman rank judgements.csv --pair fr-en --clusters
      dragoman rank judgements.csv --pair fr-en --method gaussian-skill --clusters --threads 2 --html ranking.html
      dragoman rank judgements.csv --pair fr-en --audit order.txt

    JUDGEMENTS are files of relative rankings or of direct assessments, their format told by their first lines.
    """
    if list_all:
        from dragoman.report import Listing

        emit(Listing.of_registry(RANKINGS), form, output)
        return
    if not files:
        raise click.UsageError("Name a file of judgements.")
    if sum((order is not None, choose, curve)) > 1:
        raise click.UsageError("--audit, --choose and --power answer different questions; ask one at a time.")
    methods += old_methods
    if len(methods) > 1 and not choose:
        raise click.UsageError("Several methods are for --choose; name one.")
    if score_files and page is None:
        raise click.UsageError("--scores are drawn on the page; name it with --html.")
    from dragoman.data.judgements import read_judgements
    from dragoman.files import read_lines

    judgements = read_judgements(list(files))
    if where:
        judgements = _where(judgements, docs, where)
    progress = _progress() if sys.stderr.isatty() else None
    result: Any
    if order is not None:
        systems = [line.strip() for line in read_lines(order) if line.strip()]
        result = ranking.audit(judgements, systems, pair=pair, blanks=recipe.blanks)
    elif choose:
        result = ranking.choose_method(
            judgements,
            methods=methods or CHOICES,
            pair=pair,
            unit=recipe.unit or "judgement",
            folds=folds,
            seed=recipe.seed,
            n_threads=n_threads,
            progress=progress,
        )
    elif curve:
        result = ranking.power(judgements, pair=pair, unit=recipe.unit or "screen", seed=recipe.seed)
    else:
        from dragoman.human.counting import warn_of_not_counted

        warn_of_not_counted(judgements)
        recipe = replace(recipe, method=methods[0] if methods else None)
        result = _styled(_rank(judgements, recipe, pair, n_threads, progress), style)
    if page is not None:
        from dragoman.files import open_writer

        with open_writer(page) as stream:
            stream.write(_page(result, given_scores(score_files, lower_is_better)))
    emit(result, form, output)


def _where(judgements: Judgements, docs: str | None, where: Sequence[str]) -> Judgements:
    from dragoman.data.assemble import read_labels
    from dragoman.data.filtering import parse_conditions, select_judgements

    if docs is None:
        raise click.UsageError("--where and --origlang need --docs: what is known of each segment.")
    return select_judgements(judgements, read_labels(docs), parse_conditions(where))


def _rank(
    judgements: Judgements, recipe: RankingRecipe, pair: str | None, n_threads: int, progress: Progress | None
) -> Any:
    if pair is not None:
        return ranking.rank(judgements, recipe, pair=pair, n_threads=n_threads, progress=progress)
    several = ranking.rank_pairs(judgements, recipe, n_threads=n_threads, progress=progress)
    return several.rankings[0] if len(several.rankings) == 1 else several


def _styled(result: Any, style: str | None) -> Any:
    if style is None:
        return result
    if isinstance(result, ranking.Rankings):
        return replace(result, rankings=tuple(replace(each, style=style) for each in result.rankings))
    return replace(result, style=style)


def _page(result: Any, given: Sequence[GivenScores]) -> str:
    from dragoman.metrics.beside_people import beside_people
    from dragoman.report import Section
    from dragoman.report import page as as_page

    if isinstance(result, ranking.Ranking | ranking.Rankings):
        rankings = result.rankings if isinstance(result, ranking.Rankings) else (result,)
        people = {f" ({each.pair})" * (len(rankings) > 1): _people(each) for each in rankings if given}
        return result.html(*(beside_people(given, scores, title=title) for title, scores in people.items()))
    return as_page("Ranking", [Section.of(result.tables()[0].title, result)])


def _people(result: ranking.Ranking) -> dict[str, float]:
    return {row.system: row.score for row in result.rows}


def _progress() -> Progress:
    """A line on standard error that tells how far the work is."""

    def tell(done: int, total: int) -> None:
        end = "\n" if done == total else ""
        click.echo(f"\r{done:,} of {total:,} resamples{end}", err=True, nl=False)

    return tell
