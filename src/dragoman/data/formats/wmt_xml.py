"""The XML test sets of WMT since 2021, as the wmt-format-tools read and write them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NoReturn, TextIO

from dragoman.data import xml
from dragoman.data.formats.base import Format
from dragoman.data.formats.gather import (
    Gathered,
    Kind,
    Passage,
    check_writable,
    document_labels,
    documents_or_one,
    empty_refs,
    ref_of_document,
)
from dragoman.data.testset import TestSet
from dragoman.data.xml import End, Event, Start, Text
from dragoman.errors import FormatError
from dragoman.files import StrPath, open_writer

__all__ = ["WmtXmlFormat"]

_STREAMS: dict[str, Kind] = {"src": "source", "ref": "reference", "hyp": "system"}


@dataclass(frozen=True)
class WmtXmlFormat(Format):
    """XML as WMT has used it since 2021: documents with their source, references by translator and systems' output.

    A reference may be absent from whole documents; a segment missing or doubled inside a document is an error, as is a
    system that lacks a document. Collections are seen through; paragraphs and supplemental texts are passed over. A
    reference without a translator is called `ref`. The text of a segment is taken as it stands.
    """

    name: ClassVar[str] = "wmt-xml"
    holds: ClassVar[type] = TestSet
    suffixes: ClassVar[tuple[str, ...]] = (".xml",)

    def read(self, path: StrPath) -> TestSet:
        """The data set of the file."""
        return _Reader(path).read()

    def passes_over(self, path: StrPath) -> list[str]:
        """Collections, paragraphs and supplemental texts."""
        reader = _Reader(path)
        reader.read()
        return list(reader.passed_over)

    def write(self, value: TestSet, path: StrPath) -> None:
        """One `dataset` with a `doc` per document; segments are numbered anew in each."""
        check_writable(value, self.name)
        domains = document_labels(value, "domains", self.name)
        origlangs = document_labels(value, "origlangs", self.name)
        with open_writer(path) as stream:
            stream.write("<?xml version='1.0' encoding='utf-8'?>\n")
            stream.write(f"<dataset id={xml.attribute(value.name)}>\n")
            for doc, span in documents_or_one(value).items():
                stream.write(f"  <doc{_attributes(origlang=origlangs.get(doc), id=doc, domain=domains.get(doc))}>\n")
                if value.srcs is not None:
                    _write_stream(stream, "src", {"lang": value.source_lang}, value.srcs[span.start : span.stop])
                for name in value.refs:
                    lines = ref_of_document(value, name, doc, span, self.name)
                    if lines is not None:
                        _write_stream(stream, "ref", {"lang": value.target_lang, "translator": name}, lines)
                for name, hyps in value.systems.items():
                    head = {"system": name, "lang": value.target_lang}
                    _write_stream(stream, "hyp", head, hyps[span.start : span.stop])
                stream.write("  </doc>\n")
            stream.write("</dataset>\n")

    def loses(self, value: TestSet) -> list[str]:
        """A language that no stream carries, and the name of a reference that translates nothing."""
        lost = ["source_lang"] if value.source_lang and value.srcs is None else []
        if value.target_lang and not value.systems and all(set(lines) == {None} for lines in value.refs.values()):
            lost.append("target_lang")
        return lost + empty_refs(value)


def _attributes(**values: str | None) -> str:
    return "".join(f" {name}={xml.attribute(value)}" for name, value in values.items() if value is not None)


def _write_stream(stream: TextIO, tag: str, attributes: dict[str, str | None], lines: Sequence[str]) -> None:
    stream.write(f"    <{tag}{_attributes(**attributes)}>\n      <p>\n")
    for number, line in enumerate(lines, start=1):
        stream.write(f'        <seg id="{number}">{xml.content(line)}</seg>\n')
    stream.write(f"      </p>\n    </{tag}>\n")


class _Reader:
    """Goes through the events of one file; a method per element."""

    def __init__(self, path: StrPath) -> None:
        self._path = path
        self._events: Iterator[Event] = xml.events(path)
        self._gathered = Gathered()
        self._documents: dict[str, int] = {}  # id → line
        self._languages: dict[str, str] = {}  # "source" or "target" → language
        self.passed_over: dict[str, None] = {}  # in the order in which it came up

    def read(self) -> TestSet:
        root = next(self._events)
        if not isinstance(root, Start) or root.tag != "dataset":
            self._fail(f"the outermost element is <{root[0]}>, not <dataset>: this is no WMT test set", root.line)
        for event in self._inside("dataset"):
            if event.tag == "collection":
                self.passed_over["collections"] = None
                for document in self._inside("collection"):
                    self._doc(document)
            else:
                self._doc(event)
        return self._gathered.test_set(
            self._path,
            name=root.attributes.get("id", ""),
            source_lang=self._languages.get("source"),
            target_lang=self._languages.get("target"),
        )

    def _doc(self, start: Start) -> None:
        if start.tag != "doc":
            self._fail(f"<{start.tag}> stands where a <doc> should", start.line)
        doc = start.attributes.get("id", "")
        if not doc:
            self._fail("the document has no id", start.line)
        if doc in self._documents:
            self._fail(f"document {doc!r} is there a second time, first on line {self._documents[doc]}", start.line)
        self._documents[doc] = start.line
        for label, store in (("domain", self._gathered.domains), ("origlang", self._gathered.origlangs)):
            if start.attributes.get(label):
                store[doc] = start.attributes[label]
        for event in self._inside("doc"):
            if event.tag == "supplemental":
                self.passed_over["supplemental texts"] = None
                self._skip()
            elif event.tag in _STREAMS:
                self._stream(doc, event)
            else:
                self._fail(f"<{event.tag}> stands inside document {doc!r}", event.line)

    def _stream(self, doc: str, start: Start) -> None:
        kind = _STREAMS[start.tag]
        name = {"src": "", "ref": start.attributes.get("translator") or "ref", "hyp": start.attributes.get("system")}[
            start.tag
        ]
        if name is None:
            self._fail(f"a <hyp> of document {doc!r} does not name its system", start.line)
        # The schema says `lang`; wmt-wrap writes `language`.
        self._language(kind, start.attributes.get("lang") or start.attributes.get("language"), start.line)
        segments: dict[str, str] = {}
        for event in self._inside(start.tag):
            if event.tag == "p":
                if segments:  # one in a document is none
                    self.passed_over["paragraphs"] = None
                for inner in self._inside("p"):
                    self._segment(doc, inner, segments)
            else:
                self._segment(doc, event, segments)
        if not segments:
            self._fail(f"<{start.tag}> of document {doc!r} has no segments", start.line)
        self._gathered.add(kind, name, Passage(doc, segments, self._path, start.line))

    def _segment(self, doc: str, start: Start, segments: dict[str, str]) -> None:
        if start.tag != "seg":
            self._fail(f"<{start.tag}> stands where a <seg> should", start.line)
        segment = start.attributes.get("id", "")
        if not segment:
            self._fail(f"a segment of document {doc!r} has no id", start.line)
        if segment in segments:
            self._fail(f"document {doc!r} has segment {segment} a second time", start.line)
        event = next(self._events)
        text = ""
        if isinstance(event, Text):
            text, event = event.text, next(self._events)
        if not isinstance(event, End):
            self._fail(f"an element stands inside segment {segment} of document {doc!r}", event.line)
        segments[segment] = text

    def _inside(self, tag: str) -> Iterator[Start]:
        """The elements directly inside the one that has just begun, up to its end; each must be read to its own end."""
        for event in self._events:
            if isinstance(event, End):
                return
            if isinstance(event, Start):
                yield event
            elif text := event.text.lstrip():
                line = event.line + event.text.removesuffix(text).count("\n")
                self._fail(f"text stands in <{tag}> outside a segment: {text.rstrip()[:40]!r}", line)

    def _skip(self) -> None:
        depth = 1
        while depth:
            event = next(self._events)
            depth += isinstance(event, Start) - isinstance(event, End)

    def _language(self, kind: Kind, language: str | None, line: int) -> None:
        side = "source" if kind == "source" else "target"
        if language and self._languages.setdefault(side, language) != language:
            self._fail(f"the {side} is in {language!r} here and in {self._languages[side]!r} before", line)

    def _fail(self, message: str, line: int) -> NoReturn:
        raise FormatError(f"{message}.", path=self._path, line=line)
