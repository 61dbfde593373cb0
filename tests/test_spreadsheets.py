"""Tables that a spreadsheet opens: nothing in them is a formula, and what Dragoman reads back is what it wrote."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data.judgements import Judgements, read_judgements
from dragoman.data.judgements.kinds import DIRECT_ASSESSMENT
from dragoman.data.judgements.own import JudgementTable
from dragoman.report import Table, render
from dragoman.spreadsheets import plain_cell, spreadsheet_cell

NASTY = [
    "=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "'=x", "''-y", "\t=1", "plain", "'quoted'", "-", "'", "- so", "=",
]  # fmt: skip


@given(st.text(alphabet="'=+-@\t\r1.e a", max_size=6))
def test_a_cell_comes_back_and_is_no_formula(text: str) -> None:
    cell = spreadsheet_cell(text)
    assert plain_cell(cell) == text
    if cell[:1] in ("=", "+", "-", "@"):
        assert len(cell) == 1 or float(cell) is not None


@pytest.mark.parametrize("number", ["-5", "+0.25", "-1e-05", "-.5", "12"])
def test_numbers_stay_numbers(number: str) -> None:
    assert spreadsheet_cell(number) == number


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@pytest.mark.parametrize("raw", [False, True])
def test_judgements_are_read_back_unchanged(tmp_path: Path, suffix: str, raw: bool) -> None:
    names = [name for name in NASTY if not (name.startswith("\t") or (raw and name.startswith("'")))]
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


def test_tables_of_results_hold_no_formulas() -> None:
    table = Table.of("t", ["name", "value"], [(name, -0.5) for name in NASTY])
    rows = list(csv.reader(render(table, "csv").splitlines(keepends=True)))[1:]
    assert [plain_cell(row[0]) for row in rows] == NASTY
    assert rows[0] == ["'=1+1", "-0.5"]
    assert not [row[0] for row in rows if len(row[0]) > 1 and row[0][0] in "=+-@"]
