"""`dragoman cat memory`: what was translated before."""

from __future__ import annotations

from contextlib import closing
from typing import Literal

import click

from dragoman.cli.database import db_option, open_store, reading, writing
from dragoman.cli.output import LanguagePair, emit, form_options, output_options

__all__ = ["memory"]

_NAME = click.argument("name")


@click.group()
def memory() -> None:
    """Translation memories of a database: make, import, export, ask."""


@memory.command("new")
@_NAME
@click.option("--pair", metavar="SRC-TGT", type=LanguagePair(), required=True, help="Languages, as en-de.")
@db_option
@output_options
def new_memory(name: str, pair: str, db: str, form: str, output: str) -> None:
    """Make an empty memory that everybody may use.

    \b
      dragoman cat memory new manuals --pair en-de
    """
    from dragoman.store.audit import COMMAND_LINE
    from dragoman.store.translating.memories import create_memory, list_memories
    from dragoman.text.languages import parse_pair

    with closing(open_store(db, make=True)) as store, store.write() as connection:
        create_memory(connection, name, *parse_pair(pair), actor=COMMAND_LINE)
        emit(list_memories(connection), form, output)


@memory.command("list")
@db_option
@output_options
def list_all(db: str, form: str, output: str) -> None:
    """List the memories with their languages and numbers of units.

    \b
      dragoman cat memory list
    """
    from dragoman.store.translating.memories import list_memories

    with reading(db) as connection:
        emit(list_memories(connection), form, output)


@memory.command("import")
@_NAME
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--resume", "known", flag_value="resume", help="Go on behind the units of this file that are there.")
@click.option("--again", "known", flag_value="again", help="Take all units once more.")
@db_option
@output_options
def import_file(
    name: str, file: str, known: Literal["resume", "again"] | None, db: str, form: str, output: str
) -> None:
    """Add the units of a TMX file to a memory, in transactions of 5,000.

    \b
      dragoman cat memory import manuals old.tmx

    What ends it early leaves whole transactions, and says how many units are in; `--resume` goes on behind them.
    """
    from dragoman.cat.memory import import_tmx
    from dragoman.store.audit import COMMAND_LINE
    from dragoman.store.translating.memories import find_memory

    with closing(open_store(db)) as store:
        with store.read() as connection:
            into = find_memory(connection, name)
        try:
            result = import_tmx(store, into, file, actor=COMMAND_LINE, known=known or "refuse")
        except BaseException as error:
            for note in getattr(error, "__notes__", ()):  # how far it came, and how to go on
                click.echo(note, err=True)
            raise
        emit(result, form, output)


@memory.command("export")
@_NAME
@click.argument("file", type=click.Path(dir_okay=False))
@db_option
@form_options
def export_file(name: str, file: str, db: str, form: str) -> None:
    """Write a memory as TMX.

    \b
      dragoman cat memory export manuals manuals.tmx
    """
    from dragoman.cat.memory import export_tmx
    from dragoman.store.audit import Act
    from dragoman.store.translating.memories import find_memory

    with closing(open_store(db)) as store:
        with store.read() as connection:
            out_of = find_memory(connection, name)
        n_units = export_tmx(store, out_of, file)
    emit(Act("exported", f"memory {name}", f"{n_units:,} units to {file}"), form, "-")


@memory.command("delete")
@_NAME
@click.argument("units", nargs=-1, required=True, type=int)
@db_option
@form_options
def delete(name: str, units: tuple[int, ...], db: str, form: str) -> None:
    """Mark units of a memory as deleted, by their numbers.

    \b
      dragoman cat memory delete manuals 12 13
    """
    from dragoman.store.audit import COMMAND_LINE, Act
    from dragoman.store.translating.memories import delete_units, find_memory

    with writing(db) as connection:
        n_units = delete_units(connection, find_memory(connection, name), units, actor=COMMAND_LINE)
    emit(Act("deleted", f"memory {name}", f"{n_units:,} units"), form, "-")


@memory.command("matches")
@_NAME
@click.argument("text")
@click.option("--most", type=click.IntRange(1), default=3, show_default=True, help="How many to show.")
@click.option("--threshold", type=click.FloatRange(0, 101), default=50, show_default=True, help="Least per cent.")
@db_option
@output_options
def matches(name: str, text: str, most: int, threshold: float, db: str, form: str, output: str) -> None:
    """Show the units most like a text, with numbers and codes repaired.

    \b
      dragoman cat memory matches manuals "Close the door."
    """
    from dragoman.cat.memory import MemoryShelf, Penalised
    from dragoman.cat.memory.shown import MatchList
    from dragoman.store.translating.memories import find_memory

    with closing(open_store(db)) as store:
        with store.read() as connection:
            asked = Penalised(find_memory(connection, name))
        found = MemoryShelf(store).matches([asked], text, most=most, threshold=threshold)
    emit(MatchList.of(text, found), form, output)


@memory.command("concordance")
@_NAME
@click.argument("text")
@click.option(
    "--side",
    type=click.Choice(["source", "target"], case_sensitive=False),
    default="source",
    show_default=True,
    help="Where to look for it.",
)
@click.option("--words", is_flag=True, help="All words in any order, not one behind the other.")
@click.option("--most", type=click.IntRange(1), default=20, show_default=True, help="How many to show.")
@db_option
@output_options
def concordance(
    name: str, text: str, side: Literal["source", "target"], words: bool, most: int, db: str, form: str, output: str
) -> None:
    """Show the units that have a text, newest first.

    \b
      dragoman cat memory concordance manuals door
    """
    from dragoman.cat.memory import MemoryShelf
    from dragoman.cat.memory.shown import HitList
    from dragoman.store.translating.memories import find_memory

    with closing(open_store(db)) as store:
        with store.read() as connection:
            asked = find_memory(connection, name)
        hits = MemoryShelf(store).concordance([asked], text, side=side, mode="words" if words else "phrase", most=most)
    emit(HitList(tuple(hits), side), form, output)
