"""All commands, as a walk through the tree finds them."""

from __future__ import annotations

from collections.abc import Iterator

import click

from dragoman.cli.main import group

__all__ = ["every_command"]


def every_command(above: click.Group = group, words: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Commands and groups with their names, `text tokenize`, from the top down."""
    context = click.Context(above)
    for name in above.list_commands(context):
        command = above.get_command(context, name)
        assert command is not None
        yield " ".join((*words, name)), command
        if isinstance(command, click.Group):
            yield from every_command(command, (*words, name))
