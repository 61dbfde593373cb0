"""What the formats of test sets share: documents gathered from files, and documents laid out for files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from os import fspath
from pathlib import Path
from typing import Any, Literal

from dragoman.data.testset import TestSet
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, plain_name

__all__ = [
    "Gathered",
    "Kind",
    "Passage",
    "built",
    "check_replaceable",
    "check_writable",
    "document_labels",
    "documents_or_one",
    "empty_refs",
    "ref_of_document",
]

Kind = Literal["source", "reference", "system"]


def built(path: StrPath, **values: Any) -> TestSet:
    """The test set of these values, read from `path`; what is wrong with it is told with the path."""
    try:
        test_set = TestSet(**values)
    except DataError as error:
        raise FormatError(str(error), path=path) from None
    if len(test_set) == 0:
        raise FormatError("there is not a single segment.", path=path)
    return test_set


@dataclass(frozen=True)
class Passage:
    """One document of one stream, as it stands in a file."""

    doc: str
    segments: Mapping[str, str]  # id → text, in file order
    path: StrPath
    line: int


class Gathered:
    """Documents read stream by stream, perhaps from several files, put together when all are there.

    The source says which segments there are (without one, all streams together). A reference may lack whole documents;
    a system may lack nothing; no stream may have a segment too many or too few inside a document.
    """

    def __init__(self) -> None:
        self._streams: dict[tuple[Kind, str], dict[str, Passage]] = {}
        self.origlangs: dict[str, str] = {}
        self.domains: dict[str, str] = {}

    def add(self, kind: Kind, name: str, passage: Passage) -> None:
        """Take in a document of a stream; the second of one name is refused."""
        stream = self._streams.setdefault((kind, name), {})
        if passage.doc in stream:
            first = stream[passage.doc]
            raise FormatError(
                f"{_called(kind, name)} has document {passage.doc!r} a second time, first at "
                f"{fspath(first.path)}:{first.line}.",
                path=passage.path,
                line=passage.line,
            )
        stream[passage.doc] = passage

    def test_set(self, path: StrPath, **values: Any) -> TestSet:
        """All that was gathered, as one test set."""
        frame = self._frame()
        lines = {key: list(self._lines(*key, frame)) for key in self._streams}
        docs = [doc for doc, passage in frame.items() for _ in passage.segments]
        return built(
            path,
            srcs=lines.get(("source", "")),
            refs={name: stream for (kind, name), stream in lines.items() if kind == "reference"},
            systems={name: stream for (kind, name), stream in lines.items() if kind == "system"},
            docs=docs,
            origlangs=[self.origlangs.get(doc) for doc in docs],
            domains=[self.domains.get(doc) for doc in docs],
            **values,
        )

    def _frame(self) -> dict[str, Passage]:
        if ("source", "") in self._streams:
            return self._streams["source", ""]
        frame: dict[str, Passage] = {}
        for stream in self._streams.values():
            for doc, passage in stream.items():
                frame.setdefault(doc, passage)
        return frame

    def _lines(self, kind: Kind, name: str, frame: dict[str, Passage]) -> Iterator[str | None]:
        stream = self._streams[kind, name]
        for doc, passage in stream.items():
            if doc not in frame:
                raise FormatError(
                    f"{_called(kind, name)} has a document {doc!r} that the source has not.",
                    path=passage.path,
                    line=passage.line,
                )
        for doc, model in frame.items():
            own = stream.get(doc)
            if own is not None:
                _check_segments(_called(kind, name), own, model)
                yield from (own.segments[segment] for segment in model.segments)
            elif kind == "reference":
                yield from (None for _ in model.segments)
            else:
                last = list(stream.values())[-1]
                raise FormatError(
                    f"{_called(kind, name)} has no translation of document {doc!r}.",
                    path=last.path,
                    line=model.line if model.path == last.path else None,
                )


def _called(kind: Kind, name: str) -> str:
    return f"{kind} {name!r}" if name else f"the {kind}"


def _check_segments(stream: str, passage: Passage, model: Passage) -> None:
    for verb, segments in (
        ("lacks", [s for s in model.segments if s not in passage.segments]),
        ("should not have", [s for s in passage.segments if s not in model.segments]),
    ):
        if segments:
            more = f" and {len(segments) - 3} more" if len(segments) > 3 else ""
            raise FormatError(
                f"document {passage.doc!r} of {stream} {verb} segment {', '.join(segments[:3])}{more} "
                f"(compared with {fspath(model.path)}:{model.line}).",
                path=passage.path,
                line=passage.line,
            )


def check_writable(test_set: TestSet, format_name: str) -> None:
    """Raise unless there is something to write: no format tells a test set without segments from a broken file."""
    if len(test_set) == 0:
        raise DataError(f"A test set without segments cannot be written as {format_name}.")


def check_replaceable(folder: StrPath, belongs: Callable[[str], bool]) -> None:
    """Raise if `folder` is there and holds a file (path inside it, compression not counted) that is not ours."""
    for file in sorted(Path(folder).rglob("*")) if Path(folder).is_dir() else ():
        inside = file.relative_to(folder)
        if file.is_file() and not belongs(inside.with_name(plain_name(file)).as_posix()):
            raise DataError(f"{folder} holds {inside}, which is no part of a test set; name another folder.")


def documents_or_one(test_set: TestSet) -> dict[str, range]:
    """The documents of a test set; one that knows of none is a single document, called after it."""
    return test_set.documents() or {test_set.name or "all": range(len(test_set))}


def document_labels(test_set: TestSet, field: Literal["origlangs", "domains"], format_name: str) -> dict[str, str]:
    """The original language or domain of each document that has one; two in one document are refused."""
    labels: dict[str, str] = {}
    stream = getattr(test_set, field) or ()
    for doc, span in documents_or_one(test_set).items():
        values = set(stream[span.start : span.stop]) or {None}
        if len(values) > 1:
            shown = " and ".join(sorted(map(str, values)))
            raise DataError(
                f"Document {doc!r} has more than one entry in {field}: {shown}. {format_name} keeps one per document."
            )
        label = values.pop()
        if label is not None:
            labels[doc] = label
    return labels


def ref_of_document(test_set: TestSet, name: str, doc: str, span: range, format_name: str) -> list[str] | None:
    """A reference's lines of one document, or None if it has none of them; some but not all are refused."""
    lines = [test_set.refs[name][segment] for segment in span]
    present = [line for line in lines if line is not None]
    if not present:
        return None
    if len(present) < len(lines):
        segment = span[lines.index(None)] + 1
        raise DataError(
            f"Reference {name!r} lacks segment {segment}, but not all of document {doc!r}; {format_name} cannot "
            "say so. Write testset-jsonl or testset-tsv instead."
        )
    return present


def empty_refs(test_set: TestSet) -> list[str]:
    """The references that translate not one segment: a format with a place per document has none for them."""
    return [f"refs[{name}]" for name, lines in test_set.refs.items() if set(lines) == {None}]
