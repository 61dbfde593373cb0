"""Systems and segments: means, order, clusters, provenance, page; gain over time; simulation and power."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dragoman.data.judgements import Judgements, ranking_schema, read_judgements
from dragoman.errors import DataError, UnknownName
from dragoman.human.direct_assessment.analysis import analyse_direct
from dragoman.human.direct_assessment.over_time import difficulty_corrected_gain, f1, gain_over_time
from dragoman.human.direct_assessment.power import power_curve
from dragoman.human.direct_assessment.protocol import DirectAssessment
from dragoman.human.direct_assessment.scores import SystemPair, clusters
from dragoman.human.direct_assessment.simulation import Population, simulate_judgements
from dragoman.human.planning import plan_test_set
from dragoman.human.rankings import analyse_rankings
from dragoman.samples import sample_path
from dragoman.stats import rank_sum_test
from tests.human.made_sets import made_set

PEOPLE = tuple(f"p{i:02}" for i in range(20))
QUALITY = {"sys-0": 75.0, "sys-1": 68.0, "sys-2": 60.0, "sys-3": 51.0, "sys-4": 40.0}


@pytest.fixture(scope="module")
def sample() -> Judgements:
    return read_judgements(sample_path("testset/judgements/da.csv"))


def test_means_by_hand(sample: Judgements) -> None:
    """The sample's table from its definition: z of all items, mean over outputs and repeats of annotators kept."""
    result = analyse_direct(sample)
    rows = list(sample.rows())
    kept = {each.annotator for each in result.workers if each.kept}
    assert kept == {"ann-1", "ann-2", "ann-3"}
    z: dict[str, list[float]] = {}
    raw: dict[str, list[float]] = {}
    for who in kept:
        own = [float(row["score"]) for row in rows if row["annotator"] == who]  # type: ignore[arg-type]
        for row in rows:
            if row["annotator"] == who and row["type"] in ("TGT", "CHK"):
                score = float(row["score"])  # type: ignore[arg-type]
                z.setdefault(str(row["system"]), []).append((score - np.mean(own)) / np.std(own, ddof=1))
                raw.setdefault(str(row["system"]), []).append(score)
    for system in result.systems:
        assert system.z == pytest.approx(np.mean(z[system.system]), abs=1e-12)
        assert system.raw == pytest.approx(np.mean(raw[system.system]), abs=1e-12)
        assert system.n == len(z[system.system])
        assert system.low is not None
        assert system.high is not None
        assert system.low < system.z < system.high
    for pair in result.pairs:
        assert pair.p == rank_sum_test(z[pair.better], z[pair.worse], sides=1).p
    assert [each.system for each in result.systems] == sorted(z, key=lambda name: -np.mean(z[name]))


def test_segments_are_means_of_their_judgements(sample: Judgements) -> None:
    result = analyse_direct(sample, test="none")
    rows = [row for row in sample.rows() if row["type"] in ("TGT", "CHK")]
    assert sum(each.n for each in result.segments) == len(rows)
    for each in result.segments[::17]:
        own = [row["score"] for row in rows if (row["system"], row["segment"]) == (each.system, each.segment)]
        assert each.n == len(own)
        assert each.raw == pytest.approx(np.mean(own))  # type: ignore[arg-type]
    table = result.segment_scores().tables()[0]
    assert table.note.startswith("0 of ")
    by_segment = analyse_direct(sample, test="none", unit="segment")
    atlas = next(each for each in by_segment.systems if each.system == "atlas")
    assert atlas.raw == pytest.approx(np.mean([each.raw for each in result.segments if each.system == "atlas"]))


def test_provenance_page_and_json(sample: Judgements) -> None:
    result = analyse_direct(sample, seed=7)
    meta = json.loads(result.render("json"))["meta"]
    assert meta["judgements"] == 400
    assert (meta["annotators"], meta["annotators_kept"], meta["judgements_kept"]) == (4, 3, 300)
    assert (meta["test"], meta["alpha"], meta["standardised_over"], meta["seed"]) == ("t", 0.05, "all", 7)
    html = result.html(title="A & B")
    assert "<title>A &amp; B</title>" in html
    assert "insufficient evidence" in html
    assert result == analyse_direct(sample, seed=7)


def test_lines_are_drawn_where_all_above_beat_all_below() -> None:
    order = ["a", "b", "c", "d"]
    p = {("a", "b"): 0.2, ("a", "c"): 0.01, ("a", "d"): 0.01, ("b", "c"): 0.01, ("b", "d"): 0.01, ("c", "d"): 0.01}
    pairs = [SystemPair(a, b, 0.1, value) for (a, b), value in p.items()]
    assert clusters(order, pairs, alpha=0.05) == {"a": 1, "b": 1, "c": 2, "d": 3}
    p["b", "d"] = 0.3  # c and d differ, but b does not beat d: no line above d
    pairs = [SystemPair(a, b, 0.1, value) for (a, b), value in p.items()]
    assert clusters(order, pairs, alpha=0.05) == dict.fromkeys("abcd", 1)
    with pytest.raises(DataError, match=r"^Clusters of 4 systems need all their pairs, got 5\.$"):
        clusters(order, pairs[:-1], alpha=0.05)


def test_a_simulated_campaign_finds_the_true_order() -> None:
    """DA-TIME acceptance 5, end to end through the plan: 40 % careless, 500 judgements per system, τ ≥ .9."""
    plan = plan_test_set(made_set(5, 126), DirectAssessment(redundancy=4), PEOPLE, seed=4)
    population = Population({"honest": 0.3, "lenient": 0.1, "harsh": 0.1, "noisy": 0.1, "random": 0.3, "constant": 0.1})
    told = simulate_judgements(plan.assignments, QUALITY, population, seed=4)
    assert len(told) == 36 * 100
    result = analyse_direct(told)
    assert [each.system for each in result.systems] == list(QUALITY)
    assert result.systems[-1].cluster == 5
    habits = dict(
        zip(dict.fromkeys(each.annotator for each in plan.assignments), population.habits(20, seed=4), strict=True)
    )
    careless = {name for name, habit in habits.items() if habit in ("random", "constant")}
    assert len(careless) == 8
    kept = {each.annotator for each in result.workers if each.kept}
    assert len(kept & careless) <= 1
    assert len(kept - careless) >= 11


def test_simulated_answers_are_a_function_of_the_seed() -> None:
    plan = plan_test_set(made_set(), DirectAssessment(), PEOPLE[:3], seed=4)
    people = {"p00": "honest", "p01": "random", "p02": "copycat"}
    first, again, other = (simulate_judgements(plan.assignments, QUALITY, people, seed=seed) for seed in (1, 1, 2))
    assert first.columns == again.columns
    assert first["score"] != other["score"]


def test_bad_populations_are_named() -> None:
    plan = plan_test_set(made_set(), DirectAssessment(), PEOPLE[:3], seed=4)
    with pytest.raises(UnknownName, match=r"^No habit is called 'lazy'\. Known: honest"):
        Population({"lazy": 1})
    with pytest.raises(DataError, match=r"^The share of honest is -1; expected a number from 0 on\.$"):
        Population({"honest": -1})
    with pytest.raises(DataError, match=r"^A population needs at least one habit with a share above 0\.$"):
        Population({"honest": 0})
    with pytest.raises(UnknownName, match=r"^The annotator 'p0.' has no habit\. Known: honest"):
        simulate_judgements(plan.assignments, QUALITY, {}, seed=1)
    with pytest.raises(DataError, match=r"^The quality of sys-1, sys-2, sys-3, sys-4 is not given\.$"):
        simulate_judgements(plan.assignments, {"sys-0": 5}, Population({"honest": 1}), seed=1)


def test_more_judgements_find_more_and_filtering_beats_raw_means() -> None:
    """DA-TIME acceptance 5: τ ≥ .9 at 500 judgements per system with 40 % careless, and above the raw means'."""
    quality = {f"s{n}": 60.0 - 2.5 * n for n in range(8)}
    population = Population({"honest": 0.2, "lenient": 0.2, "harsh": 0.2, "random": 0.3, "constant": 0.1})
    curve = power_curve(quality, population, judgements=(100, 500), trials=12, seed=5)
    few, many = curve.points
    assert many.tau >= 0.9
    assert many.tau > many.tau_raw
    assert many.found > few.found
    assert few.wrong <= 0.01
    assert (many.tasks, many.annotators) == (50, 25)
    assert curve.needed(0.99) is None
    assert curve.needed(0.0) == 100
    assert "SIMULATED" in curve.render()
    with pytest.raises(DataError, match=r"^Power is about telling systems apart; got 1 system\(s\)\.$"):
        power_curve({"a": 1}, population)
    with pytest.raises(
        DataError, match=r"^The numbers of judgements and of tasks for each annotator are at least 1\.$"
    ):
        power_curve(quality, population, judgements=(0,))


def test_gain_over_time_of_judgements() -> None:
    systems = {"sys-0": 60.0, "sys-1": 58.0, "sys-2": 66.0, "sys-3": 54.0}
    plan = plan_test_set(made_set(4, 140), DirectAssessment(redundancy=2), PEOPLE, seed=1)
    told = simulate_judgements(plan.assignments, systems, Population({"honest": 0.8, "random": 0.2}), seed=1)
    roles = {"best_then": "sys-0", "best_now": "sys-1", "current_then": "sys-2", "current_now": "sys-3"}
    result = gain_over_time(told, roles)
    # 140 outputs of sd 15 each: a difference of means has the standard error 15 · √(2 / 140) = 1.8, a gain 2.5.
    assert result.raw.difficulty == pytest.approx(12, abs=5.4)
    assert result.raw.gain == pytest.approx(10, abs=7.5)
    assert result.raw.gain == pytest.approx(result.raw.difference + result.raw.difficulty)
    assert result.p_difficulty < 0.001
    assert result.z.gain > 0
    assert [row["scores"] for row in result.to_dict()["rows"]] == ["raw", "z"]
    with pytest.raises(DataError, match=r"^No judgement is about 'x' \(best_now\)\. Known: sys-"):
        gain_over_time(told, {**roles, "best_now": "x"})
    with pytest.raises(DataError, match=r"^A gain over time needs systems as best_then, best_now"):
        gain_over_time(told, {"best_then": "sys-0"})


def test_gains_need_four_scores() -> None:
    with pytest.raises(DataError, match=r"^A gain over time needs the scores best_then, .* got best_then\.$"):
        difficulty_corrected_gain({"best_then": 1})
    assert f1(50, 100) == pytest.approx(200 / 3)
    assert f1(0, 0) is None


def test_rankings_that_nobody_shares_are_ranked_all_the_same() -> None:
    """Each segment judged once: there is an order, and nothing to compare people by."""
    rows = [
        {
            "annotator": f"p{n % 2}",
            "item": str(n),
            "source_lang": "de",
            "target_lang": "en",
            "segment": n,
            "system1": "a",
            "rank1": 1,
            "system2": "b",
            "rank2": 2,
        }
        for n in range(1, 9)
    ]
    found = analyse_rankings(Judgements.of(ranking_schema(2), rows))
    assert [row[0] for row in found.tables()[0].rows] == ["a", "b"]
    assert found.reliability is None
    assert "Annotators" not in found.html()
    twice = [*rows, *({**row, "item": f"{row['item']}b", "annotator": "p2"} for row in rows)]
    assert analyse_rankings(Judgements.of(ranking_schema(2), twice)).reliability is not None
    with pytest.raises(ValueError, match="alpha"):
        analyse_rankings(Judgements.of(ranking_schema(2), rows), alpha=2)
