"""Lines as they lie in a file, and the check that they are UTF-8."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dragoman.errors import DataError, FormatError
from dragoman.files import read_lines
from dragoman.text import TextLines, read_text_lines, read_text_streams

pieces = st.sampled_from(["a", "é", "日本", "😀", "\n", "\r", "\r\n", "\x00", "\u2028", "\ufeff"])


@given(st.lists(pieces, max_size=12).map("".join))
def test_lines_are_those_of_read_lines(tmp_path_factory, text) -> None:
    path = tmp_path_factory.getbasetemp() / "lines.txt"
    path.write_bytes(text.encode())
    assert list(read_text_lines(path)) == read_lines(path)


@given(st.binary(max_size=8) | st.text(st.characters(exclude_categories=["Cs"]), max_size=8).map(str.encode))
@example(b"\xed\xa0\x80")  # a surrogate
@example(b"\xc0\xaf")  # an overlong slash
@example(b"\xe0\x80\xaf")
@example(b"\xf0\x80\x80\xaf")
@example(b"\xf4\x90\x80\x80")  # beyond U+10FFFF
@example(b"abcdefgh\xc3")  # cut short behind a word of ASCII
def test_what_python_cannot_decode_is_refused(data) -> None:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        with pytest.raises(DataError, match=f"^Line {data.count(10, 0, error.start) + 1} is not UTF-8"):
            TextLines(data)
    else:
        lines = text.split("\n")
        assert list(TextLines(data)) == [line.rstrip("\r") for line in lines[: len(lines) - (lines[-1] == "")]]


def test_a_text_is_a_sequence() -> None:
    lines = TextLines("a\nb c\n\né".encode())
    assert len(lines) == 4
    assert lines[1] == "b c"
    assert lines[-1] == "é"
    assert lines[1:3] == ["b c", ""]
    assert lines[::-2] == ["é", "b c"]
    assert "b c" in lines
    assert None not in lines
    assert "b" not in lines
    assert lines.index("é") == 3
    assert lines == TextLines("a\nb c\n\né\n".encode())
    assert lines != TextLines(b"a\nb c\n\ne\n")
    assert lines != ["a", "b c", "", "é"]
    assert hash(lines) == hash(TextLines("a\r\nb c\n\né\n".encode()))
    assert repr(lines) == "<TextLines: 4 lines>"
    assert not TextLines(b"")
    for index in (4, -5):
        with pytest.raises(IndexError, match=f"There is no line {index}: the text has 4"):
            lines[index]


def test_files_are_read_decompressed_and_in_order(tmp_path) -> None:
    paths = [tmp_path / f"{i}.gz" for i in range(5)]
    for i, path in enumerate(paths):
        path.write_bytes(b"\xef\xbb\xbf" * (i % 2) + f"line {i}\r\n".encode())
        if i % 2 == 0:
            path.write_bytes(gzip.compress(path.read_bytes()))
    for n_threads in (1, 2, 7):
        assert [list(lines) for lines in read_text_streams(paths, n_threads=n_threads)] == [
            [f"line {i}"] for i in range(5)
        ]


def test_what_cannot_be_read_is_named(tmp_path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"good\nb\xe4d\n")
    with pytest.raises(FormatError, match=r"bad.txt:2: byte 2 of the line \(0xE4\) is not UTF-8"):
        read_text_lines(bad)
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(b"text" * 100)[:20])
    with pytest.raises(FormatError, match=r"cut.gz: the compressed data is damaged or cut short"):
        read_text_lines(cut)
    with pytest.raises(DataError, match="There is no file"):
        read_text_streams([tmp_path / "none", bad], n_threads=2)
