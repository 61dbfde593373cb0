"""Agreement coefficients against statsmodels, naive definitions and values from the literature."""

from __future__ import annotations

import warnings
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.stats import (
    cohen_kappa,
    count_pairs,
    fleiss_kappa,
    kappa_of,
    krippendorff_alpha,
    landis_koch,
    long_form,
    outcome_kappa,
    paired_r,
    score_bins,
    scott_pi,
    tied_chance,
)
from dragoman.stats.alpha import AlphaLevel


def statsmodels_raters() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of packages that it imports
        from statsmodels.stats import inter_rater
    return inter_rater


# Fleiss (1971): 14 judges, 10 subjects, 5 categories.
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]

_ = float("nan")
# Krippendorff (2011), C: four observers, twelve units, values 1–5, gaps.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]

# Findings 2012, Table 3: P(A), P(E), κ; inter, then intra. The print truncates.
TABLE_3 = {
    "cs-en": (0.567, 0.405, 0.272, 0.660, 0.405, 0.428),
    "en-cs": (0.576, 0.383, 0.312, 0.566, 0.383, 0.296),
    "de-en": (0.595, 0.401, 0.323, 0.733, 0.401, 0.554),
    "en-de": (0.598, 0.394, 0.336, 0.732, 0.394, 0.557),
    "es-en": (0.540, 0.408, 0.222, 0.792, 0.408, 0.648),
    "en-es": (0.504, 0.398, 0.176, 0.566, 0.398, 0.279),
    "fr-en": (0.568, 0.406, 0.272, 0.719, 0.406, 0.526),
    "en-fr": (0.519, 0.388, 0.214, 0.634, 0.388, 0.401),
    "WMT12": (0.568, 0.396, 0.284, 0.671, 0.396, 0.455),
    "WMT11": (0.601, 0.362, 0.375, 0.722, 0.362, 0.564),
}


@pytest.mark.parametrize("pair", TABLE_3)
def test_every_kappa_of_findings_2012_table_3_follows_from_its_shares(pair: str) -> None:
    for p_agree, p_chance, printed in (TABLE_3[pair][:3], TABLE_3[pair][3:]):
        assert kappa_of(p_agree, p_chance) == pytest.approx(printed, abs=0.001)


def test_chance_from_ties() -> None:
    assert tied_chance(1 / 3) == pytest.approx(1 / 3)  # what campaigns until 2011 took for granted
    assert tied_chance(0) == 0.5
    # WMT15 en-cs: 44,356 ties of 136,855, P(E) printed .333.
    assert tied_chance(44356 / 136855) == pytest.approx(0.333, abs=0.0005)
    with pytest.raises(DataError, match=r"share of ties lies between 0 and 1, got 1\.5"):
        tied_chance(1.5)


def test_kappa_of_shares() -> None:
    assert kappa_of(1, 0.4) == 1
    assert kappa_of(1, 1) is None
    with pytest.raises(DataError, match=r"P\(A\) is a share from 0 to 1, got 1.2"):
        kappa_of(1.2, 0.3)


def test_landis_and_koch() -> None:
    words = [landis_koch(value) for value in (-0.1, 0, 0.2, 0.21, 0.5, 0.7, 0.9)]
    assert words == ["poor", "slight", "slight", "fair", "moderate", "substantial", "almost perfect"]


def test_fleiss_classic_example() -> None:
    found = fleiss_kappa(FLEISS)
    assert found.value == pytest.approx(0.209931, abs=5e-7)
    assert (found.n_items, found.n_pairs, found.reading) == (10, 10 * 91, "fair")


def test_fleiss_by_the_formula_of_the_comprehension_test() -> None:
    """Hamon et al. (EACL 2009): κ = 1 − (n m² − Σ X²) / (n m (m − 1) Σ P(1 − P))."""
    x = np.array(FLEISS)
    n, m = 10, 14
    p = x.sum(axis=0) / (n * m)
    expected = 1 - (n * m * m - (x**2).sum()) / (n * m * (m - 1) * (p * (1 - p)).sum())
    assert fleiss_kappa(x).value == pytest.approx(expected, abs=1e-12)


@given(st.integers(2, 6), st.integers(2, 4), st.integers(1, 12), st.integers(0, 2**32))
def test_fleiss_against_statsmodels(m: int, k: int, n: int, seed: int) -> None:
    counts = np.random.default_rng(seed).multinomial(m, np.full(k, 1 / k), size=n)
    found = fleiss_kappa(counts).value
    if (counts.sum(axis=0) > 0).sum() > 1:
        assert found == pytest.approx(statsmodels_raters().fleiss_kappa(counts), abs=1e-10)
    else:
        assert found is None


def test_fleiss_errors() -> None:
    with pytest.raises(DataError, match="equally many judges on every item, got 2 to 3"):
        fleiss_kappa([[1, 1], [2, 1]])
    with pytest.raises(DataError, match="at least two judges on every item, got 1"):
        fleiss_kappa([[1, 0]])
    with pytest.raises(DataError, match=r"counts \(items, categories\), got the shape \(0,\)"):
        fleiss_kappa([])
    with pytest.raises(DataError, match="must be whole numbers"):
        fleiss_kappa([[1.5, 0.5]])
    with pytest.raises(DataError, match="must not be negative, got -1"):
        fleiss_kappa([[3, -1]])


LABELS = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=30)


@given(LABELS, st.sampled_from(["none", "linear", "quadratic"]))
def test_cohen_against_statsmodels(pairs: list[tuple[int, int]], weights: str) -> None:
    a, b = zip(*pairs, strict=True)
    found = cohen_kappa(a, b, weights=weights, labels=[1, 2, 3, 4])  # type: ignore[arg-type]
    table = np.zeros((4, 4))
    for x, y in pairs:
        table[x - 1, y - 1] += 1
    if len({*a, *b}) == 1:
        assert found.value is None
        return
    how = {"none": None, "linear": "linear", "quadratic": "quadratic"}[weights]
    expected = statsmodels_raters().cohens_kappa(table, wt=how, return_results=False)
    assert found.value == pytest.approx(expected, abs=1e-10)


@given(LABELS)
def test_scott_is_the_two_judges_case_of_fleiss(pairs: list[tuple[int, int]]) -> None:
    a, b = zip(*pairs, strict=True)
    counts = np.array([[(x == label) + (y == label) for label in range(1, 5)] for x, y in pairs])
    found, fleiss = scott_pi(a, b), fleiss_kappa(counts)
    assert found.value == pytest.approx(fleiss.value) if fleiss.value is not None else found.value is None


def test_two_judges_errors() -> None:
    with pytest.raises(DataError, match="no item in common"):
        cohen_kappa([], [])
    with pytest.raises(DataError, match=r"one label each for every item, got the shapes \(2,\) and \(1,\)"):
        scott_pi([1, 2], [1])
    with pytest.raises(DataError, match=r"The scale has no label 6\. Known: 1, 2, 3, 4, 5"):
        cohen_kappa([6], [1], labels=[1, 2, 3, 4, 5])
    with pytest.raises(DataError, match="weights is 'cubic'; expected none, linear or quadratic"):
        cohen_kappa([1], [2], weights="cubic")  # type: ignore[arg-type]


def test_an_unused_step_of_the_scale_counts_where_the_scale_is_named() -> None:
    a, b = [1, 1, 5, 2], [1, 5, 5, 2]
    named = cohen_kappa(a, b, weights="quadratic", labels=range(1, 6)).value
    assert cohen_kappa(a, b, weights="quadratic").value != named


@pytest.mark.parametrize(
    ("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_alpha_of_krippendorffs_own_example(level: AlphaLevel, published: float) -> None:
    found = krippendorff_alpha(*long_form(OBSERVERS), level=level)
    assert found.value == pytest.approx(published, abs=0.0005)
    assert found.n_items == 11  # unit 12 has one value


def naive_alpha(items: list[int], values: list[float], level: str) -> float | None:
    """Krippendorff's definition: coincidences of values within units, weighted by 1 / (m − 1)."""
    units = [[v for i, v in zip(items, values, strict=True) if i == unit] for unit in sorted(set(items))]
    units = [unit for unit in units if len(unit) > 1]
    everything = sorted(v for unit in units for v in unit)

    def distance(a: float, b: float) -> float:
        if level == "nominal":
            return float(a != b)
        if level == "ordinal":
            low, high = min(a, b), max(a, b)
            between = sum(low <= v <= high for v in everything)
            return 0.0 if a == b else (between - (everything.count(a) + everything.count(b)) / 2) ** 2
        if level == "interval":
            return (a - b) ** 2
        return 0.0 if a + b == 0 else ((a - b) / (a + b)) ** 2

    n = len(everything)
    observed = sum(2 * distance(a, b) / (len(unit) - 1) for unit in units for a, b in combinations(unit, 2)) / n
    expected = sum(2 * distance(a, b) for a, b in combinations(everything, 2)) / (n * (n - 1))
    return 1 - observed / expected if expected else None


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4)), min_size=2, max_size=25),
    st.sampled_from(["nominal", "ordinal", "interval", "ratio"]),
)
def test_alpha_against_its_definition(rows: list[tuple[int, int]], level: AlphaLevel) -> None:
    items, values = [i for i, _ in rows], [float(v) for _, v in rows]
    if max(items.count(i) for i in items) < 2:
        with pytest.raises(DataError, match="items has two values"):
            krippendorff_alpha(items, values, level=level)
        return
    expected = naive_alpha(items, values, level)
    found = krippendorff_alpha(items, values, level=level).value
    assert found == pytest.approx(expected, abs=1e-9) if expected is not None else found is None


def test_alpha_errors() -> None:
    with pytest.raises(DataError, match="level is 'cardinal'; expected nominal, ordinal, interval, ratio"):
        krippendorff_alpha([1, 1], [1, 2], level="cardinal")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="None of the 2 items has two values"):
        krippendorff_alpha([1, 2], [1, 2])
    with pytest.raises(DataError, match="A ratio scale has no values below 0, got -1"):
        krippendorff_alpha([1, 1], [-1, 2], level="ratio")
    with pytest.raises(DataError, match="A value is infinite"):
        krippendorff_alpha([1, 1], [float("inf"), 2])
    with pytest.raises(DataError, match=r"got the shapes \(2,\) and \(1,\)"):
        krippendorff_alpha([1, 1], [1])
    with pytest.raises(DataError, match=r"\(annotators, items\), got the shape \(2,\)"):
        long_form([1, 2])
    many = np.arange(5000.0).repeat(2)
    with pytest.raises(DataError, match=r"The ratio scale has 5000 values; at most 4096\. Round them first"):
        krippendorff_alpha(many, many, level="ratio")
    assert krippendorff_alpha(many, many, level="interval").value == 1


JUDGED = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=40)


@given(JUDGED)
def test_pairs_are_counted_as_if_they_were_listed(rows: list[tuple[int, int, int]]) -> None:
    items, labels, annotators = (np.array(column) for column in zip(*rows, strict=True))
    for same in (None, True, False):
        found = count_pairs(items, labels, annotators=annotators, same=same)
        listed = [(x, y) for x, y in combinations(rows, 2) if x[0] == y[0] and (same is None or (x[2] == y[2]) is same)]
        for item in range(int(items.max()) + 1):
            pairs = [(x, y) for x, y in listed if x[0] == item]
            assert found.pairs[item] == len(pairs)
            assert found.agreeing[item] == sum(x[1] == y[1] for x, y in pairs)


def test_outcome_kappa_needs_a_pair() -> None:
    with pytest.raises(DataError, match="No item was judged twice"):
        outcome_kappa(count_pairs(np.array([0, 1]), np.array([0, 1])), 0.4)


def test_perfect_and_random_judges() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(1, 6, 4000)
    other = rng.integers(1, 6, 4000)
    items = np.tile(np.arange(4000), 2)
    assert cohen_kappa(truth, truth).value == 1
    assert scott_pi(truth, truth).value == 1
    for level in ("nominal", "ordinal", "interval", "ratio"):
        assert krippendorff_alpha(items, np.concatenate([truth, truth]), level=level).value == 1
        assert krippendorff_alpha(items, np.concatenate([truth, other]), level=level).value == pytest.approx(
            0, abs=0.05
        )
    for weights in ("none", "linear", "quadratic"):
        assert cohen_kappa(truth, other, weights=weights).value == pytest.approx(0, abs=0.05)
    counts = count_pairs(items, np.concatenate([truth, other]) % 3)
    assert outcome_kappa(counts, 1 / 3).value == pytest.approx(0, abs=0.06)


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    """Two judges who agree by design in 70 % of items and else draw from three labels: κ = .7."""
    held = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        a = rng.integers(0, 3, 200)
        b = np.where(rng.random(200) < 0.7, a, rng.integers(0, 3, 200))
        interval = cohen_kappa(a, b, trials=300, seed=seed, level=0.9).interval
        assert interval is not None
        assert interval.low < interval.high
        held += interval.low <= 0.7 <= interval.high
    assert 48 <= held <= 60  # 54 of 60 expected


def test_the_same_seed_gives_the_same_interval() -> None:
    first, again, other = (fleiss_kappa(FLEISS, trials=200, seed=seed).interval for seed in (1, 1, 2))
    assert first == again
    assert first != other
    alpha = krippendorff_alpha(*long_form(OBSERVERS), level="ordinal", trials=200, seed=3).interval
    assert alpha is not None
    assert alpha.low <= 0.815 <= alpha.high


def test_no_interval_where_there_is_nothing_to_draw() -> None:
    assert cohen_kappa([1], [2], trials=100).interval is None
    assert cohen_kappa([1, 1, 1, 2], [1, 1, 1, 2], trials=100).interval is None  # a third of the draws has no κ


def test_scores_in_categories() -> None:
    assert score_bins([0, 19.9, 20, 50, 99, 100], 5, low=0, high=100).tolist() == [0, 0, 1, 2, 4, 4]
    assert np.bincount(score_bins(np.arange(100.0), 4)).tolist() == [25, 25, 25, 25]
    with pytest.raises(DataError, match="at least two categories, got 1"):
        score_bins([1], 1)
    with pytest.raises(DataError, match="need low < high, got 5 and 5"):
        score_bins([1], 2, low=5, high=5)
    with pytest.raises(DataError, match="The scores lie from 1 to 120, outside 0 to 100"):
        score_bins([1, 120], 2, low=0, high=100)


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=2, max_size=20))
@example([(0, 0), (0, 0), (0, 7)])  # equal scores, whose spread rounding makes a little more than 0
def test_r_of_pairs(rows: list[tuple[int, int]]) -> None:
    x, y = np.array(rows, dtype=float).T
    found, both = paired_r(x, y), paired_r(x, y, symmetric=True)
    if np.ptp(x) and np.ptp(y):
        assert found.value == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-7)
    else:
        assert found.value is None
    xx, yy = np.concatenate([x, y]), np.concatenate([y, x])
    assert both.value == (pytest.approx(np.corrcoef(xx, yy)[0, 1], abs=1e-7) if np.ptp(xx) else None)
    assert found.reading == ""


def test_r_needs_pairs() -> None:
    with pytest.raises(DataError, match="two equally long lists of at least two scores"):
        paired_r([1], [2])
    interval = paired_r([1, 2, 3, 4, 9], [1, 3, 2, 5, 8], trials=200, clusters=np.array([0, 0, 1, 2, 3])).interval
    assert interval is not None
    assert interval.low <= interval.high <= 1 + 1e-9
