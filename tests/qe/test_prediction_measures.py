from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, UnknownName
from dragoman.qe import evaluate
from dragoman.qe.confusion import word_measures
from dragoman.qe.prediction_measures import ranking_rows, untied_spearman

GOLD = [5.0, 4.0, 4.0, 3.0, 2.0, 2.0, 1.0, 1.0]
SAID = [4.5, 4.0, 3.0, 3.5, 2.0, 2.5, 1.0, 2.0]


def test_scores_are_measured_beside_the_mean_and_the_oracle() -> None:
    found = evaluate(GOLD, SAID, task="effort", train_mean=3.0, trials=50)
    assert found.value("mae") == pytest.approx(0.4375)
    assert found.value("mae", "mean") == pytest.approx(1.25)
    assert found.value("mae", "oracle") == 0
    assert found.value("delta-avg", "oracle") == pytest.approx(1.314815, abs=1e-6)
    assert math.isnan(found.value("delta-avg", "mean"))
    assert found["mae", "predicted"].low is not None
    assert found.facts["mean_of"] == "the training scores"
    assert [(t.measure, t.other) for t in found.against] == [("mae", "mean"), ("rmse", "mean")]
    rows = found.to_dict()["rows"]
    assert {row["prediction"] for row in rows} == {"predicted", "mean", "oracle"}
    assert "the mean of the training scores" in found.render()
    with pytest.raises(KeyError, match="bleu/predicted was not measured"):
        found.value("bleu")


def test_without_training_scores_there_is_no_constant_to_compare_with() -> None:
    found = evaluate(GOLD, SAID, task="effort", trials=50)
    assert {each.system for each in found.measured} == {"predicted", "oracle"}
    assert found.against == ()
    assert found.trivial == ("oracle",)
    assert "There is no constant prediction beside them" in found.render()


def test_where_less_is_better_a_good_ranking_still_gains() -> None:
    hter = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
    assert evaluate(hter, hter[:], task="hter", trials=10).value("delta-avg") == pytest.approx(0.15)
    assert evaluate(hter, hter[::-1], task="hter", trials=10).value("delta-avg") == pytest.approx(-0.15)


def test_a_prediction_beside_itself_is_not_different_and_a_better_one_is() -> None:
    rng = np.random.default_rng(1)
    gold = rng.normal(size=200)
    good = gold + 0.3 * rng.normal(size=200)
    found = evaluate(gold, {"a": good, "b": good, "c": rng.normal(size=200)}, task="score", train_mean=0, trials=200)
    p = {(t.measure, t.system, t.other): t.p for t in found.against}
    assert p["mae", "b", "a"] == 1.0
    assert p["mae", "a", "mean"] < 0.01
    assert p["spearman", "c", "a"] < 0.01
    gain = {(t.measure, t.system, t.other): t.gain for t in found.against}
    assert gain["rmse", "c", "a"] < 0 < gain["mae", "a", "mean"]


def test_a_prediction_that_hardly_varies_is_named() -> None:
    flat = [3 + 0.001 * score for score in GOLD]
    assert "flat hardly varies" in evaluate(GOLD, {"flat": flat}, trials=5).notes[0]
    assert not evaluate(GOLD, SAID, trials=5).notes


def test_ranks_without_ties_stand_in_file_order() -> None:
    assert untied_spearman(np.array([3.0, 2.0, 1.0]), np.array([1.0, 2.0, 3.0])) == -1
    assert untied_spearman(np.array([1.0, 1.0, 1.0]), np.array([3.0, 2.0, 1.0])) == 1


@pytest.mark.parametrize(
    ("gold", "said", "message"),
    [
        ([1, 2, None], [1, 2, 3], "gold: 1 of 3 scores are missing or not finite, first in line 3"),
        ([1, 2, 3], [1, math.nan, 3], "predicted: 1 of 3 scores are missing or not finite, first in line 2"),
        ([1, 2, 7], [1, 2, 3], r"gold: line 3 has 7, outside the scale of effort, 1 to 5; 1 of 3 lines are"),
        ([1, 2, 3], [1, 2], "one line per segment, got gold=3, predicted=2"),
        ([[1, 2]], [[1, 2]], r"gold must be one score for each sentence, got the shape \(1, 2\)"),
        ([1], [1], "nothing to measure: 1 sentences; at least 2"),
        ([], [], "nothing to measure: 0 sentences"),
        ([1, 2, 3], {}, "no prediction to evaluate"),
        ([1, 2, 3], {"oracle": [1, 2, 3]}, "cannot be called 'oracle'"),
    ],
)
def test_bad_scores_are_named(gold: list[float], said: list[float], message: str) -> None:
    with pytest.raises(DataError, match=message):
        evaluate(gold, said, task="effort", trials=5)


def test_an_unknown_task_is_named() -> None:
    with pytest.raises(UnknownName, match="Known: effort, hter, score, time, ranking, words"):
        evaluate([1, 2], [1, 2], task="bleu")


def test_the_worked_example_of_wmt14() -> None:
    # Bojar et al. 2014, Table 18: FBK-UPV-UEDIN/RNN+tandem+crf, predicted × gold over O, F, A.
    table = np.array([[4172, 1482, 193], [1819, 1333, 214], [198, 133, 69]], dtype=float)
    measures = word_measures(["OK", "Fluency", "Accuracy"])
    value = {name: float(measure(table.reshape(1, 9))[0]) for name, measure in measures.items()}
    assert value["f1-OK"] == pytest.approx(0.6933, abs=5e-5)
    assert value["f1-Fluency"] == pytest.approx(0.4222, abs=5e-5)
    assert value["f1-Accuracy"] == pytest.approx(0.1575, abs=5e-5)
    assert value["f1-weighted"] == pytest.approx(0.5836, abs=5e-5)
    assert value["f1-errors"] == pytest.approx(0.3854, abs=5e-5)
    assert value["mcc"] == pytest.approx(0.1663, abs=5e-5)
    assert value["mcc-errors"] == pytest.approx(0.1389, abs=5e-5)
    assert value["accuracy"] == pytest.approx(0.5798, abs=5e-5)


TAGS = st.lists(st.sampled_from(["OK", "BAD"]), min_size=1, max_size=6)


@given(st.lists(st.tuples(TAGS, st.randoms(use_true_random=False)), min_size=2, max_size=8))
def test_words_are_measured_by_the_definition(drawn: list[tuple[list[str], object]]) -> None:
    gold = [["OK", "BAD"], *(tags for tags, _ in drawn)]
    said = [["OK", "OK"], *([chance.choice(["OK", "BAD"]) for _ in tags] for tags, chance in drawn)]  # type: ignore[attr-defined]
    found = evaluate(gold, said, task="words", trials=5)
    pairs = [(s, g) for ss, gg in zip(said, gold, strict=True) for s, g in zip(ss, gg, strict=True)]
    tp, fp = pairs.count(("BAD", "BAD")), pairs.count(("BAD", "OK"))
    fn, tn = pairs.count(("OK", "BAD")), pairs.count(("OK", "OK"))
    below = math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    assert found.value("mcc") == pytest.approx((tp * tn - fp * fn) / below if below else 0)
    bad, ok = (2 * tp / (2 * tp + fp + fn)), (2 * tn / (2 * tn + fp + fn))
    assert [found.value("f1-errors"), found.value("f1-BAD")] == pytest.approx([bad, bad])
    assert found.value("f1-weighted") == pytest.approx(((tp + fn) * bad + (tn + fp) * ok) / len(pairs))
    assert found.value("accuracy") == pytest.approx((tp + tn) / len(pairs))
    share = (tp + fn) / len(pairs)
    assert found.value("f1-BAD", "always BAD") == pytest.approx(2 * share / (1 + share))
    assert found.value("f1-weighted", "always BAD") == pytest.approx(share * 2 * share / (1 + share))


def test_too_many_errors_are_warned_about() -> None:
    gold, said = [["OK", "BAD"], ["OK", "OK"]], [["BAD", "BAD"], ["BAD", "BAD"]]
    found = evaluate(gold, said, task="words", train_labels=[["OK", "OK", "OK", "BAD"]], trials=5)
    assert "marks 100% of the words as errors, more than twice the 25% of the training data" in found.notes[0]


@pytest.mark.parametrize(
    ("gold", "said", "message"),
    [
        ([["OK"], ["OK"]], [["OK"], ["BAD"]], r"Labels of one class only \(OK\) tell nothing apart"),
        ([["OK"], ["BAD"]], [["OK"], ["BAD", "OK"]], "predicted, sentence 2: 2 labels for 1 of the gold standard"),
        ([["OK"], ["BAD"]], [["OK"]], "one line per segment, got gold=2, predicted=1"),
    ],
)
def test_bad_labels_are_named(gold: list[list[str]], said: list[list[str]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        evaluate(gold, said, task="words", trials=5)


def test_ties_of_a_ranking_are_punished_or_ignored() -> None:
    gold, said, groups = [1, 2, 3, 1, 2, 2], [1, 1, 2, 2, 1, 0], ["a", "a", "a", "b", "b", "b"]
    # a: 1-2 tied by the prediction, 1-3 and 2-3 right; b: 1-2 and 1-3 wrong, the third pair tied in the gold standard.
    found = evaluate(gold, {"p": said}, task="ranking", groups=groups, trials=20)
    assert found.value("tau-penalised", "p") == pytest.approx((2 - 3) / 5)
    assert found.value("tau-ignored", "p") == pytest.approx(0)
    assert found.value("tau-penalised", "all tied") == -1
    assert found.value("tau-penalised", "oracle") == 1
    assert found.facts["decided"]["p"] == pytest.approx(4 / 5)
    n, m = 5, 4  # τ_pen = (τ_ign·m − (N − m))/N
    assert found.value("tau-penalised", "p") == pytest.approx((found.value("tau-ignored", "p") * m - (n - m)) / n)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=12))
def test_pairs_of_a_ranking_are_counted_by_the_definition(items: list[tuple[int, int, int]]) -> None:
    gold, said, groups = map(list, zip(*items, strict=True))
    expected = [0, 0]
    for i in range(len(items)):
        for j in range(i):
            if groups[i] == groups[j] and gold[i] != gold[j]:
                expected[1] += 1
                expected[0] += 1 if (gold[i] - gold[j]) * (said[i] - said[j]) > 0 else -1
    assert ranking_rows(gold, said, groups, "wmt12").sum(axis=0).tolist() == expected


def test_a_ranking_needs_sources_and_differences() -> None:
    with pytest.raises(DataError, match="name the source of each"):
        evaluate([1, 2], [1, 2], task="ranking")
    with pytest.raises(DataError, match="no pair to order"):
        evaluate([1, 2], [1, 2], task="ranking", groups=["a", "b"])
