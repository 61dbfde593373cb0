"""Options that bring in scores of others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from dragoman.metrics import GivenScores

__all__ = ["given_scores", "scores_options"]

F = TypeVar("F", bound=Callable[..., Any])


def scores_options(command: F) -> F:
    """Add `--scores` and `--lower-is-better`; the command gets `score_files` and `lower_is_better`."""
    command = click.option(
        "--lower-is-better",
        metavar="NAME",
        multiple=True,
        help="Of these given scores less is better, as of MetricX; may be repeated.",
    )(command)
    return click.option(
        "--scores",
        "score_files",
        metavar="[NAME=]FILE",
        multiple=True,
        help="Segment scores of another metric (COMET, MetricX, people), as TSV, JSON or mt-metrics-eval's; "
        "JSON lines of one system in each file, or with the system in each; may be repeated.",
    )(command)


def given_scores(files: Sequence[str], lower_is_better: Sequence[str]) -> list[GivenScores]:
    """The scores that the options name."""
    if not files and not lower_is_better:
        return []
    from dragoman.errors import UnknownName
    from dragoman.metrics import read_given_scores
    from dragoman.metrics.given_files import joined_scores

    given = joined_scores(each for file in files for each in read_given_scores(file, lower_is_better=lower_is_better))
    strange = [name for name in lower_is_better if name not in [each.name for each in given]]
    if strange:
        names = ", ".join(each.name for each in given) or "none"
        raise UnknownName(f"--lower-is-better names {', '.join(strange)}, but the given scores are: {names}.")
    return given
