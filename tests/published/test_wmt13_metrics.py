"""Our metrics on newstest2013 fr-en against the judgements of WMT13 fr-en, and on the direct assessments of 2015/16.

People's side is published (Findings of WMT13, Tables 2 and 6: 13 systems, 80,741 pairs without ties). The metrics'
figures are not published for these implementations: they are recorded as a regression, so that a change that moves them
is noticed.
"""

from __future__ import annotations

import tarfile
from pathlib import Path

import numpy as np
import pytest

from dragoman.files import read_lines
from dragoman.metrics import as_test_set, score
from dragoman.metrics.meta import HumanRankings, MetaEvaluation, MetaRecipe, meta_evaluate, read_rankings
from dragoman.metrics.meta.significance import significance_accuracy
from dragoman.stats import pearson

pytestmark = pytest.mark.realdata

METRICS = ["bleu", "chrf", "ter", "wer"]


@pytest.fixture(scope="module")
def people(data_folder: Path) -> HumanRankings:
    found = read_rankings(data_folder / "wmt-judgments" / "wmt13.fr-en.train.csv.gz")
    assert found is not None
    return found["fr-en"]


@pytest.fixture(scope="module")
def systems(data_folder: Path) -> dict[str, list[str]]:
    files = sorted((data_folder / "newstest2013" / "fr-en").glob("*.gz"))
    return {file.name.removesuffix(".gz"): read_lines(file) for file in files}


@pytest.fixture(scope="module")
def reference(data_folder: Path) -> list[str]:
    return read_lines(data_folder / "newstest2013" / "references" / "newstest2013.en.gz")


def test_people(people: HumanRankings) -> None:
    assert len(people.systems) == 13
    assert np.count_nonzero(people.comparisons.outcome) == 80_741


def test_system_level(people: HumanRankings, systems: dict[str, list[str]], reference: list[str]) -> None:
    sheet = score(systems, [reference], metrics=METRICS)
    scores = {m: dict(zip(sheet.systems, sheet.values[:, i, 0].tolist(), strict=True)) for i, m in enumerate(METRICS)}
    found = meta_evaluate(scores, people)
    # Six of nineteen outputs were not judged; they are named, not scored as 0.
    assert len(found.not_judged) == 6
    assert {each.n for each in found.agreements} == {13}
    expected = {"bleu": (0.947, 0.989), "chrf": (0.974, 0.984), "ter": (0.947, 0.951), "wer": (0.943, 0.940)}
    for metric, (r, rho) in expected.items():
        own = found.agreement(metric)
        assert own.values["pearson"] == pytest.approx(r, abs=0.0005), metric
        assert own.values["spearman"] == pytest.approx(rho, abs=0.0005), metric


@pytest.fixture(scope="module")
def segments(systems: dict[str, list[str]], reference: list[str]) -> dict[str, dict[str, list[float]]]:
    sheet = score(systems, [reference], metrics=METRICS, level="segment")
    return {m: dict(zip(sheet.systems, sheet.values[:, i].tolist(), strict=True)) for i, m in enumerate(METRICS)}


def by_segment(scores: dict[str, dict[str, list[float]]], people: HumanRankings, variant: str) -> MetaEvaluation:
    return meta_evaluate(scores, people, MetaRecipe(level="seg", variant=variant, trials=100))


def test_segment_level(people: HumanRankings, segments: dict[str, dict[str, list[float]]]) -> None:
    found = by_segment(segments, people, "wmt13")
    expected = {"bleu": 0.224, "chrf": 0.259, "ter": 0.271, "wer": 0.266}
    for metric, tau in expected.items():
        assert found.agreement(metric).values["tau"] == pytest.approx(tau, abs=0.0005), metric
        assert found.agreement(metric).n == 80_741
    # The years differ by their treatment of metric ties alone.
    for own in found.agreements:
        c, d, t = (own.values[name] or 0 for name in ("concordant", "discordant", "metric_ties"))
        assert c + d + t == 80_741
        for variant, tau in (("wmt12", (c - d - t) / (c + d + t)), ("wmt14", (c - d) / (c + d + t))):
            again = by_segment({own.metric: segments[own.metric]}, people, variant).agreement(own.metric)
            assert again.values["tau"] == pytest.approx(tau)


def test_segments_are_counted_from_one(people: HumanRankings, segments: dict[str, dict[str, list[float]]]) -> None:
    """One segment further, nothing but the systems' general quality is left."""
    moved = {"chrf": {system: values[1:] + values[:1] for system, values in segments["chrf"].items()}}
    shifted = by_segment(moved, people, "wmt13").agreement("chrf").values["tau"] or 0
    assert shifted < (by_segment(segments, people, "wmt13").agreement("chrf").values["tau"] or 0) / 2


def test_metric_and_test_against_people(
    people: HumanRankings, systems: dict[str, list[str]], reference: list[str]
) -> None:
    """Graham, Mathur & Baldwin 2014 on another year: the tests are interchangeable, and none mends the metric."""
    found = significance_accuracy(as_test_set(systems, [reference]), people, n_threads=2)
    assert {row.n for row in found.rows} == {78}
    for alpha, correct in ((0.05, 64), (0.01, 63), (0.001, 61)):
        counts = [row.correct for row in found.rows if row.alpha == alpha]
        # A pair or two at the margin move with the draws.
        assert max(counts) - min(counts) <= 2
        assert all(abs(count - correct) <= 2 for count in counts)


@pytest.mark.parametrize(
    ("pair", "n", "bleu", "chrf"),
    [
        ("es-en", 500, 0.4122, 0.3909),
        ("fr-en", 70, 0.4097, 0.5054),
        ("de-en", 70, 0.4227, 0.5046),
        ("en-de", 140, 0.4549, 0.4313),
        ("en-ru", 140, 0.4980, 0.6376),
    ],
)
def test_direct_assessments_of_wmt16(data_folder: Path, pair: str, n: int, bleu: float, chrf: float) -> None:
    """The DAseg data set: translations of WMT13 systems with 15 or more standardised assessments each."""
    with tarfile.open(data_folder / "mturk-da" / "wmt16-da-dataset.tar.gz") as archive:

        def lines(name: str, suffix: str = "") -> list[str]:
            member = archive.extractfile(f"dataset/{name}.{pair}{suffix}")
            assert member is not None
            return member.read().decode().splitlines()

        human = [float(line.split()[3]) for line in lines("human-scores", ".csv")[1:]]
        sheet = score(
            {"judged": lines("sys.pre-tok")}, [lines("ref.pre-tok")], metrics=["bleu", "chrf"], level="segment"
        )
    assert len(human) == n
    found = [pearson(human, sheet.values[0, metric]) for metric in (0, 1)]
    assert found == pytest.approx([bleu, chrf], abs=0.0001)


def test_the_translations_assessed_are_those_of_wmt13(data_folder: Path, systems: dict[str, list[str]]) -> None:
    """`SID` counts from 0: line SID + 1 of the system's file is the translation that was judged."""
    with tarfile.open(data_folder / "mturk-da" / "wmt16-da-dataset.tar.gz") as archive:
        scores, texts = (
            archive.extractfile(f"dataset/{name}") for name in ("human-scores.fr-en.csv", "sys.pre-tok.fr-en")
        )
        assert scores is not None
        assert texts is not None
        rows = [line.split() for line in scores.read().decode().splitlines()[1:]]
        judged = texts.read().decode().splitlines()
    same = [
        systems[f"newstest2013.fr-en.{system}"][int(sid)].split() == text.split()
        for (_, system, sid, _), text in zip(rows, judged, strict=True)
    ]
    assert sum(same) == len(same)


def test_segment_level_of_metrics_that_know_language(
    people: HumanRankings, systems: dict[str, list[str]], reference: list[str]
) -> None:
    judged = {name: lines for name, lines in systems.items() if name in people.systems}
    expected = {"tesla-m": 0.239, "spede": 0.220, "terrorcat": 0.249}
    for metric, tau in expected.items():
        sheet = score(judged, [reference], metrics=[metric], level="segment")
        scores = {metric: dict(zip(sheet.systems, sheet.values[:, 0].tolist(), strict=True))}
        found = by_segment(scores, people, "wmt13").agreement(metric).values["tau"]
        assert found == pytest.approx(tau, abs=0.0005), metric
        assert (found > 0.224) == (metric != "spede"), "sentence BLEU's, which SPEDE does not reach"
