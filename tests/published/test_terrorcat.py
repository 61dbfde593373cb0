"""TerrorCat (Fishel et al., WMT 2012) against HMEANT on the annotations of WMT 2013.

No figure of the paper's: its outputs are not at hand. Pairs of outputs of one segment and annotator whose HMEANT
differs by .05 or more; a metric agrees if it prefers the same one, and a tie of its scores is no agreement.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from dragoman.data import Comparisons, TestSet
from dragoman.data.frame_tables import read_frames
from dragoman.data.frames import FrameStudy
from dragoman.human import sentence_hmeant
from dragoman.metrics import Metric, MetricTraining, make_metric
from dragoman.metrics.meta import HumanRankings

pytestmark = pytest.mark.realdata

Pair = tuple[int, str, str, int]  # segment, two systems, +1 where the first is better


@pytest.fixture(scope="module")
def study(data_folder: Path) -> FrameStudy:
    return read_frames(data_folder / "hmeant-wmt13")


def judged(study: FrameStudy, lang: str) -> tuple[TestSet, list[Pair]]:
    scores: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for each in study.annotations:
        if each.lang == lang and each.system is not None:
            scores[each.segment, each.annotator][each.system] = sentence_hmeant(each, definition="lo12").score
    apart = [
        (segment, one, other, 1 if own[one] > own[other] else -1)
        for (segment, _), own in sorted(scores.items())
        for one, other in combinations(sorted(own), 2)
        if abs(own[one] - own[other]) >= 0.05
    ]
    segments = sorted({pair[0] for pair in apart})
    place = {segment: number for number, segment in enumerate(segments)}
    systems = sorted({name for pair in apart for name in pair[1:3]})

    def lines(system: str | None) -> list[str]:
        return [" ".join(study.texts.get((lang, segment, system), ())) for segment in segments]

    test_set = TestSet(refs={"ref": lines(None)}, systems={name: lines(name) for name in systems})
    return test_set, [(place[segment], one, other, better) for segment, one, other, better in apart]


def right(metric: Metric, test_set: TestSet, pairs: list[Pair]) -> int:
    refs = [list(map(str, test_set.refs["ref"]))]
    scores = {name: metric.segments(list(lines), refs) for name, lines in test_set.systems.items()}
    return sum((scores[one][at] - scores[other][at]) * better > 0 for at, one, other, better in pairs)


@pytest.mark.parametrize(("lang", "n", "bleu", "own"), [("en", 244, 0.701, 0.742), ("de", 484, 0.632, 0.688)])
def test_it_agrees_with_people_more_than_bleu(study: FrameStudy, lang: str, n: int, bleu: float, own: float) -> None:
    test_set, pairs = judged(study, lang)
    assert len(pairs) == n
    assert right(make_metric("bleu:tokeniser=none"), test_set, pairs) / n == pytest.approx(bleu, abs=0.0005)
    assert right(make_metric("terrorcat:errors=both"), test_set, pairs) / n == pytest.approx(own, abs=0.0005)


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "bleu", "own"), [("en", 0.713, 0.721), ("de", 0.646, 0.682)])
def test_learnt_from_nine_tenths_of_the_segments_it_still_does(
    study: FrameStudy, lang: str, bleu: float, own: float
) -> None:
    """Ten folds by segment; `bleu` is the specification's, whose text was cut otherwise."""
    test_set, pairs = judged(study, lang)
    names = tuple(test_set.systems)
    n_right = 0
    for fold in range(10):
        known = [pair for pair in pairs if pair[0] % 10 != fold]
        at, one, other, better = zip(*known, strict=True)
        segments = np.array(at)
        comparisons = Comparisons(
            names,
            ("a",),
            np.array([names.index(name) for name in one], dtype=np.int32),
            np.array([names.index(name) for name in other], dtype=np.int32),
            np.array(better, dtype=np.int8),
            np.arange(len(known), dtype=np.int32),
            segments.astype(np.int32),
            np.zeros(len(known), dtype=np.int32),
        )
        trained = MetricTraining().train(
            make_metric("terrorcat:errors=both"), test_set, HumanRankings(comparisons, segments + 1)
        )
        n_right += right(trained.metric, test_set, [pair for pair in pairs if pair[0] % 10 == fold])
    assert n_right / len(pairs) == pytest.approx(own, abs=0.0005)
    assert n_right / len(pairs) > bleu
