"""Figures on pages: drawn without inline styles, whatever the numbers and names."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.report import Figure, Table
from dragoman.report.charts import draw_chart, nice_ticks
from dragoman.web.patterns import patterns

NASTY = "<script>alert(1)</script>\"'&"
KINDS = ("bar", "line", "scatter", "interval", "range", "heatmap")


def figure(kind: str, rows: list[tuple[object, ...]]) -> Figure:
    table = Table.of("t", ["x", "y", "s", "low", "high"], rows)
    return Figure(NASTY, kind, table, x="x", y="y", series="s", low="low", high="high")  # type: ignore[arg-type]


def parse(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<div>{svg}</div>")


@pytest.mark.parametrize("made", patterns().figures(), ids=lambda made: made.kind)
def test_every_kind_is_drawn_for_a_strict_policy(made: Figure) -> None:
    svg = draw_chart(made)
    root = parse(svg)
    assert root[0].attrib["aria-label"] == made.title
    assert "style" not in svg
    assert len([e for e in root.iter() if e.tag in ("rect", "circle")]) == len(made.table.rows)


@pytest.mark.parametrize("kind", KINDS)
def test_names_stay_text(kind: str) -> None:
    svg = draw_chart(figure(kind, [(NASTY, 1.0, NASTY, 0.5, 2.0), ("b", 2.0, "t", 1.0, 3.0)]))
    assert "<script" not in svg
    assert parse(svg)[0].attrib["aria-label"] == NASTY


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "rows",
    [
        [],
        [("a", None, "s", None, None)],
        [("a", math.nan, "s", 0, 1)],
        [("a", 0.0, "s", None, None)],
        [("a", -3.0, "s", -4.0, math.inf), ("b", 5.0, "t", 5.0, 5.0)],
        [(1, 2.0, "s", 2.0, 2.0)],
    ],
)
def test_missing_and_odd_values_draw_what_there_is(kind: str, rows: list[tuple[object, ...]]) -> None:
    root = parse(draw_chart(figure(kind, rows)))
    drawn = [e for e in root.iter() if e.tag in ("rect", "circle")]
    assert len(drawn) == sum(isinstance(row[1], float) and math.isfinite(row[1]) for row in rows)
    assert not [e for e in root.iter() for value in e.attrib.values() if value in ("nan", "inf")]


@given(st.floats(-1e9, 1e9), st.floats(0, 1e9))
def test_ticks_enclose_the_range_and_are_few(low: float, spread: float) -> None:
    ticks = nice_ticks(low, low + spread)
    slack = 1e-9 * max(1.0, abs(low), abs(low + spread))
    assert ticks[0] <= low + slack
    assert ticks[-1] >= low + spread - slack
    assert 2 <= len(ticks) <= 9
    assert ticks == sorted(ticks)


def test_ticks_are_round() -> None:
    assert nice_ticks(0, 100) == [0, 20, 40, 60, 80, 100]
    assert nice_ticks(0.1, 0.52) == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    assert nice_ticks(0, 5e-324) == nice_ticks(0, 0) == [0, 0.2, 0.4, 0.6, 0.8, 1]
    assert len(set(nice_ticks(0, 2e-10))) >= 2
    assert nice_ticks(5, 5) == [4, 4.5, 5, 5.5, 6]
    assert nice_ticks(math.nan, 1) == [0, 1]
    assert nice_ticks(1, 13, whole=True) == [0, 2, 4, 6, 8, 10, 12, 14]  # ranks: there is no 2.5
    assert nice_ticks(1, 3, whole=True) == [1, 2, 3]


def test_a_large_matrix_is_a_large_drawing() -> None:
    rows = [(str(n), n / 7, str(m), None, None) for n in range(22) for m in range(3)]
    _, _, width, height = parse(draw_chart(figure("heatmap", rows)))[0].attrib["viewBox"].split()
    assert float(width) >= 22 * 50
    assert float(height) < 200


def test_many_names_stand_beneath_each_other() -> None:
    rows = [(f"a rather long name {n}", float(n), "s", n - 1.0, n + 1.0) for n in range(9)]
    for kind in ("interval", "bar"):
        root = parse(draw_chart(figure(kind, rows)))
        names = [element for element in root.iter("text") if (element.text or "").startswith("a rather")]
        assert len({element.attrib["y"] for element in names}) == 9
        assert len({element.attrib["x"] for element in names}) == 1


def test_bars_of_more_series_than_colours_are_a_heat_map_shaded_by_column() -> None:
    rows = [
        (group, value, f"system {s}", None, None) for s in range(9) for group, value in (("a", s), ("b", 100.0 + s))
    ]
    root = parse(draw_chart(figure("bar", [(x, float(y), s, low, high) for x, y, s, low, high in rows])))
    shades = [element.attrib["fill-opacity"] for element in root.iter("rect")]
    assert shades[0] == shades[1] == "0.00"  # the least of either column
    assert shades[-1] == shades[-2] == "0.55"
    assert not root.findall("ul")  # nine keys of seven colours would tell nothing


def test_long_names_of_one_family_stay_apart() -> None:
    names = [f"a-submission-with-a-very-long-name-{n:02}" for n in range(9)]
    root = parse(draw_chart(figure("interval", [(name, 1.0, "s", 0.5, 1.5) for name in names])))
    shown = [element.text for element in root.iter("text") if (element.text or "").startswith("a-sub")]
    assert len(set(shown)) == 9
    assert all("…" in (name or "") for name in shown)
