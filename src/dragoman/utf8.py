"""Text in UTF-8, checked to the byte: what is not is refused with its place, or replaced where that was asked for."""

from __future__ import annotations

import codecs
import encodings
import pkgutil
import re
from collections.abc import Iterator
from contextlib import contextmanager
from encodings.aliases import aliases
from functools import cache
from itertools import chain
from os import PathLike
from warnings import warn

from dragoman.errors import DataError, FormatError, MendedInput

__all__ = [
    "as_utf8",
    "decode_utf8",
    "reading_in",
    "repaired_chunks",
    "repaired_utf8",
    "repairing",
    "text_encoding",
]

_Path = str | PathLike[str]
_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|[\xf1-\xf4][\x80-\xbf]{3}")
_OTHER_ENCODING = re.compile(rb"""(?:\xef\xbb\xbf)?<\?xml[^>]*\sencoding\s*=\s*["'](?!utf-?8["'])""", re.IGNORECASE)
_MARK = "\ufffd"
# Codecs of Python that turn bytes into text and are not encodings of files: names of hosts, notations, stand-ins.
_NO_FILES = frozenset(
    {"charmap", "idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"}
)
_LONGEST_NAME = 40
_state = {"repairing": False}  # of the process, threads that read files among it
_encoding = [""]  # that text is in, the last one asked for; empty for UTF-8


def text_encoding(name: str) -> str | None:
    """Python's name of an encoding of text files, whatever a file calls it; None if it is not one."""
    # Python remembers for ever each name that it was asked for in vain, and strangers may ask.
    written = encodings.normalize_encoding(name[:_LONGEST_NAME].lower())
    if len(name) > _LONGEST_NAME or _known_names().isdisjoint({written, written.replace(".", "_")}):
        return None
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):  # ValueError: a NUL in the name
        return None
    is_text = codec._is_text_encoding and codec.name.replace("_", "-") not in _NO_FILES
    return codec.name if is_text else None


@cache
def _known_names() -> frozenset[str]:
    return frozenset({*aliases, *(module.name for module in pkgutil.iter_modules(encodings.__path__))})


@contextmanager
def repairing() -> Iterator[None]:
    """Inside, bytes that are not UTF-8 are replaced by U+FFFD, with a warning (`MendedInput`) that names the lines."""
    before = _state["repairing"]
    _state["repairing"] = True
    try:
        yield
    finally:
        _state["repairing"] = before


@contextmanager
def reading_in(encoding: str) -> Iterator[None]:
    """Inside, files of text are in another encoding than UTF-8, of those in which line ends are as in ASCII."""
    codec = text_encoding(encoding)
    if codec is None:
        raise DataError(f"Unknown encoding {encoding!r}. Choose from latin-1, cp1252, gb18030, big5, …")
    if "\n".encode(codec) != b"\n":
        raise DataError(f"Text in {encoding} cannot be read line by line; make UTF-8 of it first: iconv -f {encoding}.")
    _encoding.append("" if codec == "utf-8" else encoding)
    try:
        yield
    finally:
        _encoding.pop()


def as_utf8(block: bytes, path: _Path) -> bytes:
    """A block of whole lines in UTF-8, whichever encoding is being read."""
    encoding = _encoding[-1]
    if not encoding:
        return block
    try:
        return block.decode(encoding).encode("utf-8")
    except UnicodeDecodeError as error:
        line = block[: error.start].count(b"\n") + 1
        raise FormatError(
            f"this is not {encoding}: {error.reason} (byte {block[error.start]:#04x}).", path=path, line=line
        ) from None


def decode_utf8(block: bytes, path: _Path, *, first_line: int = 1) -> str:
    """The text of a block of whole lines; `FormatError` names the first byte that is wrong."""
    try:
        return block.decode("utf-8")
    except UnicodeDecodeError as error:
        if _state["repairing"]:
            return _replaced(block, path, first_line)
        raise _refusal(block, error, path, first_line) from None


def repaired_utf8(block: bytes, path: _Path) -> bytes:
    """The bytes of a whole file, those that are not UTF-8 replaced if that was asked for."""
    if not _state["repairing"]:
        return block
    return decode_utf8(block, path).encode("utf-8")


def repaired_chunks(chunks: Iterator[bytes], path: _Path) -> Iterator[bytes]:
    """The chunks of an XML file as they are, or, if that was asked for, with bytes replaced that are not UTF-8.

    A file that declares another encoding, or is UTF-16, is left as it is.
    """
    first = next(chunks, b"")
    if not _state["repairing"] or first[:2] in (b"\xff\xfe", b"\xfe\xff") or _OTHER_ENCODING.match(first):
        yield from chain([first] if first else [], chunks)
        return
    line, rest = 1, b""
    for chunk in chain([first], chunks):
        whole, newline, rest = (rest + chunk).rpartition(b"\n")
        if newline:
            block = whole + newline
            yield decode_utf8(block, path, first_line=line).encode()
            line += block.count(b"\n")
    if rest:
        yield decode_utf8(rest, path, first_line=line).encode()


def _replaced(block: bytes, path: _Path, first_line: int) -> str:
    lines = block.split(b"\n")
    wrong = [number for number, line in enumerate(lines, start=first_line) if not _is_utf8(line)]
    rule = "bytes that are not UTF-8 were replaced by U+FFFD."
    warn(MendedInput.of_lines(rule, wrong, path=path), stacklevel=3)
    return block.decode("utf-8", "replace")


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _refusal(block: bytes, error: UnicodeDecodeError, path: _Path, first_line: int) -> FormatError:
    """A stray byte among good UTF-8 is told from a file in another encoding: that has no good sequences, or few."""
    line = first_line + block.count(b"\n", 0, error.start)
    column = error.start - (block.rfind(b"\n", 0, error.start) + 1) + 1
    where = f"byte {column} of the line (0x{block[error.start]:02X}) is not UTF-8"
    n_wrong = block.decode("utf-8", "replace").count(_MARK) - block.count(_MARK.encode())
    if len(_MULTIBYTE.findall(block)) <= n_wrong:
        advice = ". If the file is Latin-1, convert it with: iconv -f ISO-8859-1 -t UTF-8"
    else:
        others = f" and at {n_wrong - 1} other places" if n_wrong > 1 else ""
        advice = (
            f", though the text around it is: the file is damaged here{others}. Mend it, or replace what is damaged by "
            f"U+FFFD with: dragoman convert --repair"
        )
    return FormatError(where + advice, path=path, line=line)
