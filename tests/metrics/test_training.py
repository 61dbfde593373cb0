"""Metrics that learn from judgements: what is learnt, kept and told, and what cannot be learnt from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data.comparisons import Comparisons
from dragoman.errors import DataError, ModelError
from dragoman.metrics import MetricTraining, TrainedMetric, as_test_set, make_metric, score
from dragoman.metrics.meta import HumanRankings
from dragoman.metrics.training_data import only_segments, read_training_judgements

REFS = [
    f"the {noun} walked slowly to the old {place} ." for noun in ("man", "dog", "child") for place in ("house", "park")
]
GOOD = [line.replace("slowly", "quietly") for line in REFS]
POOR = [" ".join(reversed(line.split())) for line in REFS]
BAD = ["the of a to and" for _ in REFS]
TEXT = as_test_set({"bad": BAD, "good": GOOD, "poor": POOR}, [REFS])


def rankings() -> HumanRankings:
    """Good before poor before bad, on every segment."""
    pairs = [(0, 1, -1), (0, 2, -1), (1, 2, 1)]
    n = len(REFS)
    first, second, outcome = (np.tile(np.array([pair[k] for pair in pairs]), n) for k in range(3))
    segments = np.repeat(np.arange(n), len(pairs))
    comparisons = Comparisons(
        ("bad", "good", "poor"),
        ("judge",),
        first.astype(np.int32),
        second.astype(np.int32),
        outcome.astype(np.int8),
        segments.astype(np.int32),
        segments.astype(np.int32),
        np.zeros(len(first), dtype=np.int32),
    )
    return HumanRankings(comparisons, segments + 1)


@pytest.mark.parametrize("name", ["tesla-m", "meteor", "terrorcat"])
def test_it_agrees_with_what_it_learnt_from(name: str, tmp_path: Path) -> None:
    trained = MetricTraining(evaluations=30).train(make_metric(name), TEXT, rankings(), seed=1)
    assert trained.after >= trained.before
    assert trained.after == 1
    assert trained.n_judgements == 3 * len(REFS)
    trained.save(tmp_path / "mine")
    metric = make_metric(f"trained:{tmp_path / 'mine'}")
    assert metric == trained.metric == make_metric(trained.metric.spec())
    sheet = score({"good": GOOD, "bad": BAD}, [REFS], metrics=[metric])
    assert sheet.values[0, 0, 0] > sheet.values[1, 0, 0]
    assert f"trained:{trained.metric.trained}" in sheet.signatures[0]  # type: ignore[attr-defined]
    assert set(TrainedMetric.load(tmp_path / "mine").data) == {"bad", "good", "poor", "Reference 1", "judgements"}


def test_the_fingerprint_is_of_the_judgements() -> None:
    whole, part = rankings(), only_segments(rankings(), 1, 4)
    assert part.segments.max() == 4
    prints = {
        MetricTraining().train(make_metric("tesla-m"), TEXT, each).metric.trained  # type: ignore[attr-defined]
        for each in (whole, part, rankings())
    }
    assert len(prints) == 2


def test_scores_teach_spede_and_tesla() -> None:
    hyps = [*GOOD, *POOR, *BAD]
    test_set = as_test_set({"mine": hyps}, [REFS * 3])
    judgements = [4.0] * len(GOOD) + [2.0] * len(POOR) + [None] * 2 + [1.0] * (len(BAD) - 2)
    for name in ("spede", "tesla-m"):
        trained = MetricTraining().train(make_metric(name), test_set, judgements)
        assert trained.measure == "ρ"
        assert trained.n_judgements == len(hyps) - 2
        assert trained.after > 0.8


def test_the_command(tmp_path: Path) -> None:
    for name, lines in (("a.en", GOOD * 2), ("ref.en", REFS * 2)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (tmp_path / "human.txt").write_text("".join(f"{n % 5}\n" for n in range(2 * len(REFS))), encoding="utf-8")
    a, ref, human, mine = (str(tmp_path / name) for name in ("a.en", "ref.en", "human.txt", "mine"))
    words = ["metric", "train", "spede", a, "-r", ref, "--human", human, "--to", mine]
    done = CliRunner().invoke(group, [*words, "--segments", "1-11"])
    assert done.exit_code == 0, done.output
    assert "on the 11 judgements it learnt from" in done.output
    again = CliRunner().invoke(group, ["score", a, "-r", ref, "-m", f"trained:{mine}"], catch_exceptions=False)
    assert "SPEDE|nrefs:1|" in again.output
    wrong = CliRunner().invoke(group, [*words, "--segments", "9-3"])
    assert "'9-3' is no run of segments; write FIRST-LAST" in wrong.output


def test_what_cannot_be_learnt(tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match="The metric bleu is not trained here, only meteor, pem, sagan, spede, terrorcat, tesla-b"
    ):
        MetricTraining().train(make_metric("bleu"), TEXT, rankings())
    with pytest.raises(DataError, match="SPEDE learns from scores of segments"):
        MetricTraining().train(make_metric("spede"), TEXT, rankings())
    with pytest.raises(DataError, match=r"have 0 of x. Judged: bad, good, poor"):
        MetricTraining().train(make_metric("tesla-m"), as_test_set({"x": GOOD}, [REFS]), rankings())
    with pytest.raises(DataError, match="at least 10 judged segments that are not all alike; 6 of 6"):
        MetricTraining().train(make_metric("spede"), as_test_set({"x": GOOD}, [REFS]), [1.0] * 6)
    with pytest.raises(DataError, match="Scores of segments are of one system, got 3"):
        MetricTraining().train(make_metric("spede"), TEXT, [1.0] * 6)
    with pytest.raises(DataError, match="No segment from 90 to 99 was judged"):
        only_segments(rankings(), 90, 99)
    with pytest.raises(DataError, match="METEOR has 7 constants of 0 and more, got 2"):
        make_metric("meteor:constants=1+2")
    with pytest.raises(ModelError, match="nowhere"):
        make_metric(f"trained:{tmp_path / 'nowhere'}")
    (tmp_path / "scores").write_text("1\n-\n3\n", encoding="utf-8")
    assert read_training_judgements(tmp_path / "scores", segments=(2, 3)) == [None, None, 3.0]
