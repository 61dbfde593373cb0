"""The SGM files of WMT before 2021 and of NIST: `srcset`, `refset`, `tstset`.

They look like XML and are none: tags in either case, attributes without quotation marks, bare `&` and `<` in the text.
Only the tags of the structure are read; `<p>`, `<hl>` and whatever else stands around the segments is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import fspath
from pathlib import Path
from typing import ClassVar, NamedTuple
from warnings import warn

from dragoman.data.formats.base import Format
from dragoman.data.formats.gather import (
    Gathered,
    Kind,
    Passage,
    check_replaceable,
    check_writable,
    document_labels,
    documents_or_one,
    empty_refs,
    ref_of_document,
)
from dragoman.data.testset import TestSet
from dragoman.errors import FormatError, MendedInput
from dragoman.files import StrPath, atomic_folder, open_writer, plain_name, read_text
from dragoman.text.entities import decode_entities

__all__ = ["SgmFormat"]

_KINDS: dict[str, Kind] = {"srcset": "source", "refset": "reference", "tstset": "system"}
_SUFFIXES = (".sgm", ".sgml")
_TAG = re.compile(
    # No attribute has a "<" in it: each part ends at the next one, so that a hostile file takes no longer than another.
    r"<!--"  # passed over with what follows, up to its end
    r"|<seg\b([^<>]*)>([^<]*)</seg\s*>"  # a segment without any markup: nearly all of them, so worth a way of its own
    r"|<(/?)(mteval|srcset|refset|tstset|doc|seg)\b([^<>]*)>",
    re.IGNORECASE | re.DOTALL,
)
_ID = re.compile(r'\s+id="([^"&]*)"\s*')
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_PADDING = " \t\r\n"
_PASSED_OVER = {
    "white space around segments": re.compile(r"<seg\b[^>]*>[ \t\r\n]|[ \t\r\n]</seg\s*>", re.IGNORECASE),
    "paragraphs": re.compile(r"</p\s*>\s*<p\b", re.IGNORECASE),  # one in a document is none
    "headlines": re.compile(r"<hl\b", re.IGNORECASE),
}
_AROUND = re.compile(r"</?(?:p|hl)\b", re.IGNORECASE)
_UNCLOSED = "a segment has no end (</seg>); it is taken to end where the next tag begins."
_LINE_BREAK = re.compile(r"(?<![ \t\r])[ \t\r]*+\n[ \t\r\n]*+")


@dataclass(frozen=True)
class SgmFormat(Format):
    """SGM as WMT used it until 2020: `srcset`, `refset` and `tstset` files, or a folder of them.

    Files with several references or systems are read whole, as are `mteval` files with all three sets inside. White
    space around a segment is not part of it, a line break inside it is a space, entities are resolved, a bare `&` is
    itself. A segment that is not closed ends where the next tag begins, with a warning. A path ending in `.sgm` is
    written as one file, any other as a folder with one file per set and system.
    """

    name: ClassVar[str] = "sgm"
    holds: ClassVar[type] = TestSet
    suffixes: ClassVar[tuple[str, ...]] = _SUFFIXES

    @classmethod
    def recognises(cls, path: StrPath) -> bool:
        """A `.sgm` file, or a folder with one in it."""
        return super().recognises(path) or (Path(path).is_dir() and bool(_sgm_files(Path(path))))

    def read(self, path: StrPath) -> TestSet:
        """One file, or all SGM files of a folder."""
        if not Path(path).is_dir():
            return self.read_files([path])
        files = _sgm_files(Path(path))
        if not files:
            raise FormatError("the folder has no .sgm file.", path=path)
        return self.read_files(files)

    def read_closed(self, path: StrPath) -> TestSet:
        """One file in which a segment without an end is an error."""
        return self.read_files([path], closed=True)

    def read_files(self, paths: Sequence[StrPath], *, closed: bool = False) -> TestSet:
        """Several files as one test set; they must agree on its name, its languages and its segments."""
        reader = _Reader()
        for path in paths:
            reader.read(path, closed=closed)
        source_lang, target_lang = reader.common.get("srclang"), reader.common.get("trglang")
        return reader.gathered.test_set(
            paths[0], name=reader.common.get("setid") or "", source_lang=source_lang, target_lang=target_lang
        )

    def passes_over(self, path: StrPath) -> list[str]:
        """White space around segments, and what stands around them."""
        files = _sgm_files(Path(path)) if Path(path).is_dir() else [path]
        texts = [read_text(file) for file in files]
        return [what for what, sign in _PASSED_OVER.items() if any(sign.search(text) for text in texts)]

    def write(self, value: TestSet, path: StrPath) -> None:
        """Write a file, or a folder with WMT's names: `SET-src.de.sgm`, `SET-ref.en.sgm`, `SET.de-en.SYSTEM.sgm`."""
        check_writable(value, self.name)
        writer = _Writer(value)
        if plain_name(path).lower().endswith(_SUFFIXES):
            sets = [*writer.source(), *writer.references(), *writer.systems(value.systems)]
            with open_writer(path) as stream:
                stream.write("".join(sets) if len(sets) == 1 else "<mteval>\n" + "".join(sets) + "</mteval>\n")
            return
        check_replaceable(path, lambda name: name.lower().endswith(_SUFFIXES))
        stem = (value.name or "testset").replace("/", "_")
        source, target = value.source_lang or "any", value.target_lang or "any"
        files = {
            f"{stem}-src.{source}.sgm": writer.source(),
            f"{stem}-ref.{target}.sgm": writer.references(),
            **{f"{stem}.{source}-{target}.{name}.sgm": writer.systems([name]) for name in value.systems},
        }
        with atomic_folder(path) as folder:
            for name, sets in files.items():
                if sets:
                    with open_writer(folder / name) as stream:
                        stream.write("".join(sets))

    def loses(self, value: TestSet) -> list[str]:
        """The target language of a source alone, and the name of a reference that translates nothing."""
        lost = ["target_lang"] if value.target_lang and not value.refs and not value.systems else []
        return lost + empty_refs(value)


def _sgm_files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if plain_name(file).lower().endswith(_SUFFIXES) and file.is_file())


class _Reader:
    """Reads files one after the other into one `Gathered`."""

    def __init__(self) -> None:
        self.gathered = Gathered()
        self.common: dict[str, str] = {}  # what all sets must agree on: setid, srclang, trglang
        self._said_by: dict[str, str] = {}  # the set that said it first
        self._path: StrPath = ""
        self._text = ""
        self._counted = (0, 1)  # a position in the text and its line
        self._unclosed: list[int] = []  # lines of segments without an end

    def read(self, path: StrPath, *, closed: bool = False) -> None:
        """Take in all sets of a file; `closed` refuses segments without an end."""
        self._path, self._text = path, read_text(path)
        self._counted, self._unclosed = (0, 1), []
        tags = self._tags()
        has_set = False
        for tag in tags:
            if tag.name == "mteval":
                continue
            if tag.name not in _KINDS or tag.closes:
                raise self._error(f"{tag} stands outside a srcset, refset or tstset", tag.start)
            self._set(tag, tags)
            has_set = True
        if not has_set:
            empty = "the file is empty" if not self._text.strip() else "there is no srcset, refset or tstset in it"
            raise FormatError(f"{empty}; is it an SGM file?", path=path)
        if self._unclosed and closed:
            raise FormatError("a segment has no end (</seg>).", path=path, line=self._unclosed[0])
        if self._unclosed:
            warn(MendedInput.of_lines(_UNCLOSED, self._unclosed, path=path), stacklevel=2)

    def _set(self, opening: _Tag, tags: Iterator[_Tag]) -> None:
        self._agree(opening)
        for tag in tags:
            if tag.name == "doc" and not tag.closes:
                self._doc(opening, tag, tags)
            elif tag.name == opening.name and tag.closes:
                return
            else:
                raise self._error(f"{tag} stands between the documents of a {opening.name}", tag.start)
        raise self._error(f"the {opening.name} that begins here has no end", opening.start)

    def _doc(self, opening_set: _Tag, opening: _Tag, tags: Iterator[_Tag]) -> None:
        doc = opening.attributes.get("docid")
        if not doc:
            raise self._error("the document has no docid", opening.start)
        segments: dict[str, str] = {}
        tag = next(tags, None)
        while tag is not None:
            after = None
            if tag.name == "seg" and not tag.closes:
                segment = tag.attributes.get("id")
                if not segment:
                    raise self._error(f"a segment of document {doc!r} has no id", tag.start)
                if segment in segments:
                    raise self._error(f"document {doc!r} has segment {segment} a second time", tag.start)
                segments[segment], after = (
                    (_cleaned(tag.text), None) if tag.text is not None else self._segment(tag, tags)
                )
            elif tag.name == "doc" and tag.closes:
                break
            else:
                raise self._error(f"{tag} stands inside document {doc!r}", tag.start)
            tag = after or next(tags, None)
        else:
            raise self._error(f"document {doc!r}, which begins here, has no end", opening.start)
        if not segments:
            raise self._error(f"document {doc!r} has no segments", opening.start)
        name = self._stream_name(opening_set, opening)
        self.gathered.add(_KINDS[opening_set.name], name, Passage(doc, segments, self._path, self._line(opening.start)))
        for label, store in (("genre", self.gathered.domains), ("origlang", self.gathered.origlangs)):
            if opening.attributes.get(label):
                store.setdefault(doc, opening.attributes[label])

    def _segment(self, opening: _Tag, tags: Iterator[_Tag]) -> tuple[str, _Tag | None]:
        """The text of a segment with markup in it, and the tag behind it if that is not its end."""
        closing = next(tags, None)
        if closing is not None and closing.name == "seg" and closing.closes:
            return _cleaned(self._text[opening.end : closing.start]), None
        self._unclosed.append(self._line(opening.start))
        text = self._text[opening.end : len(self._text) if closing is None else closing.start]
        return _cleaned(_AROUND.split(text, maxsplit=1)[0]), closing

    def _stream_name(self, opening_set: _Tag, opening: _Tag) -> str:
        if opening_set.name == "srcset":
            return ""
        attributes = {**opening_set.attributes, **opening.attributes}
        name = attributes.get("sysid") or (attributes.get("refid") or "ref" if opening_set.name == "refset" else "")
        if not name:
            raise self._error("neither the document nor its tstset has a sysid", opening.start)
        return name

    def _agree(self, opening: _Tag) -> None:
        attributes = opening.attributes
        values = {
            "setid": attributes.get("setid", ""),
            "srclang": _language(attributes.get("srclang")),
            "trglang": _language(attributes.get("trglang") or attributes.get("tgtlang")),
        }
        for key, value in values.items():
            if not value:
                continue
            if self.common.setdefault(key, value) != value:
                raise self._error(
                    f"{key} is {value!r} here and {self.common[key]!r} at {self._said_by[key]}", opening.start
                )
            self._said_by.setdefault(key, f"{fspath(self._path)}:{self._line(opening.start)}")

    def _tags(self) -> Iterator[_Tag]:
        at, last_end = 0, self._text.rfind("-->")
        while match := _TAG.search(self._text, at):
            at = match.end()
            if match[0] == "<!--":
                if at <= last_end:
                    at = self._text.index("-->", at) + len("-->")
                continue
            inside, text, slash, name, attributes = match.groups()
            if text is not None:
                plain = _ID.fullmatch(inside)
                values = {"id": plain[1]} if plain else _attributes(inside)
                yield _Tag("seg", False, values, match.start(), match.end(), text)
            elif name:
                yield _Tag(name.lower(), bool(slash), _attributes(attributes), match.start(), match.end())

    def _line(self, position: int) -> int:
        start, line = self._counted if self._counted[0] <= position else (0, 1)
        self._counted = (position, line + self._text.count("\n", start, position))
        return self._counted[1]

    def _error(self, message: str, position: int) -> FormatError:
        return FormatError(f"{message}.", path=self._path, line=self._line(position))


class _Tag(NamedTuple):
    name: str  # in lower case
    closes: bool
    attributes: dict[str, str]
    start: int
    end: int
    text: str | None = None  # of a whole segment

    def __str__(self) -> str:
        return f"<{'/' if self.closes else ''}{self.name}>"


def _attributes(text: str) -> dict[str, str]:
    return {
        match[1].lower(): decode_entities(next(value for value in match.groups()[1:] if value is not None))
        for match in _ATTRIBUTE.finditer(text)
    }


def _language(text: str | None) -> str:
    # WMT writes "any" where a set was translated from several languages.
    return "" if text is None or text.lower() == "any" else text.replace("_", "-")


def _cleaned(text: str) -> str:
    text = text.strip(_PADDING)
    return decode_entities(_LINE_BREAK.sub(" ", text) if "\n" in text else text)


class _Writer:
    """Lays a test set out as sets, each a string."""

    def __init__(self, test_set: TestSet) -> None:
        self._test_set = test_set
        self._documents = documents_or_one(test_set)
        self._domains = document_labels(test_set, "domains", SgmFormat.name)
        self._origlangs = document_labels(test_set, "origlangs", SgmFormat.name)

    def source(self) -> list[str]:
        """The `srcset`, if there is a source."""
        srcs = self._test_set.srcs
        if srcs is None:
            return []
        return [
            self._set("srcset", (self._doc(doc, None, srcs[s.start : s.stop]) for doc, s in self._documents.items()))
        ]

    def references(self) -> list[str]:
        """One `refset` with all references."""
        docs = [
            self._doc(doc, name, lines)
            for name in self._test_set.refs
            for doc, span in self._documents.items()
            if (lines := ref_of_document(self._test_set, name, doc, span, SgmFormat.name)) is not None
        ]
        return [self._set("refset", docs)] if docs else []

    def systems(self, names: Iterable[str]) -> list[str]:
        """One `tstset` with these systems."""
        docs = [
            self._doc(doc, name, self._test_set.systems[name][span.start : span.stop])
            for name in names
            for doc, span in self._documents.items()
        ]
        return [self._set("tstset", docs)] if docs else []

    def _set(self, kind: str, docs: Iterable[str]) -> str:
        languages = {"srclang": self._test_set.source_lang or "any"}
        if kind != "srcset":
            languages["trglang"] = self._test_set.target_lang or "any"
        head = _opening(kind, {"setid": self._test_set.name, **languages})
        return f"{head}\n{''.join(docs)}</{kind}>\n"

    def _doc(self, doc: str, system: str | None, lines: Sequence[str]) -> str:
        head = _opening(
            "doc",
            {"sysid": system, "docid": doc, "genre": self._domains.get(doc), "origlang": self._origlangs.get(doc)},
        )
        segments = "".join(f'<seg id="{i}">{_escaped(line)}</seg>\n' for i, line in enumerate(lines, start=1))
        return f"{head}\n<p>\n{segments}</p>\n</doc>\n"


def _opening(tag: str, attributes: Mapping[str, str | None]) -> str:
    values = {name: value for name, value in attributes.items() if value is not None}
    return f"<{tag}" + "".join(f' {name}="{_escaped(value)}"' for name, value in values.items()) + ">"


def _escaped(text: str) -> str:
    """Text that a reader gives back exactly: markup as entities, white space at the ends as character references."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    text = text.replace("\r", "&#13;").replace("\n", "&#10;")
    inner = text.strip(_PADDING)
    start = text.index(inner) if inner else len(text)
    before, after = text[:start], text[start + len(inner) :]
    return "".join(f"&#{ord(char)};" for char in before) + inner + "".join(f"&#{ord(char)};" for char in after)
