"""XML read as a stream of events, safely: no entities of the file's own, no network, bounded depth and size.

    for event in events("memory.tmx"):
        match event:
            case Start("seg", attributes, line): …
            case Text(text): …
            case End("seg"): …

Character references and the five entities of XML (`&amp;` …) are resolved. A DOCTYPE is allowed, because TMX files
carry one, but the DTD it points to is not fetched; a declaration of an entity, inside or outside, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple
from xml.parsers import expat

from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, open_binary
from dragoman.utf8 import repaired_chunks

__all__ = ["NOT_XML", "End", "Event", "Start", "Text", "attribute", "check_xml", "content", "events"]

MAX_DEPTH = 64  # elements inside each other; TMX and WMT files need fewer than ten
MAX_TEXT = 1 << 24  # characters between two tags
MAX_MARKUP = 1 << 20  # bytes of one tag, comment or processing instruction

_CHUNK = 1 << 16  # bytes given to the parser at a time
_INVALID_TOKEN = expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]
_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)[^#\s;&<]{1,64};")
# XML 1.0 §2.2: what cannot stand in a document, not even as a character reference.
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class Start(NamedTuple):
    """The start tag of an element."""

    tag: str
    attributes: dict[str, str]
    line: int


class End(NamedTuple):
    """The end tag of an element."""

    tag: str
    line: int


class Text(NamedTuple):
    """All the text between two tags, white space included; `line` is that of the tag before it."""

    text: str
    line: int


Event = Start | End | Text
_new = tuple.__new__  # what `Start(…)` comes to, without a call in between: a memory has tens of millions of events


def events(path: StrPath, *, max_depth: int = MAX_DEPTH, max_text: int = MAX_TEXT) -> Iterator[Event]:
    """The events of an XML file in constant memory. What is wrong with the file raises `FormatError` with its line."""
    parser = _Parser(path, max_depth=max_depth, max_text=max_text)
    with open_binary(path) as stream:
        for chunk in repaired_chunks(_chunks(stream), path):
            yield from parser.feed(chunk)
        yield from parser.finish()


def _chunks(stream: BinaryIO) -> Iterator[bytes]:
    while chunk := stream.read(_CHUNK):
        yield chunk


def check_xml(text: str, path: StrPath, *, max_depth: int = MAX_DEPTH) -> None:
    """Raise `FormatError` with the place unless a text is an XML document that `events` would read."""
    parser = _Parser(path, max_depth=max_depth, max_text=MAX_TEXT, encoding="utf-8")
    document = text.encode("utf-8", "surrogatepass")
    for begin in range(0, len(document), _CHUNK):
        parser.feed(document[begin : begin + _CHUNK])
    parser.finish()


def content(text: str) -> str:
    """`text` written as the content of an element: reading it gives exactly `text` again."""
    _check_characters(text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\r", "&#13;")  # a parser reads a bare CR as LF (XML 1.0 §2.11)


def attribute(text: str) -> str:
    """`text` written as the value of an attribute, with its quotation marks."""
    # A parser reads a bare tab or line break in an attribute as a space (XML 1.0 §3.3.3).
    value = content(text).replace('"', "&quot;").replace("\t", "&#9;").replace("\n", "&#10;")
    return f'"{value}"'


def _check_characters(text: str) -> None:
    matched = NOT_XML.search(text)
    if matched:
        raise DataError(
            f"XML cannot hold the character U+{ord(matched[0]):04X} in {text[max(0, matched.start() - 20) :][:40]!r}. "
            "Remove it, or write another format."
        )


class _Parser:
    """Expat with the doors shut: its events gathered in a list, its errors given path and line."""

    def __init__(self, path: StrPath, *, max_depth: int, max_text: int, encoding: str | None = None) -> None:
        self._path = path
        self._max_depth = max_depth
        self._max_text = max_text
        self._ready: list[Event] = []
        self._text: list[str] = []
        self._text_size = 0
        self._line = 0  # of the last tag
        self._depth = 0
        self._fed = 0  # bytes before the current chunk
        self._chunk = b""
        self._dtd_outside = False
        self._entity_seen = False  # something like &nbsp; stands somewhere in the file so far
        self._tail = b""
        expat_parser = expat.ParserCreate(encoding)  # whatever the document declares
        expat_parser.buffer_text = True
        # A default from a DTD would be repeated with every element: a megabyte there is a gigabyte here.
        expat_parser.specified_attributes = True
        expat_parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        expat_parser.StartElementHandler = self._start
        expat_parser.EndElementHandler = self._end
        expat_parser.CharacterDataHandler = self._characters
        expat_parser.StartDoctypeDeclHandler = self._doctype
        expat_parser.EntityDeclHandler = self._entity_declaration
        expat_parser.ExternalEntityRefHandler = self._external
        expat_parser.SkippedEntityHandler = self._skipped
        self._expat = expat_parser

    def feed(self, chunk: bytes) -> list[Event]:
        """The events that are complete after this chunk."""
        self._chunk = chunk
        if self._dtd_outside or self._depth == 0:
            plain = self._tail + chunk.replace(b"\0", b"")  # UTF-16 read as ASCII
            self._entity_seen = self._entity_seen or _ENTITY.search(plain) is not None
            self._tail = plain[-80:]
        self._parse(chunk, final=False)
        self._fed += len(chunk)
        if self._fed - self._expat.CurrentByteIndex > MAX_MARKUP + _CHUNK:
            raise self._error(f"a tag or comment of more than {MAX_MARKUP >> 20} MiB begins here")
        ready, self._ready = self._ready, []
        return ready

    def finish(self) -> list[Event]:
        """The last events; the document must be complete."""
        if self._fed == 0:
            raise FormatError("the file is empty; an XML document was expected.", path=self._path)
        self._parse(b"", final=True)
        return self._ready

    def _parse(self, chunk: bytes, *, final: bool) -> None:
        try:
            self._expat.Parse(chunk, final)
        except expat.ExpatError as error:
            raise FormatError(self._explain(error), path=self._path, line=error.lineno) from None
        except (LookupError, ValueError) as error:
            if isinstance(error, DataError):
                raise
            # Expat itself reads UTF-8, UTF-16, ASCII and Latin-1; Python lends it other single-byte encodings.
            raise self._error(f"the encoding it declares cannot be read ({error}). Convert it to UTF-8") from None

    def _explain(self, error: expat.ExpatError) -> str:
        place = max(0, self._expat.ErrorByteIndex - self._fed)
        byte = self._chunk[place : place + 1] if error.code == _INVALID_TOKEN else b""
        where = f"column {error.offset + 1}"
        if byte and re.search(rb"&[^\s;&<]*$", self._chunk[max(0, place - 80) : place]):
            return f"{where}: a bare & stands in the text; write it as &amp;."
        if byte and byte[0] < 0x20:
            return f"{where}: XML has no control character U+{byte[0]:04X}; remove it."
        if byte and byte[0] >= 0x80:
            return (
                f"{where}: byte 0x{byte[0]:02X} is not UTF-8. Convert the file, declare its encoding, or --repair it."
            )
        return f"{where}: not well-formed XML ({expat.ErrorString(error.code)})."

    def _error(self, message: str) -> FormatError:
        return FormatError(f"{message}.", path=self._path, line=self._expat.CurrentLineNumber)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._text:
            self._flush()
        self._depth += 1
        if self._depth > self._max_depth:
            raise self._error(f"elements are nested more than {self._max_depth} deep")
        if self._dtd_outside and self._entity_seen and attributes:
            self._check_attributes()
        self._line = line = self._expat.CurrentLineNumber
        self._ready.append(_new(Start, (tag, attributes, line)))

    def _end(self, tag: str) -> None:
        if self._text:
            self._flush()
        self._depth -= 1
        self._line = line = self._expat.CurrentLineNumber
        self._ready.append(_new(End, (tag, line)))

    def _characters(self, text: str) -> None:
        self._text.append(text)
        self._text_size += len(text)
        if self._text_size > self._max_text:
            raise self._error(f"text of more than {self._max_text:,} characters stands between two tags")

    def _flush(self) -> None:
        text = self._text[0] if len(self._text) == 1 else "".join(self._text)
        self._ready.append(_new(Text, (text, self._line)))
        self._text.clear()
        self._text_size = 0

    def _doctype(self, name: str, system: str | None, public: str | None, has_subset: int) -> None:  # noqa: ARG002
        # Expat then takes an unknown entity for one that the DTD declares, and leaves it out without a word.
        self._dtd_outside = system is not None or public is not None

    def _entity_declaration(self, name: str, *_: object) -> None:
        raise self._error(f"the file declares an entity {name!r}; for safety that is not read. Write its text out")

    def _external(self, *_: object) -> int:
        raise self._error("the file asks for another file; for safety that is not read")

    def _skipped(self, name: str, is_parameter: bool) -> None:
        if not is_parameter:
            raise self._undeclared(name)

    def _check_attributes(self) -> None:
        # Expat cannot report an entity left out of an attribute, so the tag's own bytes are looked at.
        context = (self._expat.GetInputContext() or b"").replace(b"\0", b"")
        tag = re.match(rb"""<(?:[^"'>]|"[^"]*"|'[^']*')*>""", context)
        matched = _ENTITY.search(tag[0]) if tag else None
        if matched:
            raise self._undeclared(matched[0][1:-1].decode("utf-8", "replace"))

    def _undeclared(self, name: str) -> FormatError:
        return self._error(f"the entity &{name}; is not one of XML's own five; write the character itself")
