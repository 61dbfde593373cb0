"""XML with the places of its tags: checked by a parser that is safe, then read as text with offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple, cast
from xml.parsers import expat

from dragoman.cat.files.document import Document, Edit
from dragoman.data.xml import attribute, check_xml, content
from dragoman.errors import DataError, FormatError

__all__ = [
    "Element",
    "Token",
    "attributes_of",
    "check_fragment",
    "escape",
    "replaced",
    "set_attribute",
    "text_of",
    "tokens",
    "tree",
    "unescape",
    "xml_document",
]

_DEEPEST = 256  # tables in tables in text boxes
_DECLARATION = re.compile(rb"""^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._:-]+)["']""")
_TAG = re.compile(r"""<(/?)([^\s/>]+)(?:[^>"']++|"[^"]*+"|'[^']*+')*+>""")
_OTHER = re.compile(
    r"""(?P<comment><!--.*?-->)
    |(?P<cdata><!\[CDATA\[.*?\]\]>)
    |(?P<instruction><\?.*?\?>)
    |(?P<doctype><![A-Z](?:[^\[>"']++|"[^"]*+"|'[^']*+'|\[(?:[^\]"']++|"[^"]*+"|'[^']*+')*+\])*+>)""",
    re.DOTALL | re.VERBOSE,
)
_ATTRIBUTE = re.compile(r"""(?<=\s)(?P<name>[^\s=/>"']++)\s*+=\s*+(?P<value>"[^"]*+"|'[^']*+')""")
_REFERENCE = re.compile(r"&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(amp|lt|gt|quot|apos));")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}

Kind = Literal["start", "end", "empty", "text", "cdata", "comment", "instruction", "doctype"]


class Token(NamedTuple):
    """A piece of XML and its place. `tag` is that of a tag."""

    kind: Kind
    begin: int
    end: int
    tag: str = ""


@dataclass
class Element:
    """An element, its place, and where its content stands. Tags have no prefix if it is that of the root."""

    text: str = field(repr=False)  # of the whole document
    tag: str
    begin: int
    inner_begin: int
    inner_end: int = 0
    end: int = 0
    parent: Element | None = field(default=None, repr=False)
    children: list[Element] = field(default_factory=list, repr=False)
    prefix: str = ""  # of the root's name, with its colon

    @cached_property
    def attributes(self) -> dict[str, str]:
        """The attributes, resolved, with their prefixes."""
        return attributes_of(self.text[self.begin : self.inner_begin])

    @property
    def root(self) -> Element:
        """The outermost element."""
        return self if self.parent is None else self.parent.root

    @property
    def is_empty_tag(self) -> bool:
        """Whether it is written `<tag/>`."""
        return self.text[self.inner_begin - 2] == "/" and self.inner_begin == self.end

    @property
    def inner(self) -> str:
        """Its content as it stands."""
        return self.text[self.inner_begin : self.inner_end]

    def named(self, *tags: str) -> list[Element]:
        """Its children of these tags."""
        return [child for child in self.children if child.tag in tags]

    def first(self, tag: str) -> Element | None:
        """Its first child of this tag."""
        return next((child for child in self.children if child.tag == tag), None)

    def within(self, *tags: str) -> Iterator[Element]:
        """All elements of these tags inside it, in order; one inside another comes after it."""
        waiting = list(reversed(self.children))
        while waiting:
            element = waiting.pop()
            if element.tag in tags:
                yield element
            waiting += reversed(element.children)

    def inherited(self, name: str) -> str | None:
        """An attribute of it or of the nearest element around it."""
        element: Element | None = self
        while element is not None:
            if name in element.attributes:
                return element.attributes[name]
            element = element.parent
        return None

    def plain(self) -> str:
        """Its text without tags."""
        pieces = tokens(self.text, self.inner_begin, self.inner_end)
        return "".join(text_of(self.text, each) for each in pieces if each.kind in {"text", "cdata"})


def xml_document(data: bytes, name: str) -> Document:
    """An XML file as text: well-formed, without entities of its own."""
    declared = _DECLARATION.match(data[:400])
    document = Document.of(data, name, declared=declared[1].decode("ascii") if declared else None)
    check_xml(document.text[document.start :], name, max_depth=_DEEPEST)
    return document


def tokens(text: str, begin: int = 0, end: int | None = None) -> Iterator[Token]:
    """The tokens of well-formed XML."""
    end = len(text) if end is None else end
    while begin < end:
        place = text.find("<", begin, end)
        if place != begin:
            place = end if place < 0 else place
            yield Token("text", begin, place)
            begin = place
            continue
        match = (_OTHER if text[begin + 1 : begin + 2] in "!?" else _TAG).match(text, begin, end)
        if match is None:  # no parser gets here
            raise DataError(f"this is no XML: {text[begin : begin + 40]!r}")
        begin = match.end()
        if match.re is _OTHER:
            yield Token(cast(Kind, match.lastgroup), match.start(), begin)
        else:
            kind: Kind = "end" if match[1] else "empty" if text[begin - 2] == "/" else "start"
            yield Token(kind, match.start(), begin, match[2])


def tree(document: Document) -> Element:
    """The root of a document that `xml_document` has checked."""
    text, prefix = document.text, ""
    root: Element | None = None
    open_element: Element | None = None
    for token in tokens(text, document.start):
        if token.kind == "end" and open_element is not None:
            open_element.inner_end, open_element.end = token.begin, token.end
            open_element = open_element.parent
        elif token.kind in {"start", "empty"}:
            if root is None and ":" in token.tag:
                prefix = token.tag.partition(":")[0] + ":"
            tag = token.tag.removeprefix(prefix)
            element = Element(text, tag, token.begin, token.end, token.end, token.end, open_element, prefix=prefix)
            root = root or element
            if open_element is not None:
                open_element.children.append(element)
            if token.kind == "start":
                open_element = element
    if root is None:  # the parser has seen one
        raise FormatError("the document has no element.", path=document.name)
    return root


def attributes_of(tag: str) -> dict[str, str]:
    """The attributes of a start tag."""
    return {match["name"]: unescape(match["value"][1:-1]) for match in _ATTRIBUTE.finditer(tag)}


def set_attribute(element: Element, name: str, value: str) -> Edit:
    """The edit that gives an element's start tag an attribute."""
    for match in _ATTRIBUTE.finditer(element.text, element.begin, element.inner_begin):
        if match["name"] == name:
            return Edit(match.start("value"), match.end("value"), attribute(value))
    tag_end = element.begin + len(re.match(r"<[^\s/>]+", element.text[element.begin : element.inner_begin])[0])  # type: ignore[index]
    return Edit(tag_end, tag_end, f" {name}={attribute(value)}")


def replaced(element: Element, markup: str) -> list[Edit]:
    """The edits that give an element another content."""
    if not element.is_empty_tag:
        return [Edit(element.inner_begin, element.inner_end, markup)]
    tag = element.text[element.begin + 1 : element.end - 2].split()[0]
    slash = element.end - 2
    return [Edit(slash, element.end, f">{markup}</{tag}>")]


def text_of(text: str, token: Token) -> str:
    """What a piece of text or CDATA says."""
    piece = text[token.begin : token.end]
    return _lines(piece[9:-3]) if token.kind == "cdata" else unescape(_lines(piece))


def _lines(text: str) -> str:
    """A text whose line ends are those that an XML parser reports."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def unescape(text: str) -> str:
    """A text with its references resolved."""
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(reference: re.Match[str]) -> str:
    hexadecimal, decimal, name = reference.groups()
    if name:
        return _ENTITIES[name]
    return chr(int(hexadecimal, 16) if hexadecimal else int(decimal))


def escape(text: str, newline: str = "\n") -> str:
    """A text as XML content, with the line ends of its file."""
    escaped = content(text)
    return escaped.replace("\n", newline) if newline != "\n" else escaped


def check_fragment(markup: str, unit: str) -> None:
    """Refuse what would not be well-formed inside an element: its codes stand in the wrong order."""
    parser = expat.ParserCreate()
    try:
        parser.Parse(f"<x>{markup}</x>".encode(), True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise DataError(
            f"The codes in the target of {unit!r} stand in an order that XML cannot have: {reason}."
        ) from None
