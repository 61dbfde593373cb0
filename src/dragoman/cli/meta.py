"""`dragoman meta`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.cli.output import LanguagePair, emit, layer_option, output_options, strict_option, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.metrics.meta.recipe import MetaRecipe
from dragoman.metrics.meta.significance import SignificanceRecipe, significance_accuracy

if TYPE_CHECKING:
    from dragoman.metrics.meta.inputs import HumanInput

__all__ = ["meta"]


class _MetaGroup(click.Group):
    """`dragoman meta FILE…` evaluates; `dragoman meta significance …` is the other command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] not in self.commands:
            args = ["evaluate", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_MetaGroup)
def meta() -> None:
    """Tell which automatic metrics agree with people."""


@meta.command()
@click.argument("scores", metavar="[SCORES]...", nargs=-1)
@click.option("--human", metavar="FILE", multiple=True, help="Scores or rankings by people; with --task, their name.")
@click.option("--metric", "own", metavar="[NAME=]FILE", multiple=True, help="Scores of your metric; its row is marked.")
@click.option("--task", metavar="FOLDER/PAIR/LEVEL", help="A task of mt-metrics-eval, such as wmt22/en-de/sys.")
@click.option(
    "--pair", metavar="SRC-TGT", type=LanguagePair(), help="Language pair; all pairs of the files if not given."
)
@recipe_options(MetaRecipe, skip=("threshold", "confidence"))
@click.option(
    "--leave-out",
    metavar="SYSTEM",
    multiple=True,
    default=("_ref",),
    show_default=True,
    help="What is no system in the rankings.",
)
@click.option("--html", "page", metavar="FILE", help="Also write the report as one HTML file.")
@threads_option
@strict_option
@output_options
def evaluate(
    scores: tuple[str, ...],
    human: tuple[str, ...],
    own: tuple[str, ...],
    task: str | None,
    pair: str | None,
    recipe: MetaRecipe,
    leave_out: tuple[str, ...],
    page: str | None,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Tell which automatic metrics agree with people.

    \b
      dragoman meta scores.tsv --human people.tsv
      dragoman meta scores.tsv --human wmt13.csv --pair fr-en --level seg --variant wmt13
      dragoman meta --task wmt22/en-de/sys --metric mine=my.tsv
      dragoman meta significance SYSTEM... -r REF --human FILE
      dragoman meta evaluate scores.tsv --human people.tsv      (the first line, in full)

    Score files have a header with `system`, perhaps `metric`, `segment` and `pair`, and `score` or a column for each
    metric; what `dragoman score --form tsv` prints will do. Without a header they are WMT's. `meta significance` asks
    whether metrics with significance tests come to people's conclusions; see its --help.
    """
    if task is None and not human:
        raise click.UsageError("Name the people's judgements with --human.")
    from dragoman.files import open_writer
    from dragoman.human.counting import warn_of_not_counted_in
    from dragoman.metrics.meta import meta_evaluate_files

    if task is None:
        warn_of_not_counted_in(human)
    result = meta_evaluate_files(
        scores, human, recipe, own=own, task=task, pair=pair, leave_out=leave_out, n_threads=n_threads
    )
    if page is not None:
        with open_writer(page) as stream:
            stream.write(result.html())
    emit(result, form, output)


@meta.command()
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@click.option("-r", "--ref", "refs", metavar="FILE", multiple=True, required=True, help="Reference; may be repeated.")
@click.option("-s", "--src", metavar="FILE", help="Source, for metrics that look at it.")
@click.option("--human", metavar="FILE", required=True, help="Rankings, or scores by segment, by people.")
@click.option(
    "--tie-break", metavar="FILE", help="Further judgements (fluency), asked where the first do not tell systems apart."
)
@click.option(
    "--pair", metavar="SRC-TGT", type=LanguagePair(), help="Language pair, where the judgements are of several."
)
@recipe_options(
    SignificanceRecipe,
    skip=("confidence",),
    spellings={"metrics": ("-m", "--metric"), "tests": ("--test",), "alphas": ("--alpha",)},
)
@layer_option
@click.option("--html", "page", metavar="FILE", help="Also write the report as one HTML file.")
@threads_option
@strict_option
@output_options
def significance(
    systems: tuple[str, ...],
    refs: tuple[str, ...],
    src: str | None,
    human: str,
    pair: str | None,
    tie_break: str | None,
    recipe: SignificanceRecipe,
    layers: tuple[str, ...],
    page: str | None,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Tell how often a metric with a significance test concludes what people conclude.

    \b
      dragoman meta significance outputs/*.en -r reference.en --human wmt13.csv -m bleu -m chrf
    """
    from dragoman.data import assemble
    from dragoman.files import open_writer
    from dragoman.human.counting import warn_of_not_counted_in
    from dragoman.metrics.meta.score_files import read_people

    warn_of_not_counted_in((human, *([] if tie_break is None else [tie_break])))
    test_set = assemble(srcs=src, refs=refs, systems=systems, layers=layers)
    people: HumanInput = read_people(human, pair=pair)
    result = significance_accuracy(
        test_set,
        people,
        recipe,
        tie_break=None if tie_break is None else read_people(tie_break, pair=pair),
        provenance={"human": human, "tie_break": tie_break},
        n_threads=n_threads,
    )
    if page is not None:
        with open_writer(page) as stream:
            stream.write(result.html())
    emit(result, form, output)
