"""The annotations of Pearmut (version 1.1): an object a line, or all campaigns in one, as its dashboard gives them.

Pearmut counts UTF-16 units, as browsers do, and includes the last one. What is marked on a token that stands behind the
output, such as `[missing]`, has a place behind its end. Inside Dragoman spans are half-open and count characters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from dragoman.data.judgements.base import Judgements, Row, Value
from dragoman.data.judgements.files import JudgementFormat
from dragoman.data.judgements.rows import RowCollector
from dragoman.data.judgements.spans import ERROR_SPANS
from dragoman.errors import DataError
from dragoman.files import StrPath, read_lines
from dragoman.notation import parse_json

__all__ = ["PearmutLog", "document_name", "identity_of", "pearmut_category", "pearmut_spans"]

_RESET = "__RESET__"  # in place of an annotation: what the person said before does not count
_ASIDE = ("welcome_", "random_", "goodbye_")  # places of lessons, attention checks and forms
_LONGEST = 61.0  # seconds between two actions that Pearmut counts as work
_SKIPPED = "submit_skip"


@dataclass(frozen=True)
class PearmutLog(JudgementFormat):
    """The annotations of a Pearmut campaign: a document with the answers for each system, a JSON object a line.

    `item` holds the document as it was shown (`src`, `ref`, `tgt`, `item_id`), `annotation` beside it score and error
    spans by system. Places count UTF-16 units there and include the last one; here they count characters and are
    half-open. What the dashboard hands out, lists of such objects by campaign, is read as well. Read only.
    """

    name: ClassVar[str] = "pearmut"
    kind: ClassVar[str] = "error-spans"
    suffixes: ClassVar[tuple[str, ...]] = (".pearmut.jsonl",)
    writable: ClassVar[bool] = False

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:  # noqa: ARG003 - the contract
        """By the keys of the first object, which may be longer than what is looked at."""
        line = head.partition("\n")[0]
        return line.startswith("{") and '"annotation"' in line and ('"user_id"' in line or '"actions"' in line)

    def read(self, path: StrPath) -> Judgements:
        """A row a span, segments numbered in the order in which they first occur.

        Of what somebody said twice of an output the last counts, and nothing of what was reset or skipped. Lessons,
        forms and attention checks are left out.
        """
        collector = RowCollector(path, format=self.name, on_bad=self.on_bad)
        answers: dict[tuple[str, str, int, str], tuple[int, Row, Any]] = {}
        texts = _Texts()
        for line, campaign, value in _objects(path, collector):
            try:
                entry = _entry(value)
            except DataError as error:
                collector.wrong(line, str(error))
                continue
            user = str(entry["user_id"])
            if entry["annotation"] == _RESET:
                for key in [key for key in answers if key[:2] == (campaign, user)]:
                    del answers[key]
                continue
            if _is_aside(entry):
                continue
            for row, answer in _answers(entry, campaign, texts):
                key = (campaign, user, int(row["segment"] or 0), str(row["system"]))
                answers.pop(key, None)
                answers[key] = (line, {"annotator": user, **row}, answer)
        for line, common, answer in answers.values():
            try:
                rows = _rows(common, answer)
            except DataError as error:
                collector.wrong(line, str(error))
                continue
            for each in rows:
                collector.add(line, each)
        return collector.finish(ERROR_SPANS)


class _Texts:
    """The numbers of segments and the names of documents, by what was shown of them.

    The place in the log says nothing: where everybody has tasks of their own, it counts within those.
    """

    def __init__(self) -> None:
        self.segments: dict[tuple[Any, ...], int] = {}
        self.documents: dict[tuple[Any, ...], str] = {}

    def places(self, campaign: str, shown: list[dict[str, Any]]) -> list[tuple[str, int]]:
        """Document and number of each segment of a document."""
        keys = [identity_of(each) for each in shown]
        document = (campaign, *keys)
        name = self.documents.setdefault(document, document_name(shown[0]) or f"doc-{len(self.documents) + 1}")
        seen: Counter[tuple[Any, ...]] = Counter()
        numbers = []
        for number, (each, key) in enumerate(zip(shown, keys, strict=True)):
            # With an item_id a segment is known wherever it stands; without one, only within its document.
            where = (campaign, *key, seen[key]) if each.get("item_id") is not None else (*document, number)
            seen[key] += 1
            numbers.append((name, self.segments.setdefault(where, len(self.segments) + 1)))
        return numbers


def identity_of(shown: dict[str, Any]) -> tuple[Any, ...]:
    """What tells a segment from others: its label, source and reference."""
    return tuple(None if shown.get(name) is None else str(shown[name]) for name in ("item_id", "src", "ref"))


def document_name(shown: dict[str, Any]) -> str | None:
    """A document's name, where the name of its first segment tells it: `doc/3`, or as at WMT `doc_#_3`."""
    if shown.get("doc_id") is not None:
        return str(shown["doc_id"])
    label = str(shown.get("item_id") or "")
    return next((label.rpartition(mark)[0] for mark in ("_#_", "/") if mark in label[1:]), None)


def _objects(path: StrPath, collector: RowCollector) -> Iterator[tuple[int, str, Any]]:
    """Line, campaign and object of each entry."""
    for number, line in enumerate(read_lines(path), start=1):
        try:
            value = parse_json(line)
        except DataError as error:
            collector.wrong(number, str(error))
            continue
        if isinstance(value, dict) and value and all(isinstance(each, list) for each in value.values()):
            yield from ((number, str(name), each) for name, entries in value.items() for each in entries)
        else:
            yield number, "", value


def _entry(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DataError(f"a {type(value).__name__} stands where an object is expected.")
    wanted = (
        ("user_id", "annotation") if value.get("annotation") == _RESET else ("user_id", "item_i", "item", "annotation")
    )
    absent = [key for key in wanted if key not in value]
    if absent:
        raise DataError(f"the object has no {', '.join(absent)}; expected an annotation of Pearmut's.")
    if value["annotation"] == _RESET:
        return value
    item, annotation = value["item"], value["annotation"]
    if not isinstance(item, list) or not isinstance(annotation, list) or len(item) != len(annotation):
        raise DataError("item and annotation are not lists of one length.")
    if not all(isinstance(each, dict) for each in item):
        raise DataError("an item holds something that is no object.")
    return value


def _is_aside(entry: dict[str, Any]) -> bool:
    """Whether it is no judgement: a lesson, a form, a check at random, or a document that was skipped."""
    actions = entry.get("actions")
    last = actions[-1] if isinstance(actions, list) and actions else None
    return (
        str(entry["item_i"]).startswith(_ASIDE)
        or not entry["item"]
        or any("form" in each and "text" in each for each in entry["item"])
        or (isinstance(last, dict) and last.get("action") == _SKIPPED)
    )


def _answers(entry: dict[str, Any], campaign: str, texts: _Texts) -> Iterator[tuple[dict[str, Value], Any]]:
    """What is known of each output that was judged, and what was said of it."""
    entries = [each if isinstance(each, dict) else {} for each in entry["annotation"]]
    # The time is a document's; only where that is one output is it an output's.
    seconds = _seconds(entry.get("actions")) if sum(map(len, entries)) == 1 else None
    places = texts.places(campaign, entry["item"])
    for number, (shown, answers) in enumerate(zip(entry["item"], entries, strict=True), start=1):
        if shown.get("validation"):
            continue
        doc, segment = places[number - 1]
        outputs = shown.get("tgt") if isinstance(shown.get("tgt"), dict) else {}
        for system, answer in answers.items():
            common: dict[str, Value] = {
                "segment": segment,
                "doc": doc,
                "doc_segment": number,
                "system": system,
                "source": shown.get("src"),
                "target": (outputs or {}).get(system),
                "seconds": seconds,
            }
            yield common, answer


def _seconds(actions: Any) -> float | None:
    """The time between the first and the last action, without long pauses, as Pearmut counts it."""
    if not isinstance(actions, list):
        return None
    times: list[Any] = [each.get("time") for each in actions if isinstance(each, dict)]
    if len(times) < 2 or not all(isinstance(time, int | float) for time in times):
        return None
    return round(float(sum(min(max(later - time, 0.0), _LONGEST) for time, later in pairwise(times))), 3)


def _rows(common: Row, answer: Any) -> list[Row]:
    """A row a span, or one without."""
    if not isinstance(answer, dict):
        raise DataError(f"the answer for {common['system']!r} is {str(answer)[:60]!r}; expected an object.")
    spans = answer.get("error_spans") or []
    if not isinstance(spans, list) or not all(isinstance(span, dict) for span in spans):
        raise DataError(f"the spans are {str(spans)[:60]!r}; expected a list of objects.")
    target = common["target"]
    rows = [_span(span, None if target is None else str(target)) for span in spans] or [{}]
    values = {**common, "source": common["source"] or None, "target": target or None, "score": _score(answer)}
    return [
        {**values, **row, "item": f"{common['system']}/{common['segment']}.{number}"}
        for number, row in enumerate(rows, start=1)
    ]


def _score(answer: dict[str, Any]) -> Any:
    sliders = answer.get("sliders")
    if answer.get("score") is not None or not isinstance(sliders, dict) or not sliders:
        return answer.get("score")
    if len(sliders) > 1:
        raise DataError(f"there are several sliders, {', '.join(sliders)}; outputs with one score are read.")
    return next(iter(sliders.values()))


def _span(span: dict[str, Any], target: str | None) -> dict[str, Value]:
    start, end = span.get("start_i"), span.get("end_i")
    if type(start) is not int or type(end) is not int or not 0 <= start <= end:
        raise DataError(f"a span begins at {start!r} and ends at {end!r}; expected whole numbers, the last included.")
    category = span.get("category")
    if isinstance(category, list):  # before version 0.2
        category = "/".join(filter(None, category)) or None
    first, _, second = str(category or "").partition("/")
    # A category without finer ones stands there twice.
    label = {"category": (first if first == second else category) or None, "severity": span.get("severity")}
    if target is None:
        return {**label, "start": start, "end": end + 1}
    units = _units(target)
    if start >= units[-1]:
        return {**label, "is_omission": True}
    # Half of a character cannot be marked here, so it is the whole one.
    begin = next(number for number, place in enumerate(units) if place > start) - 1
    behind = next((number for number, place in enumerate(units) if place > end), len(target))
    return {**label, "start": begin, "end": behind}


def _units(text: str) -> list[int]:
    """Where each character begins and the last one ends, in UTF-16 units."""
    places = [0]
    for character in text:
        places.append(places[-1] + (2 if ord(character) > 0xFFFF else 1))
    return places


def pearmut_category(category: str) -> str:
    """A category as Pearmut writes it: with a finer one in any case."""
    return category if "/" in category else f"{category}/{category}"


def pearmut_spans(rows: list[Mapping[str, Value]]) -> list[dict[str, Any]]:
    """The spans of rows that are of one output, as Pearmut writes them; an omission is on the token behind the text."""
    spans: list[dict[str, Any]] = []
    for row in rows:
        if row["severity"] is None and row["category"] is None and not row["is_omission"] and row["start"] is None:
            continue
        units = _units(str(row["target"] or ""))
        if row["start"] is None or row["end"] is None:
            place = (units[-1], units[-1])  # the first special token
        else:
            place = (units[int(row["start"])], units[int(row["end"])] - 1)
        category = None if row["category"] is None else pearmut_category(str(row["category"]))
        spans.append({"start_i": place[0], "end_i": place[1], "category": category, "severity": row["severity"]})
    return spans
