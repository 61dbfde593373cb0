"""Figures drawn as SVG without inline styles, coloured by a style sheet, so that dark pages have dark charts.

Drawn here and not by a library: a library's drawings carry styles of their own, which the Content-Security-Policy of
the server's pages forbids, and colours that stay as they are on dark pages. The same data give the same bytes.
The table of a figure always stands beside its drawing; whoever cannot see one reads the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from dragoman.report.figure import Figure
from dragoman.report.table import Cell

__all__ = ["draw_chart", "nice_ticks"]

_WIDTH, _HEIGHT = 560.0, 300.0  # units of the drawing; it is shown as wide as its place
_RIGHT, _TOP, _BOTTOM = 14.0, 12.0, 54.0
_CHARACTER = 9.6  # about the width of a character of a label, which is to be read on a phone, too
_N_COLOURS = 7
_MOST_UPRIGHT = 5  # names that stand side by side
_ROW = 30.0  # height of a row of names
_CELL = 52.0  # least width of a cell of a heat map
_SAME = 1e-10  # a range that is smaller is drawn as one value: ticks are rounded to twelve places


@dataclass(frozen=True)
class _Point:
    label: str
    x: float | None
    y: float
    low: float
    high: float
    series: str


def draw_chart(figure: Figure) -> Markup:
    """The figure as an `<svg>` element. A figure without numbers is an empty drawing; its table says so."""
    points = list(_points(figure))
    shape = _shape(figure, points)
    painter, size = _PAINTERS[shape]
    wide, tall = size(figure, points)
    title = escape(figure.title)
    body = "".join(painter(figure, points, tall)) if points else ""
    # A drawing that is wider than its place is shrunk; no other is blown up.
    kind = f'class="chart wide" width="{wide:g}"' if wide > _WIDTH else 'class="chart"'
    svg = f'<svg {kind} viewBox="0 0 {wide:g} {tall:g}" role="img" aria-label="{title}">{body}</svg>'
    legend = _legend(_series(points) if shape in ("bar", "line", "scatter", "interval") else [])
    return Markup(svg) + legend  # noqa: S704 - all text in it is escaped


def _shape(figure: Figure, points: list[_Point]) -> str:
    """How a figure is drawn: many names stand beneath each other, and bars of many series become a heat map."""
    if figure.kind not in ("bar", "interval"):
        return figure.kind
    series, labels = _series(points), {point.label for point in points}
    room = (_WIDTH - 80) / max(1, len(labels))
    crowded = len(labels) > _MOST_UPRIGHT and any(len(label) * _CHARACTER > room for label in labels)
    if len(series) == 1 and crowded:
        return "listed"
    return "shaded" if figure.kind == "bar" and (crowded or len(series) > _N_COLOURS) else figure.kind


def nice_ticks(low: float, high: float, n: int = 5, *, whole: bool = False) -> list[float]:
    """About `n` round numbers, whole ones if asked for, that enclose a range."""
    if not (math.isfinite(low) and math.isfinite(high)) or high < low:
        return [0.0, 1.0]
    if high - low < _SAME:
        low, high = (low - 1, high + 1) if low else (0.0, 1.0)
    rough = (high - low) / n
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough * 0.999)
    if whole:
        step = max(1.0, float(round(step)))
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(k * step, 12) for k in range(first, last + 1)]


def _number(cell: Cell) -> float | None:
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return None
    return float(cell) if math.isfinite(cell) else None


def _points(figure: Figure) -> Iterator[_Point]:
    """The rows that have a value."""
    table = figure.table
    names = (figure.x, figure.y, figure.low or figure.y, figure.high or figure.y)
    columns = [table.column(name) for name in names]
    series = table.column(figure.series) if figure.series else [""] * len(table.rows)
    for x, y, low, high, name in zip(*columns, series, strict=True):
        value = _number(y)
        if value is not None:
            below, above = _number(low), _number(high)
            yield _Point(
                str(x),
                _number(x),
                value,
                value if below is None else below,
                value if above is None else above,
                str(name),
            )


def _series(points: list[_Point]) -> list[str]:
    return list(dict.fromkeys(point.series for point in points))


def _legend(names: list[str]) -> Markup:
    if len(names) < 2:
        return Markup("")
    entries = "".join(
        f'<li><span class="key c{i % _N_COLOURS}"></span><bdi>{escape(name)}</bdi></li>' for i, name in enumerate(names)
    )
    return Markup(f'<ul class="legend">{entries}</ul>')  # noqa: S704 - the names are escaped


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def _shown(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def _cut(words: str, room: float) -> str:
    """A name as it fits; cut in its middle, since names of one family differ at their end."""
    most = max(1, int(room / _CHARACTER))
    if len(words) <= most:
        return words
    tail = (most - 1) // 3
    return words[: most - 1 - tail] + "…" + words[len(words) - tail :]


def _upright(figure: Figure, points: list[_Point], tall: float) -> Iterator[str]:
    """Bars, lines, points and intervals: values upwards."""
    series = _series(points)
    labels = list(dict.fromkeys(point.label for point in points))
    by_value = figure.kind in ("line", "scatter") and all(point.x is not None for point in points)
    values = [value for point in points for value in (point.low, point.high)]
    ticks = nice_ticks(min(values + [0.0] * (figure.kind == "bar")), max(values + [0.0] * (figure.kind == "bar")))
    left = 36 + _CHARACTER * max(len(_shown(tick)) for tick in ticks)
    inner, floor = _WIDTH - left - _RIGHT, tall - _BOTTOM

    def up(value: float) -> float:
        return floor - (value - ticks[0]) / (ticks[-1] - ticks[0]) * (floor - _TOP)

    xs = nice_ticks(min(p.x or 0 for p in points), max(p.x or 0 for p in points)) if by_value else []
    room = inner / len(labels)

    def along(point: _Point) -> float:
        if by_value:
            return left + ((point.x or 0.0) - xs[0]) / (xs[-1] - xs[0]) * inner
        return left + room * (labels.index(point.label) + 0.5)

    for tick in ticks:
        yield _line(left, up(tick), _WIDTH - _RIGHT, up(tick), "grid")
        yield _text(left - 6, up(tick) + 5, _shown(tick), "end")
    for tick in xs:
        yield _text(left + (tick - xs[0]) / (xs[-1] - xs[0]) * inner, floor + 20, _shown(tick))
    every = max(
        1, math.ceil(len(labels) * 3 * _CHARACTER / inner)
    )  # names of at least three letters, or every second …
    for i, label in enumerate(labels if not by_value else []):
        if i % every == 0:
            yield _text(left + room * (i + 0.5), floor + 20, _cut(label, room * every))
    yield _text(left + inner / 2, tall - 8, figure.heading(figure.x))
    yield f'<text x="0" y="0" transform="translate(16 {(_TOP + floor) / 2:.1f}) rotate(-90)" text-anchor="middle">'
    yield f"{escape(figure.heading(figure.y))}</text>"
    width = room * 0.8 / len(series)
    for number, name in enumerate(series):
        own = [point for point in points if point.series == name]
        colour = f"c{number % _N_COLOURS}"
        shift = width * (number - (len(series) - 1) / 2)
        if figure.kind == "line":
            path = " ".join(f"{along(point):.1f},{up(point.y):.1f}" for point in own)
            dashes = f' stroke-dasharray="{2 + 6 * (number // _N_COLOURS)} 5"' if number >= _N_COLOURS else ""
            yield f'<polyline points="{path}" class="stroke {colour}"{dashes}/>'
        for point in own:
            x = along(point) + (shift if figure.kind in ("bar", "interval") else 0)
            if figure.kind == "bar":
                top, base = sorted((up(point.y), up(0.0)))
                yield f'<rect x="{x - width / 2:.1f}" y="{top:.1f}" width="{width:.1f}" height="{base - top:.1f}" class="{colour}"/>'  # noqa: E501
                continue
            if figure.kind == "interval":
                yield _line(x, up(point.low), x, up(point.high), f"stroke {colour}")
            yield f'<circle cx="{x:.1f}" cy="{up(point.y):.1f}" r="4" class="{colour}"/>'


def _sideways(figure: Figure, points: list[_Point], tall: float) -> Iterator[str]:
    """Ranges, and what has many names: one row per name, the first on top, coloured by series."""
    series = _series(points)
    # There is no rank 2.5.
    whole = figure.kind == "range"
    values = [0.0] * (figure.kind == "bar") + [value for point in points for value in (point.low, point.high)]
    ticks = nice_ticks(min(values), max(values), whole=whole)
    left = 12 + min(210.0, _CHARACTER * max(len(point.label) for point in points))
    inner = _WIDTH - left - _RIGHT

    def along(value: float) -> float:
        return left + (value - ticks[0]) / (ticks[-1] - ticks[0]) * inner

    for tick in ticks:
        yield _line(along(tick), _TOP, along(tick), tall - _BOTTOM, "grid")
        yield _text(along(tick), tall - _BOTTOM + 20, _shown(tick))
    yield _text(left + inner / 2, tall - 8, figure.heading(figure.y))
    for row, point in enumerate(points):
        y = _TOP + _ROW * (row + 0.5)
        colour = f"c{series.index(point.series) % _N_COLOURS}"
        yield _text(left - 8, y + 5, _cut(point.label, left - 12), "end")
        if figure.kind == "bar":
            begin, end = sorted((along(0.0), along(point.y)))
            yield f'<rect x="{begin:.1f}" y="{y - 10:.1f}" width="{end - begin:.1f}" height="20" class="{colour}"/>'
            continue
        yield _line(along(point.low), y, along(point.high), y, f"stroke {colour}")
        yield f'<circle cx="{along(point.y):.1f}" cy="{y:.1f}" r="5" class="{colour}"/>'


def _names(figure: Figure) -> tuple[list[str], list[str]]:
    """The columns and rows of a heat map in the order of its table, also those whose first cell is empty."""
    columns = dict.fromkeys(str(x) for x in figure.table.column(figure.x))
    rows = dict.fromkeys(str(name) for name in figure.table.column(figure.series)) if figure.series else {"": None}
    return list(columns), list(rows)


def _beside(names: list[str]) -> float:
    """The room that names of rows take."""
    return 12 + min(160.0, _CHARACTER * max((len(name) for name in names), default=0))


def _matrix(figure: Figure, points: list[_Point], tall: float) -> Iterator[str]:
    """Heat maps: the shade is the value, which is written in the cell as well.

    Bars that became one are shaded column by column: their groups are told from each other by other things, too.
    """
    labels, rows = _names(figure)
    whole = figure.kind == "heatmap"
    values = {label: [point.y for point in points if whole or point.label == label] for label in labels}
    left, (wide, _) = _beside(rows), _by_cells(figure, points)
    room, floor = (wide - left - _RIGHT) / len(labels), _TOP + _ROW * len(rows)
    for i, label in enumerate(labels):
        if tall - floor == _BOTTOM:
            yield _text(left + room * (i + 0.5), floor + 20, _cut(label, room))
        else:
            x = left + room * (i + 0.5) + 5
            yield f'<text x="0" y="0" transform="translate({x:.1f} {floor + 8:.1f}) rotate(-90)" text-anchor="end">'
            yield f"{escape(_cut(label, tall - floor - 12))}</text>"
    for i, row in enumerate(rows):
        yield _text(left - 8, _TOP + _ROW * (i + 0.5) + 5, _cut(row, left - 12), "end")
    for point in points:
        x, y = left + room * labels.index(point.label), _TOP + _ROW * rows.index(point.series)
        low, high = min(values[point.label]), max(values[point.label])
        share = (point.y - low) / (high - low) if high > low else 0.5
        yield f'<rect x="{x:.1f}" y="{y:.1f}" width="{room - 2:.1f}" height="{_ROW - 2:.1f}" class="heat" fill-opacity="{share * 0.55:.2f}"/>'  # noqa: E501
        yield _text(x + room / 2 - 1, y + _ROW / 2 + 4, _cut(f"{point.y:.3g}".replace("-", "−"), room))


_Painter = Callable[[Figure, list[_Point], float], Iterator[str]]
_Size = Callable[[Figure, list[_Point]], tuple[float, float]]


def _fixed(_figure: Figure, _points: list[_Point]) -> tuple[float, float]:
    return _WIDTH, _HEIGHT


def _by_rows(_figure: Figure, points: list[_Point]) -> tuple[float, float]:
    return _WIDTH, _TOP + _BOTTOM + _ROW * max(1, len(points))


def _by_cells(figure: Figure, _points: list[_Point]) -> tuple[float, float]:
    """A cell is wide enough for its number: a large matrix is a large drawing."""
    labels, rows = _names(figure)
    wide = max(_WIDTH, _beside(rows) + _CELL * len(labels) + _RIGHT)
    # Names that are wider than their columns stand upright.
    upright = _beside(labels) - 12 > (wide - _beside(rows) - _RIGHT) / max(1, len(labels))
    return wide, _TOP + _ROW * max(1, len(rows)) + (_beside(labels) if upright else _BOTTOM)


_PAINTERS: dict[str, tuple[_Painter, _Size]] = {
    "bar": (_upright, _fixed),
    "line": (_upright, _fixed),
    "scatter": (_upright, _fixed),
    "interval": (_upright, _fixed),
    "range": (_sideways, _by_rows),
    "listed": (_sideways, _by_rows),
    "heatmap": (_matrix, _by_cells),
    "shaded": (_matrix, _by_cells),
}
