"""Tables of a campaign in the database that no other command prints: judgements, decisions, forms of export."""

from __future__ import annotations

import click

from dragoman.cli.database import db_option, reading
from dragoman.cli.output import emit, output_options

__all__ = ["COMMANDS"]


@click.command()
@click.argument("name")
@click.option("--with-excluded", "excluded", is_flag=True, help="With the answers of excluded annotators.")
@click.option("--offset", type=click.IntRange(min=0), default=0, show_default=True, help="How many to pass over.")
@click.option("--limit", type=click.IntRange(min=1), default=1000, show_default=True, help="How many to show.")
@db_option
@output_options
def judgements(name: str, excluded: bool, offset: int, limit: int, db: str, form: str, output: str) -> None:
    """Show the judgements that count, in the order in which they came.

    \b
      dragoman campaign judgements sample-da --limit 20
    """
    from dragoman.store.judging.results import judgement_rows

    with reading(db) as connection:
        emit(judgement_rows(connection, name, excluded=excluded, offset=offset, limit=limit), form, output)


@click.command()
@click.argument("name")
@db_option
@output_options
def decisions(name: str, db: str, form: str, output: str) -> None:
    """Show what managers decided on items on which annotators differ.

    \b
      dragoman campaign decisions sample-da
    """
    from dragoman.store.judging.deciding import list_adjudications

    with reading(db) as connection:
        emit(list_adjudications(connection, name), form, output)


@click.command()
@click.argument("name")
@db_option
@output_options
def forms(name: str, db: str, form: str, output: str) -> None:
    """Show in which forms a campaign can be exported, and which of them fit its protocol.

    \b
      dragoman campaign forms sample-da
    """
    from dragoman.store.judging.exports import list_forms

    with reading(db) as connection:
        emit(list_forms(connection, name), form, output)


COMMANDS: list[click.Command] = [judgements, decisions, forms]
