"""`dragoman compare`."""

from __future__ import annotations

import click

from dragoman.cli.given_scores import given_scores, scores_options
from dragoman.cli.output import (
    LanguagePair,
    RegistryChoice,
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
from dragoman.metrics.compare import ComparisonRecipe
from dragoman.metrics.compare import compare as run
from dragoman.stats.base import PAIRED_TESTS

__all__ = ["compare"]


def _spelling(value: str) -> str:
    """`randomization` is `randomisation`."""
    return value.replace("randomiz", "randomis")


class _Test(RegistryChoice):
    """A paired test, in either spelling."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, if the registry has it."""
        name: str = super().convert(_spelling(value), param, ctx)
        return name


@click.command()
@click.argument("systems", metavar="BASELINE SYSTEM...", nargs=-1, required=True)
@click.option("-r", "--ref", "refs", metavar="FILE", multiple=True, required=True, help="Reference; may be repeated.")
@click.option("-s", "--src", metavar="FILE", help="Source, shown beside the segments.")
@recipe_options(
    ComparisonRecipe,
    skip=("baseline", "level", "breakdowns"),
    spellings={"metrics": ("-m", "--metric"), "tokeniser": ("--tokeniser", "--tokenizer")},
    types={"test": _Test(PAIRED_TESTS)},
)
@scores_options
@click.option("--docs", metavar="FILE", help="Document of each segment, or a documents.tsv with domain and origlang.")
@where_options
@click.option(
    "--counts", metavar="FILE", help="Words of the training data, `word<TAB>count`, for buckets by frequency."
)
@click.option("--tags", metavar="FILE", help="CoNLL-U of the first reference, for buckets by part of speech.")
@layer_option
@click.option(
    "--pair",
    "--langs",
    "langs",
    metavar="SRC-TGT",
    type=LanguagePair(),
    help="Language pair, such as de-en, for the page.",
)
@click.option("--html", "page", metavar="FILE", help="Also write the report as one HTML file.")
@cache_option
@threads_option
@encoding_option
@repair_option
@output_options
def compare(
    systems: tuple[str, ...],
    refs: tuple[str, ...],
    src: str | None,
    recipe: ComparisonRecipe,
    score_files: tuple[str, ...],
    lower_is_better: tuple[str, ...],
    docs: str | None,
    where: list[str],
    counts: str | None,
    tags: str | None,
    layers: tuple[str, ...],
    langs: str | None,
    page: str | None,
    use_cache: bool,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Test whether systems differ from a baseline, and show where.

    \b
      dragoman compare base.en new.en -r reference.en
      dragoman compare base.en new.en -r reference.en --scores comet=comet.json
      dragoman compare base=a.en new=b.en other=c.en -r ref.en -s src.de -m bleu -m chrf --all-pairs --html report.html

    Systems are files, one segment a line, as PATH or NAME=PATH. Rows: baseline, system, metric, delta, p, and p
    corrected for the number of pairs. The layer pos gives buckets by part of speech, lemma or stem the base forms of
    error classes.
    """
    from dragoman.data import assemble
    from dragoman.data.filtering import parse_conditions, select_segments
    from dragoman.files import open_writer
    from dragoman.metrics import ScoreCache
    from dragoman.metrics.word_files import read_counts, read_tags
    from dragoman.text.languages import parse_pair

    if where and (tags or score_files):
        raise click.UsageError("--tags and --scores are of all segments; leave --where and --origlang.")
    source, target = parse_pair(langs) if langs else (None, None)
    test_set = assemble(
        srcs=src,
        refs=refs,
        systems=systems,
        docs=docs,
        source_lang=source,
        target_lang=target,
        layers=layers,
        n_threads=n_threads,
    )
    test_set = select_segments(test_set, parse_conditions(where))
    scores = given_scores(score_files, lower_is_better)
    with shown_progress() as progress:
        result = run(
            test_set,
            recipe,
            frequencies=None if counts is None else read_counts(counts),
            tags=None if tags is None else read_tags(tags, len(test_set)),
            scores=scores,
            cache=ScoreCache() if use_cache else None,
            progress=progress,
            n_threads=n_threads,
        )
    if page is not None:
        with open_writer(page) as stream:
            stream.write(result.html())
    emit(result, form, output)
