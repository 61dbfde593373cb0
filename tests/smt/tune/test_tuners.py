from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import DataError, ModelError
from dragoman.smt.tune import TUNERS, HeldOut, Objective, Tuned, Tuner, tune_seeds
from tests.fuzz.sealing import reseal
from tests.smt.tune.conftest import NAMES, PLANTED, FixedLists, Reranker, Task, make_task

# Each tuner as quick as it can be made without losing its way.
QUICK = {
    "mert": "mert:starts=5,rounds=6",
    "mira": "mira:passes=15,rounds=6",
    "pro": "pro:draws=500,mixing=0.9,rounds=6,threshold=0.02",
    "online-mira": "online-mira:epochs=4,aggressiveness=0.05",
    "nelder-mead": "nelder-mead:evaluations=80,samples=199",
    "powell": "powell:evaluations=120,samples=199",
}
# On search graphs, which a list has none of: test_sparse.py.
ON_GRAPHS = {"lattice-mert"}
ON_LISTS = [name for name in TUNERS.names() if name not in ON_GRAPHS]
each_tuner = pytest.mark.parametrize("spec", [QUICK[name] for name in ON_LISTS], ids=ON_LISTS)

BAD_START = (-0.2, 0.3, 0.1, 0.4)


def value_of(task: Task, weights: np.ndarray) -> float:
    lists = task.decode(weights)
    texts = [lists.texts[first] for first in lists.offsets[:-1]]
    return Objective("bleu:tokeniser=none", task.refs).metric.corpus_value(texts, task.refs)


@each_tuner
def test_a_planted_optimum_is_found_from_a_bad_start(spec: str, task: Task) -> None:
    tuned = TUNERS.make(spec).tune(task.decode, task.refs, start=task.start(*BAD_START), seed=2)
    bad, planted = value_of(task, np.array(BAD_START)), value_of(task, PLANTED)
    assert tuned.rounds[0].value == pytest.approx(bad)
    assert tuned.value > bad + 0.8 * (planted - bad)
    assert tuned.value == pytest.approx(value_of(task, np.array(list(tuned.weights.values()))))
    assert tuned.weights["a"] > 0 > tuned.weights["b"]


@each_tuner
def test_same_seed_same_weights_for_any_number_of_threads(spec: str) -> None:
    runs = []
    for n_threads in (1, 2, 7):
        task = make_task(20, 12)
        runs.append(
            TUNERS.make(spec).tune(task.decode, task.refs, start=task.start(*BAD_START), seed=5, n_threads=n_threads)
        )
    assert runs[0].weights == runs[1].weights == runs[2].weights


@each_tuner
def test_a_metric_that_falls_with_quality_is_made_small(spec: str) -> None:
    task = make_task(30, 12)
    tuned = TUNERS.make(spec).tune(
        task.decode, task.refs, start=task.start(*BAD_START), metric="wer:tokeniser=none", seed=1
    )
    assert not tuned.higher_is_better
    assert tuned.value < tuned.rounds[0].value - 5


@each_tuner
def test_frozen_weights_stay(spec: str) -> None:
    task = make_task(20, 12)
    start = task.start(0.2, 0.3, 0.1, 7.0)
    tuned = TUNERS.make(spec).tune(task.decode, task.refs, start=start, frozen=["d"], seed=1)
    assert tuned.weights["d"] == 7.0
    assert "d" in tuned.idle


@each_tuner
def test_held_out_segments_decide_which_round_is_kept(spec: str) -> None:
    task, other = make_task(25, 12), make_task(15, 12, seed=8)
    tuned = TUNERS.make(spec).tune(
        task.decode, task.refs, start=task.start(*BAD_START), held_out=HeldOut(other.decode, other.refs), seed=1
    )
    values = [each.held_out for each in tuned.rounds]
    assert tuned.held_out == max(value for value in values if value is not None)
    assert tuned.held_out == pytest.approx(value_of(other, np.array(tuned.rounds[tuned.kept].weights)))


@each_tuner
def test_the_result_is_saved_read_and_shown(spec: str, tmp_path: Path) -> None:
    task = make_task(12, 8)
    tuned = TUNERS.make(spec).tune(task.decode, task.refs, start=task.start(*BAD_START), seed=4)
    tuned.save(tmp_path / "tuned")
    again = Tuned.load(tmp_path / "tuned")
    assert again == tuned
    told = tuned.to_dict()
    assert told["kind"] == "tuned weights"
    assert len(told["rows"]) == len(tuned.rounds)
    assert told["meta"]["seed"] == 4
    assert set(told["meta"]["weights"]) == set(NAMES)
    assert "BLEU" in tuned.render("text")


@pytest.mark.parametrize("change", [{"label": 7}, {"stopped": []}, {"metric": None}, {"higher_is_better": "no"}, {}])
def test_values_of_another_kind_are_refused(tmp_path: Path, change: dict[str, object]) -> None:
    task = make_task(12, 8)
    TUNERS.make("mert").tune(task.decode, task.refs, start=task.start(*BAD_START), seed=4).save(tmp_path / "tuned")
    file = tmp_path / "tuned" / "tuned.json"
    content = json.loads(file.read_text())
    if not change:
        content["rounds"][0]["value"] = "low"
    file.write_text(json.dumps(content | change))
    reseal(tmp_path / "tuned")
    with pytest.raises(ModelError, match="does not hold weights of each feature"):
        Tuned.load(tmp_path / "tuned")


@each_tuner
def test_a_constant_metric_leaves_the_value_alone(spec: str) -> None:
    task = make_task(6, 5)
    alike = Reranker([["same text"] * 5 for _ in range(6)], task.decode.features)
    tuned = TUNERS.make(spec).tune(alike, [["same text"] * 6], start=task.start(*BAD_START), seed=1)
    assert {each.value for each in tuned.rounds} == {tuned.value}


def test_several_seeds_tell_their_spread(task: Task) -> None:
    tunings = tune_seeds(
        TUNERS.make(QUICK["mert"]), task.decode, task.refs, seeds=(1, 2, 3), start=task.start(*BAD_START)
    )
    values = [run.value for run in tunings.runs]
    assert tunings.best.value == max(values)
    assert tunings.sd == pytest.approx(np.std(values, ddof=1))
    assert [row["seed"] for row in tunings.to_dict()["rows"]] == [1, 2, 3]
    assert sum(bool(row["chosen"]) for row in tunings.to_dict()["rows"]) == 1
    assert tunings.to_dict()["meta"]["mean"] == pytest.approx(np.mean(values))
    one = replace(tunings, runs=tunings.runs[:1])
    assert one.sd is None
    with pytest.raises(DataError, match="no seeds"):
        tune_seeds(TUNERS.make("mert"), task.decode, task.refs, seeds=(), start=task.start(*BAD_START))


def test_pro_from_bad_weights_comes_within_half_a_point_of_mert(task: Task) -> None:
    """W12-JOSH, acceptance 2, on planted lists."""
    found = {
        name: TUNERS.make(QUICK[name]).tune(task.decode, task.refs, start=task.start(*BAD_START), seed=1).value
        for name in ("mert", "pro", "mira")
    }
    assert found["pro"] > found["mert"] - 0.5
    assert found["mira"] > found["mert"] - 0.5


def test_a_feature_that_says_nothing_is_told() -> None:
    task = make_task(10, 6)
    features = [np.hstack([rows, np.full((len(rows), 1), 3.0)]) for rows in task.decode.features]
    decode = Reranker(task.decode.texts, features)
    start = {**task.start(*BAD_START), "constant": 0.1}
    tuned = TUNERS.make(QUICK["mert"]).tune(decode, task.refs, start=start, seed=1)
    assert tuned.idle == ("constant",)


def tuner() -> Tuner:
    return TUNERS.make("mert:starts=1")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start": {}}, "no weights to tune"),
        ({"start": dict.fromkeys(NAMES, np.nan)}, "finite numbers; those of a, b, c, d"),
        ({"frozen": ["nose"]}, "No feature is called nose. Known: a, b, c, d"),
        ({"frozen": NAMES}, "Every feature is frozen"),
        ({"refs": []}, "no references"),
        ({"refs": [[]]}, "no segments to tune on"),
        ({"metric": "amber"}, None),
        ({"seed": -1}, "seed"),
    ],
)
def test_wrong_calls_are_named(change: dict[str, object], message: str | None) -> None:
    task = make_task(5, 4)
    call = {"decode": task.decode, "refs": task.refs, "start": task.start(*BAD_START), "seed": 1, **change}
    if message is None:
        return
    with pytest.raises(DataError, match=message):
        tuner().tune(**call)  # type: ignore[arg-type]


def test_what_a_decoder_may_not_give() -> None:
    task = make_task(2, 3)
    good = task.decode(np.ones(4))

    def lists(**change: object) -> FixedLists:
        return replace(good, **change)  # type: ignore[arg-type]

    nan = good.features.copy()
    nan[4, 2] = np.nan
    for broken, message in [
        (lists(offsets=np.array([0, 3])), "translated 1 segments; the references have 2"),
        (lists(offsets=np.array([0, 0, 6])), "no candidate for segment 1"),
        (lists(features=np.ones((0, 4))), "one row of features for each candidate"),
        (lists(features=nan), r"segment 2 has a feature that is no finite number \(column 3\)"),
    ]:
        with pytest.raises(DataError, match=message):
            tuner().tune(lambda *_, found=broken: found, task.refs, start=task.start(*BAD_START))


def test_a_metric_without_sums_is_refused() -> None:
    with pytest.raises(DataError, match="no function of summed statistics"):
        Objective("amber" if not _additive("amber") else "nist", [["a b"]])


def _additive(name: str) -> bool:
    from dragoman.metrics import METRICS

    metric = METRICS.make(name)
    return metric.additive and metric.local


def test_statistics_are_those_of_each_translation_against_its_segment() -> None:
    refs = [["a b c d e", "f g h i j"], ["a b x d e", None]]
    objective = Objective("bleu:tokeniser=none", refs)
    segments = np.array([1, 0, 0, 1])
    texts = ["f g h", "a b x d e", "a b c", "j i h g f"]
    got = objective.rows(segments, texts)
    for row, segment, text in zip(got, segments, texts, strict=True):
        own = [[stream[segment]] for stream in refs]
        np.testing.assert_array_equal(row, objective.metric.stats([text], [o for o in own if o[0]])[0])
    with pytest.raises(DataError, match="no translations"):
        objective.rows(np.array([], dtype=np.int64), [])
