"""Direct assessments as WMT's news task releases them (`ad-latest.csv`): a row a score, tabs and blanks mixed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from dragoman.data.judgements.base import Judgements, Value
from dragoman.data.judgements.crowd_scores import ATTRIBUTES, GRAHAM_TYPES
from dragoman.data.judgements.direct_assessment import DIRECT_ASSESSMENT
from dragoman.data.judgements.files import JudgementFormat, language_of
from dragoman.data.judgements.rows import RowCollector
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.files import StrPath, read_lines

__all__ = ["WmtScores"]

_HEADER = ("HITId", "WorkerId", "Input.src", "Input.trg", "Input.item", "hit", "sys_id", "rid", "type", "sid", "score")
_TIME = "time"  # the last column; seconds, 0 where nobody measured
_CELL = re.compile(r'"[^"]*"|\S+')
_IN_DOCUMENT = re.compile(r"(.+?)(?:\.[0-9]+)?_([0-9]+)")  # hi-bn-0-46-1001558.3_3
_NOTHING = "NA"


@dataclass(frozen=True)
class WmtScores(JudgementFormat):
    """Direct assessments as WMT releases them: `HITId WorkerId Input.src …`, cells between tabs or blanks. Read only.

    A segment is a number of the test set, or `document.3_3`, the third of its document. What is `NA` is missing.
    """

    name: ClassVar[str] = "wmt-da"
    kind: ClassVar[str] = "direct-assessment"
    suffixes: ClassVar[tuple[str, ...]] = (".ad.csv",)
    writable: ClassVar[bool] = False

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:  # noqa: ARG003 - the contract
        """By the names of its columns."""
        return tuple(head.partition("\n")[0].split()[: len(_HEADER)]) == _HEADER

    def read(self, path: StrPath) -> Judgements:
        """The scores, numbered by row."""
        lines = read_lines(path)
        header = lines[0].split() if lines else []
        if tuple(header) not in (_HEADER, (*_HEADER, _TIME)):
            raise FormatError(
                f"this is no table of WMT's direct assessments: expected the columns {' '.join(_HEADER)}.",
                path=path,
                line=1,
            )
        collector = RowCollector(path, format=self.name, on_bad=self.on_bad)
        for number, line in enumerate(lines[1:], start=2):
            cells = [cell.strip('"') for cell in _CELL.findall(line)]
            if len(cells) != len(header):
                collector.wrong(number, f"the line has {len(cells)} cells for {len(header)} columns.")
                continue
            try:
                collector.add(number, _row(dict(zip(header, cells, strict=True)), number - 1))
            except (DataError, UnknownName) as error:
                collector.wrong(number, str(error))
        return collector.finish(DIRECT_ASSESSMENT)


def _row(cells: dict[str, str], number: int) -> dict[str, Value]:
    if cells["type"].lower() not in GRAHAM_TYPES:
        raise DataError(f"type is {cells['type']!r}; expected {', '.join(GRAHAM_TYPES)}.")
    within = _IN_DOCUMENT.fullmatch(cells["sid"])
    doc, segment = within.groups() if within else (None, cells["sid"])
    seconds = _number("seconds", cells.get(_TIME, "0"))
    return {
        "annotator": cells["WorkerId"],
        "item": str(number),
        "type": GRAHAM_TYPES[cells["type"].lower()],
        "doc": doc,
        "segment": DIRECT_ASSESSMENT.field("segment").parse(segment),
        "system": cells["sys_id"],
        "score": _number("score", cells["score"]),
        "seconds": seconds or None,
        "task": None if cells["HITId"] == _NOTHING else cells["HITId"],
        "source_lang": language_of(cells["Input.src"]),
        "target_lang": language_of(cells["Input.trg"]),
        "attribute": ATTRIBUTES.get(cells["Input.item"], cells["Input.item"]),
    }


def _number(name: str, cell: str) -> Value:
    return None if cell == _NOTHING else DIRECT_ASSESSMENT.field(name).parse(cell)
