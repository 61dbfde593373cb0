"""`dragoman lint`."""

from __future__ import annotations

from typing import Any

import click

from dragoman.cli.output import (
    LanguagePair,
    RegistryChoice,
    emit,
    encoding_option,
    output_options,
    repair_option,
    threads_option,
)
from dragoman.data.formats.base import FORMATS

__all__ = ["lint"]


@click.command()
@click.argument("paths", metavar="[DATA...]", nargs=-1, type=click.Path(allow_dash=True))
@click.option("-s", "--src", metavar="FILE", help="Sources, one a line; DATA are then system outputs.")
@click.option("-r", "--ref", "refs", multiple=True, metavar="FILE", help="References, as PATH or NAME=PATH.")
@click.option("--format", "format_", metavar="FORMAT", type=RegistryChoice(FORMATS), help="Format of DATA.")
@click.option("--pair", metavar="SRC-TGT", type=LanguagePair(), help="Languages, where the data do not name them.")
@click.option("-c", "--check", "checks", multiple=True, metavar="NAME", help="Look for this only; may be repeated.")
@click.option(
    "--limit", type=click.IntRange(min=1), default=5, show_default=True, help="Findings shown a check and stream."
)
@click.option("--all", "show_all", is_flag=True, help="Show every finding.")
@click.option("--strict", is_flag=True, help="Exit with 1 if there is a warning or an error.")
@threads_option
@encoding_option
@repair_option
@output_options
@click.pass_context
def lint(
    ctx: click.Context,
    paths: tuple[str, ...],
    src: str | None,
    refs: tuple[str, ...],
    format_: str | None,
    pair: str | None,
    checks: tuple[str, ...],
    limit: int,
    show_all: bool,
    strict: bool,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Look over a test set, a bitext or judgements for mistakes.

    \b
      dragoman lint testset
      dragoman lint testset/judgements/ranking.csv
      dragoman lint atlas.en borealis.en -s source.de -r reference.en --pair de-en
      dragoman lint train.de train.en
      dragoman lint memory.tmx --strict

    Empty and repeated segments, copies of the source, wrong scripts and languages, odd lengths, damaged characters,
    slipped lines, identical systems … An error is certainly wrong, a warning probably, a note is worth a look.
    """
    if src is None and not refs and _are_judgements(paths, format_):
        from dragoman.corpus.lint.run import lint_judgements

        result = lint_judgements(paths, format=format_)
    else:
        from dragoman.corpus.lint import lint as run

        data = _data(paths, src, refs, format_, pair)
        result = run(data, checks=checks or None, limit=None if show_all else limit, n_threads=n_threads)
    emit(result, form, output)
    if strict and not result.is_clean:
        ctx.exit(1)


def _are_judgements(paths: tuple[str, ...], format_: str | None) -> bool:
    from dragoman.data.judgements.reading import is_judgement_file, judgement_formats

    if format_ is not None:
        return format_.partition(":")[0] in judgement_formats()
    return bool(paths) and all(map(is_judgement_file, paths))


def _are_two_sides(paths: tuple[str, ...]) -> bool:
    """Whether two files can be source and target: their names do not say the same language."""
    from dragoman.data.bitext_files import language_of_file

    first, second = map(language_of_file, paths)
    return first is None or first != second


def _data(paths: tuple[str, ...], src: str | None, refs: tuple[str, ...], format_: str | None, pair: str | None) -> Any:
    from dataclasses import replace

    from dragoman.data import TestSet, assemble, guess_formats, read_test_set
    from dragoman.data.bitext import Bitext
    from dragoman.data.bitext_files import read_bitext
    from dragoman.text.languages import parse_pair

    source_lang, target_lang = parse_pair(pair) if pair else (None, None)
    if src is not None or refs:
        if format_ is not None:
            raise click.UsageError("With --src or --ref the DATA are files of lines; leave --format out.")
        return assemble(srcs=src, refs=refs, systems=paths, source_lang=source_lang, target_lang=target_lang)
    if len(paths) == 2 and format_ is None and _are_two_sides(paths):
        return read_bitext(paths, pair=pair)
    if len(paths) != 1:
        raise click.UsageError(
            "Name one test set or bitext, the two sides of a bitext, or system outputs with --src or --ref."
        )
    holds = FORMATS.get(format_.partition(":")[0]).holds if format_ else None
    if holds is Bitext or (holds is None and not guess_formats(paths[0], holds=TestSet)):
        return read_bitext(paths, format=format_, pair=pair)
    test_set = read_test_set(paths[0], format_)
    return replace(test_set, source_lang=source_lang, target_lang=target_lang) if pair else test_set
