"""Minimum Bayes risk over lists of several engines, beside its definition."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.metrics import make_metric
from dragoman.rescoring import (
    CandidateLists,
    Consensus,
    Opinion,
    Rescoring,
    RiskRecipe,
    merged_lists,
    train_rescorer,
    tune_consensus,
)
from dragoman.rescoring.agreement import add_agreement
from dragoman.rescoring.risk import probabilities, squares
from dragoman.smt.risk import least_risk
from tests.rescoring.test_training import example


def engine_lists(seed: int) -> CandidateLists:
    rng = np.random.default_rng(seed)
    sizes = [4, 1, 0, 5]
    texts = [" ".join(rng.choice(["a", "b", "c", "d"], rng.integers(3, 9))) for _ in range(sum(sizes))]
    scores = rng.normal(size=(sum(sizes), 1))
    return CandidateLists(tuple("wxyz"), tuple(texts), np.cumsum([0, *sizes]), ("score",), scores)


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
@pytest.mark.parametrize("n_threads", [1, 2])
def test_it_is_the_highest_expected_gain(metric: str, n_threads: int) -> None:
    lists = merged_lists({"p": engine_lists(1), "n": engine_lists(2)})
    opinions = {"p": Opinion(2.0, 0.5), "n": Opinion(1.0, 3.0)}
    chosen = Consensus(RiskRecipe(metric=metric), opinions).choose(lists, n_threads=n_threads)
    scorer = make_metric("bleu:smoothing=add-k" if metric == "bleu" else metric)
    sign = 1 if scorer.higher_is_better else -1
    for segment, (begin, end) in enumerate(pairwise(lists.offsets.tolist())):
        if begin == end:
            assert chosen[segment] == ""
            continue
        p = np.zeros(end - begin)
        for name, each in opinions.items():
            own = lists.column(name)[begin:end] > 0
            raw = np.exp(each.scale * lists.column(f"{name}.score")[begin:end]) * own
            p += each.weight / 3 * raw / raw.sum()
        gains = []
        for text in lists.texts[begin:end]:
            values = [sign * scorer.corpus_value([text], [[other]]) for other in lists.texts[begin:end]]
            gains.append(float(np.dot(values, p)))
        place = lists.texts[begin:end].index(chosen[segment])
        assert gains[place] == pytest.approx(max(gains), abs=1e-3)


def test_one_list_is_what_the_engines_kernel_chooses() -> None:
    lists = engine_lists(5)
    consensus = Consensus(RiskRecipe(metric="bleu:tokeniser=none"), {"score": Opinion(scale=0.7)})
    scores = np.ascontiguousarray(lists.column("score"))
    kernel = least_risk(lists.texts, scores, lists.offsets.astype(np.int64), scale=0.7)
    assert consensus.choose(lists) == ["" if place is None else lists.texts[place] for place in kernel]


def test_a_square_has_a_candidate_against_itself_on_its_diagonal() -> None:
    lists = engine_lists(6)
    for square in squares(lists, "bleu"):
        np.testing.assert_allclose(np.diag(square), 1, rtol=1e-6)


def test_probabilities_are_a_mixture() -> None:
    lists = merged_lists({"p": engine_lists(1), "n": engine_lists(2)})
    p = probabilities(lists, {"p": Opinion(3.0, 0.0), "n": Opinion(1.0)})
    sums = [p[begin:end].sum() for begin, end in pairwise(lists.offsets.tolist())]
    np.testing.assert_allclose(sums, [1, 1, 0, 1])
    only = lists.column("n") == 0
    np.testing.assert_allclose(p[only][:1], 0.75 / 4)  # four of p's, all alike
    with pytest.raises(DataError, match="must not be below 0"):
        probabilities(lists, {"p": Opinion(-1.0), "n": Opinion(2.0)})
    with pytest.raises(DataError, match="must not be below 0, and one of them must be above"):
        probabilities(lists, {"p": Opinion(0.0)})


def test_tuning_finds_whom_to_trust(tmp_path: Path) -> None:
    lists, refs = example()
    good = lists.chosen(["hint"])
    good = CandidateLists(good.sources, good.texts, good.offsets, ("score",), good.features)
    poor = lists.chosen(["score"])
    both = merged_lists({"poor": poor, "good": good})
    done = tune_consensus(both, [refs], ["poor", "good"])
    opinions = done.consensus.opinions
    assert opinions["good"].weight * opinions["good"].scale > opinions["poor"].weight * opinions["poor"].scale
    *alone, together = done.consensus.values
    assert together >= max(alone)
    bleu = make_metric("bleu")
    assert bleu.corpus_value(done.consensus.choose(both), [refs]) == pytest.approx(together)
    again = Consensus.load(done.consensus.save(tmp_path / "consensus"))
    assert (again.opinions, again.values, again.recipe) == (opinions, done.consensus.values, done.consensus.recipe)
    assert [row["engine"] for row in done.to_dict()["rows"]] == ["poor", "good", "together"]


def test_agreement_is_the_expected_metric_as_a_feature() -> None:
    lists = merged_lists({"p": engine_lists(1), "n": engine_lists(2)})
    more = add_agreement(lists, ["bleu"])
    assert more.names[-3:] == ("agreement.bleu.p", "agreement.bleu.n", "agreement.bleu")
    least = Consensus(RiskRecipe(), {"p": Opinion(), "n": Opinion()}).choose(lists)
    assert more.best(np.round(more.column("agreement.bleu"), 6)) == least
    alone = engine_lists(1)
    assert add_agreement(alone, ["chrf"]).names == ("score", "agreement.chrf.score", "agreement.chrf")


def test_a_rescorer_asks_for_agreement_again_when_it_is_applied() -> None:
    lists, refs = example()
    rescorer = train_rescorer(lists, [refs], Rescoring(agreement=("bleu",), own="score")).rescorer
    assert list(rescorer.weights) == ["score", "agreement.bleu.score", "agreement.bleu"]
    whole, scores = rescorer.rescore(lists)
    assert whole.names[-1] == "agreement.bleu"
    assert np.isfinite(scores).all()


def test_wrong_calls_are_named() -> None:
    lists, refs = example()
    with pytest.raises(DataError, match="There are 60 sources and 59 lines of references"):
        tune_consensus(lists, [refs[1:]], ["score"])
    with pytest.raises(DataError, match="Segment 2, counted from 0, has no candidate"):
        tune_consensus(engine_lists(1), [["a"] * 4], ["score"])
