"""Pairs that people and a metric order alike or otherwise: counts, WMT's τ by year, tie-calibrated accuracy."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dragoman.errors import DataError, UnknownName
from dragoman.stats.arrays import Floats

__all__ = [
    "TAU_VARIANTS",
    "CalibratedAccuracy",
    "Concordance",
    "TauVariant",
    "calibrated_accuracy",
    "count_concordance",
    "item_pairs",
    "pair_tau",
    "tau_rows",
]

Signs = NDArray[np.int8]

_MOST_PAIRS = 50_000_000  # 400 MB of differences


@dataclass(frozen=True)
class Concordance:
    """Every pair of items is one of five things; ties count once, in the field that says where."""

    concordant: int
    discordant: int
    ties_human: int  # tied by people alone
    ties_metric: int  # tied by the metric alone
    ties_both: int

    @property
    def n_pairs(self) -> int:
        """All pairs."""
        return self.concordant + self.discordant + self.ties_human + self.ties_metric + self.ties_both

    @property
    def difference(self) -> int:
        """Concordant minus discordant, the numerator of every τ."""
        return self.concordant - self.discordant

    @property
    def accuracy(self) -> float:
        """Share of pairs with the same relation on both sides (acc_eq, Deutsch et al., EMNLP 2023)."""
        return (self.concordant + self.ties_both) / self.n_pairs


def count_concordance(human: ArrayLike, metric: ArrayLike) -> Concordance:
    """The five counts over all pairs of items, in O(n log n)."""
    h, m = np.asarray(human, dtype=np.float64), np.asarray(metric, dtype=np.float64)
    if h.ndim != 1 or h.shape != m.shape or np.isnan(h).any() or np.isnan(m).any():
        raise DataError(f"Pairs are counted in two lists of scores of the same items, got {h.shape} and {m.shape}.")
    h_rank = np.unique(h, return_inverse=True)[1].reshape(-1).astype(np.int64)
    m_rank = np.unique(m, return_inverse=True)[1].reshape(-1).astype(np.int64)
    # Within a human tie the metric's ranks ascend, so that these pairs are no inversions.
    order = np.argsort(h_rank * (int(m_rank.max(initial=0)) + 1) + m_rank, kind="stable")
    h_sorted, m_sorted = h_rank[order], m_rank[order]
    discordant = _inversions(m_sorted)
    new = np.flatnonzero((h_sorted[1:] != h_sorted[:-1]) | (m_sorted[1:] != m_sorted[:-1])) + 1
    both = _pairs_within(np.diff(np.r_[0, new, len(h)]))
    human_ties, metric_ties = _pairs_within(np.bincount(h_rank)), _pairs_within(np.bincount(m_rank))
    n_pairs = len(h) * (len(h) - 1) // 2
    return Concordance(
        concordant=n_pairs - discordant - human_ties - metric_ties + both,
        discordant=discordant,
        ties_human=human_ties - both,
        ties_metric=metric_ties - both,
        ties_both=both,
    )


def _pairs_within(sizes: NDArray[np.int64]) -> int:
    return int((sizes * (sizes - 1) // 2).sum())


def _inversions(ranks: NDArray[np.int64]) -> int:
    """Pairs in which a higher rank stands before a lower one, bit by bit from the highest.

    Two ranks that differ first in bit b are inverted if, among those that share the bits above, the one stands before
    the zero. Keeping the ranks grouped by the bits above, in their old order, makes each bit one pass.
    """
    total, ordered = 0, ranks
    starts = np.zeros(1, dtype=np.int64)  # of the groups
    for bit in range(int(ranks.max(initial=0)).bit_length() - 1, -1, -1):
        ones = (ordered >> bit) & 1
        sizes = np.diff(np.r_[starts, len(ordered)])
        before = np.r_[0, np.cumsum(ones)]
        ones_before = before[:-1] - np.repeat(before[starts], sizes)  # within the group
        total += int(ones_before.sum() - (ones_before * ones).sum())
        # Zeros to the front of their group, ones behind them, both in their old order.
        n_zeros = sizes - (before[starts + sizes] - before[starts])
        first = np.repeat(starts, sizes)
        zeros_before = np.arange(len(ordered)) - first - ones_before
        place = first + np.where(ones == 1, np.repeat(n_zeros, sizes) + ones_before, zeros_before)
        moved = np.empty_like(ordered)
        moved[place] = ordered
        ordered = moved
        starts = np.unique(np.stack([starts, starts + n_zeros], axis=1))
        starts = starts[starts < len(ordered)]
    return total


@dataclass(frozen=True)
class TauVariant:
    """How a segment-level τ treats a pair: what a metric's tie is worth, and whether it is counted.

    τ = Σ coefficient / number of counted pairs. A pair that people held equal is not counted in any year; concordant
    is 1, discordant −1 (the matrices of Macháček & Bojar, WMT 2014, Table 4 and §3.2).
    """

    name: str
    metric_tie: int | None  # its coefficient; None leaves the pair out
    source: str


_BY_TIE = {
    # (C − D − T)/(C + D + T)
    -1: {
        "wmt10": "Findings of WMT10 §6: (C − D)/all pairs, human ties left out; metric ties not named, read as in 2012",
        "wmt11": "Findings of WMT11 §5: as 2010",
        "wmt12": "Findings of WMT12 §5: human ties are skipped, a metric tie counts as discordant",
        "wmt17": "daRR of WMT17: as 2018",
        "wmt18": "Ma et al. 2018, daRR: pairs of segment DA 25 points or more apart; a metric tie is discordant",
        "wmt19": "Ma et al. 2019: as 2018",
        "wmt20": "Mathur et al. 2020: as 2018",
    },
    # (C − D)/(C + D)
    None: {"wmt13": "Macháček & Bojar 2013: metric ties are left out like human ones"},
    # (C − D)/(C + D + T)
    0: {
        "wmt14": "Macháček & Bojar 2014: a metric tie is worth 0 and is counted",
        "wmt15": "Stanojević et al. 2015: as 2014",
        "wmt16": "Bojar et al. 2016, RRseg: as 2014 (DAseg is Pearson's r)",
    },
}
TAU_VARIANTS: dict[str, TauVariant] = {
    name: TauVariant(name, metric_tie, source)
    for metric_tie, years in _BY_TIE.items()
    for name, source in years.items()
}
TAU_VARIANTS = dict(sorted(TAU_VARIANTS.items()))


def tau_rows(human: ArrayLike, metric: ArrayLike, variant: str = "wmt14") -> Floats:
    """A row [coefficient, counted] for each pair, from signs: +1 the first is better, 0 equal, −1 the second.

    The rows are additive: τ of any set of pairs is the sum of coefficients over the sum of counts, so the house's
    bootstrap and randomisation tests apply to it. A sign that is NaN (the metric has no score) is refused.
    """
    if variant not in TAU_VARIANTS:
        raise UnknownName(f"No τ variant is called {variant!r}. Known: {', '.join(TAU_VARIANTS)}.")
    h, m = np.sign(np.asarray(human, dtype=np.float64)), np.sign(np.asarray(metric, dtype=np.float64))
    if h.ndim != 1 or h.shape != m.shape or np.isnan(h).any() or np.isnan(m).any():
        raise DataError(f"τ needs one outcome of each side for every pair, got the shapes {h.shape} and {m.shape}.")
    tie = TAU_VARIANTS[variant].metric_tie
    counted = (h != 0) & ((m != 0) | (tie is not None))
    coefficient = np.where(m == 0, 0 if tie is None else tie, h * m) * counted
    return np.stack([coefficient, counted.astype(np.float64)], axis=1)


def pair_tau(human: ArrayLike, metric: ArrayLike, variant: str = "wmt14") -> float:
    """WMT's segment-level τ of pairwise outcomes; NaN if no pair is counted."""
    coefficient, counted = tau_rows(human, metric, variant).sum(axis=0)
    return float(coefficient / counted) if counted else math.nan


def item_pairs(n_systems: int, n_items: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """All pairs of systems on every item: (first, second, item), items outermost."""
    first, second = np.triu_indices(n_systems, 1)
    item = np.repeat(np.arange(n_items), len(first))
    return np.tile(first, n_items), np.tile(second, n_items), item


@dataclass(frozen=True)
class CalibratedAccuracy:
    """acc_eq with the ε that serves the metric best: metric scores at most ε apart are ties."""

    accuracy: float
    epsilon: float
    uncalibrated: float  # at ε = 0
    n_pairs: int
    n_groups: int
    by_group: Floats  # accuracy of each group at the chosen ε


def calibrated_accuracy(
    human: ArrayLike, metric: ArrayLike, group: ArrayLike | None = None, *, epsilon: float | None = None
) -> CalibratedAccuracy:
    """Tie-calibrated pairwise accuracy (Deutsch, Foster & Freitag, "Ties Matter", EMNLP 2023).

    `human` and `metric` are differences of scores, one for each pair; `group` numbers the item of each pair from 0, and
    the accuracy is the mean over groups (WMT23's group-by-item); without groups all pairs are one. ε is looked for
    among all absolute differences, exactly and in O(n log n); of equally good ones the smallest is taken. A fixed
    `epsilon` (found on other data) skips the search.
    """
    h, m = np.asarray(human, dtype=np.float64), np.asarray(metric, dtype=np.float64)
    if h.ndim != 1 or h.shape != m.shape or not np.isfinite(h).all() or not np.isfinite(m).all():
        raise DataError(f"Accuracy needs a difference of each side for every pair, got {h.shape} and {m.shape}.")
    if not len(h):
        raise DataError("There are no pairs: at least two systems must have scores of one item.")
    if len(h) > _MOST_PAIRS:
        raise DataError(f"{len(h):,} pairs are too many for calibration; group the pairs by item.")
    numbers = np.zeros(len(h), dtype=np.int64) if group is None else np.asarray(group)
    _, numbers, sizes = np.unique(numbers, return_inverse=True, return_counts=True)
    numbers = numbers.reshape(-1)
    weight = 1.0 / (sizes[numbers] * len(sizes))
    right = np.sign(h) == np.sign(m)
    start = float(weight[right].sum())
    if epsilon is None:
        # A pair made a tie is right if people tied it. What was right already and stays, or wrong and stays, is 0.
        gain = weight * ((h == 0).astype(np.float64) - right)
        gap = np.abs(m)
        order = np.argsort(gap, kind="stable")
        gap, reached = gap[order], start + np.cumsum(gain[order])
        last = np.flatnonzero(np.r_[gap[1:] != gap[:-1], True])  # ε takes all pairs with the same difference
        thresholds, accuracies = np.r_[0.0, gap[last]], np.r_[start, reached[last]]
        # Sums in another order differ in the last digits; the smallest ε that is as good wins.
        epsilon = float(thresholds[np.flatnonzero(accuracies >= accuracies.max() - 1e-12)[0]])
    elif not epsilon >= 0:
        raise DataError(f"ε is a difference of scores, 0 or more, got {epsilon}.")
    tied = np.where(np.abs(m) <= epsilon, 0.0, m)
    good = np.bincount(numbers, weights=np.sign(h) == np.sign(tied), minlength=len(sizes)) / sizes
    return CalibratedAccuracy(float(good.mean()), epsilon, start, len(h), len(sizes), good)
