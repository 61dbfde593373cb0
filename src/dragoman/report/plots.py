"""Figures drawn as SVG by matplotlib (extra `plots`). The same data give the same bytes."""

from __future__ import annotations

import html
import io
import re
from typing import Any

from dragoman.errors import DataError, NotAvailable
from dragoman.report.figure import Figure
from dragoman.report.table import Cell

__all__ = ["draw", "plots_available"]

# Okabe & Ito (2008): told apart also by colour-blind readers.
_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]

_LEGEND_COLUMNS = 3


def plots_available() -> bool:
    """Whether matplotlib is there."""
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


def draw(figure: Figure) -> str:
    """The figure as an `<svg>` element with a title for screen readers; needs the extra `plots`."""
    if not plots_available():
        raise NotAvailable.package("Drawing figures", package="matplotlib", extra="plots")
    import matplotlib as mpl
    from matplotlib.figure import Figure as Canvas

    # A fixed salt and no date: without them every drawing would differ in its ids.
    with mpl.rc_context({"svg.hashsalt": "dragoman", "svg.fonttype": "none", "font.family": "sans-serif"}):
        canvas = Canvas(figsize=(5.5, 3.6), layout="constrained")  # inches: as wide as pages show it
        axes = canvas.add_subplot()
        _PAINTERS[figure.kind](axes, figure)
        axes.set_title(figure.title)
        axes.set_xlabel(figure.heading(figure.y if figure.kind == "range" else figure.x))
        stream = io.StringIO()
        canvas.savefig(stream, format="svg", metadata={"Date": None})
    svg = stream.getvalue()
    svg = svg[svg.index("<svg") :]
    title = html.escape(figure.title)
    return re.sub(r"<svg([^>]*)>", rf'<svg\1 role="img" aria-label="{title}"><title>{title}</title>', svg, count=1)


def _points(figure: Figure) -> dict[str, list[tuple[Cell, ...]]]:
    """The rows by series, as (x, y, low, high); rows without a y are left out, unknown bounds are y itself."""
    names = [figure.x, figure.y, figure.low or figure.y, figure.high or figure.y]
    columns = [figure.table.column(name) for name in names]
    keys = figure.table.column(figure.series) if figure.series else [""] * len(figure.table.rows)
    series: dict[str, list[tuple[Cell, ...]]] = {}
    for key, point in zip(keys, zip(*columns, strict=True), strict=True):
        if point[1] is not None:
            bounds = [point[1] if bound is None else bound for bound in point[2:]]
            series.setdefault(str(key), []).append((*point[:2], *bounds))
    return series


def _bar(axes: Any, figure: Figure) -> None:
    series = _points(figure)
    labels = list(dict.fromkeys(str(point[0]) for points in series.values() for point in points))
    width = 0.8 / max(1, len(series))
    for number, (name, points) in enumerate(series.items()):
        places = [labels.index(str(point[0])) + width * (number - (len(series) - 1) / 2) for point in points]
        axes.bar(places, [point[1] for point in points], width, label=name, color=_COLOURS[number % len(_COLOURS)])
    axes.set_xticks(range(len(labels)), labels, rotation=30 if len(labels) > 6 else 0)
    _finish(axes, figure, len(series))


def _line(axes: Any, figure: Figure) -> None:
    series = _points(figure)
    for number, (name, points) in enumerate(series.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        axes.plot([p[0] for p in points], [p[1] for p in points], marker="o", label=name, color=colour)
    _finish(axes, figure, len(series))


def _scatter(axes: Any, figure: Figure) -> None:
    series = _points(figure)
    for number, (name, points) in enumerate(series.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        axes.scatter([p[0] for p in points], [p[1] for p in points], label=name, color=colour)
    _finish(axes, figure, len(series))


def _interval(axes: Any, figure: Figure) -> None:
    series = _points(figure)
    labels = list(dict.fromkeys(str(point[0]) for points in series.values() for point in points))
    for number, (name, points) in enumerate(series.items()):
        x = [labels.index(str(point[0])) for point in points]
        y = [_number(point[1]) for point in points]
        below = [_number(point[1]) - _number(point[2]) for point in points]
        above = [_number(point[3]) - _number(point[1]) for point in points]
        colour = _COLOURS[number % len(_COLOURS)]
        axes.errorbar(x, y, yerr=[below, above], fmt="o", capsize=4, label=name, color=colour)
    axes.set_xlim(-0.5, len(labels) - 0.5)
    axes.set_xticks(range(len(labels)), labels, rotation=30 if len(labels) > 6 else 0)
    _finish(axes, figure, len(series))


def _range(axes: Any, figure: Figure) -> None:
    series = _points(figure)
    labels = [str(x) for x in figure.table.column(figure.x)]
    for number, points in enumerate(series.values()):
        colour = _COLOURS[number % len(_COLOURS)]
        y = [labels.index(str(point[0])) for point in points]
        low, high = [_number(point[2]) for point in points], [_number(point[3]) for point in points]
        axes.hlines(y, low, high, color=colour, linewidth=3)
        axes.scatter([_number(point[1]) for point in points], y, color=colour, zorder=3)
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.xaxis.get_major_locator().set_params(integer=True)  # there is no rank 2.5
    axes.spines[["top", "right"]].set_visible(False)


def _heatmap(axes: Any, figure: Figure) -> None:
    # Rows and columns in the order of the table, also those whose first cell is empty.
    labels = list(dict.fromkeys(str(x) for x in figure.table.column(figure.x)))
    rows = list(dict.fromkeys(str(y) for y in figure.table.column(figure.series))) if figure.series else [""]
    grid = [[float("nan")] * len(labels) for _ in rows]
    for name, points in _points(figure).items():
        for point in points:
            grid[rows.index(name)][labels.index(str(point[0]))] = _number(point[1])
    # Names are written along both sides: a large matrix needs a large sheet to stay legible.
    axes.figure.set_size_inches(max(7.0, 2.5 + 0.45 * len(labels)), max(4.0, 2.5 + 0.35 * len(rows)))
    image = axes.imshow(grid, cmap="viridis", aspect="auto")
    axes.figure.colorbar(image, label=figure.heading(figure.y))
    axes.set_xticks(range(len(labels)), labels, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(rows)), rows)
    if figure.series:
        axes.set_ylabel(figure.heading(figure.series))


def _number(value: Cell) -> float:
    if isinstance(value, int | float):
        return float(value)
    raise DataError(f"A figure draws numbers; got {value!r}.")


def _finish(axes: Any, figure: Figure, n_series: int) -> None:
    axes.set_ylabel(figure.heading(figure.y))
    axes.spines[["top", "right"]].set_visible(False)
    if n_series > 1:
        # Below the axes, where no bar and no point can be.
        axes.figure.legend(loc="outside lower center", ncols=min(n_series, _LEGEND_COLUMNS), frameon=False)


_PAINTERS = {
    "bar": _bar,
    "line": _line,
    "scatter": _scatter,
    "interval": _interval,
    "range": _range,
    "heatmap": _heatmap,
}
