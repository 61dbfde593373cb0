"""`dragoman qe`: a table of subcommands, each imported when it is called."""

from __future__ import annotations

from collections.abc import MutableMapping
from importlib import import_module

import click

__all__ = ["qe"]

_MODULES = {
    "audit": "qe_text",
    "check": "qe_text",
    "classify": "qe_classes",
    "decide": "qe_models",
    "documents": "qe_classes",
    "evaluate": "qe_evaluate",
    "explain": "qe_models",
    "features": "qe_resources",
    "gold": "qe_text",
    "predict": "qe_models",
    "report": "qe_models",
    "resources": "qe_resources",
    "select": "qe_select",
    "trace": "qe_traces",
    "train": "qe_train",
    "trees": "qe_trees",
    "words": "qe_words",
}


class _LazyGroup(click.Group):
    """A group whose commands are imported on first use: some need parsers, aligners and language models."""

    @property
    def commands(self) -> MutableMapping[str, click.Command]:
        """All of them, for help and reference pages."""
        return {name: self._load(name) for name in _MODULES}

    @commands.setter
    def commands(self, commands: MutableMapping[str, click.Command]) -> None: ...

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        return self._load(cmd_name) if cmd_name in _MODULES else None

    def _load(self, name: str) -> click.Command:
        command: click.Command = getattr(import_module(f"dragoman.cli.{_MODULES[name]}"), name)
        return command


@click.group(cls=_LazyGroup)
def qe() -> None:
    """Estimate the quality of translations without a reference."""
