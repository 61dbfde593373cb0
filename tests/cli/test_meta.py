from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.samples import sample_path


def path(name: str) -> str:
    return str(sample_path(f"testset/{name}"))


SYSTEMS = [path(f"systems/{name}.en") for name in ("atlas", "borealis", "cobalt", "dune", "ember")]
REF = ["-r", path("reference-A.en")]


def run(*words: str) -> Result:
    return CliRunner().invoke(group, list(words), catch_exceptions=True)


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("meta")
    files = {"sys": str(folder / "sys.tsv"), "seg": str(folder / "seg.tsv")}
    metrics = ["-m", "bleu", "-m", "chrf", "-m", "wer"]
    for level, extra in (("sys", []), ("seg", ["--segments"])):
        done = run("score", *SYSTEMS, *REF, *metrics, *extra, "--form", "tsv", "-o", files[level])
        assert done.exit_code == 0, done.output
    return files


def test_what_score_writes_meta_reads(scored: dict[str, str], tmp_path: Path) -> None:
    page = tmp_path / "meta.html"
    done = run("meta", scored["sys"], "--human", path("judgements/ranking.csv"), "--html", str(page), "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert found["kind"] == "meta-evaluation"
    assert {row["metric"] for row in found["rows"]} == {"bleu", "chrf", "wer"}
    assert list(found["rows"][0])[:6] == ["rank", "cluster", "metric", "pearson", "low", "high"]
    assert found["meta"]["pair"] == "de-en"
    assert found["meta"]["human"].endswith("ranking.csv")
    assert found["meta"]["human_score"] == "expected-wins"
    assert found["meta"]["blanks"] == "drop"
    assert found["meta"]["lower_is_better"] == ["wer"]
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_segments(scored: dict[str, str]) -> None:
    done = run(
        "meta",
        scored["seg"],
        "--human",
        path("judgements/ranking.csv"),
        "--variant",
        "wmt12",
        "--trials",
        "50",
        "--json",
    )
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert found["meta"]["variant"] == "wmt12"
    assert found["meta"]["tests"]["trials"] == 50
    assert (
        found["rows"][0]["n"]
        == found["rows"][0]["concordant"] + found["rows"][0]["discordant"] + found["rows"][0]["metric_ties"]
    )
    assessed = run("meta", scored["seg"], "--human", path("judgements/da.csv"), "--by", "accuracy_eq", "--trials", "50")
    assert assessed.exit_code == 0, assessed.output
    assert "acc_eq" in assessed.output


def test_ones_own_metric_is_marked(scored: dict[str, str], tmp_path: Path) -> None:
    mine = tmp_path / "m.tsv"
    mine.write_text("system\tscore\natlas\t5\nborealis\t4\ncobalt\t3\ndune\t2\nember\t1\n", encoding="utf-8")
    done = run("meta", scored["sys"], "--human", path("judgements/ranking.csv"), "--metric", f"mine={mine}", "--json")
    rows = {row["metric"]: row["own"] for row in json.loads(done.output)["rows"]}
    assert rows == {"mine": True, "bleu": False, "chrf": False, "wer": False}


def test_significance() -> None:
    done = run(
        "meta",
        "significance",
        *SYSTEMS,
        *REF,
        "--human",
        path("judgements/ranking.csv"),
        "-m",
        "chrf",
        "--test",
        "randomisation",
        "--alpha",
        "0.05",
        "--trials",
        "100",
        "--json",
    )
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert found["kind"] == "significance-accuracy"
    (row,) = found["rows"]
    assert row["n"] == 10
    assert row["correct"] + row["missed"] + row["false_alarms"] + row["opposite"] == 10
    assert found["meta"]["human_test"] == "sign test"


def test_a_wrong_call_is_said(scored: dict[str, str]) -> None:
    assert "Name the people's judgements with --human." in run("meta", scored["sys"]).output
    assert run("meta").exit_code == 2
    helped = run("meta", "--help")
    assert helped.exit_code == 0
    assert "dragoman meta --task wmt22/en-de/sys --metric mine=my.tsv" in helped.output
    done = run("meta", scored["sys"], "--human", path("judgements/ranking.csv"), "--pair", "fr-en")
    assert isinstance(done.exception, DataError)
    assert "has no judgement of 'fr-en'. Judged: de-en" in str(done.exception)
