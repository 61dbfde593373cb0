"""Campaigns of Pearmut (version 1.1) as test sets, and test sets as campaigns that Pearmut loads."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.formats.base import Format
from dragoman.data.formats.collected import Collected, loaded, text_in
from dragoman.data.formats.gather import check_writable
from dragoman.data.judgements.files import read_head
from dragoman.data.judgements.pearmut_log import document_name, identity_of
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, open_writer
from dragoman.options import option

__all__ = ["PearmutCampaign", "check_campaign_id", "own_info", "pearmut_segment"]

_NAMELESS = "campaign"


@dataclass(frozen=True)
class PearmutCampaign(Format):
    """A campaign of Pearmut: a JSON object whose `data` holds documents of segments with `src`, `ref` and `tgt`.

    `tgt` gives the outputs by system. Read are campaigns as they were written and as Pearmut keeps them or hands them
    out, with tasks by person; lessons, forms and attention checks (`validation`) are left. Written is a campaign for
    everybody (`single-stream`) with all outputs of a segment side by side. `common=yes` takes the segments that every
    system has.
    """

    name: ClassVar[str] = "pearmut-campaign"
    holds: ClassVar[type] = TestSet
    suffixes: ClassVar[tuple[str, ...]] = (".pearmut.json",)

    common: bool = option(False, choices=(True, False), text="take only the segments that every system has")
    protocol: str = option("ESA", choices=("DA", "ESA", "cESA", "MQM"), text="protocol of a campaign that is written")

    @classmethod
    def recognises(cls, path: StrPath) -> bool:
        """By the words of the first lines."""
        head = read_head(path)
        if not head:
            return cls.is_named_by(path)
        return '"tgt"' in head and '"annotation"' not in head and ('"campaign_id"' in head or '"info"' in head)

    def read(self, path: StrPath) -> TestSet:
        """The outputs of the systems."""
        value = loaded(path)
        if isinstance(value, list):
            if len(value) != 1:
                raise FormatError(f"there are {len(value)} campaigns in the file; one can be read.", path=path)
            value = value[0]
        if not isinstance(value, dict) or not isinstance(value.get("data"), list | dict):
            raise FormatError("an object with campaign_id, info and data was expected, as Pearmut takes it.", path=path)
        collected = Collected(path, common=self.common)
        names: dict[tuple[Any, ...], str] = {}
        is_loose = True  # whether no segment belongs to a document
        for document in _documents(value["data"]):
            if any("form" in each and "text" in each for each in document):
                continue
            keys = tuple(identity_of(each) for each in document)
            title = document_name(document[0])
            is_loose = is_loose and title is None and len(document) == 1
            name = names.setdefault(keys, title or f"doc-{len(names) + 1}")
            seen: Counter[str] = Counter()
            for place, segment in enumerate(document, start=1):
                label = str(place) if segment.get("item_id") is None else str(segment["item_id"])
                seen[label] += 1
                _add(collected, name, label if seen[label] == 1 else f"{label}#{seen[label]}", segment, path)
        info = value.get("info") if isinstance(value.get("info"), dict) else {}
        langs = [_language(info, each) for each in ("source_lang", "target_lang")]
        reference = str(info.get("reference") or "A") if isinstance(info, dict) else "A"
        test_set = collected.test_set(*langs, name=str(value.get("campaign_id") or ""), reference=reference)
        if not is_loose:
            return test_set
        values = {each: getattr(test_set, each) for each in ("name", "source_lang", "target_lang", "srcs", "refs")}
        return TestSet(**values, systems=test_set.systems)

    def write(self, value: TestSet, path: StrPath) -> None:
        """Write a campaign that everybody draws documents from."""
        check_writable(value, self.name)
        for system in value.systems:
            if system.isdigit():
                raise DataError(f"Pearmut refuses a system whose name is a number: {system!r}. Rename it.")
        documents: dict[str, list[dict[str, Any]]] = {}
        for number in range(1, len(value) + 1):
            doc = str(number) if value.docs is None else value.docs[number - 1]
            documents.setdefault(doc, []).append(pearmut_segment(value, number, tuple(value.systems)))
        campaign = value.name or _NAMELESS
        check_campaign_id(campaign)
        info = {"assignment": "single-stream", "protocol": self.protocol, "users": 1, **own_info(value)}
        whole = {"campaign_id": campaign, "info": info, "data": list(documents.values())}
        with open_writer(path) as stream:
            stream.write(json.dumps(whole, ensure_ascii=False, indent=1) + "\n")

    def loses(self, value: TestSet) -> list[str]:
        """All references but one, domains and original languages; an empty name."""
        lost = [name for name in ("origlangs", "domains") if getattr(value, name) is not None]
        lost += [] if value.name else ["name"]
        return lost + [f"refs[{name}]" for name in value.refs if name != _shown_reference(value)]


def _shown_reference(test_set: TestSet) -> str | None:
    """The reference that Pearmut shows: it has one."""
    return next((name for name, lines in test_set.refs.items() if any(line is not None for line in lines)), None)


def own_info(test_set: TestSet) -> dict[str, str]:
    """What Pearmut has no words for: its `info` may hold more, which it keeps and never shows."""
    info = {
        "source_lang": test_set.source_lang,
        "target_lang": test_set.target_lang,
        "reference": _shown_reference(test_set),
    }
    return {key: value for key, value in info.items() if value}


def pearmut_segment(test_set: TestSet, number: int, systems: tuple[str, ...]) -> dict[str, Any]:
    """A segment with the outputs of some systems, as Pearmut takes it."""
    doc = None if test_set.docs is None else test_set.docs[number - 1]
    values: dict[str, Any] = {"item_id": str(number) if doc is None else f"{doc}/{number}"}
    if doc is not None:
        values["doc_id"] = doc  # of our own: Pearmut keeps it in its log
    if test_set.srcs is not None:
        values["src"] = test_set.srcs[number - 1]
    name = _shown_reference(test_set)
    ref = None if name is None else test_set.refs[name][number - 1]
    if ref is not None:
        values["ref"] = ref
    return values | {"tgt": {system: test_set.systems[system][number - 1] for system in systems}}


def check_campaign_id(name: str) -> None:
    """Refuse a name that Pearmut cannot make a file of."""
    if not name or name in (".", "..") or "/" in name or "\\" in name or "\x00" in name:
        raise DataError(f"Pearmut names files by campaigns; {name!r} cannot name one.")


def _language(info: Any, key: str) -> str | None:
    return str(info[key]) if isinstance(info, dict) and isinstance(info.get(key), str) else None


def _add(collected: Collected, doc: str, key: str, segment: dict[str, Any], path: StrPath) -> None:
    if segment.get("validation"):
        return
    outputs = segment.get("tgt")
    models = segment.get("models")
    if isinstance(outputs, list) and isinstance(models, list) and len(outputs) == len(models):
        outputs = dict(zip(map(str, models), outputs, strict=True))  # before version 0.2
    if isinstance(outputs, str):
        outputs = {"system": outputs}
    if not isinstance(outputs, dict):
        raise FormatError(f"tgt is {str(outputs)[:40]!r}; expected outputs by system.", path=path)
    source = None if segment.get("src") is None else text_in(segment["src"], "src", path)
    for system, text in outputs.items():
        collected.add(doc, key, source, system, text_in(text, "tgt", path))
    if isinstance(segment.get("ref"), str):
        collected.refs[doc, key] = segment["ref"]


def _documents(value: Any) -> Iterator[list[dict[str, Any]]]:
    """The lists of segments, however deep: documents, tasks of documents, or tasks by person."""
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list) or not value:
        return
    if all(isinstance(each, dict) for each in value):
        yield value
        return
    for each in value:
        if isinstance(each, list):
            yield from _documents(each)
