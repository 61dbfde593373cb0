"""`dragoman cat package`: a project in one file, to be handed on."""

from __future__ import annotations

from pathlib import Path

import click

from dragoman.cli.cat_opening import opened
from dragoman.cli.database import db_option, open_store, reading
from dragoman.cli.output import emit, form_options

__all__ = ["package"]


@click.group()
def package() -> None:
    """A whole project in one file: write one, make a project of one."""


@package.command("export")
@click.argument("project")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--bare", is_flag=True, help="Leave out memories and jobs.")
@db_option
@form_options
def export_package(project: str, file: str, bare: bool, db: str, form: str) -> None:
    """Write a project with its files, segments, terms, memories and jobs.

    \b
      dragoman cat package export letters letters.zip
    """
    from dragoman.cat.packing import pack
    from dragoman.errors import DataError
    from dragoman.store.audit import Act

    if Path(file).exists():
        raise DataError(f"{file} is there already; name another file.")
    with reading(db) as connection:
        made = pack(connection, opened(connection, project), whole=not bare)
    Path(file).write_bytes(made.to_bytes())
    parts = f"{len(made.files)} files, {len(made.segments):,} segments, {len(made.memories)} memories"
    emit(Act("exported", f"project {made.name}", f"{parts}, {len(made.jobs)} jobs to {file}"), form, "-")


@package.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--name", metavar="NAME", help="Name of the new project; by default that of the package.")
@click.option("--assign", is_flag=True, help="Give people who are called as in the package their jobs again.")
@db_option
@form_options
def import_package(file: str, name: str | None, assign: bool, db: str, form: str) -> None:
    """Make a project of a package, with its memories: all of it, or nothing.

    \b
      dragoman cat package import letters.zip
      dragoman cat package import letters.zip --name again --assign
    """
    from dragoman.cat.packages import Package
    from dragoman.cat.packing import give_jobs, keep, package_parts, prepared
    from dragoman.cat.reports import report_of
    from dragoman.store.audit import COMMAND_LINE

    content = Package.from_bytes(Path(file).read_bytes(), name=file)
    missing: list[str] = []
    store, read = open_store(db, make=True), prepared(content, package_parts(content))
    with store.write() as connection:
        made = keep(connection, read, actor=COMMAND_LINE, name=name)
        if assign:
            missing = give_jobs(connection, made, content, actor=COMMAND_LINE)
        report = report_of(connection, made)
    if missing:
        click.echo(f"Nobody here is called {', '.join(missing)}; their jobs are given to nobody.", err=True)
    emit(report, form, "-")
