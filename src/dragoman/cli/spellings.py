"""Options that several commands spell alike, and older spellings that still work, with a word on the new one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = ["bitext_option", "old_spelling"]

F = TypeVar("F", bound=Callable[..., Any])


class _OneOrTwo(click.Option):
    """An option with one value or two; the second is whatever follows and is no option."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Let the parser take the second value, too."""
        super().add_to_parser(parser, ctx)
        taker = parser._long_opt[self.opts[0]]
        process = taker.process

        def take(value: str, state: Any) -> None:
            follows = bool(state.rargs) and not state.rargs[0].startswith("-")
            process((value, state.rargs.pop(0)) if follows else (value,), state)

        taker.process = take

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:  # noqa: ARG002 - click's signature
        """The values as they are."""
        return value


def bitext_option(use: str) -> Callable[[F], F]:
    """Add `--bitext`, a tuple of the two files of lines or of one file of a format that holds bitexts, or None."""
    text = f"{use} Two files of lines, or one file as TMX, TSV …"
    return click.option("--bitext", cls=_OneOrTwo, metavar="SRC TGT | FILE", help=text)


def old_spelling(old: str, new: str, name: str, **settings: Any) -> Callable[[F], F]:
    """Add an option that is now spelt in another way: it is not in the help, works, and says so.

    The command gets what stands behind it as `name`.
    """

    def note(ctx: click.Context, _: click.Parameter, value: Any) -> Any:
        if value not in (None, ()) and not ctx.resilient_parsing:
            click.echo(f"dragoman: {old} of {ctx.command_path} is now {new}.", err=True)
        return value

    return click.option(old, name, hidden=True, callback=note, help=f"Old spelling of {new}.", **settings)
