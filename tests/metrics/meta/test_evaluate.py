"""Meta-evaluation of scores given as Python objects."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import scipy.stats

from dragoman.data.comparisons import Comparisons
from dragoman.errors import DataError, UnknownName
from dragoman.metrics.meta import HumanRankings, MetaEvaluation, MetaRecipe, average_evaluations, meta_evaluate
from dragoman.stats.correlation import pearson
from dragoman.stats.williams import williams_test

SYSTEMS = ["a", "b", "c", "d", "e", "f"]
HUMAN = dict(zip(SYSTEMS, [0.1, 0.2, 0.35, 0.4, 0.6, 0.7], strict=True))
GOOD = dict(zip(SYSTEMS, [10.0, 21, 34, 41, 58, 71], strict=True))
POOR = dict(zip(SYSTEMS, [30.0, 10, 20, 60, 40, 50], strict=True))
ERRORS = dict(zip(SYSTEMS, [9.0, 8, 6, 7, 3, 2], strict=True))


def test_system_level() -> None:
    found = meta_evaluate({"poor": POOR, "good": GOOD, "errors": ERRORS}, HUMAN, MetaRecipe(lower_is_better=["errors"]))
    assert [each.metric for each in found.agreements] == ["good", "errors", "poor"]
    assert [each.rank for each in found.agreements] == [1, 2, 3]
    human = list(HUMAN.values())
    for name, scores, sign in (("good", GOOD, 1), ("poor", POOR, 1), ("errors", ERRORS, -1)):
        own = found.agreement(name)
        values = [sign * score for score in scores.values()]
        assert own.values["pearson"] == pytest.approx(scipy.stats.pearsonr(human, values).statistic)
        assert own.values["spearman"] == pytest.approx(scipy.stats.spearmanr(human, values).statistic)
        assert own.values["kendall"] == pytest.approx(scipy.stats.kendalltau(human, values).statistic)
        assert (own.n, own.n_of, own.lower_is_better, own.missing) == (6, 6, sign < 0, ())
    assert found.tests is not None
    r12, r13, r23 = (
        pearson(list(GOOD.values()), list(POOR.values())),
        *(found.agreement(name).values["pearson"] or 0 for name in ("good", "poor")),
    )
    assert found.tests.p_value("good", "poor") == pytest.approx(williams_test(r12, r13, r23, 6).p)
    assert found.tests.p_value("poor", "good") is None
    assert found.agreement("good").cluster == 1
    assert found.level == "sys"


def test_names_of_this_packages_error_rates_are_known() -> None:
    found = meta_evaluate({"ter": ERRORS, "wer:tokeniser=none": ERRORS, "XER": ERRORS}, HUMAN)
    assert [found.agreement(name).lower_is_better for name in ("ter", "wer:tokeniser=none", "XER")] == [1, 1, 0]
    assert (found.agreement("ter").values["pearson"] or 0) > 0.9
    assert (found.agreement("XER").values["pearson"] or 0) < -0.9
    assert "Negative: XER; if lower is better there, declare it." in found.notes
    by_pairs = meta_evaluate({"XER": ERRORS, "good": GOOD}, HUMAN, MetaRecipe(by="accuracy"))
    assert "Negative: XER; if lower is better there, declare it." in by_pairs.notes
    bad = meta_evaluate({"ter": GOOD, "XER": ERRORS}, HUMAN, MetaRecipe(lower_is_better=["XER"]))
    assert (bad.agreement("ter").values["pearson"] or 0) < 0
    assert "Negative, though lower is taken to be better: ter." in bad.notes
    assert not any("declare it" in note for note in bad.notes)


def test_absolute_negates_what_correlates_negatively() -> None:
    found = meta_evaluate({"XER": ERRORS, "good": GOOD}, HUMAN, MetaRecipe(absolute=True))
    assert found.agreement("XER").lower_is_better
    assert (found.agreement("XER").values["pearson"] or 0) > 0.9
    declared = meta_evaluate({"XER": ERRORS, "good": GOOD}, HUMAN, MetaRecipe(lower_is_better=["XER"]))
    assert found.agreement("XER").values == declared.agreement("XER").values


def test_missing_is_not_zero() -> None:
    partial = {**GOOD, "f": None, "z": 3.0}
    del partial["a"]
    found = meta_evaluate({"good": GOOD, "partial": partial}, {**HUMAN, "g": None})
    own = found.agreement("partial")
    assert (own.n, own.n_of, own.missing) == (4, 6, ("a", "f"))
    assert found.not_judged == ("z",)
    kept = ["b", "c", "d", "e"]
    expected = pearson([HUMAN[name] for name in kept], [GOOD[name] for name in kept])
    assert own.values["pearson"] == pytest.approx(expected)
    assert "Scores are missing, so n differs: partial." in found.notes
    assert "Scored but not judged, and left out: z." in found.notes
    assert found.meta()["missing"] == {"partial": ["a", "f"]}
    assert found.tables()[-1].rows == (("partial", "a, f"),)


def test_equal_scores_and_few_systems_have_defined_results() -> None:
    found = meta_evaluate({"flat": dict.fromkeys(SYSTEMS, 1.0), "good": GOOD}, HUMAN)
    flat = found.agreement("flat")
    assert (flat.values["pearson"], flat.rank, flat.cluster, flat.low) == (None, None, None, None)
    assert found.agreements[-1] is flat
    assert any(note.startswith("Not defined") for note in found.notes)
    three = {name: HUMAN[name] for name in "abc"}
    few = meta_evaluate({"good": GOOD, "poor": POOR}, three)
    assert few.tests is None
    assert few.agreement("good").low is None  # Fisher's interval needs four
    assert few.agreement("good").cluster is None
    assert "Williams' test needs at least four systems." in few.notes
    two = meta_evaluate({"good": GOOD}, {"a": 1.0, "b": 2.0})
    assert two.agreement("good").values["pearson"] == pytest.approx(1)


def test_another_measure_can_order_the_table() -> None:
    found = meta_evaluate({"poor": POOR, "good": GOOD}, HUMAN, MetaRecipe(by="spearman", trials=200))
    assert found.by == "spearman"
    assert found.tables()[0].columns[3].name == "spearman"
    assert found.tests is not None
    assert found.tests.name == "PERM-BOTH"
    assert 0 < (found.tests.p_value("good", "poor") or 0) < 0.5
    own = found.agreement("poor")
    assert own.low is not None
    assert own.high is not None
    assert own.low <= (own.values["spearman"] or 0) <= own.high
    assert found.meta()["tests"]["seed"] == 12345


def test_wrong_input_is_named() -> None:
    with pytest.raises(DataError, match="There are no metrics"):
        meta_evaluate({}, HUMAN)
    with pytest.raises(DataError, match=r"different systems. Metrics: x. People: a, b, c, d …"):
        meta_evaluate({"good": {"x": 1.0}}, HUMAN)
    with pytest.raises(DataError, match="People judged 1 systems"):
        meta_evaluate({"good": GOOD}, {"a": 1.0})
    with pytest.raises(UnknownName, match="lower_is_better names other, but the metrics are good"):
        meta_evaluate({"good": GOOD}, HUMAN, MetaRecipe(lower_is_better=["other"]))
    with pytest.raises(UnknownName, match="own names other"):
        meta_evaluate({"good": GOOD}, HUMAN, own=["other"])
    with pytest.raises(UnknownName, match=r"cannot be ordered by 'tau' here. Known: pearson, spearman"):
        meta_evaluate({"good": GOOD}, HUMAN, MetaRecipe(by="tau"))
    with pytest.raises(DataError, match="single numbers, others lists"):
        meta_evaluate({"good": GOOD}, {"a": [1.0], "b": [2.0]})
    with pytest.raises(DataError, match="good has a list of scores of 'a'; level sys"):
        meta_evaluate({"good": {"a": [1.0], "b": [2.0]}}, {"a": [1.0], "b": [2.0]}, MetaRecipe(level="sys"))
    with pytest.raises(DataError, match="good, a is inf, which is no score"):
        meta_evaluate({"good": {"a": math.inf, "b": 1.0}}, HUMAN)
    with pytest.raises(DataError, match="alpha must lie between 0 and 1"):
        meta_evaluate({"good": GOOD}, HUMAN, MetaRecipe(alpha=2))
    with pytest.raises(DataError, match="The 'trials' option of MetaRecipe must be at least 1"):
        meta_evaluate({"good": GOOD}, HUMAN, MetaRecipe(trials=0))
    found = meta_evaluate({"good": GOOD, "poor": POOR}, HUMAN)
    with pytest.raises(UnknownName, match=r"No metric is called 'x'. Known: good, poor"):
        found.agreement("x")
    assert found.tests is not None
    with pytest.raises(UnknownName, match="No metric is called 'x'"):
        found.tests.p_value("x", "good")


def rankings(outcomes: list[tuple[int, int, int, int]]) -> HumanRankings:
    """Rankings of systems a, b, c from (first, second, outcome, segment)."""
    first, second, outcome, segment = (np.array(column) for column in zip(*outcomes, strict=True))
    zeros = np.zeros(len(outcomes), dtype=np.int32)
    comparisons = Comparisons(
        ("a", "b", "c"),
        ("x",),
        first.astype(np.int32),
        second.astype(np.int32),
        outcome.astype(np.int8),
        zeros,
        zeros,
        zeros,
        {"file": "made"},
    )
    return HumanRankings(comparisons, segment.astype(np.int64), {"file": "made"})


# Segment 1: ranks 1, 2, 2 (the findings' example); segment 2: c is best, a and b differ; segment 3 is beyond the list.
RANKINGS = rankings(
    [(0, 1, 1, 1), (0, 2, 1, 1), (1, 2, 0, 1), (0, 1, -1, 2), (0, 2, -1, 2), (1, 2, -1, 2), (0, 1, 1, 3)]
)
METRIC = {"a": [0.9, 0.3], "b": [0.9, 0.2], "c": [0.1, 0.8]}


@pytest.mark.parametrize(("variant", "tau"), [("wmt12", 1 / 5), ("wmt13", 2 / 4), ("wmt14", 2 / 5)])
def test_segment_level_by_rankings(variant: str, tau: float) -> None:
    # Concordant: 1–3 of the first segment, two of the second; discordant one; one metric tie.
    found = meta_evaluate({"m": METRIC, "copy": METRIC}, RANKINGS, MetaRecipe(level="seg", variant=variant, trials=50))
    own = found.agreement("m")
    assert own.values == {"tau": pytest.approx(tau), "concordant": 3, "discordant": 1, "metric_ties": 1}
    assert (own.n, own.n_of) == (5, 6)
    assert (found.unit, found.by, found.provenance["variant"]) == ("pairs", "tau", variant)
    assert found.provenance["human_ties"] == 1
    assert "tie" in found.provenance["ties"]
    assert found.provenance["file"] == "made"
    assert own.low is not None
    assert found.tests is not None
    assert np.isnan(found.tests.p).all()  # a copy is no better
    # Negated and declared an error metric it comes out the same.
    errors = {system: [-score for score in scores] for system, scores in METRIC.items()}
    turned = meta_evaluate(
        {"m": errors}, RANKINGS, MetaRecipe(level="seg", variant=variant, lower_is_better=["m"], trials=50)
    )
    assert turned.agreement("m").values == own.values
    absolute = meta_evaluate(
        {"m": errors}, RANKINGS, MetaRecipe(level="seg", variant=variant, absolute=True, trials=50)
    )
    assert absolute.agreement("m").values == own.values


def test_rankings_become_scores_of_systems() -> None:
    scores = RANKINGS.system_scores("bojar")
    assert scores == {"a": pytest.approx(3 / 5), "b": pytest.approx(1 / 4), "c": pytest.approx(2 / 3)}
    expected = RANKINGS.system_scores()
    assert expected["a"] == pytest.approx((2 / 3 + 1 / 2) / 2)
    found = meta_evaluate({"m": {"a": 1.0, "b": 0.0, "c": 2.0}}, RANKINGS, MetaRecipe(method="bojar"))
    assert found.level == "sys"
    assert found.provenance["human_score"] == "bojar"
    assert found.agreement("m").values["spearman"] == pytest.approx(1)
    with pytest.raises(UnknownName, match=r"No score of rankings is called 'elo'. Known: expected-wins, bojar"):
        RANKINGS.system_scores("elo")
    with pytest.raises(DataError, match="Every comparison needs the number of its segment"):
        HumanRankings(RANKINGS.comparisons, np.zeros(2, dtype=np.int64))
    with pytest.raises(UnknownName, match="No τ variant is called 'wmt21'"):
        meta_evaluate({"m": METRIC}, RANKINGS, MetaRecipe(level="seg", variant="wmt21"))


def assessed() -> tuple[dict[str, list[float | None]], dict[str, list[float]]]:
    rng = np.random.default_rng(6)
    truth = rng.uniform(0, 100, size=(3, 40))
    human: dict[str, list[float | None]] = {
        name: [None if rng.random() < 0.2 else float(x) for x in row] for name, row in zip("abc", truth, strict=True)
    }
    metric = {name: (row + rng.normal(size=40) * 20).tolist() for name, row in zip("abc", truth, strict=True)}
    return human, metric


def test_segment_level_by_direct_assessment() -> None:
    human, metric = assessed()
    noise = {name: np.random.default_rng(7).normal(size=40).tolist() for name in "abc"}
    found = meta_evaluate({"m": metric, "noise": noise}, human, MetaRecipe(trials=100))
    pairs = [(h, m) for name in "abc" for h, m in zip(human[name], metric[name], strict=True) if h is not None]
    own = found.agreement("m")
    assert own.values["pearson"] == pytest.approx(scipy.stats.pearsonr(*zip(*pairs, strict=True)).statistic)
    assert own.values["kendall"] == pytest.approx(scipy.stats.kendalltau(*zip(*pairs, strict=True)).statistic)
    assert own.n == own.n_of == len(pairs)
    assert 0.5 < (own.values["accuracy_eq"] or 0) <= 1
    assert found.unit == "translations"
    assert found.tests is not None
    assert (found.tests.p_value("m", "noise") or 1) < 0.05
    assert [each.cluster for each in found.agreements] == [1, 2]
    by_accuracy = meta_evaluate({"m": metric, "noise": noise}, human, MetaRecipe(by="accuracy_eq", trials=100))
    assert by_accuracy.agreement("m").low is not None
    assert by_accuracy.tests is not None
    by_rank = meta_evaluate({"m": metric, "noise": noise}, human, MetaRecipe(by="spearman", trials=100))
    assert by_rank.tests is None
    assert any("see pearson or accuracy_eq" in note for note in by_rank.notes)


def test_metrics_that_lack_translations_are_tested_on_what_all_have() -> None:
    human, metric = assessed()
    holes: dict[str, list[float | None]] = {**metric, "a": [None, *metric["a"][1:]]}
    found = meta_evaluate({"m": metric, "holes": holes}, human, MetaRecipe(trials=20))
    judged_first = human["a"][0] is not None
    assert found.agreement("holes").n == found.agreement("m").n - judged_first
    assert any("translations that all of them scored" in note for note in found.notes) == judged_first
    without = {**metric}
    del without["c"]
    fewer = meta_evaluate({"m": without}, human, MetaRecipe(trials=20))
    assert fewer.agreement("m").missing == ("c",)
    assert fewer.agreement("m").n < fewer.agreement("m").n_of


def test_direct_assessments_as_rankings() -> None:
    human = {"a": [90.0, 50.0], "b": [60.0, 40.0], "c": [10.0, None]}
    metric = {"a": [3.0, 1.0], "b": [3.0, 2.0], "c": [1.0, 9.0]}
    # Segment 1: all three pairs are 25 points apart or more; a–b is a metric tie. Segment 2: 10 points, a human tie.
    found = meta_evaluate({"m": metric}, human, MetaRecipe(variant="wmt18", trials=20))
    assert found.agreement("m").values["tau"] == pytest.approx((2 - 1) / 3)
    assert found.provenance["threshold"] == 25
    nearer = meta_evaluate({"m": metric}, human, MetaRecipe(variant="wmt18", threshold=10, trials=20))
    assert nearer.agreement("m").values["tau"] == pytest.approx((2 - 2) / 4)


def test_lists_must_be_of_one_length() -> None:
    human = {"a": [1.0, 2.0], "b": [2.0, 1.0]}
    with pytest.raises(DataError, match=r"m has 3 segments of 'a', others have 2; an entry that is missing is None"):
        meta_evaluate({"m": {"a": [1.0, 2, 3], "b": [1.0, 2, 3]}}, human)
    with pytest.raises(DataError, match=r"people must have lists of one length.*got lengths \[1, 2\]"):
        meta_evaluate({"m": human}, {"a": [1.0, 2.0], "b": [2.0]})
    with pytest.raises(DataError, match="m has one score of 'a'; level seg needs a list"):
        meta_evaluate({"m": {"a": 1.0, "b": [1.0, 2]}}, human, MetaRecipe(level="seg"))


def test_soft_accuracy_comes_with_segments() -> None:
    human, metric = assessed()
    whole = {name: [50.0 if x is None else x for x in row] for name, row in human.items()}
    means = {name: sum(row) / 40 for name, row in whole.items()}
    of_metric = {name: sum(row) / 40 for name, row in metric.items()}
    found = meta_evaluate(
        {"m": of_metric, "same": means},
        means,
        MetaRecipe(trials=200),
        segment_scores={"m": metric, "same": whole},
        segment_human=whole,
    )
    assert found.agreement("same").values["soft_accuracy"] == 1
    assert 0.5 < (found.agreement("m").values["soft_accuracy"] or 0) <= 1
    assert any("40 segments" in note for note in found.notes)
    only = meta_evaluate({"m": of_metric}, means, segment_scores={}, segment_human=whole)
    assert only.agreement("m").values.get("soft_accuracy") is None


def test_the_result_can_be_shown(tmp_path: object) -> None:
    found = meta_evaluate({"poor": POOR, "good": GOOD, "mine": ERRORS}, HUMAN, MetaRecipe(absolute=True), own=["mine"])
    shown = found.to_dict()
    json.dumps(shown)
    assert shown["kind"] == "meta-evaluation"
    assert shown["rows"][0]["metric"] == "good"
    assert [row["own"] for row in shown["rows"]] == [False, True, False]
    assert shown["meta"]["level"] == "sys"
    html = found.html("Mine & others")
    assert "Mine &amp; others" in html
    assert "Provenance" in html
    assert [figure.kind for figure in found.figures()] == ["scatter"] * 3
    for form in ("text", "tsv", "markdown", "latex"):
        assert "mine" in found.render(form)


def evaluation(scores: dict[str, dict[str, float]]) -> MetaEvaluation:
    return meta_evaluate(scores, HUMAN)


def test_averages_over_language_pairs() -> None:
    both = {
        "de-en": evaluation({"good": GOOD, "poor": POOR, "one": GOOD}),
        "en-de": evaluation({"good": POOR, "poor": GOOD}),
    }
    found = average_evaluations(both)
    by_name = {row.metric: row for row in found.rows}
    assert by_name["good"].mean == pytest.approx(by_name["poor"].mean)
    assert (by_name["one"].mean, by_name["one"].rank, by_name["one"].n_pairs) == (None, None, 1)
    assert found.rows[-1].metric == "one"
    assert found.ranked_by == "cluster"
    # de-en: good and one are equal and above poor; en-de: poor is above good.
    assert (by_name["good"].above, by_name["good"].not_below) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert (by_name["one"].above, by_name["one"].not_below) == (pytest.approx(1 / 2), 1.0)
    assert found.tables()[0].columns[-1].name == "en-de"
    json.dumps(found.to_dict())
    assert "de-en: Metrics" in found.html()
    with pytest.raises(DataError, match="no evaluations to average"):
        average_evaluations({})
    with pytest.raises(DataError, match="different measures have no mean: pearson, spearman"):
        average_evaluations({**both, "x": meta_evaluate({"good": GOOD}, HUMAN, MetaRecipe(by="spearman"))})


def test_the_seed_is_all_there_is_to_chance() -> None:
    human, metric = assessed()
    runs = [
        meta_evaluate(
            {"m": metric, "n": {k: v[::-1] for k, v in metric.items()}}, human, MetaRecipe(trials=60), n_threads=n
        )
        for n in (1, 2, 7)
    ]
    assert len({str(run.to_dict()) for run in runs}) == 1


def test_correlations_by_segment_and_by_system() -> None:
    human, metric = assessed()
    rng = np.random.default_rng(7)
    noise = {name: rng.normal(size=40).tolist() for name in "abc"}
    by_item, by_system = (
        meta_evaluate({"m": metric, "noise": noise}, human, MetaRecipe(group=group, by="kendall", trials=50))
        for group in ("item", "sys")
    )
    judged = np.array([[np.nan if x is None else x for x in human[name]] for name in "abc"])
    table = np.array([metric[name] for name in "abc"])
    naive = []
    for h, m in zip(judged.T, table.T, strict=True):
        kept = ~np.isnan(h)
        if kept.sum() > 1:
            naive.append(scipy.stats.kendalltau(h[kept], m[kept]).statistic)
    assert by_item.agreement("m").values["kendall"] == pytest.approx(np.mean(naive))
    rows = [
        scipy.stats.pearsonr(h[~np.isnan(h)], m[~np.isnan(h)]).statistic for h, m in zip(judged, table, strict=True)
    ]
    assert by_system.agreement("m").values["pearson"] == pytest.approx(np.mean(rows))
    assert by_item.tests is not None
    assert (by_item.tests.p_value("m", "noise") or 1) < 0.05
    assert by_item.agreement("m").low is not None
    assert by_item.provenance["group"] == "item"
    with pytest.raises(DataError, match="The 'group' option of MetaRecipe must be one of 'none', 'item', 'sys'"):
        meta_evaluate({"m": metric}, human, MetaRecipe(group="doc"))
