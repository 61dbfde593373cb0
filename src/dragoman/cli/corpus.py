"""`dragoman corpus stats`, `clean`, `filter`, `shuffle`, `split`, `pivot` and `backtranslate`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from dragoman.cli.corpus_sources import backtranslate, pivot
from dragoman.cli.output import (
    LanguagePair,
    RegistryChoice,
    emit,
    encoding_option,
    output_options,
    repair_option,
    seed_option,
    threads_option,
)
from dragoman.cli.workers import open_shop, pool_options, work_option
from dragoman.corpus.scorers import PAIR_SCORERS
from dragoman.data.formats.base import FORMATS
from dragoman.text.base import TOKENISERS

__all__ = ["corpus"]

F = TypeVar("F", bound=Callable[..., Any])


def bitext_arguments(command: F) -> F:
    """Add what names a bitext: two files, or one path with its format, and the languages."""
    options = [
        click.argument("paths", metavar="DATA...", nargs=-1, required=True, type=click.Path(allow_dash=True)),
        click.option(
            "--format", "format_", metavar="FORMAT", type=RegistryChoice(FORMATS), help="Format of DATA, if one path."
        ),
        click.option(
            "--pair",
            metavar="SRC-TGT",
            type=LanguagePair(),
            help="Languages; else those that the files are named after.",
        ),
        encoding_option,
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.group()
def corpus() -> None:
    """Count, clean, score, shuffle and split parallel corpora."""


corpus.add_command(pivot)
corpus.add_command(backtranslate)


@corpus.command()
@bitext_arguments
@click.option(
    "-t",
    "--tokeniser",
    "tokenisers",
    multiple=True,
    metavar="NAME",
    type=RegistryChoice(TOKENISERS),
    help="Tokenise before counting; once for all, or once for each side.",
)
@click.option("--case", is_flag=True, help="Tell capitals from small letters when counting types.")
@threads_option
@repair_option
@output_options
def stats(
    paths: tuple[str, ...],
    format_: str | None,
    pair: str | None,
    tokenisers: tuple[str, ...],
    case: bool,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Count sentences, tokens and types of a bitext or of single texts.

    \b
      dragoman corpus stats train.de train.en
      dragoman corpus stats memory.tmx --pair de-en
      dragoman corpus stats news.cs.gz -t 13a

    Two files are the sides of a bitext; one file of lines, or three and more, are counted each for itself.
    """
    from dragoman.corpus import corpus_statistics
    from dragoman.corpus.statistics import side_names
    from dragoman.data.bitext_files import read_bitext
    from dragoman.data.convert import guess_formats
    from dragoman.files import iter_lines

    texts: Any
    if len(paths) == 2 or format_ or pair or (len(paths) == 1 and _is_bitext(guess_formats(paths[0]))):
        texts = read_bitext(paths, format=format_, pair=pair)
        names = side_names(texts)
    else:
        texts = {path: iter_lines(path) for path in paths}
        names = list(texts)
    if len(tokenisers) not in {0, 1, len(names)}:
        raise click.UsageError(f"Name one tokeniser for all, or one for each of {len(names)} sides.")
    specs = tokenisers * len(names) if len(tokenisers) == 1 else tokenisers
    by_name = dict(zip(names, map(TOKENISERS.make, specs), strict=False))
    emit(corpus_statistics(texts, tokeniser=by_name or None, lowercase=not case, n_threads=n_threads), form, output)


@corpus.command()
@bitext_arguments
@click.option(
    "-f",
    "--filter",
    "filters",
    multiple=True,
    metavar="NAME[:OPTION=VALUE,…]",
    help="A filter; several work in the order given. Default: empty, length, ratio, long-token.",
)
@click.option("--to", metavar="OUT", help="Write what is left: a prefix for two files, or a .tmx, .tsv or .jsonl.")
@click.option("--keep-entities", is_flag=True, help="Leave HTML entities such as &amp; as they stand.")
@click.option("--examples", type=click.IntRange(min=0), default=3, show_default=True, help="Examples shown a filter.")
@pool_options
@work_option
@threads_option
@repair_option
@output_options
def clean(
    paths: tuple[str, ...],
    format_: str | None,
    pair: str | None,
    filters: tuple[str, ...],
    to: str | None,
    keep_entities: bool,
    examples: int,
    n_workers: int,
    cluster: str | None,
    part: int,
    work: str,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Leave out pairs that would do harm in training, and say which and why.

    \b
      dragoman corpus clean train.de train.en
      dragoman corpus clean train.de train.en -f empty -f length:high=80 -f ratio:high=3 -f repetition:most=3 --to clean
      dragoman corpus clean memory.tmx -f duplicate -f language --to clean.tmx

    HTML entities are resolved first. Without --to nothing is written but the report. The filters are listed under
    "Filters" in the documentation.
    """
    from dragoman.corpus import clean as run
    from dragoman.corpus.clean import DEFAULT_FILTERS
    from dragoman.corpus.parts import clean_in_parts
    from dragoman.data.bitext_files import read_bitext, write_bitext

    bitext, chosen = read_bitext(paths, format=format_, pair=pair), filters or DEFAULT_FILTERS
    with open_shop(work, n_workers, cluster) as shop:
        if shop is None:
            result = run(bitext, chosen, keep_entities=keep_entities, examples=examples, n_threads=n_threads)
        else:
            result = clean_in_parts(bitext, chosen, shop, part=part, keep_entities=keep_entities, examples=examples)
    if to is not None:
        write_bitext(result.kept, to)
    emit(result, form, output)


@corpus.command()
@bitext_arguments
@click.option("--to", metavar="OUT", required=True, help="A prefix for two files, or a .tmx, .tsv or .jsonl.")
@seed_option
@output_options
def shuffle(
    paths: tuple[str, ...], format_: str | None, pair: str | None, to: str, seed: int, form: str, output: str
) -> None:
    """Put the pairs of a bitext into random order.

    \b
      dragoman corpus shuffle train.de train.en --seed 7 --to shuffled

    The seed alone decides the order. A bitext larger than memory goes through temporary files.
    """
    from dragoman.corpus import Shuffling
    from dragoman.corpus import shuffle as run
    from dragoman.data.bitext_files import read_bitext, write_bitext

    shuffled = run(read_bitext(paths, format=format_, pair=pair), seed=seed)
    write_bitext(shuffled, to)
    emit(Shuffling(shuffled.label, to, seed), form, output)


@corpus.command()
@bitext_arguments
@click.option(
    "-p", "--part", "parts", multiple=True, required=True, metavar="NAME=PAIRS", help="A part and its size: dev=1000."
)
@click.option("--rest", default="train", show_default=True, help="The part that takes what remains.")
@click.option(
    "--by",
    type=click.Choice(["line", "source", "target", "either"], case_sensitive=False),
    default="line",
    show_default=True,
    help="Keep pairs of one source (or target, or either) in one part.",
)
@click.option("--by-source", "by", flag_value="source", help="The same as --by source.")
@click.option("--to", metavar="FOLDER", help="Write the parts there: dev.de, dev.en …")
@click.option("--gzip", "compress", is_flag=True, help="Compress the files.")
@seed_option
@output_options
def split(
    paths: tuple[str, ...],
    format_: str | None,
    pair: str | None,
    parts: tuple[str, ...],
    rest: str,
    by: Any,
    to: str | None,
    compress: bool,
    seed: int,
    form: str,
    output: str,
) -> None:
    """Draw parts of exact size from a bitext; what remains is for training.

    \b
      dragoman corpus split all.de all.en -p dev=1000 -p test=1000 --by source --seed 7 --to data

    With --by source no sentence of the test part is seen in training. Without --to nothing is written but the report,
    which says how many pairs have a source that stands in another part too.
    """
    from pathlib import Path

    from dragoman.corpus import split as run
    from dragoman.data.bitext_files import read_bitext, write_bitext

    sizes: dict[str, int] = {}
    for part in parts:
        name, _, size = part.partition("=")
        if not size.isdigit() or name in sizes:
            raise click.UsageError(f"A part is NAME=PAIRS, each name once; got {part!r}.")
        sizes[name] = int(size)
    result = run(read_bitext(paths, format=format_, pair=pair), sizes, rest=rest, by=by, seed=seed)
    if to is not None:
        Path(to).mkdir(parents=True, exist_ok=True)
        for name, bitext in result.parts.items():
            write_bitext(bitext, Path(to) / f"{name}{'.gz' if compress else ''}")
    emit(result, form, output)


def _is_bitext(names: list[str]) -> bool:
    from dragoman.data.bitext import Bitext

    return bool(names) and FORMATS.get(names[0]).holds is Bitext


@corpus.group("filter")
def filter_() -> None:
    """Learn what good pairs look like, and score pairs by it."""


@filter_.command()
@bitext_arguments
@click.option("-m", "--model", required=True, metavar="FOLDER", help="Where the scorer is written.")
@click.option(
    "--scorer",
    metavar="NAME",
    type=RegistryChoice(PAIR_SCORERS),
    default="model1",
    show_default=True,
    help="What is learnt, perhaps with options (language-models:order=4).",
)
@threads_option
@output_options
def train(
    paths: tuple[str, ...],
    format_: str | None,
    pair: str | None,
    model: str,
    scorer: str,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Learn a scorer from a bitext most of whose pairs are good, and score these.

    \b
      dragoman corpus filter train train.de train.en -m scorer
      dragoman corpus clean train.de train.en -f learnt:model=scorer --to clean
    """
    from dragoman.corpus.scorers import score_pairs
    from dragoman.data.bitext_files import read_bitext

    bitext = read_bitext(paths, format=format_, pair=pair)
    learnt = PAIR_SCORERS.make(scorer).train(bitext, n_threads=n_threads)
    learnt.save(model)
    emit(score_pairs(bitext, learnt, n_threads=n_threads), form, output)


@filter_.command()
@bitext_arguments
@click.option("-m", "--model", required=True, metavar="FOLDER", help="A scorer that was trained.")
@pool_options
@work_option
@threads_option
@output_options
def score(
    paths: tuple[str, ...],
    format_: str | None,
    pair: str | None,
    model: str,
    n_workers: int,
    cluster: str | None,
    part: int,
    work: str,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Score the pairs of a bitext: a row a pair, higher is better.

    \b
      dragoman corpus filter score crawl.de crawl.en -m scorer --form tsv -o scores.tsv
    """
    from pathlib import Path

    from dragoman.corpus.parts import score_in_parts
    from dragoman.corpus.scorers import PairScorer, score_pairs
    from dragoman.data.bitext_files import read_bitext

    bitext = read_bitext(paths, format=format_, pair=pair)
    with open_shop(work, n_workers, cluster) as shop:
        if shop is None:
            scores = score_pairs(bitext, PairScorer.load(model), n_threads=n_threads)
        else:
            scores = score_in_parts(bitext, Path(model), shop, part=part)
    emit(scores, form, output)
