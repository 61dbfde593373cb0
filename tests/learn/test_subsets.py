from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman._core.regression import best_subsets
from dragoman.errors import DataError
from dragoman.learn import Job
from dragoman.learn.criteria import CRITERIA
from dragoman.learn.selectors.wrappers import _Trial
from dragoman.rng import Stream


@given(st.integers(1, 12), st.integers(8, 40), st.sampled_from(CRITERIA), st.booleans(), st.integers(0, 1000))
def test_the_best_set_of_each_size_is_that_of_trying_all(
    n: int, rows: int, criterion: str, higher: bool, seed: int
) -> None:
    x = Stream(seed, "x").uniform(rows * n).reshape(rows, n)
    y = x @ Stream(seed, "w").uniform(n) + Stream(seed, "noise").uniform(rows)
    job = Job(tuple(map(str, range(n))), higher_is_better=higher)
    trial = _Trial(x, y, 4, criterion, job)
    found = [trial.best_sets(criterion, Job(job.names, n_threads=t, higher_is_better=higher)) for t in (1, 2, 7)]
    assert found[0] == found[1] == found[2]
    masks, losses = found[0]
    for size in range(1, n + 1):
        sets = list(combinations(range(n), size))
        tried = trial(sets)
        assert losses[size - 1] == pytest.approx(float(tried.min()), abs=1e-9)
        chosen = tuple(place for place in range(n) if masks[size - 1] >> place & 1)
        assert float(tried[sets.index(chosen)]) == pytest.approx(float(tried.min()), abs=1e-9)


def test_sums_that_do_not_fit_are_refused() -> None:
    fold = (np.eye(2), np.zeros(2), np.zeros((2, 3)), 0.0)
    with pytest.raises(DataError, match="other sentences than the scores"):
        best_subsets([fold], np.zeros(2), "mae", np.zeros(0))
    with pytest.raises(DataError, match="other columns"):
        best_subsets([(np.eye(2), np.zeros(3), np.zeros((2, 3)), 0.0)], np.zeros(3), "mae", np.zeros(0))
    with pytest.raises(DataError, match="not judged by 'taste'"):
        best_subsets([fold], np.zeros(3), "taste", np.zeros(0))
    with pytest.raises(DataError, match="Every rank has a worth"):
        best_subsets([fold], np.zeros(3), "delta-avg", np.zeros(0))
    with pytest.raises(DataError, match="1 to 24 columns"):
        best_subsets([(np.eye(25), np.zeros(25), np.zeros((25, 3)), 0.0)], np.zeros(3), "mae", np.zeros(0))
