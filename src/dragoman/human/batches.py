"""Tasks as Appraise takes them, judged here as they stand there: the same items, controls and lessons, in order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from string import ascii_uppercase
from typing import Any

from dragoman.data.formats.batches import (
    BatchOutput,
    batch_document,
    is_lesson,
    is_numbered,
    read_batch_tasks,
    shows_itself,
    targets_of,
)
from dragoman.data.formats.collected import text_in
from dragoman.data.judgements.direct_assessment import ITEM_TYPES
from dragoman.data.judgements.esa import read_spans
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath
from dragoman.human.draws import Draws
from dragoman.human.protocol import LESSON, Item, Protocol, Task

__all__ = ["GivenTasks", "proposed", "read_batches"]

_TAG = re.compile(r"<[^<>]{1,40}>")  # hints of lessons are HTML there
_NO_DOCUMENT = "doc"
_PROTOCOLS = ("da", "contrastive-da", "esa", "esa-ai", "mqm")


@dataclass(frozen=True)
class GivenTasks:
    """The texts and the tasks of a file of batches."""

    test_set: TestSet
    tasks: tuple[Task, ...]


@dataclass
class _Showing:
    """An item of a task."""

    values: dict[str, Any]
    kind: str
    doc: str
    source: str
    nth: int  # how often the source stood before it in this showing of the document
    targets: list[tuple[tuple[str, ...], str]]
    run: int  # items of one document by one system that follow each other share it
    segment: int = 0  # in the test set, from 1

    @property
    def number(self) -> str:
        return str(self.values.get("itemID", ""))


@dataclass
class _Texts:
    """What the items show, segment by segment."""

    path: StrPath
    is_mono: bool
    sources: list[str] = field(default_factory=list)
    docs: list[str] = field(default_factory=list)
    outputs: dict[str, dict[int, str]] = field(default_factory=dict)
    refs: dict[int, str] = field(default_factory=dict)

    def add(self, showing: _Showing) -> None:
        """The outputs of an item. Degraded ones are nobody's; their systems are there all the same."""
        for names, text in showing.targets:
            if showing.kind == "REF":
                self.refs.setdefault(showing.segment, text)
                continue
            for name in names:
                own = self.outputs.setdefault(name, {})
                if showing.kind != "BAD" and own.setdefault(showing.segment, text) != text:
                    raise FormatError(
                        f"{name!r} has two translations of segment {showing.number} of {showing.doc!r}.", path=self.path
                    )

    def test_set(self, langs: tuple[str | None, str | None], name: str) -> TestSet:
        """An output that no task shows is an empty line: batches hold a sample of a test set."""
        n = len(self.sources)
        refs = self.sources if self.is_mono else [self.refs.get(segment) for segment in range(1, n + 1)]
        return TestSet(
            name=name,
            source_lang=langs[0],
            target_lang=langs[1],
            srcs=None if self.is_mono else self.sources,
            refs={"A": refs} if any(ref is not None for ref in refs) else {},
            systems={
                system: [own.get(segment, "") for segment in range(1, n + 1)] for system, own in self.outputs.items()
            },
            docs=None if set(self.docs) == {_NO_DOCUMENT} else self.docs,
        )


def read_batches(path: StrPath, protocol: Protocol, *, name: str = "", seed: int = 1) -> GivenTasks:
    """The tasks of a file of batches as items of a protocol: da, contrastive-da, esa, esa-ai or mqm.

    Items keep their order and their types. Tutorials become the lesson that everybody does first. Direct assessment of
    documents takes the items of a document by one system for one item, with a score of the whole at its end.
    """
    if protocol.name not in _PROTOCOLS:
        raise DataError(f"Batches are judged by {', '.join(_PROTOCOLS)}, not by {protocol.name}.")
    raw, langs = read_batch_tasks(path)
    # Only direct assessment scores whole documents; elsewhere the word that marks them says nothing.
    shown = [list(_showings(items, path, whole=protocol.name == "da")) for items in raw]
    everything = [showing for showings in shown for showing in showings]
    if not any(showing.kind == "TGT" for showing in everything):
        raise FormatError("there is not a single output of a system.", path=path)
    texts = _Texts(path, any(shows_itself(item) for items in raw for item in items))
    _number(everything, texts)
    test_set = texts.test_set(langs, name)
    maker = _Maker(protocol, langs, "reference" if texts.is_mono else "source", path)
    width = len(str(len(raw)))
    tasks = [
        Task(f"task-{number:0{width}}", tuple(maker.items(showings, Draws(seed, f"task/{number}"))))
        for number, showings in enumerate(shown, start=1)
    ]
    lesson = tuple(maker.lessons(raw, Draws(seed, "tutorial")))
    return GivenTasks(test_set, (*([Task(LESSON, lesson)] if lesson else []), *tasks))


def _showings(items: Sequence[dict[str, Any]], path: StrPath, *, whole: bool) -> Iterator[_Showing]:
    run = 0
    before: tuple[Any, ...] | None = None
    seen: Counter[str] = Counter()
    for item in items:
        if is_lesson(item):
            continue
        if whole and item.get("isCompleteDocument"):
            before = None  # its text is the document's, which is judged with its segments
            continue
        kind = item.get("itemType", "TGT")
        if kind not in ITEM_TYPES:
            raise FormatError(f"itemType is {str(kind)[:40]!r}; expected {', '.join(ITEM_TYPES)}.", path=path)
        doc, _ = batch_document(str(item.get("documentID") or _NO_DOCUMENT))
        source = text_in(item.get("sourceText", item.get("segmentText")), "sourceText", path)
        targets = targets_of(item, path)
        # Without documents each item is a showing of its own.
        shown = (str(item["documentID"]), tuple(names for names, _ in targets)) if item.get("documentID") else None
        if shown is None or shown != before:
            run, seen = run + 1, Counter()
        before = shown
        yield _Showing(item, kind, doc, source, seen[source], targets, run)
        seen[source] += 1


def proposed(item: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The errors that are marked in an item before anybody looks at it; those at no place are left."""
    told = item.get("mqm")
    spans = told.get("payload") if isinstance(told, dict) else told
    rows = read_spans(spans) if isinstance(spans, list) else []
    names = ("start", "end", "severity")
    return [{name: row[name] for name in names} for row in rows if row.get("start") is not None]


def _number(showings: Sequence[_Showing], texts: _Texts) -> None:
    """Give every item the number of its segment; documents stay together, in the order of their first items."""
    outputs = [BatchOutput(each.doc, each.number, each.source, each.nth, "", "") for each in showings]
    numbered = is_numbered(outputs)
    keys: dict[str, dict[Any, _Showing]] = {}
    ordered = sorted(showings, key=lambda each: int(each.number)) if numbered else showings
    for each in ordered:
        keys.setdefault(each.doc, {}).setdefault(each.number if numbered else (each.source, each.nth), each)
    numbers: dict[tuple[str, Any], int] = {}
    for doc, segments in keys.items():
        for key, first in segments.items():
            numbers[doc, key] = len(numbers) + 1
            texts.sources.append(first.source)
            texts.docs.append(doc)
    for each in showings:
        each.segment = numbers[each.doc, each.number if numbered else (each.source, each.nth)]
        texts.add(each)


@dataclass(frozen=True)
class _Maker:
    """Makes items of a protocol."""

    protocol: Protocol
    langs: tuple[str | None, str | None]
    beside: str  # what stands in the place of the source there: source, or reference
    path: StrPath

    def items(self, showings: Sequence[_Showing], draws: Draws) -> Iterator[Item]:
        """The items of a task."""
        has_documents = getattr(self.protocol, "level", "") == "document"
        for _, group in groupby(showings, key=lambda each: each.run):
            run = list(group)
            if has_documents:
                yield self._document(run, draws)
                continue
            for place, each in enumerate(run):
                yield self._item(each, run[:place], run[place + 1 :], draws)

    def _item(self, each: _Showing, before: Sequence[_Showing], after: Sequence[_Showing], draws: Draws) -> Item:
        shown: dict[str, Any] = {self.beside: each.source}
        if (before or after) and self._neighbours != "outputs":
            shown |= {"before": [other.source for other in before], "after": [other.source for other in after]}
        system, places = "", {}
        if self.protocol.name == "contrastive-da":
            letters = ascii_uppercase[: len(each.targets)]
            shown["outputs"] = [
                {"place": place, "text": text} | self._beside_output(number, before, after)
                for number, (place, (_, text)) in enumerate(zip(letters, each.targets, strict=True))
            ]
            named = dict(zip(letters, (names for names, _ in each.targets), strict=True))
            places = {place: names[0] for place, names in named.items()}
        else:
            names, text = self._single(each)
            shown |= {"text": text} | self._beside_output(0, before, after)
            system, named = names[0], {"text": names}
        joint = {place: names for place, names in named.items() if len(names) > 1}
        notes = {}
        if self.protocol.name == "esa-ai":
            shown["proposals"] = notes["proposals"] = proposed(each.values)
        doc = None if each.doc == _NO_DOCUMENT else each.doc
        return Item(
            draws.name(),
            each.kind,
            system,
            each.segment,
            doc,
            shown,
            places=places,
            langs=self.langs,
            joint=joint,
            notes=notes,
        )

    @property
    def _neighbours(self) -> str:
        return str(getattr(self.protocol, "neighbours", "beside"))

    def _beside_output(self, number: int, before: Sequence[_Showing], after: Sequence[_Showing]) -> dict[str, Any]:
        """The same system's outputs of the other segments of a run, as the batch shows them."""
        if self._neighbours == "beside" or not (before or after):
            return {}
        around = {"before": before, "after": after}
        return {"neighbours": {side: [each.targets[number][1] for each in run] for side, run in around.items()}}

    def _single(self, each: _Showing) -> tuple[tuple[str, ...], str]:
        if len(each.targets) != 1:
            raise FormatError(
                f"an item shows {len(each.targets)} outputs; the protocol {self.protocol.name} shows one. Such batches "
                "are judged by contrastive-da.",
                path=self.path,
            )
        return each.targets[0]

    def _document(self, run: Sequence[_Showing], draws: Draws) -> Item:
        """A document by one system. It is a control if a segment of it is."""
        names = self._single(run[0])[0]
        numbers = [each.segment for each in run]
        if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
            raise FormatError(
                f"the document {run[0].doc!r} by {names[0]!r} is not shown in one piece; documents are judged whole.",
                path=self.path,
            )
        types = tuple(each.kind for each in run)
        kind = next((each for each in ("BAD", "CHK", "REF") if each in types), "TGT")
        segments = [{self.beside: each.source, "text": self._single(each)[1]} for each in run]
        return Item(
            draws.name(),
            kind,
            names[0],
            numbers[0],
            run[0].doc,
            {"segments": segments},
            langs=self.langs,
            segments=len(run),
            types=types if len(set(types)) > 1 else (),
            joint={"text": names} if len(names) > 1 else {},
        )

    def lessons(self, tasks: Sequence[Sequence[Mapping[str, Any]]], draws: Draws) -> Iterator[Item]:
        """The tutorial, each of its items once."""
        seen: set[tuple[str, str]] = set()
        for item in (item for items in tasks for item in items if is_lesson(dict(item))):
            source = text_in(item.get("sourceText"), "sourceText", self.path)
            text = text_in(item.get("targetText"), "targetText", self.path)
            if (source, text) in seen or getattr(self.protocol, "level", "") == "document":
                continue
            seen.add((source, text))
            told = item.get("mqm")
            lesson = told.get("tutorial") if isinstance(told, dict) else None
            hint = lesson.get("instruction") if isinstance(lesson, dict) else None
            shown = {self.beside: source, "text": text}
            if isinstance(hint, str):
                shown["hint"] = _TAG.sub("", hint)
            yield Item(draws.name(), "TUT", str(item.get("targetID") or ""), 1, None, shown, langs=self.langs)
