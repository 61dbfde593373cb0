"""Projects as commands open them, with what is wrong with their engines, and engines as commands name them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from dragoman.store.translating.projects import Project

__all__ = ["check_engine", "opened"]


def opened(connection: Connection, name: str) -> Project:
    """Return the project of a name; warn if its engine does not fit or its learning copy is an old one."""
    from dragoman.cat.project_engines import engine_remark
    from dragoman.store.translating.engines import served_engines
    from dragoman.store.translating.projects import named_project

    project = named_project(connection, name)
    if remark := engine_remark(project, served_engines(connection)):
        click.echo(f"dragoman: warning: {remark}", err=True)
    return project


def check_engine(connection: Connection, given: str | None, langs: tuple[str, str]) -> str | None:
    """Return the name in `NAME` or `NAME=FOLDER`; an engine of other languages is refused.

    Languages are those of the folder, or of the engine of this name that the database's server served last.
    """
    if given is None:
        return None
    from dragoman.cat.project_engines import check_languages
    from dragoman.store.translating.engines import served_engines

    name, _, folder = given.partition("=")
    pairs = {each: (engine.source, engine.target) for each, engine in served_engines(connection).engines.items()}
    if folder:
        pairs[name] = _languages(folder)
    if name in pairs:
        check_languages(name, langs, pairs)
    else:
        click.echo(
            f"dragoman: warning: no server of this database has served an engine {name} yet, so its languages were not "
            f"checked. To check them, name its folder: --engine {name}=FOLDER.",
            err=True,
        )
    return name


def _languages(folder: str) -> tuple[str, str]:
    from dragoman.engines import Translates, load_engine, need

    path = Path(folder).expanduser()
    return need(load_engine(str(path) if path.exists() else folder), Translates).languages
