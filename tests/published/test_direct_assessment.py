"""Direct assessment: the papers' tables and the data released with them (Graham et al. 2013, 2014, 2015)."""

from __future__ import annotations

import csv
import gzip
import io
import statistics
import tarfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from dragoman.data.judgements import DIRECT_ASSESSMENT, Judgements
from dragoman.files import read_lines
from dragoman.human.direct_assessment.analysis import analyse_direct
from dragoman.human.direct_assessment.assessments import CHK, TYPES, Assessments
from dragoman.human.direct_assessment.over_time import difficulty_corrected_gain
from dragoman.human.direct_assessment.workers import judge_workers

# EACL 2014, Tables 4, 5 and 7: CURR07, CURR12, BEST07, BEST12 and the 5-year gain.
GAINS = {
    "fluency": {
        "de-en": (65.3, 57.9, 52.8, 55.0, 9.6),
        "fr-en": (65.9, 58.0, 57.8, 60.2, 10.3),
        "es-en": (68.4, 59.2, 56.7, 56.7, 9.2),
        "cs-en": (62.3, 49.9, 40.8, 50.5, 22.1),
        "en-es": (77.2, 73.4, 63.3, 71.9, 12.4),
        "en-fr": (57.1, 55.2, 49.5, 56.4, 8.8),
        "en-de": (52.3, 54.1, 53.7, 55.5, 0.0),
    },
    "adequacy": {
        "de-en": (63.8, 52.8, 46.5, 49.8, 14.3),
        "fr-en": (61.0, 52.3, 52.7, 51.5, 7.5),
        "es-en": (68.0, 56.9, 59.0, 55.7, 7.8),
        "cs-en": (62.4, 47.5, 41.7, 47.4, 20.6),
        "en-es": (75.2, 68.1, 62.5, 67.2, 11.8),
        "en-fr": (64.2, 61.9, 57.2, 62.3, 7.4),
        "en-de": (60.3, 57.4, 58.3, 58.3, 2.9),
    },
    "BLEU": {
        "de-en": (38.3, 26.5, 21.1, 23.8, 14.5),
        "fr-en": (39.4, 32.0, 28.6, 31.5, 10.3),
        "es-en": (51.2, 38.3, 35.1, 33.5, 11.3),
        "cs-en": (52.3, 25.0, 25.1, 22.4, 24.6),
        "en-es": (48.2, 38.7, 29.1, 35.3, 15.7),
        "en-fr": (37.2, 30.8, 25.3, 29.9, 11.0),
        "en-de": (23.6, 18.7, 14.6, 17.2, 7.5),
    },
    "METEOR": {
        "de-en": (40.3, 32.7, 33.4, 31.7, 5.9),
        "fr-en": (39.8, 34.6, 35.9, 34.3, 3.6),
        "es-en": (45.4, 37.0, 39.9, 36.0, 4.5),
        "cs-en": (44.7, 31.6, 34.3, 30.8, 9.6),
        "en-es": (69.9, 59.6, 57.0, 58.1, 11.4),
        "en-fr": (59.4, 52.9, 50.4, 52.0, 8.1),
        "en-de": (44.7, 39.1, 36.7, 38.0, 6.9),
    },
}


@pytest.mark.parametrize(
    ("measure", "pair"),
    [(measure, pair) for measure, rows in GAINS.items() for pair in rows],
    ids=lambda value: str(value),
)
def test_gains_over_time_eacl_2014(measure: str, pair: str) -> None:
    current_then, current_now, best_then, best_now, gain = GAINS[measure][pair]
    found = difficulty_corrected_gain(
        {"best_then": best_then, "best_now": best_now, "current_then": current_then, "current_now": current_now}
    )
    assert found.gain == pytest.approx(gain, abs=1e-9)


def mturk(path: Path) -> Judgements:
    """A batch file as judgements: `cal` is a degraded copy; tasks without 100 answers are skipped, as the tool does."""
    kinds = {"system": "TGT", "repeat": "CHK", "cal": "BAD", "ref": "REF"}
    rows = []
    for task in csv.DictReader(io.StringIO(gzip.decompress(path.read_bytes()).decode())):
        answers = [answer.split("_") for answer in task["Answer.Q1"].split("|") if answer]
        if len(answers) != 100:
            continue
        for number, name, score in answers:
            assert task[f"Input.rid_{number}"] == name
            rows.append(
                {
                    "annotator": task["WorkerId"],
                    "item": f"{task['HITId']}/{number}",
                    "type": kinds[task[f"Input.tst_{number}"]],
                    "segment": int(task[f"Input.sid_{number}"]),
                    "system": task[f"Input.sys_id_{number}"],
                    "score": float(score),
                    "seconds": int(task["WorkTimeInSeconds"]) / 100,
                }
            )
    return Judgements.of(DIRECT_ASSESSMENT, rows)


@pytest.mark.realdata
def test_the_worked_task_of_a_real_worker(data_folder: Path) -> None:
    """DA-TIME acceptance 3: batch 1959533, worker A2E3SM3T01ENIR, to 1e-6."""
    told = mturk(data_folder / "mturk-da" / "Batch_1959533_batch_results.csv.gz")
    reports = {each.annotator: each for each in judge_workers(Assessments.of(told))}
    worker = reports["A2E3SM3T01ENIR"]
    assert worker.statistic == pytest.approx(0.600773, abs=1e-6)
    assert worker.p == pytest.approx(0.281407, abs=1e-6)
    assert not worker.kept
    assert worker.reason.startswith("insufficient evidence")
    assert worker.flags == ()
    assert (worker.n, worker.n_pairs, worker.n_repeats, worker.longest_run) == (100, 10, 10, 2)
    assert worker.mean == pytest.approx(50.6, abs=1e-9)
    assert worker.sd == pytest.approx(39.9821, abs=5e-5)
    system, repeat, degraded, reference = worker.means
    assert system == pytest.approx(48.47, abs=0.005)
    assert (repeat, degraded, reference) == (pytest.approx(45.7), pytest.approx(21.2), pytest.approx(99.8))
    assert worker.seconds == 13.76
    distances = _distances(told, "A2E3SM3T01ENIR")
    assert (min(distances), max(distances)) == (43, 58)


def _distances(told: Judgements, who: str) -> list[int]:
    rows = list(told.where(annotator=who).rows())
    places = {(row["system"], row["segment"]): n for n, row in enumerate(rows) if row["type"] == "TGT"}
    return [abs(n - places[row["system"], row["segment"]]) for n, row in enumerate(rows) if row["type"] != "TGT"]


@pytest.mark.realdata
def test_real_tasks_have_the_planned_structure(data_folder: Path) -> None:
    """Ten sections of 7 + 1 + 1 + 1, originals in the partner section: what our tasks are made after."""
    for batch in ("Batch_1234", "Batch_1959533"):
        told = mturk(data_folder / "mturk-da" / f"{batch}_batch_results.csv.gz")
        for who in dict.fromkeys(told["annotator"]):
            rows = list(told.where(annotator=who).rows())
            for section in range(10):
                kinds = Counter(row["type"] for row in rows[10 * section : 10 * section + 10])
                assert kinds == {"TGT": 7, "CHK": 1, "BAD": 1, "REF": 1}
            assert min(_distances(told, str(who))) >= 41
            assert max(_distances(told, str(who))) <= 59


@pytest.mark.realdata
def test_a_batch_with_rejected_workers(data_folder: Path) -> None:
    """Batch 1234: 29 assignments of one task, two of them empty; the careless ones are caught."""
    told = mturk(data_folder / "mturk-da" / "Batch_1234_batch_results.csv.gz")
    result = analyse_direct(told)
    assert len(result.workers) == 27
    kept = {each.annotator for each in result.workers if each.kept}
    # A3EH26LZGAXHGX took 85 seconds for 100 items, all near the middle; MTurk's requester rejected the work.
    clicker = next(each for each in result.workers if each.annotator == "A3EH26LZGAXHGX")
    assert clicker.annotator not in kept
    assert "under 3 s an item" in clicker.flags
    assert 0.5 < len(kept) / 27 < 0.9
    repeats = Assessments.of(told).pairs(CHK)
    assert len(repeats) == 270
    # Every output of the task has one judgement of each annotator kept, or two where it was repeated.
    assert {each.n for each in result.segments} == {len(kept), 2 * len(kept)}
    assert all(each.n >= 15 for each in result.segments)


def _scores(archive: Path, member: str) -> list[tuple[str, int, float]]:
    with tarfile.open(archive) as tar:
        stream = tar.extractfile(member)
        assert stream is not None
        lines = stream.read().decode().splitlines()[1:]
    cells = [line.split() for line in lines]
    return [(system, int(segment), float(score)) for _, system, segment, score in cells]


COUNTS = {
    "es-en": 840,
    "en-de": 140,
    "en-es": 140,
    "en-ru": 140,
    "cs-en": 70,
    "de-en": 70,
    "fr-en": 70,
    "ru-en": 70,
    "en-fr": 70,
}


@pytest.mark.realdata
@pytest.mark.parametrize("pair", COUNTS)
def test_segment_scores_of_naacl_2015(data_folder: Path, pair: str) -> None:
    """Released segment scores: how many, raw beside z, the same in the data set of 2016."""
    folder = data_folder / "mturk-da"
    raw = _scores(folder / "seg-mteval-data.tar.gz", f"seg-mteval-data/raw-seg-scrs/seg.ad.{pair}.csv")
    z = _scores(folder / "seg-mteval-data.tar.gz", f"seg-mteval-data/z-seg-scrs/seg.ad.stnd.{pair}.csv")
    later = _scores(folder / "wmt16-da-dataset.tar.gz", f"dataset/human-scores.{pair}.csv")
    assert len(z) == len(raw) == COUNTS[pair]
    assert later == z[: len(later)]
    assert len(later) == (500 if pair == "es-en" else COUNTS[pair])
    by_output = {(system, segment): score for system, segment, score in raw}
    assert len(by_output) == len(raw)
    both = np.array([(by_output[system, segment], score) for system, segment, score in z])
    assert np.corrcoef(both.T)[0, 1] > 0.95
    assert both[:, 0].min() >= 0
    assert both[:, 0].max() <= 100


@pytest.mark.realdata
def test_segment_scores_belong_to_the_released_outputs(data_folder: Path) -> None:
    """SID counts from 0: the outputs beside the scores of 2016 are those lines of WMT13's systems."""
    archive = data_folder / "mturk-da" / "wmt16-da-dataset.tar.gz"
    folder = data_folder / "newstest2013" / "es-en"
    with tarfile.open(archive) as tar:
        stream = tar.extractfile("dataset/sys.pre-tok.es-en")
        assert stream is not None
        outputs = stream.read().decode().splitlines()
    scored = _scores(archive, "dataset/human-scores.es-en.csv")
    lines = {
        system: read_lines(folder / f"newstest2013.es-en.{system.replace(':', '')}.gz")
        for system in {each[0] for each in scored}
    }
    same = [
        lines[system][segment].split() == output.split()
        for (system, segment, _), output in zip(scored, outputs, strict=True)
    ]
    assert statistics.mean(same) == 1


def test_types_are_those_of_appraise() -> None:
    assert TYPES == ("TGT", "CHK", "BAD", "REF")
