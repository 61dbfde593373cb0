"""Tables that a spreadsheet opens: nothing in them is a formula, and what Dragoman reads back is what it wrote."""

from __future__ import annotations

import csv
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cli.head_to_head import _ranking
from dragoman.cli.main import group
from dragoman.data.judgements import Judgements, read_judgements
from dragoman.data.judgements.kinds import DIRECT_ASSESSMENT
from dragoman.data.judgements.own import JudgementTable
from dragoman.metrics.meta.reading import _rows
from dragoman.report import Table, render
from dragoman.spreadsheets import plain_cell, raw_cell, spreadsheet_cell

NASTY = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "'=x",
    "''-y",
    "\t=1",
    "plain",
    "'quoted'",
    "-",
    "'",
    "- so",
    "=",
]
NASTY_TABLE = Table.of("t", ["name", "value"], [(name, -0.5) for name in NASTY])
READ_BACK = {"csv": NASTY, "tsv": [name.replace("\t", " ") for name in NASTY]}  # TSV has no place for tabs


def cells_of(text: str, form: str) -> list[list[str]]:
    if form == "tsv":
        return [line.split("\t") for line in text.splitlines()]
    return list(csv.reader(text.splitlines(keepends=True)))


def run(*words: str, folder: Path) -> Result:
    with chdir(folder):
        return CliRunner().invoke(group, words)


@given(st.text(alphabet="'=+-@\t\r1.e a", max_size=6))
def test_a_cell_comes_back_and_is_no_formula(text: str) -> None:
    cell = spreadsheet_cell(text)
    assert plain_cell(cell) == text
    if cell[:1] in ("=", "+", "-", "@"):
        assert len(cell) == 1 or float(cell) is not None
    assert plain_cell(raw_cell(text)) == text
    if not text.startswith("'"):
        assert raw_cell(text) == text


@pytest.mark.parametrize("number", ["-5", "+0.25", "-1e-05", "-.5", "12"])
def test_numbers_stay_numbers(number: str) -> None:
    assert spreadsheet_cell(number) == number


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@pytest.mark.parametrize("raw", [False, True])
def test_judgements_are_read_back_unchanged(tmp_path: Path, suffix: str, raw: bool) -> None:
    names = [name for name in NASTY if not name.startswith("\t")]
    rows: list[dict[str, Any]] = [
        {"system": name, "segment": 1, "annotator": f"@{name}", "item": "i", "score": 0.5} for name in names
    ]
    told = Judgements.of(DIRECT_ASSESSMENT, rows)
    path = tmp_path / f"table.judgements{suffix}"
    JudgementTable(raw=raw).write(told, path)
    back = read_judgements(path)
    assert list(back["system"]) == names
    assert list(back["annotator"]) == [f"@{name}" for name in names]
    assert list(back["score"]) == [0.5] * len(names)
    first = path.read_text(encoding="utf-8").splitlines()[1]
    assert ("'=1+1" in first) is not raw


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_tables_of_results_hold_no_formulas(form: str) -> None:
    rows = cells_of(render(NASTY_TABLE, form), form)[1:]
    assert [plain_cell(row[0]) for row in rows] == READ_BACK[form]
    assert rows[0] == ["'=1+1", "-0.5"]
    assert not [row[0] for row in rows if len(row[0]) > 1 and row[0][0] in "=+-@"]


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_raw_tables_of_results_are_read_back_too(form: str) -> None:
    rows = cells_of(render(NASTY_TABLE, form, raw=True), form)[1:]
    assert rows[0] == ["=1+1", "-0.5"]
    assert [row[0] for row in rows if row[0].startswith("''=")] == ["''=x"], "a quote of its own is doubled"
    assert [plain_cell(row[0]) for row in rows] == READ_BACK[form]


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_names_of_columns_are_no_formulas(form: str) -> None:
    assert render(Table.of("t", ["=1+1"], [("x",)]), form) == "'=1+1\nx\n"


@pytest.mark.parametrize("form", ["csv", "tsv"])
@pytest.mark.parametrize("raw", [False, True])
def test_scores_that_were_written_are_read_by_name(tmp_path: Path, form: str, raw: bool) -> None:
    """`dragoman meta` and `rankings head-to-head` take tables of results; systems are called as in the files."""
    (tmp_path / "reference").write_text("a b c d e\n")
    for name in ("@one", "'@two"):
        (tmp_path / name).write_text("a b c d f\n")
    said = ["--raw"] if raw else []
    table = tmp_path / f"scores.{form}"
    done = run("score", "@one", "'@two", "-r", "reference", "--form", form, *said, "-o", str(table), folder=tmp_path)
    assert done.exit_code == 0, done.output
    assert (("\n'@one" in table.read_text()), ("\n''@two" in table.read_text())) == (not raw, True)
    assert set(_ranking(str(table))) == {"@one", "'@two"}
    assert {name for _, (name, *_) in list(_rows(table))[1:]} == {"@one", "'@two"}
