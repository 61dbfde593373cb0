"""`dragoman inspect`."""

from __future__ import annotations

from pathlib import Path

import click

from dragoman.cli.output import emit, output_options, strict_option

__all__ = ["inspect"]


@click.command()
@click.argument("path", metavar="MODEL|JUDGEMENTS", type=click.Path())
@strict_option
@output_options
def inspect(path: str, form: str, output: str) -> None:
    """Show what is in a model folder, or in a file of judgements.

    \b
      dragoman inspect my-truecaser
      dragoman inspect testset/judgements/ranking.csv

    Of judgements: their kind, and how many there are, by how many annotators, of how many systems, how many left blank.
    """
    if not (Path(path) / "manifest.json").exists():
        from dragoman.data.judgements.reading import is_judgement_file, read_judgements

        if Path(path).is_file() or is_judgement_file(path):
            from dragoman.data.judgements.summary import summarise_judgements

            emit(summarise_judgements(read_judgements(path)), form, output)
            return
    from dragoman.report import inspect_model

    emit(inspect_model(path), form, output)
