from __future__ import annotations

import csv
import io
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dragoman
from dragoman.errors import DataError
from dragoman.report import RENDERERS, Column, Figure, Table, render

TABLE = Table.of(
    "Scores",
    ["system", Column("score", "BLEU", digits=1), Column("p", digits=3), Column("text", is_text=True)],
    [["online-B", 31.2468, 0.04999, "naïve | text_1"], ["RBMT", None, float("nan"), "日本語 & <b>"]],
    note="Higher is better.",
)

cells = st.one_of(st.none(), st.booleans(), st.integers(-(10**12), 10**12), st.floats(), st.text(max_size=12))
tables = st.lists(st.tuples(cells, cells), max_size=5).map(lambda rows: Table.of("t", ["a", "b"], rows))


def test_text_aligns_rounds_and_marks_what_is_missing() -> None:
    assert render(TABLE, "text") == (
        "Scores\n\n"
        "system    BLEU      p  text\n"
        "────────  ────  ─────  ──────────────\n"
        "online-B  31.2  0.050  naïve | text_1\n"
        "RBMT         –      –  日本語 & <b>\n\n"
        "Higher is better.\n"
    )


def test_tsv_keeps_every_digit_and_leaves_the_missing_empty() -> None:
    assert render(TABLE, "tsv").splitlines()[1:] == [
        "online-B\t31.2468\t0.04999\tnaïve | text_1",
        "RBMT\t\tnan\t日本語 & <b>",
    ]


def test_markdown_escapes_bars() -> None:
    assert "| online-B | 31.2 | 0.050 | naïve \\| text_1 |" in render(TABLE, "markdown")


def test_latex_escapes_its_own_characters() -> None:
    text = render(Table.of("", ["x"], [["50% of $a_b & {c} ~ ^ \\ #"]]), "latex")
    assert r"50\% of \$a\_b \& \{c\} \textasciitilde{} \textasciicircum{} \textbackslash{} \# \\" in text


def test_latex_has_title_and_note_as_comments() -> None:
    """A file of several tables did not say which was which, nor that a test is two-sided."""
    text = render(Table.of("Paired\ncomparisons (two-sided)", ["x"], [["a"]], note="Lower is better: WER."), "latex")
    assert text.startswith("% Paired comparisons (two-sided)\n% Lower is better: WER.\n\\begin{tabular}{l}\n")
    assert render(Table.of("", ["x"], [["a"]]), "latex").startswith("\\begin{tabular}")


def test_html_escapes_and_gives_text_its_own_direction() -> None:
    shown = render(TABLE, "html")
    assert '<td dir="auto" class="text">日本語 &amp; &lt;b&gt;</td>' in shown
    assert '<th scope="col">system</th><th scope="col" class="number">BLEU</th>' in shown


def test_control_characters_never_reach_a_terminal() -> None:
    assert "\x1b" not in render(Table.of("", ["x"], [["a\x1b[2Jb"]]), "text")


@given(tables)
def test_every_form_renders_every_table(table: Table) -> None:
    for form in RENDERERS:
        assert render(table, form)


@given(tables)
def test_json_and_csv_give_back_what_went_in(table: Table) -> None:
    back = json.loads(render(table, "json"))
    expected = [
        {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in zip("ab", row, strict=True)}
        for row in table.rows
    ]
    assert back == expected
    rows = list(csv.reader(io.StringIO(render(table, "csv"), newline="")))
    assert len(rows) == len(table.rows) + 1


def test_numpy_numbers_become_plain_ones() -> None:
    table = Table.of("", ["a", "b", "c"], [[np.float64(0.5), np.int32(3), np.bool_(True)]])
    assert [type(value) for value in table.rows[0]] == [float, int, bool]


def test_wrong_tables_are_refused() -> None:
    with pytest.raises(DataError, match="Row 2 of 't' has 1 cells for 2 columns"):
        Table.of("t", ["a", "b"], [[1, 2], [3]])
    with pytest.raises(DataError, match="two columns of one name: a, a"):
        Table.of("t", ["a", "a"], [])
    with pytest.raises(DataError, match="got list"):
        Table.of("t", ["a"], [[[1]]])
    with pytest.raises(DataError, match=r"no column 'z'\. Known: a"):
        Figure("f", "bar", Table.of("t", ["a"], []), x="a", y="z")
    with pytest.raises(DataError, match=r"no output form 'xml'\. Known: text, tsv"):
        render(TABLE, "xml")


def test_differences_beside_p_values_keep_a_figure() -> None:
    """A difference of .004 between scores from 0 to 1 is not shown as 0.00 and called significant."""
    named = re.compile(r'Column\(\s*"(?:delta|gain|difference|difficulty)"[^()]*\)')
    folder = Path(dragoman.__file__).parent
    texts = {path.relative_to(folder): path.read_text(encoding="utf-8") for path in folder.rglob("*.py")}
    shown = [(str(path), each) for path, text in texts.items() if "alpha=" in text for each in named.findall(text)]
    assert len(shown) > 10
    assert [each for each in shown if "figures=" not in each[1]] == []
    listed = re.compile(r'Column\(name, digits=[^()]*\)\s+for name in \([^()]*"(?:delta|gain|difference|change)"')
    beside = [(str(path), each) for path, text in texts.items() for each in listed.findall(text)]
    assert len(beside) > 2  # beside intervals and readings (forgotten, learning)
    assert [each for each in beside if "figures=" not in each[1]] == []
    assert Column("gain", digits=2, figures=1).show(-0.0032) == "-0.003"
    assert Column("gain", digits=2, figures=1).show(0.05) == "0.05"
