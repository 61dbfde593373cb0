"""Weights of features, tuned on lists: what is learnt, what is frozen in which mode, what is kept on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from dragoman.errors import DataError
from dragoman.rescoring import CandidateLists, Rescorer, Rescoring, train_rescorer

WORDS = ["the", "a", "dog", "cat", "runs", "sleeps", "here", "now", "quickly", "today", "in", "on", "house", "street"]
N, SIZE = 60, 6


def example(*, sparse: bool = False) -> tuple[CandidateLists, list[str]]:
    """Lists whose first candidate is by the engine's score not the best; `hint` tells the right one, `noise` nothing.

    The sparse feature `good` fires at good candidates, `bad` at others, `x…` at random.
    """
    rng = np.random.default_rng(3)
    texts, rows, refs, fired = [], [], [], []
    for _ in range(N):
        ref = [str(word) for word in rng.choice(WORDS, 8)]
        refs.append(" ".join(ref))
        for place in range(SIZE):
            wrong = int(rng.integers(0, 7))
            words = [*ref]
            for at in rng.permutation(8)[:wrong]:
                words[at] = "oops"
            texts.append(" ".join(words))
            rows.append([-float(place), -wrong + rng.normal(), rng.normal()])
            fired.append([float(wrong <= 1), float(wrong > 4), float(rng.random() < 0.3)])
    lists = CandidateLists(
        tuple(f"source {i}" for i in range(N)),
        tuple(texts),
        np.arange(N + 1) * SIZE,
        ("score", "hint", "noise"),
        np.array(rows),
        *((("good", "bad", "x"), csr_matrix(np.array(fired))) if sparse else ()),
    )
    return lists, refs


def bleu(lists: CandidateLists, scores: Any, refs: list[str]) -> float:
    from dragoman.metrics import make_metric

    return make_metric("bleu").corpus_value(lists.best(scores), [refs])


@pytest.mark.parametrize("tuners", [("mira",), ("pro",), ("mert",), ("pro", "mert"), ("pro", "powell:evaluations=20")])
def test_every_tuner_finds_what_tells(tuners: tuple[str, ...]) -> None:
    lists, refs = example()
    done = train_rescorer(lists, [refs], Rescoring(tuners=tuners))
    rescorer = done.rescorer
    before, after = bleu(lists, lists.column("score"), refs), bleu(lists, rescorer.rescore(lists)[1], refs)
    assert after > before + 20
    assert done.rescorer.stages[0].before == pytest.approx(before)
    assert done.rescorer.stages[-1].after == pytest.approx(after)
    assert [each.tuner for each in rescorer.stages] == [spec.partition(":")[0] for spec in tuners]
    assert rescorer.weights["hint"] > 3 * abs(rescorer.weights["noise"])


def test_mert_begins_where_pro_ended_and_is_never_worse() -> None:
    lists, refs = example()
    pro, mert = train_rescorer(lists, [refs], Rescoring(tuners=("pro", "mert"))).rescorer.stages
    assert mert.before == pytest.approx(pro.after)
    assert mert.after >= mert.before


def test_units_of_features_do_not_matter() -> None:
    lists, refs = example()
    scales = np.array([1.0, 1000.0, 0.001])
    scaled = CandidateLists(lists.sources, lists.texts, lists.offsets, lists.names, lists.features * scales)
    ours, theirs = (train_rescorer(each, [refs]).rescorer.weights for each in (lists, scaled))
    ratio = np.array(list(ours.values())) / (np.array(list(theirs.values())) * scales)
    np.testing.assert_allclose(ratio / ratio[0], 1, rtol=1e-3)


def test_an_added_feature_counts_and_own_ones_may_be_left_out() -> None:
    lists, refs = example()
    done = train_rescorer(lists, [refs], Rescoring(features=("length",), own="score"))
    assert list(done.rescorer.weights) == ["score", "length"]
    whole, scores = done.rescorer.rescore(lists)
    assert whole.names == ("score", "hint", "noise", "length")
    assert len(scores) == N * SIZE


class TestModes:
    """Which weights are tuned (the four modes of PRO in Joshua 4.0)."""

    def test_dense_leaves_sparse_ones_out(self) -> None:
        lists, refs = example(sparse=True)
        assert not train_rescorer(lists, [refs], Rescoring(tuners=("pro",), mode="dense")).rescorer.sparse

    def test_joint_tunes_all(self) -> None:
        lists, refs = example(sparse=True)
        rescorer = train_rescorer(lists, [refs], Rescoring(tuners=("pro",), mode="joint")).rescorer
        assert rescorer.sparse["good"] > 0 > rescorer.sparse["bad"]
        assert rescorer.weights["hint"] > 0

    def test_sparse_leaves_dense_ones_exactly_as_they_are_and_scales(self) -> None:
        lists, refs = example(sparse=True)
        first = train_rescorer(lists, [refs], Rescoring(tuners=("pro",), mode="dense")).rescorer
        once, twice = (
            train_rescorer(
                lists, [refs], Rescoring(tuners=("pro",), mode="sparse", sparse_scale=scale), start=first
            ).rescorer
            for scale in (1.0, 2.0)
        )
        assert once.weights == first.weights
        assert {name: 2 * weight for name, weight in once.sparse.items()} == twice.sparse
        assert once.sparse["good"] > once.sparse["bad"]

    @pytest.mark.parametrize("tuner", ["pro", "mert"])
    def test_scale_keeps_the_proportions_of_sparse_ones(self, tuner: str) -> None:
        lists, refs = example(sparse=True)
        first = train_rescorer(lists, [refs], Rescoring(tuners=("pro",), mode="joint")).rescorer
        rescorer = train_rescorer(lists, [refs], Rescoring(tuners=(tuner,), mode="scale"), start=first).rescorer
        ratios = np.array([rescorer.sparse[name] / first.sparse[name] for name in first.sparse])
        np.testing.assert_allclose(ratios, ratios[0])
        assert ratios[0] != pytest.approx(1)
        assert list(rescorer.weights) == list(first.weights)

    def test_what_is_missing_is_named(self) -> None:
        lists, refs = example()
        with pytest.raises(DataError, match="no sparse features, so the mode 'sparse' has nothing to tune"):
            train_rescorer(lists, [refs], Rescoring(mode="sparse"))
        with pytest.raises(DataError, match="needs lists with sparse features and a rescorer"):
            train_rescorer(example(sparse=True)[0], [refs], Rescoring(mode="scale"))
        with pytest.raises(DataError, match="'mert' cannot tune sparse features; use mira or pro"):
            train_rescorer(example(sparse=True)[0], [refs], Rescoring(tuners=("mert",)))


def test_what_was_saved_scores_the_same(tmp_path: Path) -> None:
    lists, refs = example(sparse=True)
    done = train_rescorer(lists, [refs], Rescoring(features=("length",), tuners=("pro",)), seed=4)
    again = Rescorer.load(done.rescorer.save(tmp_path / "rescorer"))
    assert (again.recipe, again.seed, again.stages) == (done.rescorer.recipe, 4, done.rescorer.stages)
    np.testing.assert_array_equal(again.rescore(lists)[1], done.rescorer.rescore(lists)[1])
    assert {"weights", "sparse", "recipe"} <= done.to_dict()["meta"].keys()


def test_lists_without_candidates_do_not_count() -> None:
    lists, refs = example()
    ragged = CandidateLists(
        (*lists.sources, "more"), lists.texts, np.append(lists.offsets, N * SIZE), lists.names, lists.features
    )
    weights = train_rescorer(ragged, [[*refs, "x"]]).rescorer.weights
    assert weights == train_rescorer(lists, [refs]).rescorer.weights


def test_wrong_calls_are_named() -> None:
    lists, refs = example()
    with pytest.raises(DataError, match=f"There are {N} sources and {N - 1} lines of references"):
        train_rescorer(lists, [refs[1:]])
    with pytest.raises(DataError, match=r"'lattice-mert' asks a decoder again; for lists there are: mert, mira"):
        train_rescorer(lists, [refs], Rescoring(tuners=("lattice-mert",)))
    with pytest.raises(DataError, match="Rescoring needs a tuner"):
        train_rescorer(lists, [refs], Rescoring(tuners=()))
    rescorer = train_rescorer(lists, [refs]).rescorer
    with pytest.raises(DataError, match="have no feature 'hint'; they have: score, noise"):
        rescorer.rescore(lists.chosen(["score", "noise"]))
