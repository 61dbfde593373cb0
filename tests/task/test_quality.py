"""Subtasks of quality estimation: ranking and scoring, orders of translations, words; winners and who takes part."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.qe import evaluate
from dragoman.qe.submission import Submission, read_estimates, write_submission
from dragoman.stats import delta_avg
from dragoman.task import SharedTask, read_task, run_task
from dragoman.task.running import TaskRun

N = 60


def lines(path: Path, values: Any) -> None:
    path.write_text("".join(f"{value}\n" for value in values))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """HTER of sixty sentences; a good estimator, its twin, a poor one, and one with ranks alone."""
    draw = np.random.default_rng(7)
    gold = np.round(draw.uniform(0, 1, N), 3)
    lines(tmp_path / "gold", gold)
    lines(tmp_path / "train", [0.2, 0.4])
    lines(tmp_path / "good", np.clip(gold + draw.normal(0, 0.05, N), 0, 1))
    lines(tmp_path / "twin", np.clip(gold + draw.normal(0, 0.05, N), 0, 1))
    lines(tmp_path / "poor", draw.uniform(0, 1, N))
    ranks = np.argsort(np.argsort(gold)) + 1
    write_submission(Submission("T_ranks", None, tuple(ranks.tolist())), tmp_path / "ranks")
    return tmp_path


def task(folder: Path, text: str) -> SharedTask:
    (folder / "task.toml").write_text(f'name = "t"\n[[quality]]\nname = "q"\n{text}\n')
    return read_task(folder)


HTER = (
    'subtask = "hter"\ngold = "gold"\ntrain = "train"\nestimates = ["good", "poor", "ranks", "twin"]\nbaseline = "poor"'
)


def commands_agree(run: TaskRun) -> None:
    for part in run.parts:
        done = CliRunner().invoke(group, [*shlex.split(part.command)[1:], "--json"])
        assert done.exit_code == 0, done.output
        assert part.result is not None
        assert json.loads(done.stdout)["rows"] == part.result.to_dict()["rows"], part.command


def test_scores_have_a_table_of_ranking_and_one_of_scoring(folder: Path) -> None:
    run = run_task(task(folder, HTER), folder / "scores")
    ranking, scoring = (run.part(f"q-quality-{name}").table for name in ("ranking", "scoring"))
    assert [column.name for column in ranking.columns][2:] == ["delta-avg", "spearman"]
    assert [column.name for column in scoring.columns][2:] == ["mae", "rmse", "pearson"]
    # The ranks are those of the gold standard, of which less is better: nothing orders better.
    assert [row[:2] for row in ranking.rows] == [
        ("●", "ranks"), ("", ranking.rows[1][1]), ("", ranking.rows[2][1]), ("○", "poor"), ("", "oracle"),
    ]  # fmt: skip
    assert ranking.rows[0][2] == pytest.approx(ranking.rows[-1][2])
    assert {row[1] for row in ranking.rows[1:3]} == {"good", "twin"}
    assert [row[1] for row in scoring.rows][2:] == ["poor", "mean", "oracle"]
    assert [row[0] for row in scoring.rows[:3]] == ["●", "●", "○"]
    assert any("ranks is left out. T_ranks has ranks and no scores" in text for text in run.left_out)
    commands_agree(run)


def test_delta_avg_is_of_the_ranks_that_were_submitted(tmp_path: Path) -> None:
    """Scores and ranks that contradict each other: the ranking is by ranks, the scoring by scores."""
    gold = [5.0, 4.0, 3.0, 2.0, 1.0, 1.5]
    write_submission(Submission("T_both", tuple(gold), (6, 5, 4, 3, 1, 2)), tmp_path / "both")
    by_rank = read_estimates(tmp_path / "both", "effort", "ranking")
    assert by_rank == [-6, -5, -4, -3, -1, -2]
    measured = evaluate(gold, {"both": by_rank}, task="effort", variant="ranking", trials=1)
    assert measured.value("delta-avg", "both") == delta_avg(np.array(gold), np.array(by_rank)) < 0
    scored = evaluate(gold, {"both": read_estimates(tmp_path / "both", "effort", "scoring")}, task="effort", trials=1)
    assert scored.value("mae", "both") == 0


def test_translations_of_one_source_are_ranked(folder: Path) -> None:
    lines(folder / "gold", [1, 2, 3, 3, 2, 1, 1, 2, 2])
    lines(folder / "groups", "aaabbbccc")
    lines(folder / "good", [1, 2, 3, 3, 2, 1, 1, 2, 3])
    lines(folder / "poor", [3, 2, 1, 1, 2, 3, 2, 1, 1])
    text = 'subtask = "ranking"\ngold = "gold"\ngroups = "groups"\nestimates = ["poor", "good"]'
    run = run_task(task(folder, text), folder / "scores")
    rows = run.part("q-quality").table.rows
    assert [(row[0], row[1], row[2]) for row in rows] == [
        ("●", "good", 1.0), ("", "poor", -1.0), ("", "all tied", -1.0), ("", "oracle", 1.0),
    ]  # fmt: skip
    commands_agree(run)


def test_words_are_won_by_the_errors_that_are_found(folder: Path) -> None:
    lines(folder / "gold", ["OK BAD OK", "BAD OK OK OK"] * 8)
    lines(folder / "good", ["OK BAD OK", "BAD OK BAD OK"] * 8)
    lines(folder / "poor", ["OK OK OK", "OK OK OK BAD"] * 8)
    run = run_task(task(folder, 'subtask = "words"\ngold = "gold"\nestimates = ["poor", "good"]'), folder / "scores")
    part = run.part("q-quality")
    assert [row[:2] for row in part.table.rows][:2] == [("●", "good"), ("", "poor")]
    assert "by f1-errors" in part.table.note
    commands_agree(run)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('subtask = "ranking"\ngold = "gold"', "'q' asks for ranking; groups, a line a translation"),
        ('gold = "gold"\ngroups = "gold"', "'q' asks for hter; groups, a line a translation"),
        ('subtask = "ranking"\ngold = "gold"\ngroups = "g"\ntrain = "t"', "a mean says nothing; leave train out"),
        ('gold = "gold"\nestimates = ["good"]\nbaseline = "poor"', "the baseline of 'q' is none of its estimates"),
    ],
)
def test_what_does_not_fit_a_subtask_is_named(folder: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        task(folder, text)


def test_variants_and_rivals_must_be_known() -> None:
    with pytest.raises(UnknownName, match=r"No variant is called 'both-ways'\. Known: both, ranking, scoring"):
        evaluate([1, 2], {"a": [1, 2]}, variant="both-ways")
    with pytest.raises(UnknownName, match=r"No prediction is called 'b'\. Known: a"):
        evaluate([1, 2], {"a": [1, 2]}, against=["b"])
    with pytest.raises(DataError, match="The task 'words' has no variants"):
        evaluate([["OK"]], {"a": [["OK"]]}, task="words", variant="ranking")


def test_of_two_estimators_of_one_quality_hardly_one_in_twenty_wins() -> None:
    """Winners are told by p > .05 (WMT 2013, §5): where nothing is to be told apart, so it must come out."""
    draw = np.random.default_rng(2013)
    n_worlds = 150
    told_apart = dict.fromkeys(("mae", "pearson"), 0)
    for world in range(n_worlds):
        gold = draw.uniform(0, 1, 60)
        said = {name: gold + draw.normal(0, 0.2, 60) for name in "ab"}
        result = evaluate(gold, said, task="score", variant="scoring", trials=200, seed=world)
        for each in result.against:
            if each.measure in told_apart:
                told_apart[each.measure] += each.p <= 0.05
    # 5 % of 150 are 7.5; chance gives more than 15 of them in less than one of 200 such tests.
    assert max(told_apart.values()) <= 15, told_apart
    assert min(told_apart.values()) >= 1, told_apart  # a test that never decides would be none
