from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.errors import DataError, FormatError
from dragoman.samples import sample_path

RANKING = str(sample_path("testset/judgements/ranking.csv"))
DA = str(sample_path("testset/judgements/da.csv"))


def run(*words: str) -> Result:
    return CliRunner().invoke(group, list(words), catch_exceptions=True)


def rows(*words: str) -> list[dict[str, object]]:
    done = run(*words, "--json")
    assert done.exit_code == 0, done.output
    found: list[dict[str, object]] = json.loads(done.stdout)["rows"]
    return found


def test_agree_on_rankings_and_on_scores() -> None:
    inter, intra = rows("agree", RANKING)
    assert (inter["pair"], inter["kind"], inter["pairs"]) == ("de-en", "inter", 1751)
    assert (intra["kind"], intra["pairs"]) == ("intra", 200)
    assert [row["statistic"] for row in rows("agree", DA, "--bins", "5", "--trials", "0")] == [
        "alpha-interval",
        "pearson",
        "alpha-interval",
        "pearson",
        "kappa-5",
        "kappa-5",
    ]
    assert len(rows("agree", RANKING, "--by", "pair", "--trials", "0")) == 6


@pytest.mark.parametrize(
    "words",
    [("agree", DA, "--trials", "0"), ("campaign", "budget", DA, "--trials", "1", "--share", "0.5"),
     ("meta", "{scores}", "--human", DA, "--trials", "1")],
)  # fmt: skip
def test_who_uses_judgements_that_do_not_count_is_told(words: tuple[str, ...], tmp_path: Path) -> None:
    """`campaign analyse` and its pages leave some people out; `rank` alone said so."""
    scores = tmp_path / "scores.tsv"
    scores.write_text("system\tscore\natlas\t3\nborealis\t2\ncobalt\t1\ndune\t0\n", encoding="utf-8")
    done = run(*(word.format(scores=scores) for word in words))
    assert done.exit_code == 0, done.output
    assert "100 of 400 judgements count here although 'dragoman campaign analyse' leaves them out" in done.stderr


def test_agree_reads_several_files_as_one(tmp_path: Path) -> None:
    lines = Path(RANKING).read_text(encoding="utf-8").splitlines(keepends=True)
    for name, part in (("a.csv", lines[1:60]), ("b.csv", lines[60:])):
        (tmp_path / name).write_text("".join([lines[0], *part]), encoding="utf-8")
    assert rows("agree", str(tmp_path / "a.csv"), str(tmp_path / "b.csv")) == rows("agree", RANKING)
    done = run("agree", RANKING, DA)
    assert isinstance(done.exception, DataError)
    assert "da.csv" in str(done.exception)


def test_random_clickers_and_controls(tmp_path: Path) -> None:
    assert [row["annotator"] for row in rows("agree", RANKING, "--random") if row["verdict"] == "at chance"] == [
        "ann-4"
    ]
    lines = Path(RANKING).read_text(encoding="utf-8").splitlines(keepends=True)
    trusted = tmp_path / "trusted.csv"
    trusted.write_text("".join(line for line in lines if "ann-4" not in line), encoding="utf-8")
    found = {str(row["annotator"]): row for row in rows("agree", RANKING, "--controls", str(trusted), "--margin", "2")}
    assert [name for name, row in found.items() if row["is_rejected"]] == ["ann-4"]
    done = run("agree", RANKING, "--random", "--controls", RANKING)
    assert done.exit_code == 2
    assert "not for both" in done.output


def test_pages(tmp_path: Path) -> None:
    for words in (
        ["agree", RANKING],
        ["agree", RANKING, "--random"],
        ["rankings", "head-to-head", RANKING],
        ["rankings", "head-to-head", RANKING, "--consistency"],
    ):
        page = tmp_path / "page.html"
        assert run(*words, "--html", str(page)).exit_code == 0
        assert "<table" in page.read_text(encoding="utf-8")


def test_head_to_head() -> None:
    found = rows(
        "rankings", "head-to-head", RANKING, "--style", "wmt13", "--correction", "holm", "--constrained", "atlas"
    )
    assert len(found) == 10
    assert {row["better"] for row in found if row["first"] == "atlas"} == {"atlas"}
    text = run("rankings", "head-to-head", RANKING).output
    assert "> others" in text
    assert "Pairs" not in text
    assert len(rows("rankings", "head-to-head", RANKING, "--consistency")) == 4


def test_compare_rankings(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("system\tscore\natlas\t3\nborealis\t2\ndune\t1\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("system,rank\nborealis,1\natlas,2\ndune,3\n", encoding="utf-8")
    a, b = str(tmp_path / "a.tsv"), str(tmp_path / "b.csv")
    done = run("rankings", "compare", a, b, "--judgements", RANKING, "--json")
    assert done.exit_code == 0, done.output
    meta = json.loads(done.output)["meta"]
    assert meta["kendall"] == pytest.approx(1 / 3)
    (swap,) = meta["swaps"]
    assert (swap["above"], swap["below"], swap["supported"]) == ("atlas", "borealis", "first")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name\tscore\na\t1\n", "has the columns name, score; a ranking has system, and score or rank"),
        ("system\tscore\na\tbest\nb\t1\n", "row 1 has the score 'best'; a number was expected"),
        ("system\tscore\na\t1\na\t2\n", "the system 'a' stands there twice"),
    ],
)
def test_wrong_rankings(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "ranking.tsv"
    path.write_text(text, encoding="utf-8")
    done = run("rankings", "compare", str(path), str(path))
    assert isinstance(done.exception, DataError)
    assert message in str(done.exception)


def test_a_strange_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    done = run("agree", str(path))
    assert isinstance(done.exception, FormatError)
    assert str(path) in str(done.exception)
