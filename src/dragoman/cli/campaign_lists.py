"""What `dragoman campaign` shows of a campaign in the database: judgements, and what the store makes of them."""

from __future__ import annotations

from pkgutil import resolve_name

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
    """List the judgements of all who are not excluded, in the order in which they came.

    \b
      dragoman campaign judgements sample-da --limit 20
    """
    from dragoman.store.judging.results import judgement_rows

    with reading(db) as connection:
        emit(judgement_rows(connection, name, excluded=excluded, offset=offset, limit=limit), form, output)


def _view(word: str, function: str, text: str) -> click.Command:
    """A command that shows what a function of the store says of a campaign."""

    @click.command(word, help=f"{text}\n\n\b\n  dragoman campaign {word} sample-da")
    @click.argument("name")
    @db_option
    @output_options
    def command(name: str, db: str, form: str, output: str) -> None:
        with reading(db) as connection:
            emit(resolve_name(function)(connection, name), form, output)

    return command


COMMANDS: list[click.Command] = [
    judgements,
    _view(
        "coverage",
        "dragoman.store.judging.state:campaign_coverage",
        "Show how often everything is to be judged, by the plan in the database.",
    ),
    _view(
        "payments",
        "dragoman.store.judging.payments:campaign_payments",
        "List what each person did, with the crowd platform's id.",
    ),
    _view(
        "decisions",
        "dragoman.store.judging.deciding:list_adjudications",
        "Show what managers decided on items on which annotators differ.",
    ),
    _view(
        "forms",
        "dragoman.store.judging.exports:list_forms",
        "Show in which forms a campaign can be exported, and which of them fit its protocol.",
    ),
    _view(
        "quality",
        "dragoman.store.judging.state:campaign_quality",
        "Say who judges with care: controls, repeats, agreement, time.",
    ),
    _view(
        "ranking",
        "dragoman.store.judging.ranking:live_ranking",
        "Rank the systems by the judgements so far, and say whether those are enough.",
    ),
    _view(
        "standing",
        "dragoman.store.judging.state:campaign_standing",
        "Say how sure the order of the systems is, and whether to go on.",
    ),
]
