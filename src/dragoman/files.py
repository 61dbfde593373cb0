"""Files in and out: UTF-8 checked to the byte, and writes that are whole or not there at all.

A *line* ends at LF (U+000A) and nowhere else: other characters that Unicode or Python call line breaks are text. CRs
before the LF are dropped, so is one byte-order mark at the start of the file. Everything else, NUL included, is kept.
"""

from __future__ import annotations

import io
import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count, islice
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO, cast

from dragoman.compression import compressed, damage_named, decompressed, plain_name, whole_content
from dragoman.errors import DataError, FormatError
from dragoman.lazy import later
from dragoman.utf8 import as_utf8, decode_utf8, repaired_utf8

if TYPE_CHECKING:
    import shutil
else:  # slow to import, and rarely needed
    shutil = later("shutil")

__all__ = [
    "StrPath",
    "atomic_folder",
    "atomic_path",
    "home_folder",
    "iter_blocks",
    "iter_lines",
    "open_binary",
    "open_writer",
    "plain_name",
    "read_bytes",
    "read_lines",
    "read_text",
    "read_utf8",
    "staging_folder",
    "waiting",
    "write_lines",
    "written",
]

StrPath = str | PathLike[str]

_CHUNK = 1 << 20  # bytes read at a time
_BATCH = 4096  # lines written at a time
_BOM = "\ufeff"
_temporaries = count()
_swept: set[Path] = set()
waiting: list[Callable[[], None]] = []  # told before standard input is read, so that somebody at a terminal knows
written: list[Callable[[Path], None]] = []  # told which file or folder now stands under its name
_HOST = f"{zlib.crc32(os.uname().nodename.encode()):08x}"  # process numbers are a machine's own, folders are shared
_TEMPORARY = re.compile(r"\.dragoman-(\d+)-\d+-([0-9a-f]{8})\.tmp")


def home_folder() -> Path:
    """Where Dragoman keeps what outlives a run: `$DRAGOMAN_HOME`, else `~/.dragoman`. It need not be there yet."""
    return Path(os.environ.get("DRAGOMAN_HOME") or Path.home() / ".dragoman")


@contextmanager
def open_binary(path: StrPath) -> Iterator[BinaryIO]:
    """Open `path` (`-` is standard input) for reading, decompressed. Compression is told by content, not by name."""
    name = os.fspath(path)
    with damage_named(name), _opened(name) as raw:
        yield decompressed(raw)


def read_bytes(path: StrPath) -> bytes:
    """The whole of `path`, decompressed."""
    name = os.fspath(path)
    with damage_named(name), _opened(name) as raw:
        return whole_content(raw)


def read_utf8(path: StrPath) -> bytes:
    """The whole of `path`, without a byte-order mark; not yet checked to be UTF-8, but not UTF-16."""
    return repaired_utf8(as_utf8(_without_bom(read_bytes(path), path), path), path)


def read_text(path: StrPath) -> str:
    """The whole of `path` as text, line ends as they stand."""
    return decode_utf8(read_utf8(path), path)


def iter_blocks(path: StrPath) -> Iterator[str]:
    """The text of `path` in blocks of whole lines, line ends as they stand, in constant memory."""
    done = 0
    with open_binary(path) as stream:
        for block in _whole_lines(stream):
            text = as_utf8(_without_bom(block, path) if done == 0 else block, path)
            yield decode_utf8(text, path, first_line=done + 1)
            done += block.count(b"\n")


def iter_lines(path: StrPath) -> Iterator[str]:
    """The lines of `path`, one by one, in constant memory (but for the longest line)."""
    for block in iter_blocks(path):
        yield from _lines(block)


def read_lines(path: StrPath) -> list[str]:
    """All lines of `path`; an empty file has none."""
    return _lines(read_text(path))


def write_lines(path: StrPath, lines: Iterable[str]) -> int:
    """Write one line per item, atomically; returns how many.

    What would not be read back is refused: a line break inside an item, a carriage return at its end.
    """
    done = 0
    waiting = iter(lines)
    with open_writer(path) as stream:
        while batch := list(islice(waiting, _BATCH)):
            block = "\n".join(batch)
            if block.count("\n") >= len(batch) or "\r\n" in block or block.endswith("\r"):
                raise _not_one_line(batch, first=done + 1, path=path)
            if done == 0 and block.startswith(_BOM):
                stream.write(_BOM)  # readers drop the first one; the second is the text's own
            stream.write(block)
            stream.write("\n")
            done += len(batch)
    return done


@contextmanager
def open_writer(path: StrPath) -> Iterator[TextIO]:
    """A UTF-8 text stream onto `path` (`-` is standard output), compressed as the suffix says.

    The file appears under its name only when the block ends without an error.
    """
    name = os.fspath(path)
    try:
        if name == "-":
            with _standard_output() as text:
                yield text
            return
        with atomic_path(name) as temporary, compressed(temporary, suffix=Path(name).suffix) as binary:
            text = io.TextIOWrapper(binary, encoding="utf-8", newline="\n")
            try:
                yield text
            finally:
                text.detach()
        _tell_written(Path(name))
    except UnicodeEncodeError as error:
        raise DataError(
            f"Cannot write {name}: the text has a lone surrogate, U+{ord(error.object[error.start]):04X}, "
            f"after {error.object[max(0, error.start - 20) : error.start]!r}. Decode it again from its bytes."
        ) from None


@contextmanager
def atomic_path(path: StrPath) -> Iterator[Path]:
    """A temporary path beside `path`, renamed to it when the block succeeds and removed when it fails.

    A link is followed; a device or pipe (`/dev/null`, `/dev/stdout`) cannot be replaced and is written directly.
    """
    if Path(path).is_dir():
        raise DataError(f"{path} is a directory; name a file to write.")
    if Path(path).exists() and not Path(path).is_file():
        yield Path(path)
        return
    final = Path(os.path.realpath(path))
    if not final.parent.is_dir():
        raise DataError(f"Cannot write {path}: there is no folder {final.parent}. Make it first.")
    temporary = _temporary(final)
    try:
        yield temporary
        if final.exists():
            temporary.chmod(stat.S_IMODE(final.stat().st_mode))
        temporary.replace(final)
    except BaseException as error:  # Ctrl-C too: nothing half-written stays
        with suppress(FileNotFoundError):
            temporary.unlink()
        if isinstance(error, PermissionError):
            raise DataError(f"Cannot write {path}: this user may not write in {final.parent}.") from None
        raise


@contextmanager
def atomic_folder(path: StrPath) -> Iterator[Path]:
    """An empty folder beside `path` that takes its place when the block succeeds and is removed when it fails.

    An older folder there is replaced whole: the caller has made sure that it may be.
    """
    final = Path(os.path.realpath(path))
    if final.exists() and not final.is_dir():
        raise DataError(f"{path} is a file; name a folder to write.")
    if not final.parent.is_dir():
        raise DataError(f"Cannot write {path}: there is no folder {final.parent}. Make it first.")
    temporary = _temporary(final)
    try:
        temporary.mkdir()
        yield temporary
        _swap_in(temporary, final)
        _tell_written(Path(path))
    except BaseException as error:
        shutil.rmtree(temporary, ignore_errors=True)
        if isinstance(error, PermissionError):
            raise DataError(f"Cannot write {path}: this user may not write in {final.parent}.") from None
        raise


@contextmanager
def staging_folder(folder: StrPath) -> Iterator[Path]:
    """An empty folder inside `folder`, to put things together in; it goes when the block ends."""
    temporary = _temporary(Path(folder) / "staging")
    try:
        temporary.mkdir()
        yield temporary
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _tell_written(path: Path) -> None:
    """Tell who asked; not of parts of a folder that is being made, of what is kept for later runs, nor of devices."""
    if not written or any(map(_TEMPORARY.fullmatch, path.parts)) or not (path.is_file() or path.is_dir()):
        return
    if not path.resolve().is_relative_to(home_folder().resolve()):
        for told in written:
            told(path)


def _swap_in(temporary: Path, final: Path) -> None:
    if not final.exists():
        temporary.rename(final)
        return
    aside = _temporary(final).with_suffix(".old")  # not to be swept: for a moment it is all there is
    try:
        final.rename(aside)
        temporary.rename(final)
        aside = aside.rename(aside.with_suffix(".tmp"))
    except BaseException:  # between the two there is nothing under the name: put the old one back
        if aside.exists() and not final.exists():
            aside.rename(final)
        raise
    finally:
        if final.exists():
            shutil.rmtree(aside, ignore_errors=True)


def _temporary(final: Path) -> Path:
    """A name beside the final one. What killed processes left there is removed, once by each process."""
    if final.parent not in _swept:
        _swept.add(final.parent)
        for path in final.parent.glob(".dragoman-*.tmp"):
            if _is_leftover(path.name):
                _remove(path)
    # Not made from the final name, which may be as long as the file system allows.
    return final.with_name(f".dragoman-{os.getpid()}-{next(_temporaries)}-{_HOST}.tmp")


def _is_leftover(name: str) -> bool:
    """Whether the process of this machine that a temporary file is named after has ended."""
    parts = _TEMPORARY.fullmatch(name)
    if parts is None or parts[2] != _HOST:
        return False
    try:
        os.kill(int(parts[1]), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):  # somebody else's
        return False
    return False


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
        return
    with suppress(OSError):  # another process was quicker, or the file is not ours to remove
        path.unlink()


@contextmanager
def _opened(name: str) -> Iterator[io.BufferedReader]:
    if name == "-":
        for told in waiting:
            told()
        raw = cast(Any, sys.stdin.buffer)
        if isinstance(raw, io.BufferedReader):
            yield raw
            return
        reader = io.BufferedReader(raw)
        try:
            yield reader
        finally:
            reader.detach()  # or it would close standard input when it goes
        return
    with _open_file(name) as reader:
        yield reader


def _open_file(name: str) -> io.BufferedReader:
    try:
        return open(name, "rb")  # noqa: PTH123 - closed by _opened
    except IsADirectoryError:
        raise DataError(f"{name} is a directory; name a file.") from None
    except (FileNotFoundError, NotADirectoryError):
        raise DataError(f"There is no file {name}.") from None
    except PermissionError:
        raise DataError(f"The file {name} may not be read by this user.") from None
    except (OSError, ValueError) as error:  # too long a name, a loop of links, a NUL in the name
        raise DataError(f"Cannot open {name!r}: {error}.") from None


@contextmanager
def _standard_output() -> Iterator[TextIO]:
    """Standard output as UTF-8 with LF, whatever the terminal's locale says."""
    sys.stdout.flush()
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:  # replaced by something that takes text only, as notebooks do
        yield sys.stdout
        return
    text = io.TextIOWrapper(buffer, encoding="utf-8", newline="\n")
    try:
        yield text
    finally:
        text.detach().flush()


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
    head = block[:16]
    # Without a mark: of sixteen bytes exactly every second one is NUL.
    nuls = [byte == 0 for byte in head]
    without_mark = len(head) == 16 and (nuls == [False, True] * 8 or nuls == [True, False] * 8)
    if without_mark or head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError("the file is UTF-16. Convert it with: iconv -f UTF-16 -t UTF-8", path=path)
    return block.removeprefix(b"\xef\xbb\xbf")


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.rstrip("\r") for line in lines] if "\r" in text else lines


def _not_one_line(batch: list[str], *, first: int, path: StrPath) -> DataError:
    index = next(i for i, line in enumerate(batch) if "\n" in line or line.endswith("\r"))
    what = "has a line break inside" if "\n" in batch[index] else "ends in a carriage return"
    return DataError(f"Item {first + index} for {os.fspath(path)} {what}: {batch[index][:60]!r}.")
