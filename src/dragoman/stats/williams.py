"""Williams' test: does one metric correlate better with people than another, on the same systems?

Graham & Baldwin, "Testing for Significance of Increased Correlation with Human Judgment" (EMNLP 2014), after Williams
(JRSS B, 1959). The two correlations share the human scores, so they are dependent; tests of independent ones (Fisher's
r→z, overlapping intervals) have less power or none. The power grows with the correlation of the two metrics with each
other, so the number of metrics that one beats is no ranking: read the pairs one by one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dragoman.errors import DataError
from dragoman.stats.arrays import Floats, check_level
from dragoman.stats.correlation import complete, pearson_matrix
from dragoman.stats.multiple import adjust

__all__ = ["DF_RULES", "Williams", "WilliamsMatrix", "significance_clusters", "williams_matrix", "williams_test"]

_Places = NDArray[np.int64]

# Published is n − 3. R's psych::r.test had n − 2 until November 2014, and so has the output that the authors stored.
DF_RULES = {"n-3": 3, "n-2": 2}

_ROUNDING = 1e-9  # a determinant below minus this is no rounding


@dataclass(frozen=True)
class Williams:
    """One test: t with its degrees of freedom, and the one-sided p that the first metric correlates better."""

    t: float
    p: float
    df: int
    n: int


def williams_test(r12: float, r13: float, r23: float, n: int, *, df: str = "n-3") -> Williams:
    """Williams' test from correlations: 1 and 2 are the metrics, 3 is human.

    t is (r13 − r23)·√((n−1)(1+r12)) over √(2K(n−1)/(n−3) + ((r23+r13)²/4)(1−r12)³), K the determinant of the three.
    Correlations that no three sets of scores can have (K < 0) are refused. Equal correlations give t = 0, p = ½.
    """
    one, two, three = (np.array([float(r)]) for r in (r12, r13, r23))
    t, p = _tests(one, two, three, np.array([n]), df)
    return Williams(float(t[0]), float(p[0]), n - DF_RULES[df], n)


def _tests(r12: Floats, r13: Floats, r23: Floats, n: NDArray[np.int64], df: str) -> tuple[Floats, Floats]:
    from scipy.special import stdtr

    if df not in DF_RULES:
        raise DataError(f"The degrees of freedom are {' or '.join(DF_RULES)}, got {df!r}.")
    if len(n) and int(n.min()) <= 3:
        raise DataError(f"Williams' test needs at least 4 systems that both metrics scored, got {int(n.min())}.")
    for name, r in (("r12", r12), ("r13", r13), ("r23", r23)):
        if np.any(np.abs(r) > 1):
            raise DataError(f"A correlation lies between −1 and 1, got {name} = {float(r[np.abs(r) > 1][0])}.")
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    wrong = np.flatnonzero(determinant < -_ROUNDING)
    if len(wrong):
        k = wrong[0]
        raise DataError(
            f"No scores can have the correlations r12 = {r12[k]:.4f}, r13 = {r13[k]:.4f}, r23 = {r23[k]:.4f} "
            f"(their determinant is {determinant[k]:.4f}). Were absolute values taken of some? Negate the scores of "
            "error metrics instead."
        )
    determinant = np.maximum(determinant, 0.0)
    top = (r13 - r23) * np.sqrt((n - 1) * (1 + r12))
    bottom = np.sqrt(2 * determinant * (n - 1) / (n - 3) + (r23 + r13) ** 2 / 4 * (1 - r12) ** 3)
    # Two metrics that are one and the same, up to scale, leave nothing below the line, nor above it.
    same = np.abs(top) <= 1e-15
    with np.errstate(divide="ignore", invalid="ignore"):
        t: Floats = np.where(same, 0.0, top / bottom)
    return t, np.asarray(stdtr(n - DF_RULES[df], -t), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class WilliamsMatrix:
    """All pairs of metrics. `p[a, b]` asks whether a correlates better than b; NaN where a does not, or is a itself.

    Metrics stand in the order given. Only the cell of the metric with the higher correlation is filled, since one
    looks where the difference points; two that correlate equally leave both cells empty.
    """

    r: Floats  # with people, (k,), as oriented
    r_metrics: Floats  # with each other, (k, k), as oriented
    n: NDArray[np.int64]  # systems of each pair, (k, k)
    t: Floats
    p: Floats
    p_adjusted: Floats
    correction: str
    reversed: tuple[int, ...]  # metrics whose scores were negated

    def significant(self, alpha: float = 0.05) -> int:
        """How many pairs the test separates at this level."""
        check_level(alpha, "alpha")
        return int(np.count_nonzero(self.p_adjusted <= alpha))

    @property
    def n_pairs(self) -> int:
        """Pairs of metrics."""
        return len(self.r) * (len(self.r) - 1) // 2


def williams_matrix(
    metrics: ArrayLike, human: ArrayLike, *, orient: bool = True, df: str = "n-3", correction: str = "none"
) -> WilliamsMatrix:
    """Williams' test for all pairs of metrics: `metrics` is (k, systems), `human` (systems,), NaN is missing.

    Each pair is tested on the systems that both metrics and people scored. `orient` negates the scores of metrics that
    correlate negatively with people, as error rates do: what the paper does by absolute values, without the triples
    that these can make impossible. A metric whose scores are all equal has no correlation and no p; nor has a pair that
    shares three systems or fewer, unless none shares more, which is refused.
    """
    table = np.array(metrics, dtype=np.float64, ndmin=2)
    gold = np.asarray(human, dtype=np.float64)
    if gold.ndim != 1 or table.shape[1] != len(gold):
        raise DataError(f"Metrics and people must have scored the same systems, got {table.shape} and {gold.shape}.")
    k = len(table)
    own = [_r_with(row, gold) for row in table]
    flipped = tuple(a for a in range(k) if orient and own[a] < 0)
    table[list(flipped)] *= -1
    r = np.abs(own) if orient else np.array(own)

    is_judged = ~np.isnan(gold)
    first, second = np.triu_indices(k, 1)
    if not np.isnan(table[:, is_judged]).any():
        every = pearson_matrix(np.vstack([table[:, is_judged], gold[is_judged]]))
        between, r13, r23 = every[first, second], every[first, k], every[second, k]
        n = np.full(len(first), int(is_judged.sum()))
    else:
        triples = [_triple(table[a], table[b], gold) for a, b in zip(first, second, strict=True)]
        between, r13, r23 = (np.array([triple[i] for triple in triples], dtype=np.float64) for i in range(3))
        n = np.array([triple[3] for triple in triples], dtype=np.int64)
    defined = ~(np.isnan(between) | np.isnan(r13) | np.isnan(r23))
    if len(n) and int(n.max()) > 3:
        defined &= n > 3
    t, p = np.full(len(first), np.nan), np.full(len(first), np.nan)
    # The metric with the higher correlation comes first; t changes its sign with the order, nothing else.
    high, low = np.maximum(r13, r23), np.minimum(r13, r23)
    t[defined], p[defined] = _tests(between[defined], high[defined], low[defined], n[defined], df)

    better, worse = np.where(r13 >= r23, first, second), np.where(r13 >= r23, second, first)
    is_defined = defined & (r13 != r23)
    adjusted = np.full(len(first), np.nan)
    adjusted[is_defined] = adjust(p[is_defined], correction)
    return WilliamsMatrix(
        r=r,
        r_metrics=_symmetric(k, first, second, between, 1.0),
        n=_symmetric(k, first, second, n, 0).astype(np.int64),
        t=_cells(k, better[is_defined], worse[is_defined], t[is_defined]),
        p=_cells(k, better[is_defined], worse[is_defined], p[is_defined]),
        p_adjusted=_cells(k, better[is_defined], worse[is_defined], adjusted[is_defined]),
        correction=correction,
        reversed=flipped,
    )


def significance_clusters(order: Sequence[int], p: ArrayLike, *, alpha: float = 0.05) -> list[int]:
    """The cluster of each metric, from 1, by WMT22's rule (Freitag et al. 2022, §6): one number for each in `order`.

    Going down from the best, metrics share a cluster until one is significantly worse than any metric of it; that one
    opens the next. `p[a, b]` is the p-value that a is better than b, NaN where there is none.
    """
    check_level(alpha, "alpha")
    table = np.asarray(p, dtype=np.float64)
    clusters: list[int] = []
    members: list[int] = []
    number = 1
    for metric in order:
        if any(table[member, metric] <= alpha for member in members):
            number, members = number + 1, []
        members.append(metric)
        clusters.append(number)
    return clusters


def _r_with(row: Floats, gold: Floats) -> float:
    pairs = complete(row, gold)
    return float(pearson_matrix(np.stack([row[pairs], gold[pairs]]))[0, 1]) if pairs.sum() > 1 else math.nan


def _triple(a: Floats, b: Floats, gold: Floats) -> tuple[float, float, float, int]:
    triples = complete(a, b, gold)
    r = pearson_matrix(np.stack([a[triples], b[triples], gold[triples]]))
    return float(r[0, 1]), float(r[0, 2]), float(r[1, 2]), int(triples.sum())


def _symmetric(k: int, first: _Places, second: _Places, values: ArrayLike, diagonal: float) -> Floats:
    table = np.full((k, k), float(diagonal))
    table[first, second] = table[second, first] = values
    return table


def _cells(k: int, rows: _Places, columns: _Places, values: ArrayLike) -> Floats:
    table = np.full((k, k), np.nan)
    table[rows, columns] = values
    return table
