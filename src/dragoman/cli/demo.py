"""`dragoman demo`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options

__all__ = ["demo"]


@click.command()
@click.argument("folder", type=click.Path(), default="demo-output")
@output_options
def demo(folder: str, form: str, output: str) -> None:
    """Run the whole story on the samples and write a page that shows it.

    \b
      dragoman demo demo-output
    """
    from dragoman.demo import run_demo

    emit(run_demo(folder, progress=lambda step: click.echo(f"… {step}", err=True)), form, output)
