from __future__ import annotations

import csv
import io
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data import FORMATS, Records
from dragoman.data.formats.csv import quoted, split_rows
from dragoman.errors import DataError, FormatError, NotAvailable, UnknownName

TABLE = Records(["system", "score", "ok", "note"], [("a", 1, True, None), ("b", 2.5, False, 'x, "y"')])


def read(name: str, path: Path, data: bytes | str) -> Records:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    found = FORMATS.get(name)().read(path)
    assert isinstance(found, Records)
    return found


def refused(name: str, path: Path, data: bytes | str) -> str:
    with pytest.raises(FormatError) as caught:
        read(name, path, data)
    return str(caught.value).removeprefix(str(path))


def written(name: str, path: Path, table: Records) -> bytes:
    FORMATS.get(name)().write(table, path)
    return path.read_bytes()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table"


# The type


def test_records_are_frozen_and_give_columns_and_objects() -> None:
    rows = [["a", 1], ["b", None]]
    table = Records(["x", "y"], rows)  # type: ignore[arg-type]
    rows[0][0] = "changed"
    assert table.rows == (("a", 1), ("b", None))
    assert table.column("y") == (1, None)
    assert table.to_dicts() == [{"x": "a", "y": 1}, {"x": "b", "y": None}]
    assert len(table) == 2
    with pytest.raises(UnknownName, match=r"The table has no column 'z'. Known: x, y."):
        table.column("z")


@pytest.mark.parametrize(
    ("columns", "rows", "message"),
    [
        (["a", "b", "a"], [], "Two columns are called 'a'."),
        (["a", ""], [], "Column 2 is called ''; a name is not empty and has no space around it."),
        ([" a"], [], "Column 1 is called ' a'; a name is not empty and has no space around it."),
        (["a\tb"], [], "Column 1 has a control character in its name: 'a\\tb'."),
        (["a"], [("x",), ("x", "y")], "Row 2 has 2 cells for 1 columns."),
        ([], [()], "A table of 1 rows must have a column."),
        (
            ["a"],
            [("x",), ([1],)],
            "Row 2 has a list in column 'a'; a cell holds text, a number, true or false, or nothing.",
        ),
    ],
)
def test_what_is_no_table(columns: list[str], rows: list[Any], message: str) -> None:
    with pytest.raises(DataError) as caught:
        Records(columns, rows)
    assert str(caught.value) == message


# TSV and CSV


def test_text_tables_turn_values_into_text_and_say_so(file: Path) -> None:
    assert written("tsv", file, TABLE).decode() == 'system\tscore\tok\tnote\na\t1\ttrue\t\nb\t2.5\tfalse\tx, "y"\n'
    assert written("csv", file, TABLE).decode() == 'system,score,ok,note\na,1,true,\nb,2.5,false,"x, ""y"""\n'
    assert FORMATS.get("tsv")().loses(TABLE) == ["missing cells", "numbers", "truth values"]
    assert FORMATS.get("csv")().loses(Records(["a"], [("x",)])) == []


def test_tsv_has_no_quoting(file: Path) -> None:
    assert read("tsv", file, 'a\tb\n"x\ty"\n').rows == (('"x', 'y"'),)
    assert read("tsv", file, "\ufeffa\tb\r\n1\t\r\n").rows == (("1", ""),)
    assert read("tsv", file, "a\n\n\n").rows == (("",), ("",))


@pytest.mark.parametrize("bad", ["tab\there", "line\nbreak", "carriage\rreturn"])
def test_tsv_refuses_what_it_cannot_hold(tmp_path: Path, bad: str) -> None:
    table = Records(["a", "b"], [("x", "y"), ("x", bad)])
    with pytest.raises(DataError) as caught:
        FORMATS.get("tsv")().write(table, tmp_path / "out.tsv")
    assert str(caught.value) == (
        f"Row 2, column 'b' has a tab or line break inside, which TSV cannot hold: {bad!r}. Write CSV or JSONL instead."
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["tsv", "csv"])
def test_text_tables_that_are_wrong(file: Path, name: str) -> None:
    comma = {"tsv": "\t", "csv": ","}[name]
    assert refused(name, file, "") == ": the file is empty; expected a header line with the names of the columns."
    assert refused(name, file, f"a{comma}a\n") == ":1: Two columns are called 'a'."
    assert refused(name, file, f"a{comma}\n").startswith(":1: Column 2 is called ''")
    text = f"a{comma}b\n1{comma}2\n1\n1{comma}2{comma}3\n\n"
    assert refused(name, file, text) == ":3: the line has 1 cell, the header 2 cells. 2 further lines are wrong."
    assert refused(name, file, b"a\n\xff\n").startswith(":2: byte 1 of the line (0xFF) is not UTF-8.")


def test_csv_cells_hold_commas_quotes_and_line_breaks(file: Path) -> None:
    text = 'a,b\r\n"x, ""y""","1\r\n2"\r\n5" disk,\n"",'
    assert read("csv", file, text).rows == (('x, "y"', "1\r\n2"), ('5" disk', ""), ("", ""))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('a,b\n1,"2\n3\n', ":2: a quotation mark that opens here is never closed."),
        ('a,b\n"x\ny"z,2\n', ":3: text follows the closing quotation mark of cell 1."),
        ("a,b\n1\r2,3\n", ":2: a carriage return stands outside quotation marks."),
        ('a,b\n"1\n2",3\n4\n', ":4: the line has 1 cell, the header 2 cells."),
    ],
)
def test_csv_that_is_wrong(file: Path, text: str, message: str) -> None:
    assert refused("csv", file, text) == message


CELL = st.text(st.characters(blacklist_categories=["Cs"]), max_size=8) | st.sampled_from(
    ['"', ",", "\r\n", '""', "a,b"]
)


@given(st.lists(st.lists(CELL, min_size=1, max_size=4), min_size=1, max_size=5))
def test_csv_agrees_with_pythons_module(rows: list[list[str]]) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows(rows)
    assert [row for _, row in split_rows(stream.getvalue(), "peer.csv")] == rows
    ours = "".join(quoted(row) + "\n" for row in rows)
    assert list(csv.reader(io.StringIO(ours, newline=""), strict=True)) == rows


def test_cells_of_a_megabyte(file: Path) -> None:
    table = Records(["a", "b"], [('"' * (1 << 20), "x" * (1 << 20))])
    for name in ("tsv", "csv", "jsonl", "parquet"):
        written(name, file, table)
        assert FORMATS.get(name)().read(file) == table


def test_a_table_without_columns(file: Path) -> None:
    for name in ("tsv", "csv", "parquet"):
        with pytest.raises(DataError, match=f"A table without columns cannot be written as {name}."):
            written(name, file, Records([], []))


# JSONL


def test_jsonl_keeps_types_and_fills_missing_keys(file: Path) -> None:
    table = read("jsonl", file, '{"a": 1, "b": "x"}\n{"c": null, "a": true}\n')
    assert table == Records(["a", "b", "c"], [(1, "x", None), (True, None, None)])
    assert (
        written("jsonl", file, TABLE).decode().splitlines()[0]
        == '{"system": "a", "score": 1, "ok": true, "note": null}'
    )
    assert FORMATS.get("jsonl")().read(file) == TABLE


def test_jsonl_without_rows(file: Path) -> None:
    assert read("jsonl", file, "") == Records([], [])
    assert written("jsonl", file, Records(["a"], [])) == b""
    assert FORMATS.get("jsonl")().loses(Records(["a"], [])) == ["columns"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{}\n{"a" 1}', ":2: not a JSON object (Expecting ':' delimiter: line 1 column 6 (char 5))."),
        ('{"a": 1}\n\n', ":2: not a JSON object (Expecting value: line 1 column 1 (char 0))."),
        ("[1]", ":1: a list stands where an object is expected."),
        ('{"a": [1]}', ":1: the value of 'a' is a list; a cell holds text, a number, true, false or null."),
        ('{"a": NaN}', ":1: not a JSON object (NaN is not JSON; use null)."),
        ('{"a": 1, "a": 2}', ":1: not a JSON object (a key stands twice in one object)."),
        ("{}", ": A table of 1 rows must have a column."),
        ('{"": 1}', ": Column 1 is called ''; a name is not empty and has no space around it."),
    ],
)
def test_jsonl_that_is_wrong(file: Path, text: str, message: str) -> None:
    assert refused("jsonl", file, text) == message


def test_jsonl_of_endless_depth_or_digits(file: Path) -> None:
    assert refused("jsonl", file, '{"a":' * 100_000).startswith(":1: not a JSON object (maximum recursion depth")
    assert refused("jsonl", file, '{"a": ' + "9" * 5000 + "}").startswith(":1: not a JSON object (Exceeds the limit")


def test_jsonl_cannot_hold_nan(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"Row 2 has a number that JSON cannot hold \(NaN or infinity\)"):
        written("jsonl", tmp_path / "out", Records(["a"], [(1.0,), (float("nan"),)]))
    assert list(tmp_path.iterdir()) == []


# Parquet


def test_parquet_keeps_types(file: Path) -> None:
    written("parquet", file, TABLE)
    assert FORMATS.get("parquet")().read(file) == TABLE
    empty = Records(["a", "b"], [])
    written("parquet", file, empty)
    assert FORMATS.get("parquet")().read(file) == empty


@pytest.mark.parametrize("values", [[1, "x"], [True, 1], [2**70, 1]])
def test_parquet_columns_are_of_one_type(tmp_path: Path, values: list[Any]) -> None:
    with pytest.raises(DataError, match="Column 'a' cannot be written as Parquet: "):
        written("parquet", tmp_path / "out", Records(["a"], [(value,) for value in values]))
    assert list(tmp_path.iterdir()) == []


def test_parquet_that_is_wrong(file: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    assert refused("parquet", file, b"PAR1 no more").startswith(": not a Parquet file, or a damaged one (")
    assert refused("parquet", file, b"").startswith(": not a Parquet file, or a damaged one (")
    written("parquet", file, TABLE)
    whole = file.read_bytes()
    damaged = whole[:-20] + b"\xff" * 4 + whole[-16:]  # in the footer
    assert refused("parquet", file, damaged).startswith(": not a Parquet file, or a damaged one (")
    parquet.write_table(pyarrow.table({"a": [[1, 2]]}), file)
    with pytest.raises(FormatError, match=r"column 'a' is of type list<element: int64>; a table holds text"):
        FORMATS.get("parquet")().read(file)


def test_parquet_without_the_package(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for work in (lambda: FORMATS.get("parquet")().read(file), lambda: written("parquet", file, TABLE)):
        with pytest.raises(
            NotAvailable, match=r'Parquet needs the package pyarrow.* pip install "dragoman\[parquet\]"'
        ):
            work()
    assert not file.exists()


# Lines


def test_lines(file: Path) -> None:
    lines = FORMATS.get("lines")()
    lines.write(("a", "", "ü"), file)
    assert lines.read(file) == ("a", "", "ü")
    file.write_bytes(b"")
    assert lines.read(file) == ()
