"""`dragoman serve`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dragoman.cli.database import db_option

if TYPE_CHECKING:
    from dragoman.web.serving import Opening

__all__ = ["serve"]


@click.command()
@db_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at; 0.0.0.0 for all.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port; 0 takes a free one."
)
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Worker processes.")
@click.option("--url", default="", help="Public address, for links; by default http://HOST:PORT.")
@click.option(
    "--name",
    "hosts",
    metavar="NAME",
    multiple=True,
    help="Name by which people reach it without --url; localhost and IP addresses are known.",
)
@click.option("--proxies", default="", help="Addresses of reverse proxies whose X-Forwarded headers count.")
@click.option(
    "--session-hours",
    type=click.IntRange(min=1),
    default=72,
    show_default=True,
    help="A session ends after so long without a request.",
)
@click.option(
    "--max-body",
    type=click.IntRange(min=1024),
    default=16 << 20,
    show_default=True,
    help="Largest body of a request, in bytes.",
)
@click.option(
    "--engine",
    "engines",
    metavar="NAME=FOLDER",
    multiple=True,
    help="Engine that translates at /v1/translate; may be repeated, the first is the default.",
)
@click.option(
    "--quality",
    metavar="NAME=FOLDER",
    multiple=True,
    help="Quality estimator at /v1/quality; may be repeated, the first is the default.",
)
@click.option(
    "--learning",
    default="",
    metavar="FOLDER",
    help="Where engines keep what they learn from confirmed segments, a copy for each translation project.",
)
@click.option(
    "--desk-seconds",
    type=click.FloatRange(min=0.05),
    default=60.0,
    show_default=True,
    help="Longest time of one job on the scoring pages.",
)
@click.option("--public-metrics", is_flag=True, help="Show /metrics to everybody; without it only to admins.")
@click.option(
    "--own-campaigns", is_flag=True, help="Managers see and change only campaigns that they made or were given."
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
    help="How much to log; JSON lines on standard error.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the opening lines as one JSON object on standard output.")
def serve(as_json: bool, **options: Any) -> None:
    """Run the server: people judge translations in the browser.

    \b
      dragoman serve
      dragoman serve --engine de-en=models/de-en --quality lsp=models/lsp
      dragoman serve --db postgresql://localhost/campaigns --workers 2 --url https://judge.example.org

    The database is made, or brought up to date, first. Where there is no admin yet, a link is printed that makes the
    first one. Ctrl-C stops the server when running requests have ended.
    """
    from dragoman.errors import NotAvailable

    try:
        from dragoman.web.serving import serve as run
        from dragoman.web.settings import Settings
    except ModuleNotFoundError as error:
        raise NotAvailable.package("The server", package=str(error.name), extra="web") from None

    def announce(opening: Opening) -> None:
        if as_json:
            import json
            from dataclasses import asdict

            click.echo(json.dumps({"kind": "server", "rows": [asdict(opening)], "meta": {}}))
            return
        made = "made" if opening.before is None else "opened"
        click.echo(f"{opening.database} was {made}. Serving at {opening.address} (Ctrl-C stops it).", err=True)
        if opening.first_admin:
            click.echo(
                f"There is no admin yet. Within 24 hours, make the first one here:\n{opening.first_admin}", err=True
            )

    run(Settings(**options), announce=announce)
