from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.samples import sample_path

RANKING = str(sample_path("testset/judgements/ranking.csv"))
ASSESSMENTS = str(sample_path("testset/judgements/da.csv"))


def run(*words: str) -> Result:
    return CliRunner().invoke(group, ["rank", *words], catch_exceptions=True)


def test_rows_and_meta_of_the_json() -> None:
    done = run(RANKING, "--clusters", "--replicates", "200", "--seed", "3", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert found["kind"] == "ranking"
    assert list(found["rows"][0]) == ["system", "score", "rank", "rank_low", "rank_high", "cluster"]
    assert found["meta"]["seed"] == 3
    assert found["meta"]["judgements"]["files"] == RANKING
    assert found["meta"]["clusters"]["replicates"] == 200


def test_direct_assessments_are_ranked_by_z() -> None:
    done = run(ASSESSMENTS, "--json")
    found = json.loads(done.stdout)
    assert "100 of 400 judgements count here although 'dragoman campaign analyse' leaves them out" in done.stderr
    assert found["meta"]["method"] == "da-z:by_segment=yes"
    assert found["meta"]["judgements"]["files"] == ASSESSMENTS
    assert "reference-A" not in [row["system"] for row in found["rows"]]


def test_several_files_are_one_table(tmp_path: Path) -> None:
    header, *rows = Path(RANKING).read_text(encoding="utf-8").splitlines()
    half = len(rows) // 2
    parts = []
    for number, part in enumerate((rows[:half], rows[half:])):
        parts.append(tmp_path / f"{number}.csv")
        parts[-1].write_text("\n".join([header, *part]) + "\n", encoding="utf-8")
    both = json.loads(run(*map(str, parts), "--json").output)
    assert both["rows"] == json.loads(run(RANKING, "--json").output)["rows"]


def test_every_pair_is_ranked_when_none_is_named(tmp_path: Path) -> None:
    header, *rows = Path(RANKING).read_text(encoding="utf-8").splitlines()
    two = tmp_path / "two.csv"
    french = [row.replace("German", "French") for row in rows]
    two.write_text("\n".join([header, *rows, *french]) + "\n", encoding="utf-8")
    found = json.loads(run(str(two), "--json").output)
    assert found["kind"] == "rankings"
    assert {row["pair"] for row in found["rows"]} == {"de-en", "fr-en"}
    one = json.loads(run(str(two), "--pair", "fr-en", "--json").output)
    assert one["kind"] == "ranking"
    done = run(str(two), "--pair", "cs-en")
    assert isinstance(done.exception, DataError)
    assert "No judgement is of the language pair 'cs-en'" in str(done.exception)


@pytest.mark.parametrize("method", ["mfas", "lopez", "trueskill:runs=5", "bradley-terry"])
def test_methods_are_named_with_options(method: str) -> None:
    assert run(RANKING, "--method", method).exit_code == 0


def test_an_audit_reads_an_order(tmp_path: Path) -> None:
    order = tmp_path / "order.txt"
    names = [row["system"] for row in json.loads(run(RANKING, "--json").output)["rows"]]
    order.write_text("\n".join(reversed(names)) + "\n\n", encoding="utf-8")
    found = json.loads(run(RANKING, "--audit", str(order), "--json").output)
    assert found["kind"] == "ranking-audit"
    assert found["meta"]["violations"] > found["meta"]["best"]


def test_choice_of_method_and_power() -> None:
    choice = json.loads(
        run(RANKING, "--choose", "--method", "expected-wins", "--method", "bojar", "--folds", "5", "--json").output
    )
    assert {row["method"] for row in choice["rows"]} == {"expected-wins", "bojar", "oracle"}
    curve = json.loads(run(RANKING, "--power", "--json").output)
    assert curve["kind"] == "power"


@pytest.mark.parametrize("more", [["--clusters", "--replicates", "50"], ["--power"]])
def test_a_page_is_written(tmp_path: Path, more: list[str]) -> None:
    page = tmp_path / "page.html"
    assert run(RANKING, *more, "--html", str(page)).exit_code == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_the_methods_are_listed() -> None:
    done = run("--list")
    assert "expected-wins" in done.output
    assert "gaussian-skill-online" in done.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Name a file of judgements"),
        ([RANKING, "--power", "--choose"], "ask one at a time"),
        ([RANKING, "--method", "bojar", "--method", "lopez"], "Several methods are for --choose"),
        ([RANKING, "--method", "nonsense"], "No ranking method is called 'nonsense'"),
    ],
)
def test_wrong_calls_are_answered(words: list[str], message: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert message in done.output
