"""`dragoman qe gold|audit|check`: gold standards from post-edits, and what is wrong with text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.cli.output import emit, output_options, threads_option

if TYPE_CHECKING:
    from dragoman.qe.resources.parses import SentenceParser

__all__ = ["audit", "check", "gold"]


@click.command()
@click.argument("source")
@click.argument("output_file", metavar="MT")
@click.argument("post_edit", metavar="POST_EDIT")
@click.option("--to", "stem", required=True, metavar="STEM", help="Write STEM.src .mt .pe .hter .tags.")
@threads_option
@output_options
def gold(source: str, output_file: str, post_edit: str, stem: str, n_threads: int, form: str, output: str) -> None:
    """Make a gold standard from outputs and their post-edits.

    Both are tokenised; it has the HTER of each sentence, and a tag for each word and gap.

    \b
      dragoman qe gold dev.src dev.mt dev.pe --to gold/dev
    """
    from dragoman.files import read_lines
    from dragoman.metrics import hter
    from dragoman.qe import QEData, write_qe

    data = QEData.of(read_lines(source), read_lines(output_file), read_lines(post_edit))
    edits = hter(data.outputs, data.post_edits, n_threads=n_threads)
    write_qe(data.having(edits.values, edits.tags), stem)
    emit(edits, form, output)


@click.command()
@click.argument("texts", nargs=-1, required=True, metavar="TRAIN TEST...")
@output_options
def audit(texts: tuple[str, ...], form: str, output: str) -> None:
    """Compare the quotation marks, dashes and spaces of texts.

    They are counted in training and test text; where these differ, it is said.

    \b
      dragoman qe audit train.src test.src
    """
    from dragoman.errors import DataError
    from dragoman.files import plain_name, read_lines
    from dragoman.qe.audit import audit_characters

    names = [plain_name(path) for path in texts]
    if len(set(names)) < len(names):
        names = list(texts)
    if len(set(names)) < len(names):
        raise DataError("A text is named twice.")
    emit(audit_characters({name: read_lines(path) for name, path in zip(names, texts, strict=True)}), form, output)


@click.command()
@click.argument("text")
@click.option("--language", default="", metavar="TAG", help="The language of the text: it has rules of its own.")
@click.option("--parser", type=click.Path(exists=True), help="A model's folder: also look at agreement.")
@click.option("--parses", type=click.Path(exists=True), metavar="FILE", help="Parses of the text, CoNLL-U, instead.")
@threads_option
@output_options
def check(
    text: str, language: str, parser: str | None, parses: str | None, n_threads: int, form: str, output: str
) -> None:
    """Look for breaches of grammar in tokenised text.

    Repeated words and marks, wrong forms of small words, disagreement.

    \b
      dragoman qe check test.mt --language es
      dragoman qe check test.mt --language es --parser parser.es
    """
    from dragoman.files import read_lines
    from dragoman.qe.checks import check_text
    from dragoman.qe.resources import GivenParses
    from dragoman.syntax import Parser

    if parser is not None and parses is not None:
        raise click.UsageError("give a parser or parses, and not both.")
    makes_parses: SentenceParser | None = None
    if parser is not None:
        makes_parses = Parser.load(parser)
    elif parses is not None:
        makes_parses = GivenParses.read(parses)
    emit(check_text(read_lines(text), language=language, parser=makes_parses, n_threads=n_threads), form, output)
