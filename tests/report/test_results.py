from __future__ import annotations

import json
import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any, ClassVar
from urllib.parse import unquote

import numpy as np
import pytest

from dragoman import __version__
from dragoman.report import Column, Figure, Result, Section, Table, page, render
from dragoman.report.charts import draw_chart
from dragoman.report.figure import FigureKind


@dataclass(frozen=True)
class Lengths(Result):
    kind: ClassVar[str] = "lengths"
    values: tuple[float, ...]

    def tables(self) -> list[Table]:
        columns = ["x", Column("y", "length", digits=1), "group"]
        rows = [(i, value, "ab"[i % 2]) for i, value in enumerate(self.values)]
        return [Table.of("Lengths", columns, rows), Table.of("More", ["z"], [["<script>"]])]

    def figures(self) -> list[Figure]:
        return [Figure("Lengths & more", "bar", self.tables()[0], x="x", y="y", series="group")]

    def meta(self) -> dict[str, Any]:
        return {"seed": np.int64(7), "bad": float("nan"), "nested": {"a": (np.float64(1.5), None)}}


RESULT = Lengths((1.25, 2.5, 4.0))


def test_json_is_one_object_of_kind_rows_meta() -> None:
    value = json.loads(RESULT.render("json"))
    assert value["kind"] == "lengths"
    assert value["rows"][0] == {"x": 0, "y": 1.25, "group": "a"}
    assert value["meta"] == {"seed": 7, "bad": None, "nested": {"a": [1.5, None]}, "dragoman": __version__}


def test_rows_are_the_main_table_and_prose_forms_show_all() -> None:
    assert "script" not in RESULT.render("tsv")
    assert "<script>" in RESULT.render("text")


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loaded += [value or "" for name, value in attrs if name in {"src", "href"} and tag != "a"]


def test_a_page_is_self_contained_and_escapes() -> None:
    text = page("A <page>", [Section.of("First & last", RESULT, text="Read <this>.")])
    parser = _Links()
    parser.feed(text)
    assert [link for link in parser.loaded if not link.startswith("#")] == []
    assert parser.tags.count("script") == 1  # the page's own, at its end
    assert parser.tags[-1] == "script"
    assert "<title>A &lt;page&gt;</title>" in text
    assert "Read &lt;this&gt;." in text
    assert '<h2 id="h1">First &amp; last</h2>' in text
    assert "svg" in parser.tags


def test_tables_of_a_page_can_be_saved_and_long_ones_are_folded() -> None:
    short, long = (Table.of(f"T <{n}>", ["x"], [(k,) for k in range(n)]) for n in (15, 16))
    text = page("P", [Section("S", items=[short, long])])
    found = re.findall(r'<a download="([^"]+)" href="data:[^,]*,([^"]*)" aria-label="([^"]+)">', text)
    assert [name for name, _, _ in found] == ["t-15.tsv", "t-15.tex", "t-16.tsv", "t-16.tex"]
    assert [unquote(data) for _, data, _ in found] == [
        render(table, form) for table in (short, long) for form in ("tsv", "latex")
    ]
    assert found[0][2] == "T &lt;15&gt; as TSV"
    assert text.count("<details>") == 1
    assert "<summary>T &lt;16&gt; (16 rows)</summary>" in text


@pytest.mark.parametrize("kind", ["bar", "line", "scatter", "interval", "heatmap"])
def test_every_kind_of_figure_draws_the_same_bytes_twice(kind: FigureKind) -> None:
    table = Table.of(
        "t", ["x", "y", "s", "lo", "hi"], [(1, 2.0, "a", 1.5, 2.5), (2, 3.0, "b", 2.0, 4.0), (3, None, "b", 0, 1)]
    )
    figure = Figure("A <figure>", kind, table, x="x", y="y", series="s", low="lo", high="hi")
    drawn = draw_chart(figure)
    assert drawn == draw_chart(figure)
    assert drawn.startswith("<svg")
    assert 'aria-label="A &lt;figure&gt;"' in drawn


@pytest.mark.parametrize("kind", ["interval", "range"])
def test_a_value_whose_bounds_are_unknown_is_drawn_without_them(kind: FigureKind) -> None:
    """As of a system of which there is one judgement."""
    columns = ["x", "y", "lo", "hi"]
    unknown = Table.of("t", columns, [(1, 2.0, None, None), (2, 3.0, 2.0, 4.0)])
    bare = Table.of("t", columns, [(1, 2.0, 2.0, 2.0), (2, 3.0, 2.0, 4.0)])
    drawn = [draw_chart(Figure("F", kind, table, x="x", y="y", low="lo", high="hi")) for table in (unknown, bare)]
    assert drawn[0] == drawn[1]


def test_a_heat_map_keeps_the_order_of_its_table() -> None:
    """The first row has no cell in the first column: the diagonal of a matrix of pairs."""
    names = ["first", "second", "third"]
    rows = [(a, b, None if a == b else 0.5) for a in names for b in names]
    table = Table.of("m", ["row", "column", "share"], rows)
    svg = draw_chart(Figure("M", "heatmap", table, x="column", y="share", series="row"))
    places = [svg.index(f">{name}<") for name in names]
    assert places == sorted(places)
