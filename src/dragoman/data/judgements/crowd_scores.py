"""Direct assessments of crowds: batches of Mechanical Turk, and lists of scores beside each segment (MLQE-PE)."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from time import strptime
from typing import Any, ClassVar

from dragoman.data.formats.csv import split_rows
from dragoman.data.judgements.base import Judgements, Value
from dragoman.data.judgements.direct_assessment import DIRECT_ASSESSMENT
from dragoman.data.judgements.files import JudgementFormat, first_row, language_of
from dragoman.data.judgements.rows import RowCollector
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.files import StrPath, read_lines, read_text
from dragoman.notation import parse_json
from dragoman.options import option

__all__ = ["ATTRIBUTES", "GRAHAM_TYPES", "MlqeScores", "MturkBatch"]

# Graham's words for the four types of item; "cal" is the degraded copy.
GRAHAM_TYPES = {"system": "TGT", "repeat": "CHK", "ref": "REF", "cal": "BAD", "bad_ref": "BAD"}
ATTRIBUTES = {"ad": "adequacy", "fl": "fluency"}
_ANSWER = re.compile("([0-9]{1,9})_([^_|]*)_([^_|]*)")
_ZONES = {"GMT": 0, "UTC": 0, "EDT": -4, "EST": -5, "CDT": -5, "CST": -6, "MDT": -6, "MST": -7, "PDT": -7, "PST": -8}
_NEEDED = ("HITId", "WorkerId", "Input.src", "Input.trg", "Input.item")
_OF_AN_ITEM = ("Input.rid", "Input.sys_id", "Input.sid", "Input.tst")


@dataclass(frozen=True)
class MturkBatch(JudgementFormat):
    """The results of a Mechanical Turk batch of direct assessments: a row a HIT, its items and answers in columns.

    Graham's layout: `Input.sys_id_0`, `Input.sid_0`, `Input.tst_0`, `Input.rid_0` … and one answer `0_rid_score|1_…`.
    Each item becomes a row, `item` its HIT and place; an item without an answer has no score. Read only.
    """

    name: ClassVar[str] = "mturk-da"
    kind: ClassVar[str] = "direct-assessment"
    suffixes: ClassVar[tuple[str, ...]] = (".mturk.csv",)
    writable: ClassVar[bool] = False

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:
        """By the names of its columns."""
        return {"HITId", "WorkerId", "Input.sys_id_0", "Input.rid_0"} <= set(first_row(head, path, tsv=False))

    def read(self, path: StrPath) -> Judgements:
        """The items in the order in which they were shown."""
        rows = split_rows(read_text(path), path)
        header = next(rows, (1, []))[1]
        n_items = sum(1 for name in header if re.fullmatch(r"Input\.rid_[0-9]+", name))
        answers = [name for name in header if name.startswith("Answer.") and "comment" not in name.lower()]
        needed = [*_NEEDED, *(f"{name}_{place}" for place in range(max(1, n_items)) for name in _OF_AN_ITEM)]
        lacking = [name for name in needed if name not in header] + ["one column Answer.…"] * (len(answers) != 1)
        if lacking:
            raise FormatError(
                f"this is no batch of direct assessments: it lacks {', '.join(lacking)}.", path=path, line=1
            )
        # Approve and Reject, for the requester to fill in, have no cells unless they are filled in.
        fewest = max(place for place, name in enumerate(header) if name not in ("Approve", "Reject")) + 1
        collector = RowCollector(path, format=self.name, on_bad=self.on_bad)
        for line, row in rows:
            if not fewest <= len(row) <= len(header):
                collector.wrong(line, f"the line has {len(row)} cells for {len(header)} columns.")
                continue
            cells = dict(zip(header, row, strict=False))
            try:
                items = _items(cells, n_items, answers[0])
            except (DataError, UnknownName) as error:
                collector.wrong(line, str(error))
                continue
            for item in items:
                collector.add(line, item)
        return collector.finish(DIRECT_ASSESSMENT)


def _items(cells: dict[str, str], n_items: int, answer: str) -> list[dict[str, Value]]:
    """The items of one HIT."""
    scores: dict[int, str] = {}
    for text in filter(None, cells[answer].split("|")):
        matched = _ANSWER.fullmatch(text)
        if matched is None:
            raise DataError(f"the answer has {text[:40]!r}; expected place_id_score.")
        place, name = int(matched[1]), matched[2]
        if place >= n_items or cells[f"Input.rid_{place}"] != name:
            raise DataError(f"the answer to item {place} is for {name!r}, which was not shown there.")
        if place in scores:
            raise DataError(f"item {place} has two answers.")
        scores[place] = matched[3]
    start, end = (_time(cells.get(name, "")) for name in ("AcceptTime", "SubmitTime"))
    common: dict[str, Value] = {
        "annotator": cells["WorkerId"],
        "task": cells["HITId"],
        "source_lang": language_of(cells["Input.src"]),
        "target_lang": language_of(cells["Input.trg"]),
        "attribute": ATTRIBUTES.get(cells["Input.item"], cells["Input.item"]),
        "start": start,
        "end": end,
        "status": cells.get("AssignmentStatus") or None,
    }
    items = []
    for place in range(n_items):
        kind = cells[f"Input.tst_{place}"]
        if kind.lower() not in GRAHAM_TYPES:
            raise DataError(f"item {place} is of type {kind!r}; expected {', '.join(GRAHAM_TYPES)}.")
        score = scores.get(place, "")
        items.append(
            common
            | {
                "item": f"{cells['HITId']}/{place}",
                "type": GRAHAM_TYPES[kind.lower()],
                "segment": DIRECT_ASSESSMENT.field("segment").parse(cells[f"Input.sid_{place}"]),
                "system": cells[f"Input.sys_id_{place}"],
                "score": DIRECT_ASSESSMENT.field("score").parse(score) if score else None,
            }
        )
    return items


def _time(text: str) -> float | None:
    """Seconds since 1970 of a time as Mechanical Turk writes it: `Fri May 29 09:55:29 PDT 2015`."""
    if not text:
        return None
    parts = text.split()
    if len(parts) != 6 or parts[4] not in _ZONES:
        raise DataError(f"{text!r} is no time; expected the form 'Fri May 29 09:55:29 PDT 2015'.")
    try:
        seconds = calendar.timegm(strptime(" ".join(parts[1:4] + parts[5:]), "%b %d %H:%M:%S %Y"))
    except ValueError:
        raise DataError(f"{text!r} is no time; expected the form 'Fri May 29 09:55:29 PDT 2015'.") from None
    return float(seconds - 3600 * _ZONES[parts[4]])


@dataclass(frozen=True)
class MlqeScores(JudgementFormat):
    """Direct assessments of MLQE-PE: a TSV with a list of scores beside each segment, `[20, 35, 30]`.

    The file names neither annotators nor the system: `annotator` is the place in the list, which need not be one person
    throughout, and `system` is given. Read only.
    """

    name: ClassVar[str] = "mlqe-da"
    kind: ClassVar[str] = "direct-assessment"
    suffixes: ClassVar[tuple[str, ...]] = (".df.short.tsv",)
    writable: ClassVar[bool] = False

    system: str = option("mt", text="the name of the one system that was judged")

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:
        """By the names of its columns."""
        return {"index", "original", "translation", "scores"} <= set(first_row(head, path, tsv=True))

    def read(self, path: StrPath) -> Judgements:
        """A row a score, segments counted as the file does."""
        lines = read_lines(path)
        header = lines[0].split("\t") if lines else []
        absent = [name for name in ("index", "scores") if name not in header]
        if absent:
            raise FormatError(f"this is no table of MLQE-PE's: it lacks {', '.join(absent)}.", path=path, line=1)
        index, scores = header.index("index"), header.index("scores")
        collector = RowCollector(path, format=self.name, on_bad=self.on_bad)
        for number, line in enumerate(lines[1:], start=2):
            row = line.split("\t")
            try:
                if len(row) != len(header):
                    raise DataError(f"the line has {len(row)} cells for {len(header)} columns.")
                segment = DIRECT_ASSESSMENT.field("segment").parse(row[index])
                values = _numbers(row[scores])
            except DataError as error:
                collector.wrong(number, str(error))
                continue
            for place, score in enumerate(values, start=1):
                collector.add(
                    number,
                    {
                        "annotator": str(place),
                        "item": row[index],
                        "segment": segment,
                        "system": self.system,
                        "score": score,
                    },
                )
        return collector.finish(DIRECT_ASSESSMENT)


def _numbers(text: str) -> list[Any]:
    try:
        values = parse_json(text)
    except ValueError:
        values = None
    if not isinstance(values, list) or not all(type(value) in (int, float) for value in values):
        raise DataError(f"scores is {text[:60]!r}; expected a list of numbers, as [70, 85.5].")
    return values
