"""`dragoman qe resources --also`, `train` with features that need it, `predict --submission` and `audit`."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import UnknownName
from dragoman.qe import QEModel
from dragoman.qe.submission import read_submission
from tests.cli.test_qe import _here, answer, run  # noqa: F401 -- the fixture is for every test


def test_further_resources_are_built_and_asked() -> None:
    built = answer("resources", "a.src", "a.pe", "-m", "resources", "--also", "dwl", "--also", "good-text")
    names = {row["resource"] for row in built["rows"]}  # type: ignore[attr-defined]
    assert {"dwl", "source-good-text", "target-good-text"} <= names
    assert "topics" not in names
    found = answer("features", "a.src", "a.mt", "-f", "dwl", "-f", "okapi", "--resources", "resources")
    assert all(0 <= row["dwl"] <= 1 for row in found["rows"])  # type: ignore[attr-defined]
    with pytest.raises(UnknownName, match="No further resource is called 'taggers'"):
        run("resources", "a.src", "a.pe", "-m", "other", "--also", "taggers")


def test_training_builds_what_its_features_need_and_submits() -> None:
    answer(
        "train",
        "--data",
        "a",
        "-m",
        "model",
        "-f",
        "surface",
        "-f",
        "dwl",
        "-f",
        "mutual-information",
        "--learner",
        "ridge",
    )
    assert "dwl" in QEModel.load("model").names
    answer("predict", "--data", "a", "-m", "model", "--submission", "TEAM_ridge", "submitted", "--scores", "plain")
    made = read_submission("submitted")
    assert made.method == "TEAM_ridge"
    assert made.ranks is not None
    scores = [float(line) for line in Path("plain").read_text().splitlines()]
    assert scores[made.ranks.index(1)] == min(scores)  # little editing is best
    answer("gold", "a.src", "a.mt", "a.pe", "--to", "gold")
    both = answer("evaluate", "gold.hter", "plain", "submitted", "--trials", "5")
    values = {(row["measure"], row["prediction"]): row["value"] for row in both["rows"]}  # type: ignore[attr-defined]
    assert values["mae", "plain"] == values["mae", "submitted"]


def test_marks_are_counted() -> None:
    Path("old").write_text('say " yes "\n' * 5)
    Path("new").write_text("say “ yes ”\n" * 5)
    found = answer("audit", "old", "new")
    assert [(row["mark"], row["old"], row["new"]) for row in found["rows"]] == [  # type: ignore[attr-defined]
        ('"', 10, 0),
        ("“", 0, 5),
        ("”", 0, 5),
    ]
    assert len(found["meta"]["warnings"]) == 3  # type: ignore[index]
