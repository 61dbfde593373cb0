"""Who beat whom, as scores: the win ratios of WMT 2007–2013 and what pairwise counts can and cannot compare.

`wins[i, j]` says how often i was held better than j, `ties[i, j]` (symmetric) how often they were held equal. All
functions take stacks of such matrices, (…, n, n), and answer with (…, n). A score is NaN where there is nothing to
divide by: a system that was never compared has no score.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dragoman.errors import DataError

__all__ = [
    "bojar",
    "comparable_groups",
    "count_matrix",
    "expected_wins",
    "pair_shares",
    "unmet_pairs",
    "win_ratio",
    "wins_and_ties",
]

Floats = NDArray[np.float64]


def count_matrix(counts: ArrayLike, name: str = "wins") -> Floats:
    """Counts of pairs as float64 (…, n, n), checked: square, finite, not negative, nothing against itself."""
    matrix = np.asarray(counts, dtype=np.float64)
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2]:
        raise DataError(f"The {name} of n systems are a matrix (n, n), got the shape {matrix.shape}.")
    if not np.isfinite(matrix).all() or (matrix < 0).any():
        raise DataError(f"The {name} must be counts from 0 on; some are negative or not finite.")
    if np.diagonal(matrix, axis1=-2, axis2=-1).any():
        raise DataError(f"A system cannot be compared with itself: the diagonal of the {name} is not 0.")
    return matrix


def wins_and_ties(wins: ArrayLike, ties: ArrayLike) -> Floats:
    """Share of comparisons not lost: the official score of WMT 2007–2011 (Lopez 2012, Eq. 1; Findings 2012, Eq. 3)."""
    won, tied = _won_and_tied(wins, ties)
    return _ratio((won + tied).sum(-1), (won + _turned(won) + tied).sum(-1))


def win_ratio(wins: ArrayLike, ties: ArrayLike) -> Floats:
    """Share of comparisons won, ties in the denominator only (Lopez 2012, Eq. 2)."""
    won, tied = _won_and_tied(wins, ties)
    return _ratio(won.sum(-1), (won + _turned(won) + tied).sum(-1))


def bojar(wins: ArrayLike) -> Floats:
    """Share of decided comparisons won (Bojar et al. 2011; Lopez 2012, Eq. 3; official in WMT 2012)."""
    won = count_matrix(wins)
    return _ratio(won.sum(-1), (won + _turned(won)).sum(-1))


def expected_wins(wins: ArrayLike) -> Floats:
    """Mean over opponents of the share of decided comparisons won (Findings 2012, Eq. 10; official in WMT 2013).

    Every opponent weighs the same, however often it was met. An opponent never met (or only tied with) is left out
    of the mean, where the papers leave the case open; `unmet_pairs` says which.
    """
    shares = pair_shares(wins)
    met = ~np.isnan(shares)
    return _ratio(np.where(met, shares, 0.0).sum(-1), met.sum(-1))


def pair_shares(wins: ArrayLike) -> Floats:
    """p(i beats j) of every pair, (…, n, n); NaN on the diagonal and where no comparison was decided."""
    won = count_matrix(wins)
    return _ratio(won, won + _turned(won))


def unmet_pairs(counts: ArrayLike) -> list[tuple[int, int]]:
    """The pairs (i < j) without a comparison among those counted in one (n, n) matrix."""
    met = count_matrix(counts, "counts")
    first, second = np.nonzero(np.triu(met + met.T == 0, k=1))
    return list(zip(first.tolist(), second.tolist(), strict=True))


def comparable_groups(counts: ArrayLike) -> list[list[int]]:
    """The systems in groups linked by comparisons. Systems of different groups cannot be ranked against each other."""
    matrix = count_matrix(counts, "counts")
    met = matrix + matrix.T > 0
    left = list(range(len(met)))
    groups = []
    while left:
        group, new = [], [left[0]]
        while new:
            system = new.pop()
            left.remove(system)
            group.append(system)
            new += [other for other in left if met[system, other] and other not in new]
        groups.append(sorted(group))
    return groups


def _turned(matrix: Floats) -> Floats:
    return np.swapaxes(matrix, -1, -2)


def _won_and_tied(wins: ArrayLike, ties: ArrayLike) -> tuple[Floats, Floats]:
    won, tied = count_matrix(wins), count_matrix(ties, "ties")
    if won.shape != tied.shape:
        raise DataError(f"Wins and ties are of the same systems, got the shapes {won.shape} and {tied.shape}.")
    if not np.array_equal(tied, _turned(tied)):
        raise DataError("Ties hold both ways: the matrix of ties must be symmetric.")
    return won, tied


def _ratio(part: Floats, whole: NDArray[np.number]) -> Floats:
    quotient = np.full(np.shape(part), np.nan)
    np.divide(part, whole, out=quotient, where=np.asarray(whole) > 0)
    return quotient
