"""A figure: data with instructions for drawing it. The table beside it says the same to whoever cannot see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dragoman.report.table import Table

__all__ = ["Figure", "FigureKind"]

FigureKind = Literal["bar", "line", "scatter", "interval", "range", "heatmap"]


@dataclass(frozen=True)
class Figure:
    """A drawing of columns of a table.

    `bar`, `line` and `scatter` draw `y` against `x`, one series per value of `series`; `interval` draws `y` with the
    range from `low` to `high`; `range` does so sideways, the first row on top, coloured by `series`; `heatmap` draws
    `y` at (`x`, `series`). Intervals of many names are drawn sideways, bars of more series than there are colours as a
    heat map.
    """

    title: str
    kind: FigureKind
    table: Table
    x: str
    y: str
    series: str | None = None
    low: str | None = None
    high: str | None = None

    def __post_init__(self) -> None:
        for name in (self.x, self.y, self.series, self.low, self.high):
            if name is not None:
                self.table.column(name)  # raises for a column that is not there

    def heading(self, name: str) -> str:
        """The label of an axis: the heading of its column."""
        return next(column.label for column in self.table.columns if column.name == name)
