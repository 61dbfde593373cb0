"""`dragoman mine`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.cli.output import emit, encoding_option, output_options, repair_option, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.mining.lexical import LexicalMining
from dragoman.mining.translated import TranslatedMining

if TYPE_CHECKING:
    from dragoman.mining import LexicalMiner, Miner, Mining, Numbers

__all__ = ["mine"]


@click.command()
@click.argument("src", type=click.Path(exists=True, allow_dash=True))
@click.argument("tgt", type=click.Path(exists=True, allow_dash=True))
@click.option(
    "-m",
    "--model",
    required=True,
    metavar="MODEL",
    help="A scorer of `corpus filter train`, an aligner (`align --save`) for tokenised text, or an engine.",
)
@click.option(
    "--planted",
    nargs=2,
    type=click.Path(exists=True),
    metavar="SRC TGT",
    help="Known pairs that the model has not seen, hidden among the lines to set the threshold.",
)
@click.option(
    "--precision",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.9,
    show_default=True,
    help="The share of planted pairs found that must be right.",
)
@click.option("--threshold", type=float, help="The least score, instead of one that planted pairs set.")
@click.option(
    "--src-numbers", type=click.Path(exists=True), metavar="FILE", help="A whole number a source line: a day."
)
@click.option("--tgt-numbers", type=click.Path(exists=True), metavar="FILE", help="The same for target lines.")
@click.option(
    "--window", type=click.IntRange(min=0), default=0, show_default=True, help="How far apart numbers may lie."
)
@recipe_options(LexicalMining, spellings={"lambda_": ("--lambda",)})
@recipe_options(TranslatedMining, argument="translated")
@click.option("--to", metavar="OUT", help="Write the pairs: a prefix for two files, or a .tmx, .tsv or .jsonl.")
@click.option("--scores", type=click.Path(), metavar="FILE", help="Write their scores, a line a pair.")
@click.option(
    "--linked",
    metavar="PREFIX",
    help="Write PREFIX.src, .tgt, .links: words linked by the lexicon alone, for `smt extract`.",
)
@click.option(
    "--points", type=click.IntRange(min=0), default=3, show_default=True, help="Links that --linked asks of a pair."
)
@encoding_option
@threads_option
@repair_option
@output_options
def mine(
    src: str,
    tgt: str,
    model: str,
    planted: tuple[str, str] | None,
    precision: float,
    threshold: float | None,
    src_numbers: str | None,
    tgt_numbers: str | None,
    window: int,
    recipe: LexicalMining,
    translated: TranslatedMining,
    to: str | None,
    scores: str | None,
    linked: str | None,
    points: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Find sentence pairs in texts that are comparable, not parallel.

    \b
      dragoman corpus filter train seed.de seed.en -m lexicon
      dragoman mine news.de news.en -m lexicon --planted dev.de dev.en --to mined
      dragoman smt train --src seed.de --tgt seed.en --extra mined.de mined.en -m engine

    A line is looked up among the other side's by what its words mean: P(query | line) over all translations that the
    lexicon has (Jehl, Hieber & Riezler, WMT 2012). With an engine, its translations are looked up by their words, and
    kept where few edits are left (Schwenk et al., WMT 2012). Planted pairs say how much of what is found is right.
    """
    from dragoman.data.bitext_files import language_of_file, read_bitext, write_bitext
    from dragoman.files import read_lines, write_lines
    from dragoman.mining import LexicalMiner
    from dragoman.mining import mine as run

    miner = _miner(model, recipe, translated)
    if linked is not None and not isinstance(miner, LexicalMiner):
        raise click.UsageError(
            "--linked links words by a lexicon; an engine has none. Leave it out, and align the pairs."
        )
    result = run(
        read_lines(src),
        read_lines(tgt),
        miner,
        planted=read_bitext(planted) if planted else None,
        precision=precision,
        threshold=threshold,
        numbers=_numbers(src_numbers, tgt_numbers, window),
        languages=(language_of_file(src), language_of_file(tgt)),
        n_threads=n_threads,
    )
    if to is not None:
        write_bitext(result.bitext, to)
    if scores is not None:
        write_lines(scores, [f"{pair.score:.6f}" for pair in result.pairs])
    if linked is not None and isinstance(miner, LexicalMiner):
        _write_linked(linked, miner, result, points, n_threads)
    emit(result, form, output)


def _miner(model: str, recipe: LexicalMining, translated: TranslatedMining) -> Miner:
    from pathlib import Path

    from dragoman.align import Aligner
    from dragoman.artifact import read_manifest
    from dragoman.corpus.scorers import PairScorer
    from dragoman.engines.base import load_engine, need
    from dragoman.engines.roles import Translates
    from dragoman.mining import LexicalMiner, TranslatedMiner

    kind = read_manifest(model).kind if Path(model).is_dir() else None
    if kind == Aligner.kind:
        return LexicalMiner(Aligner.load(model), recipe)
    if kind == PairScorer.kind:
        return LexicalMiner(PairScorer.load(model), recipe)
    return TranslatedMiner(need(load_engine(model), Translates), translated)


def _numbers(sources: str | None, targets: str | None, width: int) -> Numbers | None:
    from dragoman.mining import Numbers

    if bool(sources) != bool(targets):
        raise click.UsageError("Numbers belong to both sides: name --src-numbers and --tgt-numbers.")
    return Numbers(_read_numbers(sources), _read_numbers(targets), width) if sources and targets else None


def _read_numbers(path: str) -> list[int]:
    from dragoman.errors import FormatError
    from dragoman.files import read_lines

    numbers = []
    for line, text in enumerate(read_lines(path), start=1):
        try:
            numbers.append(int(text))
        except ValueError:
            raise FormatError(f"{text[:40]!r} is no whole number.", path=path, line=line) from None
    return numbers


def _write_linked(prefix: str, miner: LexicalMiner, result: Mining, points: int, n_threads: int) -> None:
    from dragoman.files import write_lines

    pairs = result.pairs
    parts = miner.links([p.source for p in pairs], [p.target for p in pairs], points=points, n_threads=n_threads)
    for suffix, lines in zip(("src", "tgt", "links"), parts, strict=True):
        write_lines(f"{prefix}.{suffix}", lines)
