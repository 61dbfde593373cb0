from __future__ import annotations

import numpy as np
import pytest

from dragoman.rng import Stream
from dragoman.syntax.confidence import Calibration
from dragoman.syntax.morphology import attribute_table


def test_the_curve_that_made_the_data_is_found_again() -> None:
    stream = Stream(1, "calibration")
    margins = (10 * stream.uniform(20_000)).astype(np.float32)
    true = Calibration(-1.0, 1.5)
    right = stream.uniform(20_000, start=20_000) < true(margins)
    fitted = Calibration.fit(margins, right)
    assert (fitted.intercept, fitted.slope) == pytest.approx((-1.0, 1.5), abs=0.1)
    np.testing.assert_allclose(fitted(margins).mean(), right.mean(), atol=1e-3)


def test_curves_without_evidence_are_finite() -> None:
    some = np.array([0.5, 1.0, 2.0], dtype=np.float32)
    for right in ([True] * 3, [False] * 3, [True, True, False]):
        p = Calibration.fit(some, np.array(right))(some)
        assert np.isfinite(p).all()
        assert ((p > 0) & (p < 1)).all()
    assert (np.diff(Calibration.fit(some, np.array([True, True, False]))(some)) >= 0).all()
    assert Calibration.fit(np.array([np.inf], dtype=np.float32), np.array([True])) == Calibration()
    assert Calibration(-3.0, 1.0)(np.array([np.inf], dtype=np.float32)).tolist() == [1.0]


def test_attributes_are_taken_apart() -> None:
    feats = ("_", "Case=Nom|Number=Sing", "Case=Acc|Number=Plur", "Number=Sing|Poss=Yes")
    # Number is commoner than Case; Poss has one value only.
    assert attribute_table(feats).tolist() == [[0, 0], [2, 2], [1, 1], [2, 0]]
    assert attribute_table(("_",)).shape == (1, 0)
    many = tuple(f"A{k}=x|B{k}=y" for k in range(20)) + tuple(f"A{k}=z" for k in range(20))
    assert attribute_table(many).shape == (40, 8)
