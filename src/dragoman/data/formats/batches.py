"""The batches of an Appraise campaign as a test set. Read only."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from dragoman.data.formats.base import Format
from dragoman.data.formats.collected import Collected, loaded, text_in
from dragoman.data.judgements.files import language_of, read_head
from dragoman.data.testset import TestSet
from dragoman.errors import FormatError
from dragoman.files import StrPath
from dragoman.options import option

__all__ = [
    "AppraiseBatches",
    "BatchOutput",
    "batch_document",
    "is_lesson",
    "is_numbered",
    "read_batch_tasks",
    "shows_itself",
    "targets_of",
]

_MARK = re.compile(r"#(bad|dup|duplicate|incomplete)\d*$")  # behind a document's name: degraded, repeated, cut
_LESSON = re.compile(r"(^|-)tutorial\d*$")


class BatchOutput(NamedTuple):
    """An output that stands in a task."""

    doc: str
    number: str  # itemID
    source: str
    nth: int  # how often the source stood before it in this showing of the document
    system: str
    text: str


@dataclass(frozen=True)
class AppraiseBatches(Format):
    """The batches of an Appraise campaign: a JSON list of tasks with their items. Read only.

    Items of the type TGT are taken, each once, one output an item or several (`targets`); bad references, checks,
    references, tutorials and whole documents are left. Repeats of a document (`#dup`) are the document itself. Joint
    names (`a+b`, identical outputs) are taken apart. Where references were shown in place of the source, they are the
    test set's reference, and it has no source. `common=yes` takes the segments that every system has, for batches
    that were sampled.
    """

    name: ClassVar[str] = "appraise-batches"
    holds: ClassVar[type] = TestSet
    suffixes: ClassVar[tuple[str, ...]] = (".batches.json",)
    writable: ClassVar[bool] = False

    common: bool = option(False, choices=(True, False), text="take only the segments that every system has")

    @classmethod
    def recognises(cls, path: StrPath) -> bool:
        """By the words of the first items."""
        head = read_head(path)
        return '"targetID"' in head and '"items"' in head if head else cls.is_named_by(path)

    def read(self, path: StrPath) -> TestSet:
        """The outputs of the systems."""
        tasks, langs = read_batch_tasks(path)
        outputs = [output for items in tasks for output in _outputs(items, path)]
        is_mono = any(shows_itself(item) for items in tasks for item in items)
        collected = Collected(path, common=self.common)
        numbered = is_numbered(outputs)
        for each in sorted(outputs, key=lambda each: int(each.number)) if numbered else outputs:
            key = each.number if numbered else f"{each.source}#{each.nth}" if each.nth else each.source
            collected.add(each.doc, key, None if is_mono else each.source, each.system, each.text)
            if is_mono:
                collected.refs[each.doc, key] = each.source
        return collected.test_set(*langs)


def read_batch_tasks(path: StrPath) -> tuple[list[list[dict[str, Any]]], tuple[str | None, str | None]]:
    """The items of each task of a file of batches, and source and target language."""
    tasks = loaded(path)
    if not isinstance(tasks, list) or not all(isinstance(each, dict) and "items" in each for each in tasks):
        raise FormatError("a list of tasks with items was expected, as Appraise takes them.", path=path)
    langs: set[tuple[str, str]] = set()
    for task in tasks:
        about = task.get("task") or {}
        if not isinstance(task["items"], list) or not isinstance(about, dict):
            raise FormatError("a task is an object with a list of items and what the task is.", path=path)
        langs.add((str(about.get("sourceLanguage") or ""), str(about.get("targetLanguage") or "")))
        for item in task["items"]:
            if not isinstance(item, dict):
                raise FormatError(f"an item is {str(item)[:40]!r}; expected an object.", path=path)
    if len(langs) > 1:
        raise FormatError(f"the tasks are of {len(langs)} language pairs; one file has one here.", path=path)
    source, target = next(iter(langs), ("", ""))
    return [task["items"] for task in tasks], (_language(source), _language(target))


def _language(code: str) -> str | None:
    return language_of(code) if code else None


def targets_of(item: dict[str, Any], path: StrPath) -> list[tuple[tuple[str, ...], str]]:
    """The outputs of an item, one or several: the systems that gave each (several gave the same text), and the text."""
    targets = item["targets"] if isinstance(item.get("targets"), list) else [item]
    if not targets or not all(isinstance(each, dict) for each in targets):
        raise FormatError(f"targets is {str(targets)[:40]!r}; expected a list of objects.", path=path)
    return [
        (
            tuple(text_in(each.get("targetID"), "targetID", path).split("+")),
            text_in(each.get("targetText"), "targetText", path),
        )
        for each in targets
    ]


def _outputs(items: list[dict[str, Any]], path: StrPath) -> Iterator[BatchOutput]:
    """The outputs of systems in a task."""
    showing: tuple[str, tuple[str, ...]] | None = None
    seen: Counter[str] = Counter()
    for item in items:
        if item.get("itemType", "TGT") != "TGT" or item.get("isCompleteDocument") or is_lesson(item):
            continue
        doc, degraded = batch_document(str(item.get("documentID") or "doc"))
        if degraded:
            continue
        source = text_in(item.get("sourceText", item.get("segmentText")), "sourceText", path)
        targets = targets_of(item, path)
        systems = tuple("+".join(names) for names, _ in targets)
        # Without documents each item is a showing of its own.
        shown = (str(item.get("documentID")), systems) if item.get("documentID") else None
        if shown is None or shown != showing:
            showing, seen = shown, Counter()
        nth = seen[source]
        seen[source] += 1
        for names, text in targets:
            for system in names:
                yield BatchOutput(doc, str(item.get("itemID", "")), source, nth, system, text)


def batch_document(name: str) -> tuple[str, bool]:
    """A document's name without marks, and whether they say that it is degraded or cut."""
    marks = []
    while matched := _MARK.search(name):
        marks.append(matched[1])
        name = name[: matched.start()]
    return name, "bad" in marks or "incomplete" in marks


def is_lesson(item: dict[str, Any]) -> bool:
    """Whether an item is there to learn on."""
    spans = item.get("mqm")
    return (isinstance(spans, dict) and "tutorial" in spans) or bool(_LESSON.search(str(item.get("documentID") or "")))


def shows_itself(item: dict[str, Any]) -> bool:
    """Whether this is a reference that stands beside itself: what is shown as the source is the reference then."""
    targets = item["targets"] if isinstance(item.get("targets"), list) else [item]
    return item.get("itemType") == "REF" and any(
        isinstance(each, dict) and bool(item.get("sourceText")) and each.get("targetText") == item.get("sourceText")
        for each in targets
    )


def is_numbered(outputs: list[BatchOutput]) -> bool:
    """Whether itemID is a segment's number within the document or the test set; in some files it counts showings."""
    sources: dict[tuple[str, str], tuple[str, int]] = {}
    numbers: dict[tuple[str, str, int], str] = {}
    for each in outputs:
        if not each.number.isdecimal() or len(each.number) > 9:
            return False
        if sources.setdefault((each.doc, each.number), (each.source, each.nth)) != (each.source, each.nth):
            return False
        if numbers.setdefault((each.doc, each.source, each.nth), each.number) != each.number:
            return False
    return bool(outputs)
