"""Files of judgements on the command line: convert within a kind, inspect, lint."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.data import read_judgements
from dragoman.errors import DataError, ModelError
from dragoman.samples import sample_path

RANKING = str(sample_path("testset/judgements/ranking.csv"))
SCORES = str(sample_path("testset/judgements/da.csv"))


def run(*arguments: str) -> Result:
    return CliRunner(catch_exceptions=False).invoke(group, list(arguments))


@pytest.mark.parametrize(
    ("source", "target", "options", "to"),
    [
        (RANKING, "x.pairwise.csv", [], "pairwise-ranking"),
        (RANKING, "x.judgements.tsv", [], "judgement-table"),
        (RANKING, "x.judgements.jsonl", [], "judgement-log"),
        (RANKING, "x.csv", ["--to", "wmt-ranking"], "wmt-ranking"),
        (RANKING, "x.csv", [], "csv"),
        (RANKING, "x.jsonl", [], "jsonl"),
        (SCORES, "x.appraise.csv", [], "appraise-da"),
    ],
)
def test_judgements_convert_within_their_kind(
    tmp_path: Path, source: str, target: str, options: list[str], to: str
) -> None:
    done = run("convert", source, str(tmp_path / target), *options, "--json")
    assert done.exit_code == 0, done.output
    (row,) = json.loads(done.stdout)["rows"]
    assert row["to"] == to
    assert row["items"] in (180, 400)
    if to not in ("csv", "jsonl"):
        assert len(read_judgements(tmp_path / target)) == row["items"]


def test_kinds_do_not_convert_into_each_other(tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match=r"Cannot convert .* to appraise-da \(judgements\): .*wmt-ranking holds judgements"
    ):
        run("convert", RANKING, str(tmp_path / "x.csv"), "--to", "appraise-da")
    with pytest.raises(DataError, match="Cannot convert"):
        run("convert", RANKING, str(tmp_path / "x.csv"), "--from", "wmt-ranking", "--to", "mqm")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "line", ["rank {}", "agree {}", "lint {}", "inspect {}", "convert {} {}.judgements.tsv --from mturk-da"]
)
def test_a_batch_without_a_column_is_refused_by_every_command(tmp_path: Path, line: str) -> None:
    columns = ["HITId", "WorkerId", "Input.src", "Input.trg", "Input.item", "Input.sys_id_0", "Input.sid_0"]
    batch = tmp_path / "batch.mturk.csv"
    batch.write_text(",".join([*columns, "Input.rid_0", "Answer.Q1"]) + "\nH,W,cs,en,ad,a,1,r,0_r_80\n")
    with pytest.raises(DataError, match=r"batch\.mturk\.csv:1: .* it lacks Input\.tst_0\."):
        run(*line.replace("{}", str(batch)).split())


def test_inspect_counts_judgements(tmp_path: Path) -> None:
    done = run("inspect", RANKING, "--json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert found["kind"] == "judgement-summary"
    assert found["rows"][0]["annotators"] == 4
    assert found["meta"]["files"][0]["dropped"] == 0
    (tmp_path / "x.txt").write_text("hello\n")
    with pytest.raises(DataError, match="this is no file of judgements that is known here"):
        run("inspect", str(tmp_path / "x.txt"))
    with pytest.raises(ModelError, match="There is no model folder"):
        run("inspect", str(tmp_path / "none"))


def test_lint_looks_judgements_over(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Judgements of different kinds do not go together"):
        run("lint", RANKING, SCORES)
    done = run("lint", SCORES, "--strict")
    assert done.exit_code == 0
    assert "direct-assessment: 400 judgements by 4 annotators of 6 systems on 78 segments, 0 blank." in done.output
    path = tmp_path / "x.csv"
    path.write_text(Path(RANKING).read_text().replace(",atlas,", ",dune,", 1))
    done = run("lint", str(path), "--format", "wmt-ranking", "--strict", "--json")
    assert done.exit_code == 1
    found = json.loads(done.stdout)
    assert found["meta"]["severities"] == {"error": 1, "warning": 0, "note": 1}
    assert "x.csv:2: the system 'dune' stands twice in one ranking task" in found["rows"][0]["detail"]
