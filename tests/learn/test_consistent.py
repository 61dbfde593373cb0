from __future__ import annotations

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.learn import LEARNERS, Job
from dragoman.rng import Stream


def test_points_that_contradict_the_rest_are_left_out() -> None:
    x = Stream(1, "x").uniform(100).reshape(-1, 1)
    y = 2 * x[:, 0] + 0.01 * Stream(1, "noise").uniform(100)
    y[::20] += 5  # five in a hundred
    job = Job(("x",))
    asked = np.array([[0.0], [1.0]])
    plain = LEARNERS.make("ridge").fit(x, y, {"alpha": 1e-6}, job).predict(asked)
    robust = LEARNERS.make("consistent:of=ridge").fit(x, y, {"alpha": 1e-6}, job).predict(asked)
    assert robust == pytest.approx([0, 2], abs=0.02)
    assert np.abs(plain - [0, 2]).max() > 0.1


def test_most_points_are_kept_whatever_they_say() -> None:
    x = Stream(1, "x").uniform(40).reshape(-1, 1)
    y = Stream(1, "noise").uniform(40)
    learner = LEARNERS.make("consistent:of=ridge,apart=0.5,keep=0.99")
    assert learner.fit(x, y, {"alpha": 1.0}, Job(("x",))).predict(x) == pytest.approx(
        LEARNERS.make("ridge").fit(x, y, {"alpha": 1.0}, Job(("x",))).predict(x)
    )


def test_it_is_another_learner_that_is_made_consistent() -> None:
    with pytest.raises(DataError, match="What is made consistent is another learner"):
        LEARNERS.make("consistent:of=consistent")
