"""TESLA-M: the solver against others, what it looks at, and what it refuses."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment, linprog

from dragoman import _core
from dragoman.errors import DataError
from dragoman.metrics import make_metric, score
from dragoman.metrics.tesla import TeslaM

Bag = NDArray[np.int64]


def by_linear_program(supply: Bag, demand: Bag, worth: Bag, *, dual: bool) -> float:
    """The optimum by HiGHS, or that of the dual, which is the same."""
    n, m = worth.shape
    rows = np.zeros((n + m, n * m))
    for i, j in itertools.product(range(n), range(m)):
        rows[i, i * m + j] = rows[n + j, i * m + j] = 1
    limits = np.concatenate([supply, demand])
    if dual:
        return float(linprog(limits, A_ub=-rows.T, b_ub=-worth.ravel(), bounds=(0, None), method="highs").fun)
    return float(-linprog(-worth.ravel(), A_ub=rows, b_ub=limits, bounds=(0, None), method="highs").fun)


def test_the_solver_is_exact() -> None:
    rng = np.random.default_rng(1)
    for number in range(1000):
        n, m = rng.integers(1, 7, size=2)
        supply, demand = (rng.choice([1, 10, 100, 30], size=size).astype(np.int64) for size in (n, m))
        worth = rng.choice([0, 0, 1, 2, 3, 4, 5, 6], size=(n, m)).astype(np.int64)
        found = _core.metrics.most_transport(supply, demand, worth)
        assert found == pytest.approx(by_linear_program(supply, demand, worth, dual=number % 10 == 0))


def test_single_units_are_a_matching() -> None:
    rng = np.random.default_rng(2)
    for _ in range(200):
        worth = rng.integers(0, 7, size=rng.integers(1, 12, size=2)).astype(np.int64)
        ones = [np.ones(size, dtype=np.int64) for size in worth.shape]
        rows, columns = linear_sum_assignment(worth, maximize=True)
        assert _core.metrics.most_transport(*ones, worth) == worth[rows, columns].sum()


def test_classes_need_no_solver() -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        left, right = (rng.integers(0, 4, size=rng.integers(1, 9)) for _ in range(2))
        supply, demand = (10 ** rng.integers(0, 3, size=len(side)) for side in (left, right))
        closed = sum(min(supply[left == tag].sum(), demand[right == tag].sum()) for tag in range(4))
        worth = (left[:, np.newaxis] == right).astype(np.int64)
        assert _core.metrics.most_transport(supply.astype(np.int64), demand.astype(np.int64), worth) == closed


def test_stems_and_synonyms_count(tmp_path: Path) -> None:
    (tmp_path / "classes.txt").write_text("A= car automobile\n", encoding="utf-8")
    plain, informed = TeslaM(), TeslaM(synonyms=f"thesaurus+file={tmp_path / 'classes.txt'}")
    ref = ["He drives an automobile."]
    assert plain.segments(["He drives an automobile"], [ref])[0] == pytest.approx(100), "punctuation is left out"
    assert plain.segments(["He driving an automobiles"], [ref])[0] > plain.segments(["He sings an opera"], [ref])[0]
    assert informed.segments(["He drives a car."], [ref])[0] > plain.segments(["He drives a car."], [ref])[0]


def test_function_words_count_a_tenth() -> None:
    ref = ["the house is on the hill"]
    without_content, without_function = (TeslaM().segments([hyp], [ref])[0] for hyp in ("the is on the", "house hill"))
    assert without_function > without_content
    assert TeslaM(function_words="none").segments(["the is on the"], [ref])[0] > without_content


def test_short_sentences_have_no_long_n_grams() -> None:
    assert TeslaM().segments(["Silence", "Silence"], [["Silence", "Silence please"]]).tolist() == [
        pytest.approx(100),
        pytest.approx(100 * (2 * (0.5 / (0.8 + 0.2 * 0.5))) / 4),
    ]


def test_weights_are_brought_between_0_and_100() -> None:
    # Dahlmeier, Liu & Ng 2011, the scaling of TESLA-F, on six F.
    weights = (0.02, 0.03, -0.01, 0.0, 0.0, 0.0)
    f = np.array([0.5, 0.4, 0.6, 0.1, 0.2, 0.3])
    assert TeslaM(weights=weights).combined(f) == pytest.approx((0.016 + 0.01) / (0.05 + 0.01))
    metric = make_metric(TeslaM(weights=weights).spec())
    assert metric.segments(["the same"], [["the same"]])[0] == pytest.approx(100 * (0.04 + 0.01) / 0.06)


def test_a_layer_of_tags() -> None:
    metric = TeslaM(pos="hanta+lang=en")
    found = metric.segments(["The dog chased a cat.", "Go!"], [["A dog chased the cat.", "Stop!"]])
    assert 0 < found[1] < found[0] <= 100
    sheet = score({"a": ["The dog chased a cat."]}, [["A dog chased the cat."]], metrics=["tesla-m"])
    assert sheet.signatures[0].startswith("TESLA-M|nrefs:1|several:mean|lang:en|tokeniser:13a|lemma:own|pos:own|")


def test_what_it_refuses() -> None:
    with pytest.raises(DataError, match="There is no list of function words for 'sw'"):
        TeslaM(lang="sw")
    with pytest.raises(DataError, match="TESLA-M has 6 weights, not all of them 0; got 2"):
        TeslaM(weights=(1.0, 2.0))
    with pytest.raises(DataError, match=r"TESLA's pos=hanta\+lang=de is of 'de', but the text is in 'en'"):
        TeslaM(pos="hanta+lang=de")
    with pytest.raises(DataError, match=r"tesla-m asks for the layer pos, which nobody makes: --layer pos="):
        score({"a": ["x"]}, [["x"]], metrics=["tesla-m:pos=pos"])
    many = " ".join(f"w{i}" for i in range(3000))
    with pytest.raises(DataError, match=r"Segment 2: too long for TESLA: 3000 tokens against 3000. Cut it into sent"):
        TeslaM().segments(["a", many], [["b", many]])
