"""Tables as data frames of the packages that people have at hand."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from dragoman.errors import NotAvailable
from dragoman.report.table import Table

__all__ = ["to_pandas", "to_polars"]


def to_pandas(table: Table) -> Any:
    """A `pandas.DataFrame`: columns by the names that programs use, full digits, nothing as None or NaN."""
    return _package("pandas").DataFrame(table.records(), columns=_names(table))


def to_polars(table: Table) -> Any:
    """A `polars.DataFrame`, as `to_pandas`."""
    columns = {name: table.column(name) for name in _names(table)}
    return _package("polars").DataFrame(columns, strict=False)


def _names(table: Table) -> list[str]:
    return [column.name for column in table.columns]


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise NotAvailable.package("A data frame", package=name, extra="frames") from None
