"""Options of `dragoman qe` that name parsers, grammars, taggers of names, and dictionaries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = ["parser_options"]

F = TypeVar("F", bound=Callable[..., Any])


def parser_options(command: F) -> F:
    """Add `--source-parser --source-grammar --source-names --source-dictionary`, and the same of the target."""
    for side in ("target", "source"):
        command = click.option(
            f"--{side}-dictionary",
            type=click.Path(),
            metavar="FILE",
            help=f"A Hunspell dictionary (.aff, .dic) of the {side} language: copied into the resources.",
        )(command)
    models = {
        "names": "a tagger of names",
        "grammar": "a grammar of constituents",
        "parser": "a parser of dependencies",
    }
    for kind, made_by in models.items():
        for side in ("target", "source"):
            command = click.option(
                f"--{side}-{kind}",
                type=click.Path(exists=True),
                help=f"A model's folder, {made_by} of the {side} language: copied into the resources.",
            )(command)
    return command
