"""What a file format is, and which there are."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from dragoman.cat.files.document import Document, Edit, check_size
from dragoman.cat.files.inline import misfit
from dragoman.cat.segments import Target, Unit, plain
from dragoman.errors import DataError, DragomanError, UnknownName
from dragoman.files import plain_name
from dragoman.options import option
from dragoman.registry import Registry
from dragoman.text.languages import base_language

__all__ = [
    "FILE_FORMATS",
    "FileFormat",
    "Langs",
    "PlainFormat",
    "S",
    "Slot",
    "TextFormat",
    "changes",
    "check_languages",
    "format_of",
]

Langs = tuple[str, str]  # of the source and of the target

_NAMED = 5  # units in one error
_NEAR = 20  # characters before one that is named


@dataclass(frozen=True)
class FileFormat(ABC):
    """A format of documents: what of a file is for translation, and how the file is written with its translations.

    The file itself is kept by the caller. `fill` puts targets into its bytes and leaves every other byte as it is.
    """

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]  # of file names, lower case; the first is the usual one
    bilingual: ClassVar[bool] = False  # the file has sources and targets; otherwise targets take the sources' place
    forbidden: ClassVar[re.Pattern[str] | None] = None  # characters that no such file can have

    @abstractmethod
    def units(self, content: bytes, *, name: str = "file") -> list[Unit]:
        """What the file has for translation, in its order; a wrong file raises `FormatError` with the place."""

    @abstractmethod
    def fill(
        self, content: bytes, targets: Mapping[str, Target], *, langs: Langs | None = None, name: str = "file"
    ) -> bytes:
        """The file with these targets of its units, by key; units without one stay as they are.

        A target that the unit has already changes nothing, and an empty one is none where the file has none. Unknown
        keys, units that are not to be translated and codes that do not fit raise `DataError`.
        """

    def refused_character(self, source: str, target: str) -> str:
        """Why a target cannot be in such a file for a character that its source has not; empty if it can."""
        found = () if self.forbidden is None else self.forbidden.finditer(target)
        place = next((match.start() for match in found if match[0] not in source), None)
        if place is None:
            return ""
        before = plain(target[:place])[-_NEAR:]
        return f"it has a character that such a file cannot have, U+{ord(target[place]):04X} after {before!r}"

    def languages(self, content: bytes, *, name: str = "file") -> Langs:  # noqa: ARG002 - for formats that tell
        """The languages of sources and targets that the file itself tells, empty where it does not."""
        return "", ""

    def for_languages(self, content: bytes, langs: Langs, *, name: str = "file") -> FileFormat:  # noqa: ARG002
        """The format with the options that work in these languages needs, where the file has several."""
        return self

    def charset(self, content: bytes, *, name: str = "file") -> str:  # noqa: ARG002 - for formats that have one
        """The encoding that limits which characters the file can have; empty if it can have all."""
        return ""

    def encoding_of(self, content: bytes, *, name: str = "file") -> str:  # noqa: ARG002 - for formats that are text
        """The encoding that the file is read in; empty if the format is not text."""
        return ""

    def is_available(self) -> bool:
        """Whether what the format needs is installed, and knows it; asked where a suffix is nobody's."""
        return True

    def recognises(self, content: bytes) -> bool:  # noqa: ARG002 - for formats that share a suffix
        """Whether the content may be of this format; asked where several formats have the same suffix."""
        return True


def changes(listed: Iterable[Unit], targets: Mapping[str, Target], name: str) -> dict[str, Target]:
    """The targets that change a file; those that it cannot take raise one error that names their units."""
    units = {unit.key: unit for unit in listed}
    unknown = [key for key in targets if key not in units]
    if unknown:
        raise DataError(f"{name} has no unit {_listed(unknown)}. Fill the file that the units were read from.")
    changed = {
        key: target
        for key, target in targets.items()
        if (target.text or units[key].target) and (target.text, target.state) != (units[key].target, units[key].state)
    }
    locked = [key for key in changed if not units[key].translate]
    if locked:
        raise DataError(f"{name}: the unit {_listed(locked)} is marked as not to be translated, and has a target.")
    reasons = {key: misfit(target.text, units[key].codes) for key, target in changed.items()}
    wrong = [f"{key!r}: {reason}" for key, reason in reasons.items() if reason]
    if wrong:
        more = f" {len(wrong) - _NAMED} further targets do not fit either." if len(wrong) > _NAMED else ""
        raise DataError(f"{name}: the target does not fit its unit {'; '.join(wrong[:_NAMED])}.{more}")
    return changed


def _listed(keys: Sequence[str]) -> str:
    return ", ".join(map(repr, keys[:_NAMED])) + (f" and {len(keys) - _NAMED} more" if len(keys) > _NAMED else "")


@dataclass(frozen=True)
class Slot:
    """A unit, and where its target goes."""

    unit: Unit
    begin: int
    end: int


S = TypeVar("S", bound=Slot)  # what a format knows of a place


@dataclass(frozen=True)
class TextFormat(FileFormat, Generic[S]):
    """A format whose files are text: it finds the slots of a document and says what an edit of one is."""

    escaped: ClassVar[bool] = False  # characters that the encoding lacks are written as &#…;

    def units(self, content: bytes, *, name: str = "file") -> list[Unit]:
        """The units of the document's slots."""
        return [slot.unit for slot in self.slots(self.document(content, name))]

    def charset(self, content: bytes, *, name: str = "file") -> str:
        """The file's encoding, if it is not Unicode's and characters that it lacks cannot be escaped."""
        encoding = "" if self.escaped else self.document(content, name).encoding
        return "" if encoding.startswith("utf-") else encoding

    def document(self, content: bytes, name: str) -> Document:
        """The file as text, checked."""
        return Document.of(content, name)

    def fill(
        self, content: bytes, targets: Mapping[str, Target], *, langs: Langs | None = None, name: str = "file"
    ) -> bytes:
        """The text with the edits of all targets that are new."""
        document = self.document(content, name)
        slots = self.slots(document)
        changed = changes((slot.unit for slot in slots), targets, name)
        edits = self.all_edits(document, slots, changed, langs) if changed else ()
        return self.spliced(document, edits) if edits else content

    def spliced(self, document: Document, edits: Sequence[Edit]) -> bytes:
        """The bytes of a document with edits."""
        return document.spliced(edits, escaped=self.escaped)

    def encoding_of(self, content: bytes, *, name: str = "file") -> str:
        """The encoding that the file is read in."""
        return self.document(content, name).encoding

    @abstractmethod
    def slots(self, document: Document) -> Sequence[S]:
        """The units with their places, in order."""

    @abstractmethod
    def edits(self, document: Document, slot: S, target: Target) -> Iterable[Edit]:
        """What puts a target, which is new, into its slot."""

    def all_edits(
        self,
        document: Document,
        slots: Sequence[S],
        targets: Mapping[str, Target],
        langs: Langs | None,  # noqa: ARG002 - for subclasses
    ) -> Sequence[Edit]:
        """What puts targets into their slots, where it is not one after the other."""
        filled = [slot for slot in slots if slot.unit.key in targets]
        return [edit for slot in filled for edit in self.edits(document, slot, targets[slot.unit.key])]


@dataclass(frozen=True)
class PlainFormat(TextFormat[S]):
    """A format whose files cannot say which encoding they are in."""

    encoding: str = option(
        "", text="Encoding of the file (`cp1252`, `shift_jis`); UTF-8 or, with a mark, UTF-16 if empty."
    )

    def document(self, content: bytes, name: str) -> Document:
        """The file in this encoding."""
        return Document.of(content, name, declared=self.encoding or None)


class Keys:
    """Names that are unique in a file: the second `a` becomes `a#2`."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def unique(self, key: str) -> str:
        """The key, numbered if it was there before."""
        while True:
            self._seen[key] += 1
            if self._seen[key] == 1:
                return key
            key = f"{key}#{self._seen[key]}"


FILE_FORMATS: Registry[FileFormat] = Registry(
    "file format",
    {
        "csv": "dragoman.cat.files.tables:Csv",
        "docx": "dragoman.cat.files.docx:Docx",
        "html": "dragoman.cat.files.html:Html",
        "json": "dragoman.cat.files.json_strings:JsonStrings",
        "markdown": "dragoman.cat.files.markdown:Markdown",
        "odt": "dragoman.cat.files.odt:Odt",
        "po": "dragoman.cat.files.po:Po",
        "properties": "dragoman.cat.files.properties:Properties",
        "srt": "dragoman.cat.files.subtitles:SubRip",
        "text": "dragoman.cat.files.text:PlainText",
        "tmx": "dragoman.cat.files.tmx:Tmx",
        "toolkit": "dragoman.cat.files.toolkit:Toolkit",
        "tsv": "dragoman.cat.files.tables:Tsv",
        "vtt": "dragoman.cat.files.subtitles:WebVtt",
        "xliff": "dragoman.cat.files.xliff1:Xliff1",
        "xliff2": "dragoman.cat.files.xliff2:Xliff2",
        "xlsx": "dragoman.cat.files.xlsx:Xlsx",
        "yaml": "dragoman.cat.files.yaml_strings:YamlStrings",
    },
)


def check_languages(form: FileFormat, content: bytes, langs: Langs, *, name: str = "file") -> None:
    """Raise if a file says that it is of other languages than the work is; regions may differ."""
    told = form.languages(content, name=name)
    for what, found, wanted in zip(("sources", "targets"), told, langs, strict=True):
        if found and _base(found) != _base(wanted):
            raise DataError(
                f"{name} says that its {what} are in {found!r}, the work is from {langs[0]} to {langs[1]}. Choose the "
                "file's languages, or correct the file."
            )


def _base(tag: str) -> str:
    """The language of a tag, or the tag where it is none."""
    try:
        return base_language(tag)
    except DragomanError:
        return tag.lower()


_REFUSED = {
    ".docm": "has macros, which are not kept safe here. Save it as .docx",
    ".dotm": "has macros, which are not kept safe here. Save it as .docx",
    ".xlsm": "has macros, which are not kept safe here. Save it as .xlsx",
    ".doc": "is of the old Word format. Save it as .docx",
    ".xls": "is of the old Excel format. Save it as .xlsx",
}


def format_of(name: str, content: bytes, langs: Langs | None = None) -> FileFormat:
    """The format of a file by its name and, where several have the suffix, its content.

    With `langs`, those of the work, columns and segments in these languages are chosen where the file has others, too.
    What no format knows, translate-toolkit may, if it is installed.
    """
    check_size(content, name)
    lower = plain_name(name).lower()
    refused = next((reason for suffix, reason in _REFUSED.items() if lower.endswith(suffix)), None)
    if refused:
        raise DataError(f"{name} {refused}.")
    formats = [FILE_FORMATS.get(each) for each in FILE_FORMATS.names()]
    by_suffix = [cls() for cls in formats if lower.endswith(cls.suffixes)]
    by_suffix = by_suffix or _by_toolkit(Path(lower).suffix)
    if not by_suffix:
        suffixes = sorted({suffix for cls in formats for suffix in cls.suffixes})
        raise UnknownName(
            f"No file format is known for {name}. Known are files that end in {', '.join(suffixes)}. More are read "
            'where translate-toolkit is installed: pip install "dragoman[toolkit]"'
        )
    form = next((each for each in by_suffix if each.recognises(content)), None)
    if form is None:
        names = " or ".join(each.name for each in by_suffix)
        raise DataError(f"{name} has the suffix of {names}, but not the content.")
    return form.for_languages(content, langs, name=name) if langs else form


def _by_toolkit(suffix: str) -> list[FileFormat]:
    toolkit: Any = FILE_FORMATS.get("toolkit")
    form: FileFormat = toolkit(suffix=suffix)
    return [form] if suffix and form.is_available() else []
