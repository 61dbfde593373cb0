"""`dragoman cat data`."""

from __future__ import annotations

import click

from dragoman.cli.cat_opening import opened
from dragoman.cli.database import db_option, reading
from dragoman.cli.output import emit, form_options

__all__ = ["data"]


@click.command()
@click.argument("project")
@click.option("-o", "--output", "folder", required=True, type=click.Path(file_okay=False), help="Where to write it.")
@click.option(
    "--least",
    type=click.Choice(["translated", "approved"], case_sensitive=False),
    default="translated",
    show_default=True,
    help="How far a segment must be.",
)
@db_option
@form_options
def data(project: str, folder: str, least: str, db: str, form: str) -> None:
    """Write what was confirmed as data for training, tuning, quality estimation and a campaign.

    \b
      dragoman cat data letters -o data
      dragoman qe train --data data/post-edits --bitext data/confirmed.de data/confirmed.en -m quality

    The table says which command takes what. Segments that began as machine translation are post-edits.
    """
    from dragoman.cat.gathered import gather, write_gathering

    with reading(db) as connection:
        gathering = gather(connection, opened(connection, project), least=least)
    emit(write_gathering(gathering, folder, project), form, "-")
