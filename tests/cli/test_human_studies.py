"""The commands of human studies: what golden cases do not show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data.frame_tables import read_frames
from dragoman.data.frames import FrameStudy
from dragoman.errors import DataError
from dragoman.human import hmeant, plan_listening, score_comprehension, understandability, vote_support
from dragoman.report.charts import draw_chart
from dragoman.samples import copy_samples


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    copy_samples(folder)
    return folder / "studies"


def run(*words: str | Path) -> str:
    done = CliRunner(catch_exceptions=False).invoke(group, list(map(str, words)))
    assert done.exit_code == 0, done.output
    return done.stdout


def test_hmeant_takes_names_and_the_published_quirks(studies: Path) -> None:
    found = json.loads(run("metric", "hmeant", studies / "frames", "--system", "atlas=A", "--as-published", "--json"))
    assert {row["system"] for row in found["rows"]} == {"A", "cobalt"}
    assert (found["kind"], found["meta"]["compat"], found["meta"]["source"]) == ("hmeant", "wmt13", "frames")
    done = CliRunner().invoke(group, ["metric", "hmeant", str(studies / "frames"), "--system", "atlas"])
    assert done.exit_code == 2
    assert "write VERSION=NAME" in done.output


def test_a_folder_without_tables_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the folder has no table"):
        CliRunner(catch_exceptions=False).invoke(group, ["metric", "hmeant", str(tmp_path)])


def test_plans_go_into_files(tmp_path: Path) -> None:
    run("study", "comprehension", "plan", "a", "b", "-n", "4", "--form", "tsv", "-o", tmp_path / "plan.tsv")
    lines = (tmp_path / "plan.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0].split("\t") == ["annotator", "place", "passage", "condition"]
    assert len(lines) == 1 + 2 * 4


def test_every_figure_can_be_drawn(studies: Path) -> None:
    from dragoman.data.crowd import VotedSegment, Votes
    from dragoman.data.judgements import read_judgements
    from dragoman.data.judgements.blind_edits import REVIEWS
    from dragoman.data.questionnaires import read_questionnaire

    study = read_frames(studies / "frames")
    results = [
        hmeant(study),
        hmeant(FrameStudy(study.annotations[:1])),  # one segment: no intervals
        score_comprehension(read_questionnaire(studies / "comprehension")),
        understandability(read_judgements(studies / "understandability" / "reviews.tsv", REVIEWS)),
        vote_support(Votes((VotedSegment("1", ("a", "b"), (2, 1)),))),
        plan_listening(["a", "b"], 2),
    ]
    drawn = [draw_chart(figure) for result in results for figure in result.figures()]
    assert len(drawn) == 7
    assert all("<svg" in svg for svg in drawn)
