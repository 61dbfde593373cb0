"""`dragoman campaign`: plan, new, simulate, analyse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.data.judgements import Field, Judgements, Schema, ranking_schema
from dragoman.errors import DragomanError
from dragoman.human.analysing import analyse
from dragoman.samples import copy_samples, sample_path

QUALITY = [f"--quality={name}={mean}" for name, mean in zip(
    ("atlas", "borealis", "cobalt", "dune", "ember"), (85, 75, 62, 54, 40), strict=True)]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy_samples(tmp_path / "samples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner(catch_exceptions=False).invoke(group, ["campaign", *words])


def test_from_manifest_to_ranking(folder: Path) -> None:
    planned = run("plan", "samples/testset/campaign.toml", "-o", "plan", "--json")
    assert planned.exit_code == 0
    rows = json.loads(planned.stdout)["rows"]
    assert [(row["least"], row["most"]) for row in rows] == [(2, 2)] * 5
    done = run("simulate", "plan", *QUALITY, "--population", "honest=0.75,random=0.25", "-o", "told.csv")
    assert "SIMULATED: no person made these 1,200 judgements. Seed 1." in done.stdout
    analysed = run("analyse", "told.csv", "--html", "page.html", "--json")
    told = json.loads(analysed.stdout)
    assert told["kind"] == "direct-assessment"
    assert [row["system"] for row in told["rows"]] == ["atlas", "borealis", "cobalt", "dune", "ember"]
    assert (told["meta"]["annotators"], told["meta"]["annotators_kept"]) == (4, 3)
    assert told["meta"]["files"] == "told.csv"
    assert "<h2" in (folder / "page.html").read_text(encoding="utf-8")
    segments = run("analyse", "told.csv", "--segments", "--form", "tsv")
    assert segments.stdout.startswith("system\tdoc\tsegment\tn\traw\tz\n")
    assert segments.stdout.count("\n") == 401


def test_new_makes_the_folder(folder: Path) -> None:
    assert run("new", "samples/testset/campaign.toml", "-o", "sample-da").exit_code == 0
    assert {path.name for path in (folder / "sample-da").iterdir()} == {
        "assignments.tsv", "judgements.jsonl", "key.tsv", "plan.json", "tasks.jsonl",
    }  # fmt: skip
    told = json.loads(run("status", "sample-da", "--json").stdout)
    assert told["rows"][-1] == {
        "annotator": "all", "tasks": 12, "finished": 0, "items": 1200, "judged": 0, "percent": 0,
    }  # fmt: skip
    with pytest.raises(DragomanError, match="sample-da is there already"):
        run("new", "samples/testset/campaign.toml", "-o", "sample-da")
    with pytest.raises(DragomanError, match="There is no judgement with a score to analyse"):
        run("analyse", "sample-da/judgements.jsonl")


def test_the_samples_careless_annotator_is_found() -> None:
    done = run("analyse", str(sample_path("testset/judgements/da.csv")))
    line = next(line for line in done.stdout.splitlines() if line.startswith("ann-4"))
    assert "insufficient evidence" in line
    assert " no " in line


def test_wrong_calls() -> None:
    assert "'atlas' is not NAME=NUMBER." in run("simulate", "plan", "--quality", "atlas", "-o", "x").stderr
    assert run("analyse").exit_code == 2


def test_rankings_are_analysed_too(tmp_path: Path) -> None:
    path = str(sample_path("testset/judgements/ranking.csv"))
    done = run("analyse", path, "--html", str(tmp_path / "page.html"), "--json")
    told = json.loads(done.stdout)
    assert told["kind"] == "ranking-analysis"
    assert [row["system"] for row in told["rows"]] == ["atlas", "borealis", "cobalt", "dune", "ember"]
    assert set(told["meta"]) >= {"ranking", "head_to_head", "agreement", "annotators", "seed"}
    assert "Head to head" in (tmp_path / "page.html").read_text(encoding="utf-8")
    with pytest.raises(DragomanError, match=r"^The analysis of relative-ranking has no option 'test'\. Known: pair"):
        run("analyse", path, "--test", "t")
    with pytest.raises(DragomanError, match=r"^An analysis of the kind 'ranking-analysis' has no scores of single"):
        run("analyse", path, "--segments")


def test_other_kinds_are_refused_with_what_is_known() -> None:
    nothing = Judgements.of(Schema("votes", (Field("annotator"), Field("item"))))
    with pytest.raises(DragomanError, match=r"^There is no analysis of judgements of the kind 'votes'\. Known: adeq"):
        analyse(nothing)
    with pytest.raises(DragomanError, match=r"^There are no judgements to analyse\.$"):
        analyse(Judgements.of(ranking_schema(5)))


def test_power_says_it_is_simulated() -> None:
    done = run("power", "--quality", "a=70", "--quality", "b=50", "-n", "100", "--trials", "3", "--json")
    told = json.loads(done.stdout)
    assert told["rows"][0]["found"] == 1
    assert told["meta"]["simulated"] is True
