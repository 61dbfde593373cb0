"""`dragoman cat pretranslate`."""

from __future__ import annotations

from contextlib import nullcontext

import click

from dragoman.cli.bill import bill_told
from dragoman.cli.cat_opening import opened
from dragoman.cli.database import db_option, open_store
from dragoman.cli.output import emit, output_options
from dragoman.cli.progress import shown_progress

__all__ = ["pretranslate"]


@click.command()
@click.argument("project")
@click.option("-m", "--model", metavar="ENGINE", help="Engine for what no memory has: a folder, or NAME:OPTIONS.")
@click.option(
    "--least",
    type=click.FloatRange(0, 101),
    help="Least per cent of a match; by default what the project thinks machine translation is worth.",
)
@db_option
@output_options
def pretranslate(project: str, model: str | None, least: float | None, db: str, form: str, output: str) -> None:
    """Fill the empty segments of a project as drafts: from memories, from what its files propose, from an engine.

    \b
      dragoman cat pretranslate letters -m engine
      dragoman cat pretranslate letters --least 100

    What anybody has written stays. A run that was stopped is gone on with by the same command.
    """
    from dragoman.cat.memory import MemoryShelf
    from dragoman.cat.pretranslation import Pretranslator
    from dragoman.cat.project_engines import check_languages
    from dragoman.engines import Translates, load_engine, need

    store = open_store(db)
    with store.read() as connection:
        found = opened(connection, project)
    engine = None if model is None else need(load_engine(model), Translates)
    if model is not None and engine is not None:
        check_languages(model, (found.source_lang, found.target_lang), {model: engine.languages})
    lent = None if engine is None else lambda: nullcontext(engine)
    name = found.engine or model or ""
    with bill_told(engine), shown_progress() as progress:
        result = Pretranslator(store, found, MemoryShelf(store), lent, name, least).run(progress)
    emit(result, form, output)
