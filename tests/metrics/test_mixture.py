"""Weighted sums of metrics."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.errors import DataError, UnknownName
from dragoman.metrics import METRICS, make_metric
from dragoman.metrics.mixture import Mixture

HYPS = ["the house is small", "a green apple", ""]
REFS = [["the house is little", "the green apple", "nothing"]]


@pytest.mark.parametrize(
    ("spec", "terms"),
    [
        ("bleu+-1*ter", [(1.0, "bleu"), (-1.0, "ter")]),
        ("0.5*chrf+++.5*bleu+1", [(0.5, "chrf++"), (0.5, "bleu+1")]),
        ("bleu:tokeniser=none,lowercase=yes+-2.5*wer", [(1.0, "bleu:lowercase=yes,tokeniser=none"), (-2.5, "wer")]),
        ("2*bleu", [(2.0, "bleu")]),
    ],
)
def test_a_sum_is_read_and_written(spec: str, terms: list[tuple[float, str]]) -> None:
    mixture = make_metric(spec)
    assert isinstance(mixture, Mixture)
    assert mixture.terms == tuple((weight, METRICS.make(name)) for weight, name in terms)
    assert make_metric(mixture.spec()) == mixture
    value = mixture.corpus_value(HYPS, REFS)
    assert value == pytest.approx(sum(w * METRICS.make(name).corpus_value(HYPS, REFS) for w, name in terms))
    parts = [w * METRICS.make(name).values(METRICS.make(name).stats(HYPS, REFS)) for w, name in terms]
    np.testing.assert_allclose(mixture.values(mixture.stats(HYPS, REFS)), np.sum(parts, axis=0))


def test_what_cannot_be_mixed() -> None:
    with pytest.raises(DataError, match="The metric 'nist' is no function of summed statistics of segments"):
        make_metric("bleu+0.1*nist")
    with pytest.raises(UnknownName, match="No metric is called 'blue'"):
        make_metric("1*blue")
    with pytest.raises(DataError, match=r"'0.5\*' is no sum of metrics; write it as bleu\+-1\*ter"):
        make_metric("0.5*")
