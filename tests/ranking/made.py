"""Made-up judgements for the tests of rankings."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.data import Comparisons
from dragoman.testing.rankings import campaign
from dragoman.testing.rankings import comparisons as made

__all__ = ["campaign", "from_wins", "made"]


def from_wins(wins: Sequence[Sequence[int]]) -> Comparisons:
    """Comparisons with these wins and no ties, each on a screen of its own."""
    return made([(i, j, 1) for i, row in enumerate(wins) for j, count in enumerate(row) for _ in range(count)])
