"""Files in and out: compression, UTF-8 checked to the byte, and writes that are whole or not there at all.

A *line* ends at LF (U+000A) and nowhere else: other characters that Unicode or Python call line breaks are text. One CR
before the LF is dropped, so is a byte-order mark at the start of the file. Everything else, NUL included, is kept.
"""

from __future__ import annotations

import gzip
import io
import lzma
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import IO, BinaryIO, TextIO, cast

from dragoman.errors import DataError, FormatError

__all__ = [
    "StrPath",
    "atomic_path",
    "iter_lines",
    "open_binary",
    "open_writer",
    "read_bytes",
    "read_lines",
    "write_lines",
]

StrPath = str | PathLike[str]

_CHUNK = 1 << 20  # bytes read at a time
_MAGIC = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@contextmanager
def open_binary(path: StrPath) -> Iterator[BinaryIO]:
    """Open `path` (`-` is standard input) for reading, decompressed. Compression is told by content, not by name."""
    name = os.fspath(path)
    if name == "-":
        raw: BinaryIO = sys.stdin.buffer
    else:
        raw = _open_file(name)
    try:
        buffered = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, raw))
        yield _decompressed(buffered)
    except (EOFError, lzma.LZMAError, gzip.BadGzipFile, zlib.error) as error:
        raise _damaged(name, error) from error
    except Exception as error:
        if type(error).__name__ == "ZstdError":
            raise _damaged(name, error) from error
        raise
    finally:
        if name != "-":
            raw.close()


def read_bytes(path: StrPath) -> bytes:
    """The whole of `path`, decompressed."""
    with open_binary(path) as stream:
        return stream.read()


def iter_lines(path: StrPath) -> Iterator[str]:
    """The lines of `path`, one by one, in constant memory (but for the longest line)."""
    done = 0
    with open_binary(path) as stream:
        for block in _whole_lines(stream):
            if done == 0:
                block = _without_bom(block, path)
            lines = _decode(block, path, first_line=done + 1)
            yield from lines
            done += len(lines)


def read_lines(path: StrPath) -> list[str]:
    """All lines of `path`; an empty file has none."""
    with open_binary(path) as stream:
        block = _without_bom(stream.read(), path)
    return _decode(block, path, first_line=1) if block else []


def write_lines(path: StrPath, lines: Iterable[str]) -> int:
    """Write one line per item, atomically; returns how many. A line break inside an item is refused."""
    count = 0
    with open_writer(path) as stream:
        for count, line in enumerate(lines, start=1):
            if "\n" in line:
                raise DataError(f"Item {count} for {os.fspath(path)} has a line break inside: {line[:60]!r}.")
            stream.write(line)
            stream.write("\n")
    return count


@contextmanager
def open_writer(path: StrPath) -> Iterator[TextIO]:
    """A UTF-8 text stream onto `path` (`-` is standard output), compressed as the suffix says.

    The file appears under its name only when the block ends without an error.
    """
    name = os.fspath(path)
    if name == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    with atomic_path(name) as temporary, _compressed(temporary, suffix=Path(name).suffix) as binary:
        text = io.TextIOWrapper(binary, encoding="utf-8", newline="\n", write_through=False)
        yield text
        text.flush()
        text.detach()


@contextmanager
def atomic_path(path: StrPath) -> Iterator[Path]:
    """A temporary path beside `path`, renamed to it when the block succeeds and removed when it fails."""
    final = Path(path)
    if final.is_dir():
        raise DataError(f"{final} is a directory; name a file to write.")
    if not final.parent.is_dir():
        raise DataError(f"Cannot write {final}: there is no folder {final.parent}. Make it first.")
    temporary = final.with_name(f".{final.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        temporary.replace(final)
    except BaseException:  # Ctrl-C too: nothing half-written stays
        with suppress(FileNotFoundError):
            temporary.unlink()
        raise


def _open_file(name: str) -> BinaryIO:
    if Path(name).is_dir():
        raise DataError(f"{name} is a directory; name a file.")
    try:
        return open(name, "rb")  # noqa: PTH123 - closed by open_binary
    except FileNotFoundError:
        raise DataError(f"There is no file {name}.") from None
    except PermissionError:
        raise DataError(f"The file {name} may not be read by this user.") from None


def _decompressed(stream: io.BufferedReader) -> BinaryIO:
    head = stream.peek(8)[:8]
    kind = next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), None)
    if kind == "gzip":
        return cast(BinaryIO, gzip.GzipFile(fileobj=stream))
    if kind == "xz":
        return cast(BinaryIO, lzma.LZMAFile(stream))
    if kind == "zstd":
        import zstandard

        return cast(BinaryIO, zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True))
    return cast(BinaryIO, stream)


@contextmanager
def _compressed(path: Path, *, suffix: str) -> Iterator[IO[bytes]]:
    with path.open("wb") as raw:
        if suffix == ".gz":
            # No time stamp: the same content gives the same bytes.
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as stream:
                yield cast(IO[bytes], stream)
        elif suffix == ".xz":
            with lzma.LZMAFile(raw, "wb") as stream:
                yield cast(IO[bytes], stream)
        elif suffix == ".zst":
            import zstandard

            with zstandard.ZstdCompressor().stream_writer(raw, closefd=False) as stream:
                yield cast(IO[bytes], stream)
        else:
            yield raw


def _whole_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Blocks of bytes that end at a line end (the last one perhaps not)."""
    carry: list[bytes] = []
    while chunk := stream.read(_CHUNK):
        cut = chunk.rfind(b"\n") + 1
        if cut == 0:
            carry.append(chunk)
            continue
        yield b"".join([*carry, chunk[:cut]])
        carry = [chunk[cut:]] if cut < len(chunk) else []
    if carry:
        yield b"".join(carry)


def _without_bom(block: bytes, path: StrPath) -> bytes:
    if block.startswith(_UTF16):
        raise FormatError("the file is UTF-16. Convert it with: iconv -f UTF-16 -t UTF-8", path=path)
    return block.removeprefix(b"\xef\xbb\xbf")


def _decode(block: bytes, path: StrPath, *, first_line: int) -> list[str]:
    try:
        text = block.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first_line + block.count(b"\n", 0, error.start)
        column = error.start - (block.rfind(b"\n", 0, error.start) + 1) + 1
        raise FormatError(
            f"byte {column} of the line (0x{block[error.start]:02X}) is not UTF-8. "
            "If the file is Latin-1, convert it with: iconv -f ISO-8859-1 -t UTF-8",
            path=path,
            line=line,
        ) from None
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if "\r\n" in text or text.endswith("\r"):
        lines = [line.removesuffix("\r") for line in lines]
    return lines


def _damaged(name: str, error: Exception) -> FormatError:
    return FormatError(f"the compressed data is damaged or cut short ({error}). Copy the file again.", path=name)
