"""The estimate of effort: it learns from what is confirmed, forgets what is taken back, and costs little."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from dragoman.cat.effort import EffortEstimator, PostEdit, hters

TEXTS = [("Der Hund schläft.", "The dog sleeps."), ("Es regnet heute nicht.", "It rains heute not.")]


def edits(rate: float, n: int = 20) -> list[PostEdit]:
    return [PostEdit(*TEXTS[k % 2], rate + 0.1 * (k % 2)) for k in range(n)]


def test_it_comes_near_to_what_people_change_and_back() -> None:
    estimator = EffortEstimator()
    first = [estimator.estimate(*text) for text in TEXTS]
    assert first == [0.3, 0.3]
    estimator.learn(edits(0.7))
    assert [estimator.estimate(*text) for text in TEXTS] == pytest.approx([0.7, 0.8], abs=0.06)
    assert estimator.rollback(1) == 19
    assert estimator.rollback(0) == 1
    assert [estimator.estimate(*text) for text in TEXTS] == first


def test_an_estimate_is_a_share_whatever_the_texts() -> None:
    estimator = EffortEstimator(edits=edits(0.9))
    for text in ("", " ", "x" * 5000, "!" * 400, "猫が寝る", "\ue000"):
        assert 0 <= estimator.estimate(text, "") <= 1
        assert 0 <= estimator.estimate("", text) <= 1


def test_what_others_changed_is_where_it_starts() -> None:
    estimator = EffortEstimator.of_others(edits(0.7, 200))
    assert estimator.edits == []
    assert estimator.estimate(*TEXTS[0]) == pytest.approx(0.7, abs=0.05)
    estimator.learn(edits(0.1))
    assert estimator.estimate(*TEXTS[0]) < 0.3


def mean_errors(prior: EffortEstimator, stream: list[PostEdit]) -> tuple[float, float]:
    """Of an estimator that stays as it is, and of one that learns each segment once it has estimated it."""
    learner = EffortEstimator(prior=prior.prior)
    static, adaptive = [], []
    for each in stream:
        static.append(abs(prior.estimate(each.source, each.machine) - min(1.0, each.hter)))
        adaptive.append(abs(learner.estimate(each.source, each.machine) - min(1.0, each.hter)))
        learner.learn([each])
    return float(np.mean(static)), float(np.mean(adaptive))


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


@pytest.mark.realdata
def test_on_a_real_stream_with_another_edit_rate_the_error_falls(data_folder: Path) -> None:
    names = [name.strip("<>") for name in lines(data_folder / "iwslt2019-pe" / "header.gz")[0].split("\t")]
    news = []
    for number in range(5):
        for line in lines(data_folder / "iwslt2019-pe" / f"ann{number}.gz"):
            row = dict(zip(names, line.split("\t"), strict=True))
            news.append(PostEdit(row["S"], row["MT"], float(row["HTER"])))
    sides = [lines(data_folder / "keystrokes-ape" / f"train.{side}.gz")[:400] for side in ("src", "mt", "pe")]
    scores = hters(sides[1], sides[2])
    manual = [PostEdit(source, machine, score) for source, machine, (score, _) in zip(*sides[:2], scores, strict=True)]
    static, adaptive = mean_errors(EffortEstimator.of_others(news), manual)
    assert adaptive < 0.8 * static
