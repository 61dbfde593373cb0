"""Further formats, through translate-toolkit where it is installed (it is under the GPL)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.cat.files.base import FileFormat, Langs, changes
from dragoman.cat.files.document import check_size
from dragoman.cat.files.inline import CodeTable, written
from dragoman.cat.files.messages import BRACES, PRINTF, TAGS, message_text
from dragoman.cat.segments import State, Target, Unit
from dragoman.data.xml import NOT_XML
from dragoman.errors import DataError, FormatError, NotAvailable
from dragoman.options import option

__all__ = ["Toolkit"]

_PATTERNS = (PRINTF, BRACES, TAGS)


@dataclass(frozen=True)
class Toolkit(FileFormat):
    """What translate-toolkit reads, by its suffix (`toolkit:suffix=.ts` for Qt, `.resx`, `.strings`, `.mo` …).

    The file is written anew by the toolkit: its content is kept, its layout as far as the toolkit keeps it.
    """

    name: ClassVar[str] = "toolkit"
    suffixes: ClassVar[tuple[str, ...]] = ()
    bilingual: ClassVar[bool] = True
    forbidden: ClassVar[re.Pattern[str] | None] = NOT_XML
    suffix: str = option(".ts", text="The suffix by which the toolkit knows the format.")

    def is_available(self) -> bool:
        """Whether the toolkit is installed and knows the suffix."""
        try:
            self._reader()
        except (DataError, NotAvailable):
            return False
        return True

    def units(self, content: bytes, *, name: str = "file") -> list[Unit]:
        """The units that the toolkit calls translatable; a plural has one for each form."""
        return [unit for _, unit, _ in _units(self._store(content, name))]

    def fill(
        self, content: bytes, targets: Mapping[str, Target], *, langs: Langs | None = None, name: str = "file"
    ) -> bytes:
        """The file as the toolkit writes it with these targets; without new ones as it is."""
        store = self._store(content, name)
        changed = changes((unit for _, unit, _ in _units(store)), targets, name)
        if not changed:
            return content
        if langs and not store.gettargetlanguage():
            store.settargetlanguage(langs[1])
        for entry, unit, place in list(_units(store)):
            target = changed.get(unit.key)
            if target is not None:
                text = written(target.text, unit.codes)
                forms = list(entry.target.strings) if entry.hasplural() and entry.target else [""] * (place + 1)
                forms = [*forms, *[""] * (place + 1 - len(forms))]
                forms[place] = text
                try:
                    entry.target = forms if entry.hasplural() else text
                except ValueError as error:  # of its XML, which takes no control characters
                    raise FormatError(f"translate-toolkit cannot write {text[:40]!r}: {error}.", path=name) from None
                entry.markfuzzy(target.state in {"draft", "rejected"})
        return _bytes(store, name)

    def encoding_of(self, content: bytes, *, name: str = "file") -> str:
        """The encoding in which the toolkit reads the file."""
        return str(self._store(content, name).encoding or "").lower()

    def _store(self, content: bytes, name: str) -> Any:
        check_size(content, name)
        reader = self._reader()
        try:
            return reader.parsestring(content)
        except Exception as error:  # each of its parsers has its own
            reason = " ".join(str(error).split())[:200]
            raise FormatError(f"translate-toolkit cannot read this as {self.suffix}: {reason}.", path=name) from None

    def _reader(self) -> Any:
        try:
            from translate.storage import factory
        except ImportError:
            raise NotAvailable.package("This format", package="translate-toolkit", extra="toolkit") from None
        getclass: Any = factory.getclass
        try:
            return getclass(f"file{self.suffix}")
        except ValueError:
            raise DataError(f"translate-toolkit knows no format with the suffix {self.suffix!r}.") from None
        except ImportError as error:  # some of its formats need packages that it does not bring
            raise NotAvailable(
                f"translate-toolkit needs the package {error.name} for files that end in {self.suffix}. "
                f"Install it with: pip install {error.name}"
            ) from None


def _bytes(store: Any, name: str) -> bytes:
    """The file in its encoding; XML whose encoding lacks a character in UTF-8, as its declaration then says."""
    try:
        return bytes(store)
    except UnicodeEncodeError as error:
        char, encoding = error.object[error.start], store.encoding
    if isinstance(store, _xml_stores()):
        store.encoding = "utf-8"
        return bytes(store)
    raise FormatError(
        f"the file is in {encoding}, which has no {char!r} (U+{ord(char):04X}). Convert it to UTF-8 before it is "
        "translated.",
        path=name,
    )


def _xml_stores() -> Any:
    from translate.storage.lisa import LISAfile

    return LISAfile


def _units(store: Any) -> Iterator[tuple[Any, Unit, int]]:
    for number, entry in enumerate(store.units, start=1):
        if not entry.istranslatable() or entry.isheader():
            continue
        sources = list(entry.source.strings) if entry.hasplural() else [str(entry.source)]
        targets = list(entry.target.strings) if entry.hasplural() and entry.target else [str(entry.target or "")]
        for place in range(max(len(sources), len(targets)) if entry.hasplural() else 1):
            table = CodeTable()
            text = message_text(sources[min(place, len(sources) - 1)], table, _PATTERNS)
            target = message_text(targets[place] if place < len(targets) else "", table, _PATTERNS) or None
            state: State = "new" if target is None else "draft" if entry.isfuzzy() else "translated"
            key = f"{number}[{place}]" if entry.hasplural() else str(number)
            note = (entry.getnotes() or "").strip()
            yield entry, Unit(key, text, tuple(table.codes), target, state, note, cut=False), place
