"""Who is kept: simulated populations, and every odd record."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data.judgements import DIRECT_ASSESSMENT, Judgements, ranking_schema
from dragoman.errors import DataError, UnknownName
from dragoman.human.direct_assessment.analysis import analyse_direct
from dragoman.human.direct_assessment.assessments import BAD, CHK, Assessments
from dragoman.human.direct_assessment.power import simulated_campaign
from dragoman.human.direct_assessment.scores import standardise
from dragoman.human.direct_assessment.workers import WORKER_TESTS, judge_workers

QUALITY = {"a": 75.0, "b": 65.0, "c": 50.0, "d": 40.0}


def judgements(*rows: tuple[str, str, str, int, float | None]) -> Judgements:
    """Rows of annotator, type, system, segment, score."""
    return Judgements.of(
        DIRECT_ASSESSMENT,
        [
            {"annotator": who, "item": str(n), "type": kind, "system": system, "segment": segment, "score": score}
            for n, (who, kind, system, segment, score) in enumerate(rows)
        ],
    )


def one_worker(pairs: list[tuple[float, float]], repeats: list[tuple[float, float]] = ()) -> Judgements:  # type: ignore[assignment]
    """An annotator's (degraded, original) and (original, repeat) scores."""
    rows = []
    for n, (bad, system) in enumerate(pairs, start=1):
        rows += [("w", "BAD", "s", n, bad), ("w", "TGT", "s", n, system)]
    for n, (first, again) in enumerate(repeats, start=100):
        rows += [("w", "TGT", "s", n, first), ("w", "CHK", "s", n, again)]
    return judgements(*rows)


def verdict(pairs: list[tuple[float, float]], test: str = "t", repeats: list[tuple[float, float]] = ()):  # type: ignore[no-untyped-def, assignment]
    return judge_workers(Assessments.of(one_worker(pairs, repeats)), test=test)[0]


# The real task of the specification: (degraded, system), t = −0.600773 of degraded − system, p = 0.281407, df 9.
REAL = [(62, 24), (19, 2), (10, 82), (21, 45), (3, 13), (5, 7), (0, 8), (90, 23), (1, 100), (1, 0)]


def test_the_worked_example() -> None:
    report = verdict(REAL)
    assert report.statistic == pytest.approx(0.600773, abs=1e-6)  # system − degraded
    assert report.p == pytest.approx(0.281407, abs=1e-6)
    assert not report.kept
    assert report.reason == "insufficient evidence: degraded copies are 9.2 lower in 10 pairs"


@pytest.mark.parametrize("test", [name for name in WORKER_TESTS if name not in ("none", "welch", "mann-whitney")])
def test_paired_tests_keep_who_tells_degraded_copies(test: str) -> None:
    assert verdict([(40 + n, 70 + 2 * n) for n in range(10)], test).kept
    assert not verdict([(70 + 2 * n, 40 + n) for n in range(10)], test).kept
    assert verdict([(70 + 2 * n, 40 + n) for n in range(10)], test).reason == "degraded copies are not scored lower"
    assert verdict(REAL * 2, test).reason.startswith("no reliable difference")


@pytest.mark.parametrize("test", ["welch", "mann-whitney"])
def test_unpaired_tests_compare_with_repeats(test: str) -> None:
    steady = [(50.0, 52.0), (60.0, 59.0), (70.0, 73.0), (20.0, 21.0)]
    gains = [(40.0, 70.0), (20.0, 55.0), (30.0, 52.0), (10.0, 50.0)]
    assert verdict(gains, test, steady).kept
    assert not verdict([(b, b + 2) for b, _ in gains], test, steady).kept  # no farther apart than repeats
    assert verdict(gains, test, steady[:1]).reason == "insufficient evidence: 1 of at least 2 repeats"


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        ([(10, 50)], "insufficient evidence: 1 of at least 2 degraded pairs"),
        ([(10, 50), (20, 60), (30, 70)], "all 3 degraded copies differ from their originals by the same +40"),
        ([(50, 50)] * 4, "all 4 degraded copies differ from their originals by the same +0"),
    ],
)
def test_what_cannot_be_tested_is_not_kept(pairs: list[tuple[float, float]], reason: str) -> None:
    report = verdict(pairs)
    assert not report.kept
    assert report.reason == reason
    assert report.p is None


def test_without_degraded_copies_everyone_is_kept() -> None:
    told = judgements(("w", "TGT", "a", 1, 10), ("w", "TGT", "b", 1, 20), ("v", "TGT", "a", 2, 30))
    reports = judge_workers(Assessments.of(told))
    assert [(each.kept, each.reason) for each in reports] == [(True, "no degraded copies to judge by")] * 2
    analysed = analyse_direct(told)
    assert [(each.annotator, each.reason) for each in analysed.workers if not each.kept] == [
        ("v", "one judgement only")
    ]
    assert [each.system for each in analysed.systems] == ["b", "a"]
    assert analysed.systems[0].low is None  # a single segment has no interval


def test_scores_that_do_not_vary_have_no_z() -> None:
    told = judgements(*(("w", "TGT", "a", n, 50) for n in range(1, 5)))
    assert np.isnan(standardise(Assessments.of(told))).all()
    analysed = analyse_direct(told, test="none")
    assert analysed.workers[0].reason == "all 4 scores are the same"
    assert analysed.systems == ()
    assert "No annotator is kept, so no system has a score." in analysed.render()
    assert analysed.to_dict()["rows"] == []


def test_originals_are_looked_for_near_the_control() -> None:
    told = judgements(
        ("w", "TGT", "s", 1, 10),
        ("w", "BAD", "s", 1, 5),
        ("w", "REF", "s", 1, 99),
        ("w", "TGT", "t", 1, 20),
        ("v", "CHK", "s", 1, 30),
        ("w", "TGT", "s", 1, 40),
        ("w", "CHK", "s", 1, 50),
    )
    data = Assessments.of(told)
    degraded, repeats = data.pairs(BAD), data.pairs(CHK)
    assert (degraded.control.tolist(), degraded.original.tolist()) == ([1], [0])
    assert (repeats.control.tolist(), repeats.original.tolist()) == ([6], [5])  # v never saw the original


def test_the_last_word_counts_and_blanks_do_not() -> None:
    told = judgements(("w", "TGT", "s", 1, 10), ("w", "TGT", "s", 2, None), ("w", "TGT", "s", 3, 30))
    changed = told.append([{"annotator": "w", "item": "0", "type": "TGT", "system": "s", "segment": 1, "score": 70}])
    data = Assessments.of(changed)
    assert sorted(data.score.tolist()) == [30, 70]
    assert data.provenance["replaced"] == 1
    assert data.provenance["without_score"] == 1


def test_flags_ask_for_a_look() -> None:
    rows = [("w", "TGT", "s", n, 50.0) for n in range(12)]
    rows += [("w", "BAD", "s", 1, 60.0), ("w", "REF", "s", 1, 40.0)]
    told = Judgements.of(DIRECT_ASSESSMENT, [{**row, "seconds": 2} for row in judgements(*rows).rows()])
    report = judge_workers(Assessments.of(told))[0]
    assert report.flags == (
        "degraded ≥ system",
        "system ≥ reference",
        "reference < 90",
        "under 3 s an item",
        "12 equal scores in a row",
    )
    fluency = judge_workers(Assessments.of(told), attribute="fluency")[0]
    assert "reference < 90" not in fluency.flags


def test_bad_calls_are_named() -> None:
    told = one_worker(REAL)
    with pytest.raises(UnknownName, match=r"^No test of annotators is called 'u'\. Known: t, wilcoxon"):
        analyse_direct(told, test="u")
    with pytest.raises(DataError, match=r"^The alpha must lie between 0 and 1, got 2\.$"):
        analyse_direct(told, alpha=2)
    with pytest.raises(DataError, match=r"^The level must lie between 0 and 1, got 95\.$"):
        analyse_direct(told, level=95)
    with pytest.raises(UnknownName, match=r"^Scores are standardised over all, no-references, genuine; got 'x'\.$"):
        analyse_direct(told, over="x")
    with pytest.raises(UnknownName, match=r"^A system's score is the mean over each judgement or segment; got 'x'\.$"):
        analyse_direct(told, unit="x")
    with pytest.raises(DataError, match=r"^There is no judgement with a score to analyse\.$"):
        analyse_direct(judgements())
    with pytest.raises(DataError, match=r"^Judgement 1 has the type 'XXX'; expected TGT, CHK, BAD, REF\.$"):
        analyse_direct(judgements(("w", "XXX", "s", 1, 10)))
    with pytest.raises(DataError, match=r"^These are judgements of the kind relative-ranking, not direct-assessment"):
        analyse_direct(Judgements.of(ranking_schema(2)))
    with pytest.raises(DataError, match=r"^Row 1: A direct-assessment judgement is wrong: score is 101\.0; expected"):
        judgements(("w", "TGT", "s", 1, 101))


@given(
    st.lists(st.integers(0, 100), min_size=3, max_size=30).filter(lambda scores: len(set(scores)) > 1),
    st.floats(0.1, 0.9),
    st.floats(0, 9),
)
def test_z_scores_do_not_change_with_the_scale(scores: list[int], factor: float, shift: float) -> None:
    """DA-SCALE acceptance 4: z is invariant to an affine change of an annotator's raw scores."""

    def z(values: list[float]) -> np.ndarray:  # type: ignore[type-arg]
        return standardise(Assessments.of(judgements(*(("w", "TGT", "s", n, v) for n, v in enumerate(values)))))

    before = z([float(score) for score in scores])
    assert np.allclose(before, z([shift + factor * score for score in scores]))
    assert before.mean() == pytest.approx(0, abs=1e-9)
    assert before.std(ddof=1) == pytest.approx(1)


@pytest.mark.parametrize("over", ["all", "no-references", "genuine"])
def test_what_z_is_taken_over(over: str) -> None:
    told = judgements(
        ("w", "TGT", "s", 1, 10), ("w", "CHK", "s", 1, 30), ("w", "BAD", "s", 1, 0), ("w", "REF", "s", 1, 100)
    )
    used = {"all": [10, 30, 0, 100], "no-references": [10, 30, 0], "genuine": [10, 30]}[over]
    expected = [(score - np.mean(used)) / np.std(used, ddof=1) for score in (10, 30, 0, 100)]
    assert np.allclose(standardise(Assessments.of(told), over=over), expected)


@pytest.mark.parametrize("test", ["t", "wilcoxon", "randomisation", "welch", "mann-whitney"])
def test_the_filter_tells_care_from_carelessness(test: str) -> None:
    """DA-SCALE acceptance 3: conscientious and lenient workers stay, ≥ 95 % of clickers go, with two tasks each."""
    habits = [habit for habit in ("honest", "lenient", "harsh", "random", "constant", "copycat") for _ in range(25)]
    campaign = simulated_campaign(QUALITY, habits, 2 * len(habits), seed=8)
    reports = judge_workers(campaign, test=test, seed=3)
    kept = {
        habit: np.mean([each.kept for each in reports if each.annotator.startswith(habit)]) for habit in set(habits)
    }
    assert kept["honest"] == kept["harsh"] == 1
    assert kept["lenient"] >= 0.95
    careless = np.mean(
        [each.kept for each in reports if each.annotator.split("-")[0] in ("random", "constant", "copycat")]
    )
    assert careless <= 0.08  # the level of the test is .05; 75 clickers


def test_random_clickers_pass_at_the_level_of_the_test() -> None:
    habits = ["random"] * 400
    kept = np.mean([each.kept for each in judge_workers(simulated_campaign(QUALITY, habits, 800, seed=2))])
    assert abs(kept - 0.05) < 3 * math.sqrt(0.05 * 0.95 / 400)


def timed(*tasks: tuple[str, float, float, float, str]) -> Judgements:
    """Tasks of ten items: name, start, end, seconds an item, status."""
    return Judgements.of(
        DIRECT_ASSESSMENT,
        [
            {
                "annotator": "w",
                "item": f"{name}/{n}",
                "segment": n,
                "system": "s",
                "score": 10.0 * n,
                "task": name,
                "start": start,
                "end": end,
                "seconds": seconds,
                "status": status,
            }
            for name, start, end, seconds, status in tasks
            for n in range(10)
        ],
    )


@pytest.mark.parametrize(
    ("tasks", "flags"),
    [
        ([("a", 0, 80, 8, "Approved"), ("b", 100, 180, 8, "Approved")], ()),
        # Three tasks open at once: eight seconds an item are shared among them.
        (
            [("a", 0, 80, 8, "Approved"), ("b", 10, 90, 8, "Approved"), ("c", 20, 95, 8, "Approved")],
            ("under 3 s an item",),
        ),
        ([("a", 0, 80, 8, "Approved"), ("b", 100, 120, 2, "Rejected")], ("under 3 s an item", "a task was rejected")),
    ],
)
def test_tasks_open_at_once_share_their_time(
    tasks: list[tuple[str, float, float, float, str]], flags: tuple[str, ...]
) -> None:
    assert judge_workers(Assessments.of(timed(*tasks)))[0].flags == flags


def test_controls_belong_to_the_originals_of_their_task() -> None:
    rows = [
        {"annotator": "w", "item": "1", "type": "TGT", "segment": 1, "system": "s", "score": 50, "task": "a"},
        {"annotator": "w", "item": "2", "type": "TGT", "segment": 1, "system": "s", "score": 60, "task": "b"},
        {"annotator": "w", "item": "3", "type": "BAD", "segment": 1, "system": "s", "score": 10, "task": "a"},
    ]
    pairs = Assessments.of(Judgements.of(DIRECT_ASSESSMENT, rows)).pairs(BAD)  # type: ignore[arg-type]
    assert (pairs.control.tolist(), pairs.original.tolist()) == ([2], [0])


def test_several_campaigns_must_be_told_apart() -> None:
    asked = [("de", "adequacy"), ("fr", "adequacy"), ("fr", "adequacy"), ("fr", "fluency")]
    rows = [
        {
            "annotator": "w",
            "item": str(n),
            "segment": n,
            "system": "s",
            "score": 10 * n,
            "source_lang": source,
            "target_lang": "en",
            "attribute": attribute,
        }
        for n, (source, attribute) in enumerate(asked)
    ]
    told = Judgements.of(DIRECT_ASSESSMENT, rows)
    with pytest.raises(DataError, match=r"^The judgements have more than one language pair: de-en, fr-en\. Name one"):
        analyse_direct(told)
    with pytest.raises(DataError, match=r"^The judgements have more than one attribute: adequacy, fluency\. Name one"):
        analyse_direct(told, pair="fr-en")
    with pytest.raises(DataError, match=r"^No judgement has the language pair 'es-en'\. Known: de-en, fr-en\.$"):
        analyse_direct(told, pair="es-en")
    data = Assessments.of(told, pair="fr-en", attribute="adequacy")
    assert data.score.tolist() == [10, 20]
    assert data.provenance["of_others"] == 2
    assert (data.provenance["pair"], data.provenance["attribute"]) == ("fr-en", "adequacy")


rows = st.tuples(
    st.sampled_from(["v", "w"]),
    st.sampled_from(["TGT", "CHK", "BAD"]),
    st.sampled_from(["s", "t"]),
    st.integers(1, 3),
    st.sampled_from([None, "a", "b"]),
)


@given(st.lists(rows, max_size=40), st.sampled_from([BAD, CHK]))
def test_pairs_by_definition(made: list[tuple[str, str, str, int, str | None]], kind: int) -> None:
    """Each control with the nearest original of the same annotator, task, system and segment; the earlier of two."""
    told = Judgements.of(
        DIRECT_ASSESSMENT,
        [
            {
                "annotator": who,
                "item": str(n),
                "type": type_,
                "system": system,
                "segment": segment,
                "task": task,
                "score": 1,
            }
            for n, (who, type_, system, segment, task) in enumerate(made)
        ],
    )
    expected = []
    for n, (who, type_, *what) in enumerate(made):
        if type_ == ("BAD" if kind == BAD else "CHK"):
            same = [m for m, (by, other, *shown) in enumerate(made) if (by, other, shown) == (who, "TGT", what)]
            if same:
                expected.append((n, min(same, key=lambda m: (abs(m - n), m))))
    found = Assessments.of(told).pairs(kind)
    assert sorted(zip(found.control.tolist(), found.original.tolist(), strict=True)) == expected
