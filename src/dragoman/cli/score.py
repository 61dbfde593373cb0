"""`dragoman score`."""

from __future__ import annotations

import os
from dataclasses import replace

import click

from dragoman.cli.output import (
    LanguagePair,
    cache_option,
    emit,
    encoding_option,
    layer_option,
    output_options,
    repair_option,
    threads_option,
    where_options,
)
from dragoman.cli.progress import shown_progress
from dragoman.cli.recipes import recipe_options
from dragoman.metrics.base import METRICS
from dragoman.metrics.scoring import ScoreRecipe

__all__ = ["score"]


@click.command()
@click.argument("systems", metavar="[SYSTEM]...", nargs=-1)
@click.option("-r", "--ref", "refs", metavar="FILE", multiple=True, help="Reference; may be repeated.")
@click.option("-s", "--src", metavar="FILE", help="Source, for metrics that ask for it.")
@click.option("--segments", is_flag=True, help="One score per segment.")
@click.option("--documents", is_flag=True, help="One score per document; needs --docs.")
@click.option("--docs", metavar="FILE", help="Document of each segment, or a documents.tsv.")
@where_options
@click.option("--resegment", is_flag=True, help="Cut the output into the references' segments first (minimum WER).")
@click.option("--by-reference", is_flag=True, help="Score with each reference alone, and count where each is best.")
@recipe_options(ScoreRecipe, skip=("level", "confidence"), spellings={"metrics": ("-m", "--metric")})
@click.option("--list", "list_all", is_flag=True, help="List the metrics and stop.")
@layer_option
@click.option("--pair", metavar="SRC-TGT", type=LanguagePair(), help="Language pair, for layers that do not name it.")
@cache_option
@threads_option
@encoding_option
@repair_option
@output_options
def score(
    systems: tuple[str, ...],
    refs: tuple[str, ...],
    src: str | None,
    recipe: ScoreRecipe,
    segments: bool,
    documents: bool,
    docs: str | None,
    where: list[str],
    resegment: bool,
    by_reference: bool,
    list_all: bool,
    layers: tuple[str, ...],
    pair: str | None,
    use_cache: bool,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Score systems against references.

    \b
      dragoman score output.en -r reference.en
      dragoman score A=a.en B=b.en -r reference-1.en -r reference-2.en -m bleu -m chrf -m ter --ci
      cat output.en | dragoman score -r reference.en -m bleu:tokeniser=intl

    Systems are files, one segment a line, as PATH or NAME=PATH; without any, standard input is scored.
    """
    if list_all:
        from dragoman.report import Listing

        emit(Listing.of_registry(METRICS), form, output)
        return
    parts = {"--segments": segments, "--documents": documents, "--resegment": resegment, "--by-reference": by_reference}
    _check_call(systems, refs, docs, recipe, [name for name, is_asked in parts.items() if is_asked])
    from dragoman.data import assemble, read_systems
    from dragoman.data.filtering import parse_conditions, select_segments
    from dragoman.metrics import ScoreCache, best_reference, score_test_set
    from dragoman.text.languages import parse_pair

    if where and resegment:
        raise click.UsageError("--resegment cuts the whole output; leave --where and --origlang.")
    source, target = parse_pair(pair) if pair else (None, None)
    paths = systems or ("-",)
    test_set = assemble(
        srcs=src,
        refs=refs,
        systems=() if resegment else paths,
        docs=docs,
        source_lang=source,
        target_lang=target,
        layers=layers,
        n_threads=n_threads,
    )
    test_set = select_segments(test_set, parse_conditions(where))
    if resegment:  # any number of lines will do
        from dragoman.metrics import resegment_systems

        outputs = {file.name: file.lines for file in read_systems(paths, n_threads=n_threads)}
        test_set = resegment_systems(test_set, outputs, n_threads=n_threads)
    if by_reference:
        emit(best_reference(test_set, recipe.metrics[0], n_threads=n_threads), form, output)
        return
    with shown_progress() as progress:
        sheet = score_test_set(
            test_set,
            replace(recipe, level="segment" if segments else "document" if documents else "corpus"),
            run={"seg": "mwer"} if resegment else {},
            cache=ScoreCache() if use_cache else None,
            progress=progress,
            n_threads=n_threads,
        )
    emit(sheet, form, output)


def _check_call(
    systems: tuple[str, ...], refs: tuple[str, ...], docs: str | None, recipe: ScoreRecipe, parts: list[str]
) -> None:
    """Refuse what cannot be meant; `parts` are the options that ask for other scores than those of the whole corpus."""
    if recipe.ci and parts:
        raise click.UsageError(f"--ci is for the score of the whole corpus; leave {', '.join(parts)}.")
    if len(parts) > 1:
        raise click.UsageError(f"{' and '.join(parts)} do not go together.")
    if "--by-reference" in parts and len(recipe.metrics) > 1:
        raise click.UsageError("--by-reference takes one metric at a time.")
    if "--documents" in parts and docs is None:
        raise click.UsageError("--documents needs --docs: the document of each segment.")
    if not refs:
        raise click.UsageError(
            "Name a reference with -r: SYSTEM... -r REF. (REF -i SYSTEM... is `dragoman sacrebleu`.)"
        )
    for name in systems:
        # A file that is there is no slip: the names of all metrics take a look at the packages installed.
        if "=" not in name and name != "-" and not os.path.exists(name) and name in METRICS:  # noqa: PTH110 - quicker
            raise click.UsageError(f"There is no file {name}. As a metric it has its own -m: -m {name}.")
