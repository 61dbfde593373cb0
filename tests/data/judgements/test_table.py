"""Tables split by columns: the kernel against the reader that goes row by row, and errors with exact lines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman._core import corpus
from dragoman.data.formats.csv import split_rows
from dragoman.data.judgements.table import Coded, TextTable
from dragoman.errors import DataError, FormatError


def by_rows(data: bytes, *, quoted: bool) -> tuple[list[str], list[list[str]], list[int], list[tuple[int, int]]]:
    """The obvious definition."""
    rows = []
    if quoted:
        rows = list(split_rows(data.decode(), "x"))
    elif data:
        lines = data.decode().split("\n")
        lines = lines[:-1] if lines[-1] == "" else lines
        rows = [(number, line.rstrip("\r").split("\t")) for number, line in enumerate(lines, start=1)]
    if not rows:
        return [], [], [], []
    (_, header), *rest = rows
    good = [(line, row) for line, row in rest if len(row) == len(header)]
    ragged = [(line, len(row)) for line, row in rest if len(row) != len(header)]
    return header, [row for _, row in good], [line for line, _ in good], ragged


@given(st.text(st.sampled_from('ab",\t\r\né€\x00'), max_size=40), st.booleans())
def test_the_kernel_splits_like_the_reader_by_rows(text: str, quoted: bool) -> None:
    data = text.encode()
    try:
        header, rows, lines, ragged = by_rows(data, quoted=quoted)
    except FormatError:
        with pytest.raises(DataError, match=r"quotation mark|carriage return"):
            corpus.split_columns(data, quoted=quoted)
        return
    names, columns, found_lines, found_ragged = corpus.split_columns(data, quoted=quoted)
    assert names == header
    cells = [[values[code] for code in codes] for codes, values in columns]
    assert [list(row) for row in zip(*cells, strict=True)] == (rows if header else [])
    assert found_lines.tolist() == lines
    assert found_ragged == ragged
    for codes, values in columns:
        assert len(set(values)) == len(values)
        assert [int(code) for code in dict.fromkeys(codes.tolist())] == list(range(len(values)))


def test_many_different_cells_keep_their_numbers() -> None:
    cells = [str(n * n % 7919) for n in range(20_000)]
    _, [(codes, values)], lines, _ = corpus.split_columns(("head\n" + "\n".join(cells)).encode(), quoted=True)
    assert [values[code] for code in codes] == cells
    assert len(values) == len(set(cells))
    assert lines[-1] == 20_001


def test_lines_inside_quotation_marks_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text('a,b\n"one\ntwo",1\nthree,x\nfour\n')
    table = TextTable(path)
    assert table.lines.tolist() == [2, 4]
    table.column("b", lambda cell: int(cell) if cell.isdigit() else _refuse(cell))
    assert table.problems() == {5: "the line has 1 cells for 2 columns.", 4: "'x' is wrong"}
    with pytest.raises(FormatError, match=r"x\.csv:4: 'x' is wrong 1 further line is wrong\.$"):
        table.settle("error")
    good, dropped = table.settle("drop")
    assert good.tolist() == [True, False]
    assert dropped == 2


def _refuse(cell: str) -> int:
    raise DataError(f"{cell!r} is wrong")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"x\.csv: the file is empty; a header line was expected"),
        (b'a,b\n1,2\n"3', r"x\.csv:3: a quotation mark that opens here is never closed"),
        (b"a,b\n1,\xff\n", r"x\.csv:2: byte 3 of the line \(0xFF\) is not UTF-8"),
        (b"a,a\n1,2\n", r"x\.csv:1: two columns are called 'a'"),
    ],
)
def test_broken_tables_are_named(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=message):
        TextTable(path)


@given(st.lists(st.sampled_from([None, "a", "b", 1]), max_size=12))
def test_coded_columns_are_the_columns(values: list[str | int | None]) -> None:
    cells: list[str | int | None] = [*values, "unused", *values]  # two cells may spell one value
    codes = np.arange(len(values), dtype=np.int32)
    coded = Coded.of(codes, cells)
    assert coded.column() == tuple(values)
    numbers, different = coded.in_order()
    assert different == tuple(dict.fromkeys(values))
    assert [different[n] for n in numbers] == values
