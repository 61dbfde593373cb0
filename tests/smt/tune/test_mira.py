from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from dragoman._core import tune as core
from dragoman.metrics import METRICS
from dragoman.smt.tune import TUNERS
from dragoman.smt.tune.online_mira import ORACLES, PREDICTIONS, select, update
from dragoman.smt.tune.pro import fit_ranking
from tests.smt.tune.conftest import PLANTED, FixedLists, Reranker, Task, make_task


@pytest.mark.parametrize(("aggressiveness", "step", "weights"), [(0.01, 0.01, (0.48, 0.11)), (1.0, 0.21, (0.08, 0.31))])
@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_the_worked_example(aggressiveness: float, step: float, weights: tuple[float, float], form: str) -> None:
    make = sparse.csr_matrix if form == "sparse" else np.array
    good, bad = (make([row]) if form == "sparse" else make(row) for row in ([-10.0, -4.0], [-8.0, -5.0]))
    found = update(np.array([0.5, 0.1]), good, bad, gain_good=0.35, gain_bad=0.20, aggressiveness=aggressiveness)
    assert found.margin == pytest.approx(0.9)
    assert found.cost == pytest.approx(0.15)
    assert found.loss == pytest.approx(1.05)
    assert found.step == pytest.approx(step)
    assert found.weights == pytest.approx(weights)


def test_nothing_is_learnt_without_loss_or_from_twins() -> None:
    weights = np.array([0.5, 0.1])
    kept = update(weights, np.array([4.0, 0.0]), np.array([0.0, 0.0]), gain_good=0.3, gain_bad=0.2)
    assert (kept.step, kept.weights.tolist()) == (0.0, weights.tolist())
    twins = update(weights, np.array([4.0, 0.0]), np.array([4.0, 0.0]), gain_good=0.3, gain_bad=0.2)
    assert (twins.loss, twins.step) == (pytest.approx(0.1), 0.0)


@pytest.mark.parametrize(
    ("oracle", "prediction", "expected"),
    [
        ("local", "model", (3, 0)),
        ("local", "cost", (3, 4)),
        ("local", "fear", (3, 1)),
        ("hope", "model", (2, 0)),
        ("hope", "cost", (2, 4)),
        ("hope", "fear", (2, 1)),
    ],
)
def test_six_strategies_on_five_candidates(oracle: str, prediction: str, expected: tuple[int, int]) -> None:
    scores = np.array([0.00, -0.05, -0.10, -0.90, -1.00])
    gains = np.array([0.30, 0.15, 0.45, 0.60, 0.05])
    assert select(scores, gains, oracle=oracle, prediction=prediction) == expected


def test_every_strategy_is_one_of_the_ramp_loss() -> None:
    assert ORACLES == {"local": (0, 1), "hope": (1, 1)}
    assert PREDICTIONS == {"cost": (0, -1), "model": (1, 0), "fear": (1, -1)}


def test_batch_mira_does_what_its_definition_does() -> None:
    """One pass over two segments by hand: hope, fear, step, background."""
    rng = np.random.default_rng(2)
    features = rng.normal(size=(6, 3))
    stats = np.hstack([rng.uniform(0, 1, size=(6, 1)), np.ones((6, 1))])
    offsets = np.array([0, 3, 6])
    start = np.array([0.3, -0.2, 0.1])

    def value(totals: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(100 * totals[..., 0] / totals[..., 1])

    found, _, updates, _ = core.batch_mira(
        features,
        stats,
        offsets,
        value,
        start,
        np.array([1, 1, 0], dtype=np.uint8),
        11,
        aggressiveness=0.05,
        decay=0.9,
        words=7.0,
        passes=1,
    )
    means = []
    for order in ([0, 1], [1, 0]):
        weights, background, size, seen = start.copy(), np.zeros(2), 1.0, []
        for begin in (0, 3):
            background += stats[begin + int(np.argmax(features[begin : begin + 3] @ start))] / 2
        for segment in order:
            own = slice(3 * segment, 3 * segment + 3)
            scores, rows = features[own] @ weights, stats[own]
            gains = value(background + rows) / 100 * (size + 1) * 7.0
            hope, fear = int(np.argmax(scores + gains)), int(np.argmax(scores - gains))
            loss = gains[hope] - gains[fear] - (scores[hope] - scores[fear])
            model = int(np.argmax(scores))
            step = (features[own][hope] - features[own][fear]) * [1, 1, 0]
            if gains[hope] > gains[fear] and loss > 0:
                weights = weights + min(0.05, loss / (step @ step)) * step
            background, size = 0.9 * background + rows[model], 0.9 * size + 1
            seen.append(weights)
        means.append(np.mean(seen, axis=0))
    assert updates == 2
    assert any(np.allclose(found[0], each, atol=1e-12) for each in means)
    assert found[0][2] == start[2]


def test_pairs_are_the_ones_that_differ_most() -> None:
    gains = np.array([0.1, 0.5, 0.12, 0.9, 0.3, 0.3])
    offsets = np.array([0, 4, 6])
    found = [core.sample_pairs(gains, offsets, 3, draws=400, kept=3, threshold=0.05, n_threads=n) for n in (1, 2, 7)]
    assert found[0].tolist() == found[1].tolist() == found[2].tolist()
    assert found[0].tolist() == [[3, 0]] * 3  # the largest difference is drawn more than three times
    wide = core.sample_pairs(gains, offsets, 3, draws=400, kept=400, threshold=0.05, n_threads=1)
    differences = gains[wide[:, 0]] - gains[wide[:, 1]]
    assert (differences >= 0.05).all()
    assert (np.diff(differences) <= 0).all()
    assert 4 not in wide  # equals are no pair
    assert (
        len(core.sample_pairs(np.array([0.1]), np.array([0, 1]), 3, draws=9, kept=9, threshold=0.0, n_threads=1)) == 0
    )


def test_a_ranking_is_fitted_the_same_to_dense_and_sparse_rows() -> None:
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(300, 5)) * (rng.uniform(size=(300, 5)) < 0.4)
    rows = rows[(rows[:, [0, 1, 2, 4]] != 0).any(axis=1)]
    rows[rows @ np.array([1.0, -2.0, 0.5, 0.0, 3.0]) < 0] *= -1
    dense = fit_ranking(rows, ridge=1e-3)
    np.testing.assert_allclose(fit_ranking(sparse.csr_matrix(rows), ridge=1e-3), dense, atol=1e-4)
    assert (rows @ dense > 0).mean() > 0.95
    assert fit_ranking(np.hstack([rows, np.zeros((len(rows), 1))]), ridge=1e-3)[-1] == 0.0


class SparseReranker:
    """Dense features first, then an indicator for every candidate's number and segment: far more than segments."""

    def __init__(self, n_sparse: int) -> None:
        self.task = make_task(30, 10)
        rng = np.random.default_rng(0)
        self.sparse = [
            sparse.csr_matrix(
                (np.ones(50), (np.repeat(np.arange(10), 5), rng.integers(0, n_sparse, 50))), (10, n_sparse)
            )
            for _ in range(30)
        ]
        dense = self.task.decode.features
        self.rows = [sparse.hstack([sparse.csr_matrix(d), s]).tocsr() for d, s in zip(dense, self.sparse, strict=True)]

    def __call__(self, weights: np.ndarray, segments: np.ndarray | None = None) -> FixedLists:
        numbers = range(30) if segments is None else segments.tolist()
        texts, rows = [], []
        for number in numbers:
            order = np.argsort(-(self.rows[number] @ weights), kind="stable")
            texts += [self.task.decode.texts[number][i] for i in order]
            rows.append(self.rows[number][order])
        return FixedLists(texts, np.arange(0, len(texts) + 1, 10), sparse.vstack(rows).tocsr())  # type: ignore[arg-type]


def test_a_hundred_thousand_sparse_features_do_no_harm() -> None:
    decode = SparseReranker(100_000)
    start = {f"f{i}": 0.0 for i in range(100_004)} | dict(zip(["f0", "f1", "f2", "f3"], [0.1] * 4, strict=True))
    tuner = TUNERS.make("online-mira:epochs=3,aggressiveness=0.05")
    tuned = tuner.tune(decode, decode.task.refs, start=start, seed=1)
    dense = tuner.tune(decode.task.decode, decode.task.refs, start=decode.task.start(0.1, 0.1, 0.1, 0.1), seed=1)
    assert tuned.value > dense.value - 0.3
    vector = np.array(list(tuned.weights.values()))
    assert np.count_nonzero(vector) > 100
    assert np.sign(vector[:3]).tolist() == np.sign(PLANTED[:3]).tolist()


def test_shards_are_learnt_from_apart_and_averaged() -> None:
    task = make_task(20, 10)
    tuner = TUNERS.make("online-mira:epochs=2,shards=4,aggressiveness=0.05")
    runs = [
        tuner.tune(task.decode, task.refs, start=task.start(0.1, 0.1, 0.1, 0.1), seed=1, n_threads=n) for n in (1, 4)
    ]
    assert runs[0].weights == runs[1].weights
    assert runs[0].value > runs[0].rounds[0].value


def test_hope_and_fear_are_as_good_as_mert_on_other_segments() -> None:
    """Eidelman (WMT 2012): with dense features M±C ends within 0.3 BLEU of MERT on text that was not tuned on."""
    task = make_task(120, 20, noise=0.2, seed=8)
    own = Task(Reranker(task.decode.texts[:60], task.decode.features[:60]), [task.refs[0][:60]])
    other = Reranker(task.decode.texts[60:], task.decode.features[60:], n_best=1)
    found = {}
    for spec in ("mert", "online-mira:epochs=12"):
        tuned = TUNERS.make(spec).tune(own.decode, own.refs, start=own.start(0.3, 0.3, 0.3, 0.3))
        texts = other(np.array(list(tuned.weights.values()))).texts
        found[spec] = METRICS.make("bleu:tokeniser=none").corpus_value(texts, [task.refs[0][60:]])
    assert found["online-mira:epochs=12"] >= found["mert"] - 0.3


def test_hope_and_fear_are_steadier_than_the_local_best_and_worst() -> None:
    """Eidelman (WMT 2012): between epochs M±C moves less than LU/MC, on the whole, where features say little.

    With his C and features that are mostly noise; where they say nearly all, either stands still.
    """
    spreads: dict[str, list[float]] = {"hope,prediction=fear": [], "local,prediction=cost": []}
    for noise, seed in ((1.5, 5), (1.5, 6), (3.0, 5), (3.0, 6)):
        task = make_task(40, 30, noise=noise, seed=seed)
        for choice, found in spreads.items():
            tuner = TUNERS.make(f"online-mira:oracle={choice},epochs=10,aggressiveness=0.01")
            tuned = tuner.tune(task.decode, task.refs, start=task.start(0.3, 0.3, 0.3, 0.3))
            found.append(float(np.std([each.value for each in tuned.rounds[-5:]])))
    steady, swinging = spreads.values()
    assert np.mean(steady) < np.mean(swinging)
