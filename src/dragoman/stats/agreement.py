"""Do judges say the same: κ in its several definitions and Krippendorff's α, on arrays.

All of them are 1 − D_o / D_e, the disagreement observed over the disagreement that chance alone would give. They differ
in what counts as a disagreement and in what chance is. Pairs of judgements are counted from contingency tables per
item, never listed, so that time is linear in the judgements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dragoman.errors import DataError
from dragoman.stats.arrays import Floats, check_level, check_trials
from dragoman.stats.interval import Interval, percentile_interval

__all__ = [
    "Coefficient",
    "PairCounts",
    "coefficient_of",
    "cohen_kappa",
    "count_pairs",
    "fleiss_kappa",
    "kappa_of",
    "landis_koch",
    "outcome_kappa",
    "paired_r",
    "score_bins",
    "scott_pi",
    "tied_chance",
]

Ints = NDArray[np.int64]
Weights = Literal["none", "linear", "quadratic"]

# Landis & Koch (Biometrics 1977): a habit of speech, not a test.
_READINGS = ((0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))
_LEAST_DEFINED = 0.9  # share of resamples in which a coefficient must be defined for its interval to mean anything


@dataclass(frozen=True)
class Coefficient:
    """An agreement coefficient with what it was made from. `value` is None where chance alone leaves no room."""

    statistic: str
    value: float | None
    observed: float  # disagreement; for κ of categories 1 − P(A)
    expected: float  # disagreement by chance; for κ of categories 1 − P(E)
    n_items: int  # items with at least two judgements
    n_pairs: int  # pairs of judgements on one item
    interval: Interval | None = None

    @property
    def p_agree(self) -> float:
        """P(A): the share of pairs of judgements that agree (for κ of categories)."""
        return 1.0 - self.observed

    @property
    def p_chance(self) -> float:
        """P(E): the share that would agree by chance (for κ of categories)."""
        return 1.0 - self.expected

    @property
    def reading(self) -> str:
        """Landis & Koch's word for the value; empty where there is none, and for r, of which they do not speak."""
        return "" if self.value is None or self.statistic == "pearson" else landis_koch(self.value)


def landis_koch(value: float) -> str:
    """The word for a coefficient: poor (below 0), slight, fair, moderate, substantial, almost perfect."""
    if value < 0:
        return "poor"
    return next((word for bound, word in _READINGS if value <= bound), "almost perfect")


def kappa_of(p_agree: float, p_chance: float) -> float | None:
    """κ = (P(A) − P(E)) / (1 − P(E)); None where chance agrees always."""
    for name, share in (("P(A)", p_agree), ("P(E)", p_chance)):
        if not 0 <= share <= 1:
            raise DataError(f"{name} is a share from 0 to 1, got {share}.")
    return None if p_chance == 1 else (p_agree - p_chance) / (1 - p_chance)


def cohen_kappa(
    first: ArrayLike,
    second: ArrayLike,
    *,
    weights: Weights = "none",
    labels: Sequence[object] | None = None,
    trials: int = 0,
    level: float = 0.95,
    seed: int = 12345,
) -> Coefficient:
    """Cohen's κ of two judges on the same items (1960), each with a chance of their own; weighted: Cohen 1968.

    Weights count how many steps of the scale lie between two labels (linear) or the square of that (quadratic). The
    scale is `labels` in its order, or the labels that occur, sorted: name it where a step may be unused. With `trials`
    there is a bootstrap interval over items.
    """
    a, b, n_labels = _two_judges(first, second, labels)
    distance = _distances(n_labels, weights)
    table = _one_hot(a * n_labels + b, n_labels * n_labels)

    def disagreements(totals: Floats) -> tuple[Floats, Floats]:
        cells = totals.reshape(-1, n_labels, n_labels) / totals.sum(axis=1)[:, None, None]
        chance = cells.sum(axis=2)[:, :, None] * cells.sum(axis=1)[:, None, :]
        return (cells * distance).sum(axis=(1, 2)), (chance * distance).sum(axis=(1, 2))

    name = "cohen" if weights == "none" else f"cohen-{weights}"
    return coefficient_of(name, table, disagreements, len(a), len(a), trials, level, seed)


def scott_pi(
    first: ArrayLike,
    second: ArrayLike,
    *,
    labels: Sequence[object] | None = None,
    trials: int = 0,
    level: float = 0.95,
    seed: int = 12345,
) -> Coefficient:
    """Scott's π of two judges (1955): chance is one distribution of labels for both."""
    a, b, n_labels = _two_judges(first, second, labels)
    table = np.column_stack([_one_hot(a, n_labels) + _one_hot(b, n_labels), a != b, np.ones(len(a))])

    def disagreements(totals: Floats) -> tuple[Floats, Floats]:
        shares = totals[:, :n_labels] / (2 * totals[:, -1:])
        return totals[:, -2] / totals[:, -1], 1 - (shares**2).sum(axis=1)

    return coefficient_of("scott", table, disagreements, len(a), len(a), trials, level, seed)


def fleiss_kappa(counts: ArrayLike, *, trials: int = 0, level: float = 0.95, seed: int = 12345) -> Coefficient:
    """Fleiss' κ (1971) from how many judges put each item into each category: (items, categories).

    Every item must have the same number of judges, at least two; Krippendorff's α takes items with fewer.
    """
    table = _whole(counts, "counts")
    if table.ndim != 2 or not table.size:
        raise DataError(f"Fleiss' κ needs counts (items, categories), got the shape {table.shape}.")
    judges = table.sum(axis=1)
    if len(set(judges.tolist())) > 1:
        raise DataError(
            f"Fleiss' κ needs equally many judges on every item, got {judges.min()} to {judges.max()}. "
            "Krippendorff's α takes items judged by different numbers."
        )
    m = int(judges[0])
    if m < 2:
        raise DataError(f"Fleiss' κ needs at least two judges on every item, got {m}.")
    rows = np.column_stack([table, m * m - (table**2).sum(axis=1), np.ones(len(table))]).astype(np.float64)

    def disagreements(totals: Floats) -> tuple[Floats, Floats]:
        shares = totals[:, :-2] / (m * totals[:, -1:])
        return totals[:, -2] / (m * (m - 1) * totals[:, -1]), 1 - (shares**2).sum(axis=1)

    return coefficient_of("fleiss", rows, disagreements, len(table), len(table) * m * (m - 1) // 2, trials, level, seed)


@dataclass(frozen=True)
class PairCounts:
    """Pairs of judgements on one item: how many there are and how many of them agree, item by item."""

    agreeing: Ints
    pairs: Ints

    def __sub__(self, other: PairCounts) -> PairCounts:
        return PairCounts(self.agreeing - other.agreeing, self.pairs - other.pairs)


def count_pairs(items: Ints, labels: Ints, *, annotators: Ints | None = None, same: bool | None = None) -> PairCounts:
    """Pairs of judgements on the same item, and how many agree. All arrays hold numbers from 0 on.

    Without `annotators` every pair counts. With them, `same=False` counts pairs of different annotators and
    `same=True` those of one annotator with themselves.
    """
    n_items = int(items.max(initial=-1)) + 1
    everything = PairCounts(_pairs_within(items, labels, n_items), _pairs_within(items, None, n_items))
    if annotators is None or same is None:
        return everything
    n_annotators = int(annotators.max(initial=0)) + 1
    own, group = np.unique(items * n_annotators + annotators, return_inverse=True)
    owner = own // n_annotators

    def by_item(pairs: Ints) -> Ints:
        return np.bincount(owner, weights=pairs, minlength=n_items).astype(np.int64)

    n_groups = len(own)
    repeats = PairCounts(by_item(_pairs_within(group, labels, n_groups)), by_item(_pairs_within(group, None, n_groups)))
    return repeats if same else everything - repeats


def tied_chance(tied_share: float) -> float:
    """P(E) of the outcomes better, equal, worse: the ties' share, and half of the rest for either side (WMT 2012)."""
    if not 0 <= tied_share <= 1:
        raise DataError(f"The share of ties lies between 0 and 1, got {tied_share}.")
    return float(tied_share**2 + 2 * ((1 - tied_share) / 2) ** 2)


def score_bins(scores: ArrayLike, n_bins: int, *, low: float | None = None, high: float | None = None) -> Ints:
    """Continuous scores as categories 0 … n − 1, for κ alone (Graham et al. 2013): never for a decision on scores.

    With `low` and `high` the categories are equally wide (raw scores); without, they hold equal shares of the scores
    (standardised ones: the bottom fifth, …).
    """
    x = np.asarray(scores, dtype=np.float64)
    if n_bins < 2:
        raise DataError(f"Scores are cut into at least two categories, got {n_bins}.")
    if (low is None) != (high is None) or (low is not None and high is not None and not low < high):
        raise DataError(f"Equally wide categories need low < high, got {low} and {high}.")
    if low is None or high is None:
        edges = np.quantile(x, np.arange(1, n_bins) / n_bins) if len(x) else np.zeros(n_bins - 1)
    else:
        if len(x) and not (low <= x.min() and x.max() <= high):
            raise DataError(f"The scores lie from {x.min():g} to {x.max():g}, outside {low:g} to {high:g}.")
        edges = low + (high - low) * np.arange(1, n_bins) / n_bins
    return np.searchsorted(edges, x, side="right").astype(np.int64)


def outcome_kappa(
    counts: PairCounts,
    p_chance: float,
    *,
    clusters: Ints | None = None,
    trials: int = 0,
    level: float = 0.95,
    seed: int = 12345,
) -> Coefficient:
    """WMT's κ: P(A) over pairs of judgements of one item, P(E) given: see `tied_chance`; 1/3 until 2011.

    `clusters` says which items stand or fall together (those of one segment): the bootstrap draws clusters that have
    pairs, and keeps P(E), which rests on far more judgements than P(A).
    """
    n_pairs = int(counts.pairs.sum())
    if n_pairs == 0:
        raise DataError("No item was judged twice: there is no pair of judgements to compare.")
    groups = np.arange(len(counts.pairs)) if clusters is None else clusters
    n_groups = int(groups.max()) + 1
    by_cluster = [np.bincount(groups, column, n_groups) for column in (counts.agreeing, counts.pairs)]
    rows = np.column_stack(by_cluster).astype(np.float64)

    def disagreements(totals: Floats) -> tuple[Floats, Floats]:
        return 1 - totals[:, 0] / totals[:, 1], np.full(len(totals), 1 - p_chance)

    n_items = int(np.count_nonzero(counts.pairs))
    return coefficient_of("kappa", rows[rows[:, 1] > 0], disagreements, n_items, n_pairs, trials, level, seed)


def paired_r(
    first: ArrayLike,
    second: ArrayLike,
    *,
    clusters: Ints | None = None,
    symmetric: bool = False,
    trials: int = 0,
    level: float = 0.95,
    seed: int = 12345,
) -> Coefficient:
    """Pearson's r of paired scores, with the same interval as the other coefficients; None where one side is constant.

    `symmetric` enters every pair both ways round, for pairs of which neither is the first (Fisher's intraclass r).
    `clusters` are drawn together. r = 1 − D_o / D_e with D_o half the mean squared difference of standardised scores.
    """
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape or len(x) < 2:
        raise DataError(f"r needs two equally long lists of at least two scores, got {x.shape} and {y.shape}.")
    middle = (x.mean() + y.mean()) / 2  # one for both: apart, symmetric pairs would lose their difference of level
    x, y = x - middle, y - middle
    rows = np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y])
    if symmetric:
        rows = np.column_stack([2 * rows[:, 0], x + y, x + y, x * x + y * y, x * x + y * y, 2 * x * y])
    _, group = np.unique(np.arange(len(x)) if clusters is None else clusters, return_inverse=True)
    summed = np.column_stack([np.bincount(group, column) for column in rows.T]).astype(np.float64)

    def disagreements(totals: Floats) -> tuple[Floats, Floats]:
        n, sx, sy, sxx, syy, sxy = totals.T
        of_x, of_y = n * sxx - sx * sx, n * syy - sy * sy
        defined = (of_x > 1e-13 * n * sxx) & (of_y > 1e-13 * n * syy)  # below is what rounding leaves of equal scores
        spread = np.sqrt(np.maximum(0, of_x) * np.maximum(0, of_y))
        r = np.divide(n * sxy - sx * sy, spread, out=np.zeros_like(spread), where=defined)
        return 1 - r, defined.astype(np.float64)

    return coefficient_of("pearson", summed, disagreements, len(np.unique(group)), len(x), trials, level, seed)


def coefficient_of(
    name: str,
    rows: NDArray[np.float64],
    disagreements: Callable[[Floats], tuple[Floats, Floats]],
    n_items: int,
    n_pairs: int,
    trials: int,
    level: float,
    seed: int,
) -> Coefficient:
    """The coefficient of additive rows, with its interval over resampled rows."""
    observed, expected = disagreements(rows.sum(axis=0, keepdims=True))
    value = float(1 - observed[0] / expected[0]) if expected[0] > 0 else None
    interval = None
    if trials and value is not None:
        check_trials(trials)
        check_level(level)
        interval = _bootstrap(value, rows, disagreements, trials, level, seed)
    return Coefficient(name, value, float(observed[0]), float(expected[0]), n_items, n_pairs, interval)


def _bootstrap(
    value: float,
    rows: NDArray[np.float64],
    disagreements: Callable[[Floats], tuple[Floats, Floats]],
    trials: int,
    level: float,
    seed: int,
) -> Interval | None:
    from dragoman._core import resample
    from dragoman.rng import Stream
    from dragoman.stats.replicates import pieces

    if len(rows) < 2:
        return None
    key = Stream(seed, "bootstrap").key
    rows = np.ascontiguousarray(rows, dtype=np.float64)
    parts = []
    for first, count in pieces(trials, rows.shape[1]):
        observed, expected = disagreements(resample.bootstrap_totals(rows, count, key, first_trial=first))
        defined = expected > 0
        parts.append(1 - observed[defined] / expected[defined])
    replicates = np.concatenate(parts)
    # A resample of equal labels has no κ; an interval of what is left would be too narrow.
    if len(replicates) < _LEAST_DEFINED * trials:
        return None
    return percentile_interval(value, replicates, level=level, seed=seed)


def _pairs_within(groups: Ints, labels: Ints | None, n_groups: int) -> Ints:
    """n(n − 1)/2 summed over the members of each group, or over those of one label."""
    if labels is None:
        sizes = np.bincount(groups, minlength=n_groups)
        return sizes * (sizes - 1) // 2
    n_labels = int(labels.max(initial=0)) + 1
    sizes = np.bincount(groups * n_labels + labels, minlength=n_groups * n_labels).reshape(n_groups, n_labels)
    agreeing: Ints = (sizes * (sizes - 1) // 2).sum(axis=1)
    return agreeing


def _two_judges(first: ArrayLike, second: ArrayLike, labels: Sequence[object] | None) -> tuple[Ints, Ints, int]:
    a, b = np.asarray(first), np.asarray(second)
    if a.ndim != 1 or a.shape != b.shape:
        raise DataError(f"Two judges need one label each for every item, got the shapes {a.shape} and {b.shape}.")
    if not len(a):
        raise DataError("The two judges have no item in common.")
    if labels is None:
        scale, numbers = np.unique(np.concatenate([a, b]), return_inverse=True)
        return numbers[: len(a)], numbers[len(a) :], len(scale)
    place = {label: number for number, label in enumerate(labels)}
    strange = sorted({str(label) for label in [*a.tolist(), *b.tolist()] if label not in place})
    if strange:
        raise DataError(f"The scale has no label {', '.join(strange)}. Known: {', '.join(map(str, place))}.")
    numbered = [np.array([place[label] for label in judge.tolist()], dtype=np.int64) for judge in (a, b)]
    return numbered[0], numbered[1], len(place)


def _distances(n_labels: int, weights: str) -> Floats:
    if weights not in ("none", "linear", "quadratic"):
        raise DataError(f"weights is {weights!r}; expected none, linear or quadratic.")
    steps = np.abs(np.subtract.outer(np.arange(n_labels), np.arange(n_labels))).astype(np.float64)
    if weights == "none":
        return (steps > 0).astype(np.float64)
    # Divided by the longest distance, so that 1 − D_o reads as agreement.
    return (steps if weights == "linear" else steps**2) / max(1, (n_labels - 1) ** (1 if weights == "linear" else 2))


def _one_hot(numbers: Ints, n: int) -> NDArray[np.float64]:
    table = np.zeros((len(numbers), n))
    table[np.arange(len(numbers)), numbers] = 1
    return table


def _whole(counts: ArrayLike, name: str) -> Ints:
    array = np.asarray(counts)
    if array.dtype.kind not in "iu" and not np.array_equal(array, np.round(array)):
        raise DataError(f"The {name} must be whole numbers.")
    whole: Ints = array.astype(np.int64)
    if (whole < 0).any():
        raise DataError(f"The {name} must not be negative, got {whole.min()}.")
    return whole
