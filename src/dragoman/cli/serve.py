"""`dragoman serve`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from dragoman.cli.database import db_option
from dragoman.cli.recipes import recipe_options
from dragoman.web.settings import Settings

if TYPE_CHECKING:
    from dragoman.web.serving import Opening

__all__ = ["serve"]


@click.command()
@db_option
@recipe_options(
    Settings,
    skip=("db", "threads", "metrics_folder"),
    spellings={
        "hosts": ("--name",),
        "engines": ("--engine",),
        "repairers": ("--repairer",),
        "tasks": ("--task",),
        "services": ("--service",),
        "service_limits": ("--service-limit",),
    },
    argument="settings",
    variables={"url": "DRAGOMAN_URL", "proxies": "DRAGOMAN_PROXIES"},
)
@click.option("--json", "as_json", is_flag=True, help="Print the opening lines as one JSON object on standard output.")
def serve(db: str, settings: Settings, as_json: bool) -> None:
    """Run the server: people judge translations in the browser.

    \b
      dragoman serve
      dragoman serve --local
      dragoman serve --engine de-en=models/de-en --quality lsp=models/lsp
      dragoman serve --db postgresql://localhost/campaigns --workers 2 --url https://judge.example.org

    The database is made, or brought up to date, first. Where there is no admin yet, a link is printed that makes the
    first one; `--local` needs none and serves nobody but this machine. Ctrl-C stops the server when running requests
    have ended.
    """
    from dragoman.errors import NotAvailable

    try:
        from dragoman.web.serving import serve as run
    except ModuleNotFoundError as error:
        raise NotAvailable.package("The server", package=str(error.name), extra="web") from None

    def announce(opening: Opening) -> None:
        if as_json:
            import json
            from dataclasses import asdict

            click.echo(json.dumps({"kind": "server", "rows": [asdict(opening)], "meta": {}}))
            return
        state = "made" if opening.before is None else "opened"
        whom = " this machine alone, without login," if settings.local else ""
        click.echo(f"{opening.database} was {state}. Serving{whom} at {opening.address} (Ctrl-C stops it).", err=True)
        if opening.open_to_others:
            click.echo(
                f"dragoman: warning: other users of this machine may read {opening.database}; chmod 600 it.", err=True
            )
        for name, why in opening.learn_nothing:
            click.echo(f"dragoman: warning: --learning teaches the engine {name} nothing. {why}", err=True)
        for remark in opening.engine_remarks:
            click.echo(f"dragoman: warning: {remark}", err=True)
        if opening.first_admin:
            click.echo(
                f"There is no admin yet. Within 24 hours, make the first one here:\n{opening.first_admin}", err=True
            )

    run(replace(settings, db=db), announce=announce)
