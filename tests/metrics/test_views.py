"""One output under three views."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.metrics.views import VIEWS, score_views

REFERENCE = ['He said: "Take two pills."', "The patient was not there, she said."]
OUTPUT = ["he said : „Take two pills.”", "the patient was not there, she said."]


def scores(metric: str) -> list[float]:
    views = score_views({"a": OUTPUT}, [REFERENCE], trials=50)
    return [s.score for view in VIEWS for s in views.scores if s.view == view and s.metric == metric]


@pytest.mark.parametrize("metric", ["BLEU", "100 − TER", "100 − PER", "100 − CDER"])
def test_each_view_forgives_more(metric: str) -> None:
    original, normalised, lowercased = scores(metric)
    assert original < normalised < lowercased


def test_error_rates_turned_round_can_be_negative() -> None:
    views = score_views({"long": ["a b c d e f g"] * 2}, [["x"] * 2], trials=10)
    assert next(s.score for s in views.scores if s.metric == "100 − TER") == -600


def test_the_command_shows_measures_side_by_side(tmp_path: Path) -> None:
    for name, lines in (("a.en", OUTPUT), ("ref.en", REFERENCE)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = ["metric", "views", str(tmp_path / "a.en"), "-r", str(tmp_path / "ref.en"), "--trials", "20"]
    told = json.loads(CliRunner(catch_exceptions=False).invoke(group, [*words, "--json"]).output)
    assert len(told["rows"]) == 12
    assert told["meta"]["trials"] == 20
    shown = CliRunner(catch_exceptions=False).invoke(group, words).output
    assert "lowercased" in shown
    assert "±" in shown
