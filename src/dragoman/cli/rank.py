"""`dragoman rank`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from dragoman.cli.output import (
    LanguagePair,
    RegistryChoice,
    emit,
    output_options,
    seed_option,
    strict_option,
    threads_option,
)
from dragoman.ranking.base import RANKINGS
from dragoman.ranking.resampling import UNITS

if TYPE_CHECKING:
    from dragoman.data.judgements import Judgements
    from dragoman.report import Section

__all__ = ["rank"]


class _MethodChoice(RegistryChoice):
    """A ranking method; `mfas` is another name of Lopez'."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name, if the registry has it."""
        return value if value == "mfas" else super().convert(value, param, ctx)


@click.command()
@click.argument("files", metavar="[JUDGEMENTS]...", nargs=-1)
@click.option(
    "--pair",
    metavar="SRC-TGT",
    type=LanguagePair(),
    help="Language pair, such as fr-en; without, every pair is ranked.",
)
@click.option(
    "-m",
    "--method",
    "methods",
    metavar="NAME",
    type=_MethodChoice(RANKINGS),
    multiple=True,
    help="Ranking method, perhaps with options (trueskill:runs=100); several are for --choose. "
    "Default: expected-wins, or da-z for direct assessments.",
)
@click.option("--system", "systems", metavar="NAME", multiple=True, help="Rank only this system; may be repeated.")
@click.option("--clusters", is_flag=True, help="Rank ranges by resampling, and clusters that do not overlap.")
@click.option(
    "--unit", type=click.Choice(UNITS), help="What is resampled together. Default: screen; judgement for --choose."
)
@click.option(
    "--interval",
    type=click.Choice(["shortest", "equal"]),
    help="Rank ranges: the fewest ranks that hold the level, or equal tails. Default: as the method's paper.",
)
@click.option("--level", type=float, default=0.95, show_default=True, help="Share of resamples that a range holds.")
@click.option("--replicates", type=click.IntRange(min=1), default=1000, show_default=True, help="Resamples.")
@click.option(
    "--blanks",
    type=click.Choice(["drop", "best"]),
    default="drop",
    show_default=True,
    help="A rank left blank is not a judgement; best reproduces WMT 2012's slip.",
)
@click.option("--audit", "order", metavar="FILE", help="Instead, count what an order of systems, best first, violates.")
@click.option("--choose", is_flag=True, help="Instead, test which method foretells held-out judgements best.")
@click.option("--folds", type=click.IntRange(min=2), default=100, show_default=True, help="Folds of --choose.")
@click.option("--power", "curve", is_flag=True, help="Instead, show how many judgements tell systems apart.")
@click.option("--html", "page", metavar="FILE", help="Also write one HTML page, with figures.")
@click.option("--list", "list_all", is_flag=True, help="List the methods and stop.")
@seed_option
@threads_option
@strict_option
@output_options
def rank(
    files: tuple[str, ...],
    pair: str | None,
    methods: tuple[str, ...],
    systems: tuple[str, ...],
    clusters: bool,
    unit: str | None,
    interval: str | None,
    level: float,
    replicates: int,
    blanks: str,
    order: str | None,
    choose: bool,
    folds: int,
    curve: bool,
    page: str | None,
    list_all: bool,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Rank systems by what people said of them.

    \b
      dragoman rank judgements.csv --pair fr-en --clusters
      dragoman rank judgements.csv --pair fr-en --method trueskill --clusters --threads 2 --html ranking.html
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
    if len(methods) > 1 and not choose:
        raise click.UsageError("Several methods are for --choose; name one.")
    from dragoman.data.judgements import read_judgements

    judgements = read_judgements(list(files))
    told = _progress() if sys.stderr.isatty() else None
    if order is not None:
        result = _audit(judgements, order, pair, blanks)
    elif choose:
        result = _choose(judgements, methods, pair, unit, folds, seed, n_threads, told)
    elif curve:
        result = _power(judgements, pair, unit, seed)
    else:
        assessed = judgements.kind == "direct-assessment"
        options: dict[str, Any] = {
            "method": methods[0] if methods else ("da-z" if assessed else "expected-wins"),
            "systems": systems or None,
            "clusters": clusters,
            "unit": unit or "screen",
            "interval": interval,
            "level": level,
            "replicates": replicates,
            "blanks": blanks,
            "seed": seed,
            "n_threads": n_threads,
            "progress": told,
        }
        result = _rank(judgements, pair, options)
    if page is not None:
        from dragoman.files import open_writer

        with open_writer(page) as stream:
            stream.write(_page(result))
    emit(result, form, output)


def _rank(judgements: Judgements, pair: str | None, options: dict[str, Any]) -> Any:
    from dragoman.ranking import rank as run
    from dragoman.ranking import rank_pairs

    if pair is not None:
        return run(judgements, pair=pair, **options)
    several = rank_pairs(judgements, **options)
    return several.rankings[0] if len(several.rankings) == 1 else several


def _audit(judgements: Judgements, path: str, pair: str | None, blanks: str) -> Any:
    from dragoman.files import read_lines
    from dragoman.ranking import audit

    order = [line.strip() for line in read_lines(path) if line.strip()]
    return audit(judgements, order, pair=pair, blanks=blanks)


def _choose(
    judgements: Judgements,
    methods: tuple[str, ...],
    pair: str | None,
    unit: Any,
    folds: int,
    seed: int,
    n_threads: int,
    progress: Callable[[int, int], None] | None,
) -> Any:
    from dragoman.ranking import choose_method

    given: dict[str, Any] = {"methods": methods} if methods else {}
    return choose_method(
        judgements,
        pair=pair,
        unit=unit or "judgement",
        folds=folds,
        seed=seed,
        n_threads=n_threads,
        progress=progress,
        **given,
    )


def _power(judgements: Judgements, pair: str | None, unit: Any, seed: int) -> Any:
    from dragoman.ranking import power

    return power(judgements, pair=pair, unit=unit or "screen", seed=seed)


def _page(result: Any) -> str:
    from dragoman.ranking import Ranking, Rankings
    from dragoman.report import Section
    from dragoman.report import page as as_page

    if isinstance(result, Ranking | Rankings):
        return result.html()
    sections: list[Section] = [Section.of(result.tables()[0].title, result)]
    return as_page("Ranking", sections)


def _progress() -> Callable[[int, int], None]:
    """A line on standard error that tells how far the work is."""

    def tell(done: int, total: int) -> None:
        end = "\n" if done == total else ""
        click.echo(f"\r{done:,} of {total:,} resamples{end}", err=True, nl=False)

    return tell
