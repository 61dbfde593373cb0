"""Formats that are zip archives of XML."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic

from dragoman.cat.files.base import FileFormat, Langs, S, changes
from dragoman.cat.files.document import Document, Edit
from dragoman.cat.files.markup import xml_document
from dragoman.cat.files.zips import Archive
from dragoman.cat.segments import Target, Unit
from dragoman.data.xml import NOT_XML

__all__ = ["ArchiveFormat"]


@dataclass(frozen=True)
class ArchiveFormat(FileFormat, Generic[S]):
    """A format whose files are archives: some of their parts have slots, all others are kept."""

    forbidden: ClassVar[re.Pattern[str] | None] = NOT_XML
    main: ClassVar[str]  # a part that every such file has
    what: ClassVar[str]  # such a file is, with its article
    macros: ClassVar[tuple[str, ...]]  # a part whose name has one of these is, or has, a macro

    def units(self, content: bytes, *, name: str = "file") -> list[Unit]:
        """The units of all parts."""
        return [slot.unit for _, slots in self.documents(self.archive(content, name)) for slot in slots]

    def fill(
        self,
        content: bytes,
        targets: Mapping[str, Target],
        *,
        langs: Langs | None = None,  # noqa: ARG002 - the contract
        name: str = "file",
    ) -> bytes:
        """The archive with new parts for those that a target changes."""
        archive = self.archive(content, name)
        documents = self.documents(archive)
        changed = changes((slot.unit for _, slots in documents for slot in slots), targets, name)
        parts = {}
        for document, slots in documents:
            edits = self.edits(document, [slot for slot in slots if slot.unit.key in changed], changed)
            if edits:
                parts[document.name.removeprefix(f"{name}/")] = document.spliced(edits, escaped=True)
        return archive.replaced(parts) if parts else content

    def archive(self, content: bytes, name: str) -> Archive:
        """The file, checked to be one of these and without macros."""
        archive = Archive.of(content, name)
        names = archive.names()
        if any(macro in each for each in names for macro in self.macros):
            raise archive.error(f"it has macros. Remove them, and save it again as {self.suffixes[0]}")
        if self.main not in names:
            raise archive.error(f"it is not {self.what}: it has no {self.main}")
        return archive

    @abstractmethod
    def documents(self, archive: Archive) -> Sequence[tuple[Document, Sequence[S]]]:
        """The parts that have text, with their slots."""

    @abstractmethod
    def edits(self, document: Document, slots: Sequence[S], targets: Mapping[str, Target]) -> Sequence[Edit]:
        """What puts targets into the slots of a part."""

    def part(self, archive: Archive, name: str) -> Document:
        """A part as XML."""
        return xml_document(archive.read(name), f"{archive.name}/{name}")
