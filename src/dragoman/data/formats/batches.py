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

__all__ = ["AppraiseBatches"]

_MARK = re.compile(r"#(bad|dup|duplicate|incomplete)\d*$")  # behind a document's name: degraded, repeated, cut
_LESSON = re.compile(r"(^|-)tutorial\d*$")


class _Output(NamedTuple):
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
        tasks = loaded(path)
        if not isinstance(tasks, list) or not all(isinstance(each, dict) and "items" in each for each in tasks):
            raise FormatError("a list of tasks with items was expected, as Appraise takes them.", path=path)
        langs: set[tuple[str, str]] = set()
        outputs: list[_Output] = []
        is_mono = False
        for task in tasks:
            about = task.get("task") or {}
            langs.add((str(about.get("sourceLanguage") or ""), str(about.get("targetLanguage") or "")))
            for item in task["items"]:
                if not isinstance(item, dict):
                    raise FormatError(f"an item is {str(item)[:40]!r}; expected an object.", path=path)
                is_mono = is_mono or _shows_itself(item)
            outputs += _outputs(task["items"], path)
        if len(langs) > 1:
            raise FormatError(f"the tasks are of {len(langs)} language pairs; one file has one here.", path=path)
        collected = Collected(path, common=self.common)
        numbered = _is_numbered(outputs)
        for each in sorted(outputs, key=lambda each: int(each.number)) if numbered else outputs:
            key = each.number if numbered else f"{each.source}#{each.nth}" if each.nth else each.source
            collected.add(each.doc, key, None if is_mono else each.source, each.system, each.text)
            if is_mono:
                collected.refs[each.doc, key] = each.source
        source, target = next(iter(langs), ("", ""))
        return collected.test_set(language_of(source) if source else None, language_of(target) if target else None)


def _outputs(items: list[dict[str, Any]], path: StrPath) -> Iterator[_Output]:
    """The outputs of systems in a task."""
    showing: tuple[str, tuple[str, ...]] | None = None
    seen: Counter[str] = Counter()
    for item in items:
        if item.get("itemType", "TGT") != "TGT" or item.get("isCompleteDocument") or _is_lesson(item):
            continue
        doc, degraded = _document(str(item.get("documentID") or "doc"))
        if degraded:
            continue
        source = text_in(item.get("sourceText", item.get("segmentText")), "sourceText", path)
        targets = item["targets"] if isinstance(item.get("targets"), list) else [item]
        if not all(isinstance(each, dict) for each in targets):
            raise FormatError(f"targets is {str(targets)[:40]!r}; expected a list of objects.", path=path)
        systems = tuple(text_in(each.get("targetID"), "targetID", path) for each in targets)
        # Without documents each item is a showing of its own.
        shown = (str(item.get("documentID")), systems) if item.get("documentID") else None
        if shown is None or shown != showing:
            showing, seen = shown, Counter()
        nth = seen[source]
        seen[source] += 1
        for each, joint in zip(targets, systems, strict=True):
            text = text_in(each.get("targetText"), "targetText", path)
            for system in joint.split("+"):
                yield _Output(doc, str(item.get("itemID", "")), source, nth, system, text)


def _document(name: str) -> tuple[str, bool]:
    """A document's name without marks, and whether they say that it is degraded or cut."""
    marks = []
    while matched := _MARK.search(name):
        marks.append(matched[1])
        name = name[: matched.start()]
    return name, "bad" in marks or "incomplete" in marks


def _is_lesson(item: dict[str, Any]) -> bool:
    spans = item.get("mqm")
    return (isinstance(spans, dict) and "tutorial" in spans) or bool(_LESSON.search(str(item.get("documentID") or "")))


def _shows_itself(item: dict[str, Any]) -> bool:
    """Whether this is a reference that stands beside itself: what is shown as the source is the reference then."""
    targets = item["targets"] if isinstance(item.get("targets"), list) else [item]
    return item.get("itemType") == "REF" and any(
        isinstance(each, dict) and bool(item.get("sourceText")) and each.get("targetText") == item.get("sourceText")
        for each in targets
    )


def _is_numbered(outputs: list[_Output]) -> bool:
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
