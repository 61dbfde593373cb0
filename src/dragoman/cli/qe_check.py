"""`dragoman qe check`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, threads_option

__all__ = ["check"]


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
    """Look for breaches of grammar in tokenised text: repeated words and marks, wrong forms, disagreement.

    \b
      dragoman qe check test.mt --language es
      dragoman qe check test.mt --language es --parser parser.es
    """
    from dragoman.files import read_lines
    from dragoman.qe.checks import check_text
    from dragoman.qe.resources import GivenParses
    from dragoman.qe.resources.parses import SentenceParser
    from dragoman.syntax import Parser

    if parser is not None and parses is not None:
        raise click.UsageError("give a parser or parses, and not both.")
    found: SentenceParser | None = None
    if parser is not None:
        found = Parser.load(parser)
    elif parses is not None:
        found = GivenParses.read(parses)
    emit(check_text(read_lines(text), language=language, parser=found, n_threads=n_threads), form, output)
