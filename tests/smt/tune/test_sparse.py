"""Tuning of sparse features, and MERT on graphs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from dragoman._core import tune as core
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.metrics import METRICS
from dragoman.samples import phrasebook
from dragoman.smt import Engine
from dragoman.smt.tune import TUNERS, Tuned, tune_engine
from dragoman.smt.tuning import Tuning
from tests.smt.tune.conftest import Task, make_task

BOOK = phrasebook()
SRCS, REFS = BOOK["en"][540:590], [BOOK["de"][540:590]]
DEV = TestSet(srcs=SRCS, refs={"ref": REFS[0]})
FEW = TestSet(srcs=SRCS[:20], refs={"ref": REFS[0][:20]})


@pytest.fixture(scope="module")
def sparse(engine: Engine) -> Engine:
    return engine.with_features("word-pairs", "target-bigrams")


@pytest.mark.parametrize("method", ["mira:rounds=3", "pro:rounds=3", "online-mira:epochs=2"])
def test_an_engine_s_sparse_features_are_tuned(sparse: Engine, method: str, tmp_path: Path) -> None:
    tuned = tune_engine(sparse, DEV, Tuning(method=method, n_best=30, pop_limit=50)).best
    assert tuned.value > tuned.rounds[0].value
    assert len(tuned.sparse) > 20
    assert set(tuned.dense) == set(sparse.feature_names)
    better = sparse.with_weights(tuned.weights)
    found = better.decode(better.source.prepare(SRCS), limits=replace(better.recipe.search, pop_limit=50)).best()
    prepared = better.target.prepare(REFS[0])
    assert METRICS.make("bleu:tokeniser=none").corpus_value(found, [prepared]) == pytest.approx(tuned.value, abs=0.01)
    tuned.save(tmp_path / "tuned")
    again = Tuned.load(tmp_path / "tuned")
    assert (again.sparse, again.seeds) == (dict(tuned.sparse), tuned.seeds)
    assert any("sparse features have a weight" in table.note for table in again.tables())


@pytest.mark.parametrize("method", ["mira:rounds=1", "online-mira:epochs=1,shards=2"])
def test_sparse_tuning_does_not_depend_on_threads(sparse: Engine, method: str) -> None:
    runs = [
        tune_engine(sparse, FEW, Tuning(method=method, n_best=20, pop_limit=30), n_threads=n).best for n in (1, 2, 7)
    ]
    assert runs[0].weights == runs[1].weights == runs[2].weights


@pytest.mark.parametrize("method", ["mert:rounds=2,starts=1", "lattice-mert:rounds=2,starts=1", "powell:evaluations=8"])
def test_tuners_of_few_features_leave_sparse_weights_as_they_are(sparse: Engine, method: str) -> None:
    fixed = {"word-pairs the der": 0.3, "target-bigrams . </s>": -0.2}
    other = sparse.with_weights({**sparse.weights, **fixed})
    tuned = tune_engine(other, FEW, Tuning(method=method, n_best=20, pop_limit=30)).best
    assert dict(tuned.sparse) == fixed
    assert tuple(tuned.dense) == other.feature_names
    better = other.with_weights(tuned.weights)
    limits = replace(better.recipe.search, pop_limit=30)
    found = better.decode(better.source.prepare(SRCS[:20]), limits=limits).best()
    value = METRICS.make("bleu:tokeniser=none").corpus_value(found, [better.target.prepare(REFS[0][:20])])
    assert value == pytest.approx(tuned.value, abs=0.01)


@pytest.mark.parametrize("method", ["mert:rounds=1,starts=1", "lattice-mert:rounds=1,starts=1"])
def test_tuners_of_few_features_leave_sparse_ones_without_weight(sparse: Engine, engine: Engine, method: str) -> None:
    runs = [tune_engine(each, FEW, Tuning(method=method, n_best=20, pop_limit=30)) for each in (sparse, engine)]
    assert runs[0].best.weights == runs[1].best.weights


def test_batch_mira_moves_sparse_weights_as_it_moves_dense_ones() -> None:
    rng = np.random.default_rng(4)
    features = rng.normal(size=(12, 5)) * (rng.random((12, 5)) < 0.6)
    stats = np.hstack([rng.uniform(0, 1, size=(12, 1)), np.ones((12, 1))])
    offsets = np.array([0, 4, 8, 12])
    start = rng.normal(size=5)

    def value(totals: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(100 * totals[..., 0] / totals[..., 1])

    def run(n_dense: int) -> tuple[np.ndarray, np.ndarray]:
        rows = csr_matrix(features[:, n_dense:])
        more = (rows.indptr.astype(np.int64), rows.indices.astype(np.int32), rows.data, 5 - n_dense)
        found, values, _, sparse = core.batch_mira(
            np.ascontiguousarray(features[:, :n_dense]),
            stats,
            offsets,
            value,
            start,
            np.ones(n_dense, dtype=np.uint8),
            11,
            aggressiveness=0.05,
            decay=0.9,
            words=7.0,
            passes=6,
            sparse=more,
        )
        return np.concatenate([found[int(np.argmax(values))], sparse]), values

    (all_dense, values), (mixed, same) = run(5), run(2)
    np.testing.assert_allclose(all_dense, mixed, atol=1e-12)
    np.testing.assert_allclose(values, same)
    with pytest.raises(DataError, match="Sparse features must have a row for each candidate"):
        core.batch_mira(
            features,
            stats,
            offsets,
            value,
            start,
            np.ones(5, dtype=np.uint8),
            1,
            aggressiveness=1.0,
            decay=0.9,
            words=7.0,
            passes=1,
            sparse=(np.array([0, 1]), np.array([0], dtype=np.int32), np.array([1.0]), 1),
        )


def test_mert_on_graphs_tunes_an_engine(engine: Engine) -> None:
    tuning = Tuning(method="lattice-mert:rounds=2,starts=1", pop_limit=50)
    runs = [tune_engine(engine, DEV, tuning, n_threads=n).best for n in (1, 7)]
    assert runs[0].weights == runs[1].weights
    tuned = runs[0]
    assert tuned.value > tuned.rounds[0].value
    assert tuned.rounds[1].predicted is not None
    assert tuned.rounds[1].predicted >= tuned.rounds[0].value
    assert tuned.weights["unknown"] == engine.weights["unknown"]


def test_mert_on_graphs_needs_graphs(task: Task) -> None:
    with pytest.raises(DataError, match="needs a decoder that gives graphs"):
        TUNERS.make("lattice-mert").tune(task.decode, task.refs, start=task.start(1, 0, 0, 0))


def test_an_envelope_is_no_lower_than_any_translation_of_the_list(engine: Engine) -> None:
    graph = engine.graphs(engine.source.prepare(SRCS[:1]), features=True)[0]
    weights = np.array([*engine.weights.values(), 1.0])  # the last is that of the sparse part
    paths = graph.n_best(300, distinct=False)
    rows = np.array([graph.core.arc_features[list(path.arcs)].sum(axis=0, dtype=np.float64) for path in paths])
    for feature in range(len(weights)):
        direction = np.zeros(len(weights))
        direction[feature] = 1.0
        lines = core.envelope(graph.core, weights, direction)
        for t in np.linspace(-2, 2, 9):
            top = max(score + t * slope for score, slope, _ in lines)
            assert top >= (rows @ (weights + t * direction)).max() - 1e-3


def test_progress_is_told_round_by_round() -> None:
    task = make_task(20, 10)
    told: list[tuple[int, int, str]] = []
    for spec in ("mira:rounds=2", "online-mira:epochs=2", "nelder-mead:evaluations=6"):
        told.clear()
        TUNERS.make(spec).tune(
            task.decode, task.refs, start=task.start(1, 0, 0, 0), seed=4, progress=lambda *step: told.append(step)
        )
        assert {what for _, _, what in told} == {"tuning, seed 4"}
        counts = [done for done, _, _ in told]
        assert counts == sorted(counts)
        assert told[-1][0] <= told[-1][1]


def test_a_tuning_tells_of_the_seeds_it_was_chosen_from(engine: Engine) -> None:
    tunings = tune_engine(engine, DEV, Tuning(method="mira:rounds=1", n_best=10, pop_limit=20, seeds=(3, 4)))
    best = tunings.best
    assert [seed for seed, _, _ in best.seeds] == [3, 4]
    assert "The best of 2 seeds: mean" in best.tables()[0].note
    assert best.meta()["seeds"] == [[run.seed, run.value, run.held_out] for run in tunings.runs]


def test_pro_freezes_what_it_should(sparse: Engine) -> None:
    """The modes of Joshua's PRO (Ganitkevitch et al., WMT 2012): dense, all, sparse with the dense fixed."""
    dense_names = sparse.feature_names

    def tuned(engine: Engine, frozen: tuple[str, ...]) -> Tuned:
        tuning = Tuning(method="pro:rounds=3", n_best=30, pop_limit=50)
        return tune_engine(engine, DEV, tuning, frozen=("unknown", *frozen)).best

    both = tuned(sparse, ())
    assert both.sparse
    assert both.dense != sparse.dense_weights
    only = tuned(sparse, dense_names)
    assert only.sparse
    assert only.dense == sparse.dense_weights
    with pytest.raises(DataError, match="No feature is called magic"):
        tuned(sparse, ("magic",))
