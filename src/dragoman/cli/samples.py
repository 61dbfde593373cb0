"""`dragoman samples`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options

__all__ = ["samples"]


@click.command()
@click.argument("folder", type=click.Path())
@output_options
def samples(folder: str, form: str, output: str) -> None:
    """Write the samples into a folder: a phrasebook and a test set.

    \b
      dragoman samples samples
    """
    from dragoman.samples import copy_samples

    emit(copy_samples(folder), form, output)
