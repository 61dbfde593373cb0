"""The tasks of other campaign tools as test sets: Appraise's batches and Pearmut's campaigns. Read only.

Both list what annotators see, task by task, so an output may stand there many times. Taken are the outputs of systems,
each once; controls, tutorials and repeats are left: a campaign here plans its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.formats.base import Format
from dragoman.data.formats.gather import built
from dragoman.data.judgements.files import language_of, read_head
from dragoman.data.testset import TestSet
from dragoman.errors import FormatError
from dragoman.files import StrPath, read_text

__all__ = ["AppraiseBatches", "PearmutCampaign"]

_MARKS = ("#bad", "#dup", "#incomplete")  # behind a document's name: degraded, repeated, cut


class _Collected:
    """Segments in the order in which they first occur within documents, with what each system made of them."""

    def __init__(self, path: StrPath) -> None:
        self.path = path
        self.docs: dict[str, dict[str, str]] = {}  # document → segment's key → source
        self.outputs: dict[str, dict[tuple[str, str], str]] = {}  # system → document and key → text
        self.refs: dict[tuple[str, str], str] = {}

    def add(self, doc: str, key: str, source: str, system: str, text: str) -> None:
        known = self.docs.setdefault(doc, {}).setdefault(key, source)
        if known != source:
            raise FormatError(
                f"segment {key!r} of {doc!r} has two sources: {known[:40]!r}, {source[:40]!r}.", path=self.path
            )
        told = self.outputs.setdefault(system, {}).setdefault((doc, key), text)
        if told != text:
            raise FormatError(f"{system!r} has two translations of segment {key!r} of {doc!r}.", path=self.path)

    def test_set(self, source_lang: str | None, target_lang: str | None) -> TestSet:
        """Every system must have every segment: who compares systems compares them on the same text."""
        places = [(doc, key) for doc, segments in self.docs.items() for key in segments]
        if not places:
            raise FormatError("there is not a single output of a system.", path=self.path)
        for system, texts in self.outputs.items():
            missing = next((place for place in places if place not in texts), None)
            if missing is not None:
                raise FormatError(
                    f"{system!r} has {len(texts)} of {len(places)} segments; it lacks {missing[1][:40]!r} of "
                    f"{missing[0]!r}. Systems are compared on the same segments.",
                    path=self.path,
                )
        refs = [self.refs.get(place) for place in places]
        return built(
            self.path,
            source_lang=source_lang,
            target_lang=target_lang,
            srcs=[self.docs[doc][key] for doc, key in places],
            refs={"A": refs} if any(ref is not None for ref in refs) else {},
            systems={system: [texts[place] for place in places] for system, texts in self.outputs.items()},
            docs=[doc for doc, _ in places],
        )


def _loaded(path: StrPath) -> Any:
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"this is no JSON ({error}).", path=path) from None


def _text(value: Any, what: str, path: StrPath) -> str:
    if not isinstance(value, str):
        raise FormatError(f"{what} is {str(value)[:40]!r}; expected text.", path=path)
    return value


@dataclass(frozen=True)
class AppraiseBatches(Format):
    """The batches of an Appraise campaign: a JSON list of tasks with their items. Read only.

    Items of the type TGT are taken, each once; bad references, checks, references and whole documents are left. Repeats
    of a document (`#dup`) are the document itself.
    """

    name: ClassVar[str] = "appraise-batches"
    holds: ClassVar[type] = TestSet
    suffixes: ClassVar[tuple[str, ...]] = (".batches.json",)
    writable: ClassVar[bool] = False

    @classmethod
    def recognises(cls, path: StrPath) -> bool:
        """By the words of the first items."""
        head = read_head(path)
        return '"targetID"' in head and '"items"' in head if head else cls.is_named_by(path)

    def read(self, path: StrPath) -> TestSet:
        """The outputs of the systems."""
        tasks = _loaded(path)
        if not isinstance(tasks, list) or not all(isinstance(each, dict) and "items" in each for each in tasks):
            raise FormatError("a list of tasks with items was expected, as Appraise takes them.", path=path)
        found = _Collected(path)
        langs: set[tuple[str, str]] = set()
        for task in tasks:
            about = task.get("task") or {}
            langs.add((str(about.get("sourceLanguage") or ""), str(about.get("targetLanguage") or "")))
            for item in task["items"]:
                self._add(found, item, path)
        if len(langs) > 1:
            raise FormatError(f"the tasks are of {len(langs)} language pairs; one file has one here.", path=path)
        source, target = next(iter(langs), ("", ""))
        return found.test_set(language_of(source) if source else None, language_of(target) if target else None)

    @staticmethod
    def _add(found: _Collected, item: Any, path: StrPath) -> None:
        if not isinstance(item, dict):
            raise FormatError(f"an item is {str(item)[:40]!r}; expected an object.", path=path)
        doc = str(item.get("documentID") or "doc")
        if (
            item.get("itemType", "TGT") != "TGT"
            or item.get("isCompleteDocument")
            or doc.endswith(("#bad", "#incomplete"))
        ):
            return
        if doc.startswith("tutorial"):
            return
        for mark in _MARKS:
            doc = doc.removesuffix(mark)
        source, text = item.get("sourceText"), item.get("targetText")
        if isinstance(source, list) or isinstance(text, list):
            raise FormatError("an item has several texts; items with one source and one output are read.", path=path)
        source = _text(source, "sourceText", path)
        # itemID counts within the task, so the source says which segment it is.
        found.add(doc, source, source, _text(item.get("targetID"), "targetID", path), _text(text, "targetText", path))


@dataclass(frozen=True)
class PearmutCampaign(Format):
    """A campaign of Pearmut: a JSON object whose `data` holds documents of segments with `src` and `tgt`. Read only.

    `tgt` gives the outputs by system. Tutorials and attention checks (`validation`) are left; `ref` is a reference.
    """

    name: ClassVar[str] = "pearmut-campaign"
    holds: ClassVar[type] = TestSet
    suffixes: ClassVar[tuple[str, ...]] = (".pearmut.json",)
    writable: ClassVar[bool] = False

    @classmethod
    def recognises(cls, path: StrPath) -> bool:
        """By the words of the first lines."""
        head = read_head(path)
        return '"campaign_id"' in head and '"user_id"' not in head if head else cls.is_named_by(path)

    def read(self, path: StrPath) -> TestSet:
        """The outputs of the systems."""
        value = _loaded(path)
        if not isinstance(value, dict) or not isinstance(value.get("data"), list):
            raise FormatError("an object with campaign_id, info and data was expected, as Pearmut takes it.", path=path)
        found = _Collected(path)
        for number, document in enumerate(_documents(value["data"]), start=1):
            for place, segment in enumerate(document, start=1):
                self._add(found, number, place, segment, path)
        return found.test_set(None, None)

    @staticmethod
    def _add(found: _Collected, number: int, place: int, segment: dict[str, Any], path: StrPath) -> None:
        if segment.get("validation") or segment.get("tutorial"):
            return
        outputs = segment.get("tgt")
        if isinstance(outputs, str):
            outputs = {"system": outputs}
        if not isinstance(outputs, dict):
            raise FormatError(f"tgt is {str(outputs)[:40]!r}; expected outputs by system.", path=path)
        label = segment.get("doc_id") or segment.get("item_id")
        doc, key = (str(label), str(place)) if label is not None else (f"doc-{number}", str(place))
        if label is not None and segment.get("doc_id") is None:
            doc, key = str(label).rpartition("/")[0] or f"doc-{number}", str(label)
        for system, text in outputs.items():
            found.add(doc, key, _text(segment.get("src"), "src", path), system, _text(text, "tgt", path))
        if isinstance(segment.get("ref"), str):
            found.refs[doc, key] = segment["ref"]


def _documents(value: Any) -> Iterator[list[dict[str, Any]]]:
    """The lists of segments, however deep: tasks of documents of segments, or documents of segments."""
    if not isinstance(value, list) or not value:
        return
    if all(isinstance(each, dict) and "src" in each for each in value):
        yield value
        return
    for each in value:
        yield from _documents(each)
