"""Results at the prompt, in notebooks, as data frames."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from dragoman.errors import NotAvailable, UnknownName
from dragoman.report import Column, Figure, Result, Table


@dataclass(frozen=True)
class Lengths(Result):
    kind: ClassVar[str] = "lengths"
    n: int = 25
    more: int = 0

    def tables(self) -> list[Table]:
        rows = [(f"<{i}>", i / 3, None if i else math.nan) for i in range(self.n)]
        main = Table.of("Lengths", ["system", Column("length", "how <long>", digits=1), "empty"], rows, note="A note.")
        return [main, *(Table.of(f"More {k}", ["x"], [[k]]) for k in range(self.more))]

    def figures(self) -> list[Figure]:
        return [Figure("Lengths", "bar", self.tables()[0], x="system", y="length")]


def test_what_is_printed_can_be_read() -> None:
    lines = str(Lengths()).splitlines()
    assert lines[0] == "Lengths"
    assert sum(line.startswith("<") for line in lines) == 20
    assert "5 rows more. A note." in str(Lengths())
    assert "rows more" not in str(Lengths(20))
    assert str(Lengths(more=7)).endswith("2 tables more: More 5, More 6.")
    assert repr(Lengths(3)) == "Lengths(n=3, more=0)"


def test_a_notebook_shows_figures_and_tables_and_no_text_as_markup() -> None:
    shown = Lengths()._repr_html_()
    assert shown.count("<svg") == shown.count("<table") == 1
    assert "&lt;3&gt;" in shown
    assert "<3>" not in shown
    assert "how &lt;long&gt;" in shown
    assert "5 rows more." in shown


def test_a_table_becomes_a_frame_with_full_digits() -> None:
    pytest.importorskip("pandas")
    frame = Lengths(3, more=1).to_pandas()
    assert list(frame.columns) == ["system", "length", "empty"]
    assert frame["length"].tolist() == [0, 1 / 3, 2 / 3]
    assert frame["empty"].isna().all()
    assert Lengths(0).to_pandas().columns.tolist() == ["system", "length", "empty"]
    assert Lengths(more=1).to_pandas("More 0")["x"].tolist() == [0]
    with pytest.raises(UnknownName, match="There is no table 'Less'"):
        Lengths(more=1).to_pandas("Less")
    with pytest.raises(UnknownName, match="There is no table 2; there are 2: Lengths, More 0"):
        Lengths(more=1).to_pandas(2)


def test_polars_gets_whole_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a stand-in where it is not installed: what it is asked for."""
    asked: list[Any] = []
    stand_in = SimpleNamespace(DataFrame=lambda columns, strict: asked.append((columns, strict)))
    monkeypatch.setitem(sys.modules, "polars", stand_in)  # type: ignore[arg-type]
    Lengths(2, more=1).to_polars(1)
    assert asked == [({"x": [0]}, False)]


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(
        NotAvailable, match=rf'needs the package {package}. Install it with: pip install "dragoman\[frames\]"'
    ):
        getattr(Lengths(), f"to_{package}")()
