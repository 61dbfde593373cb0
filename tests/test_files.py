from __future__ import annotations

import gzip
import io
import lzma
import sys
from pathlib import Path

import pytest
import zstandard
from click.testing import CliRunner

from dragoman import files
from dragoman.cli.main import group
from dragoman.errors import DataError, FormatError, MendedInput
from dragoman.files import iter_lines, open_binary, plain_name, read_bytes, read_lines, read_text, write_lines
from dragoman.text.lines import read_text_lines
from dragoman.utf8 import repairing

COMPRESSORS = {
    "": lambda data: data,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: zstandard.ZstdCompressor().compress(data),
}
SUFFIXES = list(COMPRESSORS)
# Enough different bytes that the compressed forms have a middle to cut.
BODY = "".join(f"{i * i} straße 東京\n" for i in range(2000)).encode()

each_suffix = pytest.mark.parametrize("suffix", SUFFIXES)
each_compressed = pytest.mark.parametrize("suffix", SUFFIXES[1:])


class Standard:
    """A stand-in for `sys.stdin` on bytes."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


@each_suffix
def test_compression_is_told_by_content(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "misnamed.txt"
    path.write_bytes(COMPRESSORS[suffix](BODY))
    assert read_bytes(path) == BODY
    assert read_lines(path) == list(iter_lines(path)) == BODY.decode().splitlines()


@each_compressed
def test_several_compressed_parts_are_one_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "parts"
    path.write_bytes(COMPRESSORS[suffix](b"one\ntw") + COMPRESSORS[suffix](b"o\nthree\n"))
    assert read_lines(path) == ["one", "two", "three"]


@each_compressed
@pytest.mark.parametrize("share", [0.2, 0.5, 0.95, 0.999])
def test_a_cut_file_is_never_taken_for_a_short_one(tmp_path: Path, suffix: str, share: float) -> None:
    path = tmp_path / f"cut{suffix}"
    whole = COMPRESSORS[suffix](BODY)
    path.write_bytes(whole[: int(len(whole) * share)])
    for read in (read_lines, lambda p: list(iter_lines(p))):
        with pytest.raises(FormatError, match=r"cut\S*: the compressed data is damaged or cut short \(.*\)\. Copy"):
            read(path)


@each_compressed
def test_a_damaged_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"bad{suffix}"
    whole = bytearray(COMPRESSORS[suffix](BODY))
    for place in range(30, 60):
        whole[place] ^= 0xFF
    path.write_bytes(whole)
    with pytest.raises(FormatError, match="damaged or cut short"):
        read_lines(path)


def test_rubbish_after_a_zstandard_frame(tmp_path: Path) -> None:
    path = tmp_path / "a.zst"
    path.write_bytes(COMPRESSORS[".zst"](b"one\n") + b"rubbish")
    with pytest.raises(FormatError, match="damaged or cut short"):
        read_lines(path)


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"\n\n", ["", ""]),
        (b"one", ["one"]),
        (b"one\n", ["one"]),
        (b"one\n\n", ["one", ""]),
        (b"one\r\ntwo\r\n", ["one", "two"]),
        (b"one\r\r\ntwo\r", ["one", "two"]),
        (b"o\rne\n", ["o\rne"]),
        (b"\xef\xbb\xbf", []),
        (b"\xef\xbb\xbfone\n\xef\xbb\xbftwo\n", ["one", "\ufefftwo"]),
        (b"a\x00b\x1b\x0b\x0c\x7f\n", ["a\x00b\x1b\x0b\x0c\x7f"]),
        ("a\u2028b\u0085c\x1cd\n".encode(), ["a\u2028b\u0085c\x1cd"]),
    ],
)
def test_what_a_line_is(tmp_path: Path, data: bytes, lines: list[str]) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    assert read_lines(path) == lines
    assert list(iter_lines(path)) == lines


def test_a_line_of_a_megabyte(tmp_path: Path) -> None:
    path = tmp_path / "long"
    lines = ["short", "ü" * (1 << 20), "x" * (3 << 20), "end"]
    assert write_lines(path, lines) == 4
    assert read_lines(path) == lines
    assert list(iter_lines(path)) == lines


def test_read_text_keeps_line_ends(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfa\r\nb\r")
    assert read_text(tmp_path / "a") == "a\r\nb\r"


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 1 << 20])
def test_blocks_do_not_change_the_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr(files, "_CHUNK", chunk)
    path = tmp_path / "a"
    path.write_bytes("\ufeffé€\r\n\n𝄞 b\r\nlast".encode())
    assert list(iter_lines(path)) == ["é€", "", "𝄞 b", "last"]


@pytest.mark.parametrize("chunk", [4, 1 << 20])
@pytest.mark.parametrize(
    ("data", "line", "byte"),
    [
        (b"\xe9", 1, "byte 1 of the line (0xE9)"),
        (b"ok\nso\nfa\xffr\n", 3, "byte 3 of the line (0xFF)"),
        (b"ok\n\xc3\n", 2, "byte 1 of the line (0xC3)"),
        (b"ok\nab\xed\xa0\x80", 2, "byte 3 of the line (0xED)"),
    ],
)
def test_invalid_utf8_names_file_line_and_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, line: int, byte: str, chunk: int
) -> None:
    monkeypatch.setattr(files, "_CHUNK", chunk)
    path = tmp_path / "latin.txt"
    path.write_bytes(data)
    for read in (read_lines, lambda p: list(iter_lines(p)), read_text):
        with pytest.raises(FormatError) as caught:
            read(path)
        assert str(caught.value) == (
            f"{path}:{line}: {byte} is not UTF-8. If the file is Latin-1, convert it with: iconv -f ISO-8859-1 -t UTF-8"
        )
        assert caught.value.line == line


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf16_is_named(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "wide.txt"
    path.write_bytes("A line of text.\nAnother.\n".encode(encoding))
    for read in (read_lines, lambda p: list(iter_lines(p))):
        if encoding != "utf-32":
            with pytest.raises(FormatError, match=r"wide.txt: the file is UTF-16. Convert it with: iconv -f UTF-16"):
                read(path)
        else:
            with pytest.raises(FormatError):
                read(path)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    for path, message in [
        (tmp_path / "none.txt", f"There is no file {tmp_path}/none.txt."),
        (tmp_path, f"{tmp_path} is a directory; name a file."),
        (tmp_path / ("x" * 300), "Cannot open "),
        ("nul\0name", r"Cannot open 'nul\x00name': embedded null byte."),
    ]:
        for read in (read_lines, lambda p: list(iter_lines(p)), read_bytes):
            with pytest.raises(DataError) as caught:
                read(path)
            assert str(caught.value).startswith(message)
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="There is no file"):
        read_lines(tmp_path / "file" / "below")


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr("builtins.open", refuse)  # a superuser may read everything
    with pytest.raises(DataError, match=r"The file .*secret may not be read by this user\."):
        read_lines(tmp_path / "secret")


@each_suffix
def test_standard_input(monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    stdin = Standard(COMPRESSORS[suffix](b"one\r\ntwo"))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert read_lines("-") == ["one", "two"]
    assert not stdin.buffer.closed


def test_errors_of_the_reader_pass_through(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a\n")
    with pytest.raises(KeyError), open_binary(tmp_path / "a"):
        raise KeyError("x")


@pytest.mark.parametrize(
    ("path", "name"),
    [("a/set.tsv.gz", "set.tsv"), ("set.tsv", "set.tsv"), ("a.xz", "a"), ("a.b.zst", "a.b"), ("-", "-"), ("gz", "gz")],
)
def test_plain_name(path: str, name: str) -> None:
    assert plain_name(path) == name


STRAY = "één\nhéél\n".encode() + b"a b\x85c\n" + "café\n".encode()


def test_a_stray_byte_among_utf8_is_told_from_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "newstest.out"
    path.write_bytes(STRAY)
    for read in (read_lines, lambda p: list(iter_lines(p)), read_text_lines):
        with pytest.raises(FormatError) as caught:
            read(path)
        assert str(caught.value) == (
            f"{path}:3: byte 4 of the line (0x85) is not UTF-8, though the text around it is: the file is damaged "
            "here. Mend it, or replace what is damaged by U+FFFD with: dragoman convert --repair"
        )
    path.write_bytes("één héél café\n".encode("latin-1") + "é".encode())
    with pytest.raises(FormatError, match="If the file is Latin-1"):
        read_lines(path)


def test_damaged_bytes_are_replaced_counted_and_named(tmp_path: Path) -> None:
    path = tmp_path / "newstest.out"
    path.write_bytes(STRAY + b"\xff\n")
    lines = ["één", "héél", "a b\ufffdc", "café", "\ufffd"]
    for read in (read_lines, lambda p: list(iter_lines(p)), read_text_lines):
        with repairing(), pytest.warns(MendedInput) as caught:
            assert list(read(path)) == lines
        assert [str(each.message) for each in caught] == [
            f"{path}:3: bytes that are not UTF-8 were replaced by U+FFFD. There are 2 such lines: 3, 5."
        ]
    done = CliRunner().invoke(group, ["convert", str(path), str(tmp_path / "mended.txt"), "--repair"])
    assert done.exit_code == 0, done.exception
    assert "beware" in done.stderr
    assert read_lines(tmp_path / "mended.txt") == lines
    with pytest.raises(FormatError):
        read_lines(path)  # not for ever
