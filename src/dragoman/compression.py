"""Compressed streams: gzip, xz and Zstandard, told by content when read and by suffix when written."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, cast

from dragoman.errors import FormatError
from dragoman.lazy import later

if TYPE_CHECKING:
    import gzip
    import lzma
else:  # slow to import, and rarely needed
    gzip, lzma = map(later, ("gzip", "lzma"))

__all__ = ["compressed", "damage_named", "decompressed", "plain_name", "whole_content"]

_BUFFER = 1 << 20  # bytes unpacked at a time
_GZIP = b"\x1f\x8b"
_MAGIC = {_GZIP: "gzip", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_COMPRESSED = (".gz", ".xz", ".zst")


class _Damaged(Exception):
    """Compressed data that cannot be read to its end."""


def plain_name(path: str | PathLike[str]) -> str:
    """The file's name without folders and without the suffix of a compression: `set.tsv` for `data/set.tsv.gz`."""
    name = Path(path).name
    return name.removesuffix(Path(name).suffix) if Path(name).suffix in _COMPRESSED else name


@contextmanager
def damage_named(name: str) -> Iterator[None]:
    """Name the file whose compressed data cannot be read to its end."""
    try:
        yield
    except (_Damaged, EOFError, lzma.LZMAError, gzip.BadGzipFile, zlib.error) as error:
        reason = str(error).rstrip(".")
        raise FormatError(
            f"the compressed data is damaged or cut short ({reason}). Copy the file again.", path=name
        ) from error


def whole_content(stream: io.BufferedReader) -> bytes:
    """All of a stream, decompressed."""
    if stream.peek(2).startswith(_GZIP):
        return gzip.decompress(stream.read())  # in one go: quicker than a stream, and other threads may run
    return decompressed(stream).read()


def decompressed(stream: io.BufferedReader) -> BinaryIO:
    """A stream of what is packed in another, or that other one."""
    head = stream.peek(8)[:8]
    kind = next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), None)
    if kind == "gzip":
        return cast(BinaryIO, gzip.GzipFile(fileobj=stream))
    if kind == "xz":
        return cast(BinaryIO, lzma.LZMAFile(stream))
    if kind == "zstd":
        return io.BufferedReader(_ZstdFrames(stream), buffer_size=_BUFFER)
    return stream


class _ZstdFrames(io.RawIOBase):
    """Zstandard frames one after the other; unlike the package's own reader it notices that the last is cut short."""

    def __init__(self, stream: io.BufferedReader) -> None:
        import zstandard

        self._package = zstandard
        self._stream = stream
        self._frame: zstandard.ZstdDecompressionObj | None = None
        self._input = b""
        self._output = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._output:
            # Little at a time: 4 kB can unfold to 100 MB.
            self._input = self._input or self._stream.read(1 << 12)
            if not self._input:
                if self._frame is not None:
                    raise _Damaged("the last frame has no end")
                return 0
            self._frame = self._frame or self._package.ZstdDecompressor().decompressobj()
            try:
                self._output = memoryview(self._frame.decompress(self._input))
            except self._package.ZstdError as error:
                raise _Damaged(str(error)) from error
            self._input = self._frame.unused_data if self._frame.eof else b""
            if self._frame.eof:
                self._frame = None
        size = min(len(buffer), len(self._output))
        buffer[:size] = self._output[:size]
        self._output = self._output[size:]
        return size


@contextmanager
def compressed(path: Path, *, suffix: str) -> Iterator[IO[bytes]]:
    """A file to write, packed as the suffix says."""
    with path.open("wb") as raw:
        if suffix == ".gz":
            # No time stamp: the same content gives the same bytes.
            with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0) as stream:
                yield cast(IO[bytes], stream)
        elif suffix == ".xz":
            with lzma.LZMAFile(raw, "wb") as stream:
                yield cast(IO[bytes], stream)
        elif suffix == ".zst":
            import zstandard

            with zstandard.ZstdCompressor(write_checksum=True).stream_writer(raw, closefd=False) as stream:
                yield cast(IO[bytes], stream)
        else:
            yield raw
