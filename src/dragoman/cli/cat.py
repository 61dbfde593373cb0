"""`dragoman cat`: the translator's workbench from the command line."""

from __future__ import annotations

import click

from dragoman.cli.cat_analyse import analyse
from dragoman.cli.cat_checks import check, consistency, corrections, terms
from dragoman.cli.cat_data import data
from dragoman.cli.cat_learning import learning
from dragoman.cli.cat_memory import memory
from dragoman.cli.cat_package import package
from dragoman.cli.cat_pretranslate import pretranslate
from dragoman.cli.cat_projects import COMMANDS
from dragoman.cli.cat_simulate import simulate

__all__ = ["cat"]


@click.group()
def cat() -> None:
    """Translate documents with memories, terms and prediction."""


for _command in (
    *COMMANDS,
    analyse,
    check,
    consistency,
    corrections,
    data,
    learning,
    memory,
    package,
    pretranslate,
    simulate,
    terms,
):
    cat.add_command(_command)
