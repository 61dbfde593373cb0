from __future__ import annotations

import gzip
import io
import lzma
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman import files
from dragoman.errors import DataError, FormatError
from dragoman.files import (
    atomic_folder,
    atomic_path,
    iter_lines,
    open_binary,
    open_writer,
    plain_name,
    read_bytes,
    read_lines,
    read_text,
    write_lines,
)

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
    """A stand-in for `sys.stdin` or `sys.stdout` on bytes."""

    def __init__(self, data: bytes = b"") -> None:
        self.buffer = io.BytesIO(data)

    def flush(self) -> None:
        pass


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


# Reading


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
    [(b"\xe9", 1, "byte 1 of the line (0xE9)"), (b"ok\nso\nfa\xffr\n", 3, "byte 3 of the line (0xFF)"),
     (b"ok\n\xc3\n", 2, "byte 1 of the line (0xC3)"), (b"ok\nab\xed\xa0\x80", 2, "byte 3 of the line (0xED)")],
)  # fmt: skip
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


# Writing

LINE = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\n"), max_size=30)


@settings(max_examples=60, deadline=None)
@given(st.lists(LINE.filter(lambda line: not line.endswith("\r")), max_size=20), st.sampled_from(SUFFIXES))
def test_lines_come_back_as_they_went(tmp_path_factory: pytest.TempPathFactory, lines: list[str], suffix: str) -> None:
    path = tmp_path_factory.mktemp("lines") / f"file{suffix}"
    assert write_lines(path, iter(lines)) == len(lines)
    assert read_lines(path) == lines
    assert list(iter_lines(path)) == lines


@each_compressed
def test_the_suffix_compresses_and_equal_content_gives_equal_bytes(tmp_path: Path, suffix: str) -> None:
    lines = ["the same line again"] * 2000
    for name in ("one", "two"):
        write_lines(tmp_path / (name + suffix), lines)
    assert (tmp_path / f"one{suffix}").stat().st_size < 2000
    assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("two\nlines", "Item 5001 for {path} has a line break inside: 'two\\nlines'."),
        ("end\r", "Item 5001 for {path} ends in a carriage return: 'end\\r'."),
        ("\ud800", "Cannot write {path}: the text has a lone surrogate, U+D800, after 'line 4998\\nline 4999\\n'. "
                   "Decode it again from its bytes."),
    ],
)  # fmt: skip
@pytest.mark.parametrize("more", [0, 1])
def test_what_cannot_be_a_line_is_refused(tmp_path: Path, bad: str, message: str, more: int) -> None:
    path = tmp_path / "out.txt"
    with pytest.raises(DataError) as caught:
        write_lines(path, [*(f"line {i}" for i in range(5000)), bad, *(["more"] * more)])
    assert str(caught.value) == message.format(path=path)
    assert list(tmp_path.iterdir()) == []


@each_suffix
def test_control_c_in_the_middle_leaves_the_old_file_and_nothing_else(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"out{suffix}"

    def interrupted() -> Iterator[str]:
        yield from (f"line {i}" for i in range(20_000))
        assert leftovers(tmp_path), "the new file is under way"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_lines(path, interrupted())
    assert list(tmp_path.iterdir()) == []

    write_lines(path, ["old"])
    with pytest.raises(KeyboardInterrupt):
        write_lines(path, interrupted())
    assert read_lines(path) == ["old"]
    assert leftovers(tmp_path) == []


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    def lines() -> Iterator[str]:
        yield "x"
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_lines(tmp_path / "a", lines())
    assert list(tmp_path.iterdir()) == []


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        write_lines(tmp_path, ["a"])
    assert str(caught.value) == f"{tmp_path} is a directory; name a file to write."
    with pytest.raises(DataError) as caught:
        write_lines(tmp_path / "none" / "a.txt", ["a"])
    assert (
        str(caught.value) == f"Cannot write {tmp_path}/none/a.txt: there is no folder {tmp_path}/none. Make it first."
    )


def test_a_folder_that_may_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(DataError, match=r"Cannot write .*a: this user may not write in "):
        write_lines(tmp_path / "a", ["a"])
    monkeypatch.setattr(Path, "mkdir", refuse)
    with (
        pytest.raises(DataError, match=r"Cannot write .*b: this user may not write in "),
        atomic_folder(tmp_path / "b"),
    ):
        pass


def test_a_link_is_followed_and_the_mode_kept(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    real = tmp_path / "there" / "real.txt"
    real.write_text("old\n")
    real.chmod(0o640)
    link = tmp_path / "link.txt"
    link.symlink_to(real)
    write_lines(link, ["new"])
    assert link.is_symlink()
    assert real.read_text() == "new\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_a_new_file_has_the_mode_of_any_other(tmp_path: Path) -> None:
    write_lines(tmp_path / "a", ["a"])
    (tmp_path / "b").write_text("b")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_a_name_as_long_as_the_file_system_takes(tmp_path: Path) -> None:
    write_lines(tmp_path / ("x" * 255), ["a"])
    assert read_lines(tmp_path / ("x" * 255)) == ["a"]


def test_pipes_and_devices_are_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_lines(pipe, ["through the pipe"])
    reader.join()
    assert got == [b"through the pipe\n"]
    assert pipe.is_fifo()
    write_lines("/dev/null", ["away"])
    assert not Path("/dev/null").is_file()


def test_two_writers_of_one_file_do_not_meet(tmp_path: Path) -> None:
    with open_writer(tmp_path / "a") as one, open_writer(tmp_path / "a") as two:
        one.write("one\n")
        two.write("two\n")
    assert read_lines(tmp_path / "a") == ["one"]  # the outer block ends last
    assert leftovers(tmp_path) == []


def test_standard_output_is_utf8_whatever_the_locale_says() -> None:
    code = (
        "from dragoman.files import write_lines; print('first'); write_lines('-', ['ü 東京', '\\ufeff']); print('last')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}, capture_output=True, check=True,
    )  # fmt: skip
    assert done.stdout == "first\nü 東京\n\ufeff\nlast\n".encode()


def test_standard_output_that_takes_text_only(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    write_lines("-", ["ü"])
    assert stream.getvalue() == "ü\n"


def test_standard_output_stays_open_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    stdout = Standard()
    monkeypatch.setattr(sys, "stdout", stdout)
    with pytest.raises(DataError):
        write_lines("-", ["a\nb"])
    assert not stdout.buffer.closed


# Paths and folders


def test_atomic_path_gives_a_path_beside(tmp_path: Path) -> None:
    with atomic_path(tmp_path / "a.bin") as temporary:
        assert temporary.parent == tmp_path
        temporary.write_bytes(b"x")
        assert not (tmp_path / "a.bin").exists()
    assert (tmp_path / "a.bin").read_bytes() == b"x"


def test_atomic_folder_appears_whole(tmp_path: Path) -> None:
    with atomic_folder(tmp_path / "set") as folder:
        (folder / "a").write_text("a")
        assert not (tmp_path / "set").exists()
    assert (tmp_path / "set" / "a").read_text() == "a"
    with atomic_folder(tmp_path / "set") as folder:
        (folder / "b").write_text("b")
    assert [path.name for path in (tmp_path / "set").iterdir()] == ["b"]
    assert leftovers(tmp_path) == []


def test_an_interrupted_folder_leaves_the_old_one(tmp_path: Path) -> None:
    def interrupted() -> None:
        with atomic_folder(tmp_path / "set") as folder:
            (folder / "half").write_text("x")
            raise KeyboardInterrupt

    for before in ([], ["set"]):
        with pytest.raises(KeyboardInterrupt):
            interrupted()
        assert [path.name for path in tmp_path.iterdir()] == before
        (tmp_path / "set").mkdir(exist_ok=True)


def test_an_interrupt_between_the_renames_puts_the_old_folder_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "old").write_text("old")
    calls = []
    rename = Path.rename

    def second_fails(self: Path, target: Path) -> Path:
        calls.append(self)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", second_fails)
    with pytest.raises(KeyboardInterrupt), atomic_folder(tmp_path / "set") as folder:
        (folder / "new").write_text("new")
    assert [path.name for path in (tmp_path / "set").iterdir()] == ["old"]
    assert leftovers(tmp_path) == []


def test_where_no_folder_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError) as caught, atomic_folder(tmp_path / "file"):
        pass
    assert str(caught.value) == f"{tmp_path}/file is a file; name a folder to write."
    with pytest.raises(DataError, match="there is no folder"), atomic_folder(tmp_path / "a" / "b"):
        pass
