"""`dragoman demo`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from dragoman.cli.output import emit, output_options

if TYPE_CHECKING:
    from dragoman.web.serving import Opening

__all__ = ["demo"]


@click.command()
@click.argument("folder", type=click.Path(), default="demo-output")
@output_options
def demo(folder: str, form: str, output: str) -> None:
    """Run the whole story on the samples, and write a page of it.

    \b
      dragoman demo demo-output

    On a terminal the server of the demo's campaign, which simulated judges filled, stays until Ctrl-C.
    """
    from dragoman.demo import run_demo

    done = run_demo(folder, progress=lambda step: click.echo(f"… {step}", err=True))
    emit(done, form, output)
    if done.campaign is not None and sys.stdin.isatty() and sys.stdout.isatty():
        from dragoman.web.serving import serve
        from dragoman.web.settings import Settings

        click.echo(f"Serving {done.campaign.link} until Ctrl-C.", err=True)
        settings = Settings(
            db=done.campaign.database,
            port=done.campaign.port,
            engines=(f"de-en={done.folder}/engine",),
            log_level="warning",
        )
        serve(settings, announce=_invite)


def _invite(opening: Opening) -> None:
    if opening.first_admin:
        click.echo(f"To see everything in it, the workbench too, become its admin: {opening.first_admin}", err=True)
