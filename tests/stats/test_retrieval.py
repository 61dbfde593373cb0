"""Measures of ranked lists against their definitions, worked by hand and word for word."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.stats.retrieval import measure


def test_a_list_by_hand() -> None:
    # Relevant: 3 (one of grade 2), of which two are found, at ranks 1 and 4; one judged other at rank 2.
    values = measure([1, 0, None, 2], [1, 0, 2, 1, 0])
    assert values["P@5"] == pytest.approx(2 / 5)
    assert values["P@10"] == pytest.approx(2 / 10)
    assert values["MAP"] == pytest.approx((1 + 2 / 4) / 3)
    assert values["Rprec"] == pytest.approx(1 / 3)
    assert values["MRR"] == 1
    assert values["found"] == 2
    assert values["bpref"] == pytest.approx((1 + (1 - 1 / 2)) / 3)  # min(R, N) = 2
    ideal = 2 + 1 / math.log2(3) + 1 / 2
    assert values["NDCG@5"] == pytest.approx((1 + 2 / math.log2(5)) / ideal)


GRADES = st.sampled_from([0, 0, 1, 2])


@given(st.lists(st.one_of(st.none(), GRADES), max_size=14), st.lists(GRADES, max_size=6))
def test_measures_are_as_defined(ranking: list[int | None], missed: list[int]) -> None:
    judged = [grade for grade in ranking if grade is not None] + missed
    relevant = [n for n, grade in enumerate(ranking) if grade]
    n_relevant, n_other = sum(g > 0 for g in judged), sum(g == 0 for g in judged)
    values = measure(ranking, judged)
    precisions = [sum(1 for other in relevant if other <= n) / (n + 1) for n in relevant]
    above = [sum(1 for grade in ranking[:n] if grade == 0) for n in relevant]
    prefers = [1 - min(n, n_relevant) / min(n_relevant, n_other) if n else 1 for n in above]
    dcg = sum((grade or 0) / math.log2(n + 2) for n, grade in enumerate(ranking[:10]))
    best = sum(grade / math.log2(n + 2) for n, grade in enumerate(sorted(judged, reverse=True)[:10]))
    assert values["MAP"] == pytest.approx(sum(precisions) / n_relevant if n_relevant else 0)
    assert values["bpref"] == pytest.approx(sum(prefers) / n_relevant if n_relevant else 0)
    assert values["NDCG@10"] == pytest.approx(dcg / best if best else 0)
    assert values["P@5"] == pytest.approx(sum(n < 5 for n in relevant) / 5)
    assert values["Rprec"] == pytest.approx(sum(n < n_relevant for n in relevant) / n_relevant if n_relevant else 0)
