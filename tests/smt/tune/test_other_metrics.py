"""Any additive metric is an objective of tuning: those that know language, too."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.smt.tune import Objective

REFS = ["the old man walked to the house .", "a dog sleeps in the garden ."]
CANDIDATES = ["the old man walks to the house .", "the house old to .", "a dog sleeps in the garden .", "cats run ."]
SEGMENTS = np.array([0, 0, 1, 1])


@pytest.mark.parametrize("metric", ["meteor", "tesla-m", "spede", "terrorcat", "celab"])
def test_the_better_candidate_gains_more(metric: str) -> None:
    objective = Objective(metric, [REFS])
    rows = objective.rows(SEGMENTS, CANDIDATES)
    good, bad = objective.gain(rows[[0, 2]].sum(axis=0)), objective.gain(rows[[1, 3]].sum(axis=0))
    assert good > bad
    assert objective.shown(good) == pytest.approx(objective.metric.corpus_value([CANDIDATES[0], CANDIDATES[2]], [REFS]))
    gains = objective.sentence_gains(rows)
    assert gains[0] > gains[1]
    assert gains[2] > gains[3]
