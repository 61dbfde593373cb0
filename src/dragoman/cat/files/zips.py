"""Zip archives from people who may mean harm, and archives written again with some of their entries replaced."""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from dragoman.cat.files.document import MOST_BYTES, check_size
from dragoman.errors import FormatError

__all__ = ["MOST_ENTRIES", "MOST_UNPACKED", "ZIP_FAULTS", "Archive"]

MOST_ENTRIES = 10_000
MOST_UNPACKED = 256 << 20  # bytes of all entries
# What Python says of archives that are damaged, encrypted or packed in ways that it does not know.
ZIP_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    OSError,
    RuntimeError,
    NotImplementedError,
    EOFError,
    ValueError,
)
_MOST_RATIO = 200  # unpacked to packed; text packs to a tenth, a bomb to a thousandth
_SMALL = 1 << 20  # bytes, of an entry that may pack as well as it likes


@dataclass(frozen=True)
class Archive:
    """A zip archive in memory, checked before anything of it is unpacked."""

    content: bytes
    name: str

    @classmethod
    def of(cls, content: bytes, name: str, *, most_bytes: int = MOST_BYTES) -> Archive:
        """The archive, if it is one and of a size that can be worked with."""
        check_size(content, name, most_bytes)
        archive = cls(content, name)
        entries = archive._zip.infolist()
        size = sum(entry.file_size for entry in entries)
        if len(entries) > MOST_ENTRIES or size > MOST_UNPACKED:
            raise archive.error(
                f"it unpacks to {len(entries):,} files of {size:,} bytes; up to {MOST_ENTRIES:,} files of "
                f"{MOST_UNPACKED:,} bytes are taken"
            )
        for entry in entries:
            if entry.file_size > max(_SMALL, _MOST_RATIO * entry.compress_size):
                raise archive.error(
                    f"{entry.filename!r} unpacks to {entry.file_size // max(1, entry.compress_size):,} "
                    "times its size, as only an archive made to do harm does"
                )
            if entry.flag_bits & 1:
                raise archive.error("it is encrypted. Save it without a password")
        return archive

    @cached_property
    def _zip(self) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(io.BytesIO(self.content))
        except ZIP_FAULTS:
            raise self.error("it is no zip archive, or a damaged one") from None

    def error(self, reason: str) -> FormatError:
        """An error of this file."""
        return FormatError(f"{reason}.", path=self.name)

    def names(self) -> list[str]:
        """The names of its entries, in order."""
        return self._zip.namelist()

    def read(self, entry: str) -> bytes:
        """The content of an entry."""
        try:
            info = self._zip.getinfo(entry)
            with self._zip.open(info) as stream:
                content = stream.read(info.file_size + 1)  # what an entry says of its size is not to be trusted
        except KeyError:
            raise self.error(f"it has no entry {entry!r}") from None
        except ZIP_FAULTS:
            raise self.error(f"its entry {entry!r} is damaged") from None
        if len(content) > info.file_size:
            raise self.error(f"its entry {entry!r} is larger than it says")
        return content

    def replaced(self, entries: Mapping[str, bytes]) -> bytes:
        """The archive with the content of these entries, all others and their order as they are."""
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as copy:
            copy.comment = self._zip.comment
            for info in self._zip.infolist():
                kept = zipfile.ZipInfo(info.filename, info.date_time)
                kept.compress_type = info.compress_type
                kept.external_attr, kept.create_system, kept.comment = (
                    info.external_attr,
                    info.create_system,
                    info.comment,
                )
                content = entries[info.filename] if info.filename in entries else self.read(info.filename)
                copy.writestr(kept, content)
        return stream.getvalue()
