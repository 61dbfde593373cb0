"""`dragoman text annotate`."""

from __future__ import annotations

from typing import Any

import click

from dragoman.cli.output import RegistryChoice, output_options
from dragoman.cli.streaming import stream_lines
from dragoman.cli.text import source_argument
from dragoman.text.annotate.base import ANNOTATORS

__all__ = ["annotate"]


@click.command()
@source_argument
@click.option(
    "-a",
    "--annotator",
    "specs",
    multiple=True,
    type=RegistryChoice(ANNOTATORS),
    metavar="NAME[:OPTION=VALUE,…]",
    help="An annotator; several give several factors. --list names them.",
)
@click.option("--list", "list_all", is_flag=True, help="List the annotators and stop.")
@output_options
def annotate(source: str, specs: tuple[str, ...], list_all: bool, form: str, output: str) -> None:
    """Write lemmas, parts of speech … behind tokens, as factors.

    \b
      dragoman text tokenize samples/testset/reference-A.en | dragoman text annotate -a snowball:lang=en

    The text must be tokenised: tokens are what white space separates. A token that the annotator says nothing about
    gets an underscore; of several values, all are written, joined by commas.
    """
    from dragoman.text import check_needs

    if list_all:
        from dragoman.cli.output import emit
        from dragoman.report import Listing

        emit(Listing.of_registry(ANNOTATORS), form, output)
        return
    if not specs:
        raise click.UsageError("Name an annotator with -a; dragoman text annotate --list shows them.")
    annotators = [ANNOTATORS.make(spec) for spec in specs]
    check_needs(annotators)

    def change(lines: list[str]) -> list[str]:
        token_lines = [line.split() for line in lines]
        layers = [annotator.annotate(token_lines) for annotator in annotators]
        return [
            " ".join("|".join([token, *map(_shown, values)]) for token, *values in zip(tokens, *rows, strict=True))
            for tokens, *rows in zip(token_lines, *layers, strict=True)
        ]

    stream_lines(
        change, source, form=form, output=output, made_by={"annotators": [each.signature() for each in annotators]}
    )


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, set | frozenset | list | tuple):
        return ",".join(sorted(map(str, value))) or "_"
    return str(value) if value else "_"
