"""Translations of a segment by people of a crowd, single votes on which is best, and files with the votes counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from dragoman.data.judgements.base import Field, Judgements, Schema, Value
from dragoman.data.judgements.files import JudgementFormat, write_tsv
from dragoman.data.judgements.rows import RowCollector
from dragoman.errors import DataError
from dragoman.files import StrPath, plain_name, read_lines

__all__ = ["CROWD_VOTES", "TRANSLATIONS", "VOTES", "CrowdVotes"]

CROWD_VOTES = Schema(
    "crowd-votes",
    (
        Field("item", meaning="one translation of one segment"),
        Field("segment", meaning="its name, document and number"),
        Field("doc", required=False),
        Field("candidate", "whole", low=1, meaning="the place among the translations of the segment"),
        Field("text", meaning="the translation"),
        Field("votes", "whole", required=False, low=0, meaning="how many thought it the best"),
        Field("n_votes", "whole", required=False, low=0, meaning="how many were asked"),
        Field("annotator", required=False, meaning="who translated, where it is known"),
    ),
    key=("item",),
)
TRANSLATIONS = Schema(
    "crowd-translation",
    (
        Field("annotator", meaning="who translated"),
        Field("segment"),
        Field("text", required=False, meaning="the translation; nothing if it was left empty"),
        Field("task", required=False, meaning="the bundle of segments that was done together"),
        Field("seconds", "number", required=False, low=0, meaning="for the whole task, the same in all its rows"),
        Field("submitted", "number", required=False, meaning="when, in seconds from any start: tells who copied whom"),
        Field("said_country", required=False, meaning="where they say they are"),
        Field("seen_country", required=False, meaning="where their address says they are"),
        Field("item", required=False, meaning="of the plan, where there is one"),
    ),
    key=("annotator", "segment"),
)
VOTES = Schema(
    "crowd-choice",
    (
        Field("annotator", meaning="who votes"),
        Field("segment"),
        Field("translator", meaning="whose translation is best"),
        Field("item", required=False, meaning="of the plan, where there is one"),
        Field("among", required=False, meaning="what could be chosen: JSON, from translators to their translations"),
    ),
    key=("annotator", "segment"),
)


@dataclass(frozen=True)
class CrowdVotes(JudgementFormat):
    """Votes on crowd translations of the Indian corpora: segment, number of votes, then texts with their votes.

    One segment a line, cells between tabs; the name of a segment is document, `_`, number.
    """

    name: ClassVar[str] = "crowd-votes"
    kind: ClassVar[str] = "crowd-votes"
    suffixes: ClassVar[tuple[str, ...]] = (".votes",)

    @classmethod
    def is_named_by(cls, path: StrPath) -> bool:
        """Also `votes.hi`, as the corpora name it."""
        return super().is_named_by(path) or plain_name(path).lower().startswith("votes.")

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:
        """By its name, and text and numbers in turn."""
        cells = head.partition("\n")[0].rstrip("\r").split("\t")
        return (
            cls.is_named_by(path)
            and len(cells) >= 4
            and len(cells) % 2 == 0
            and all(cell.isdigit() for cell in cells[1::2])
        )

    def read(self, path: StrPath) -> Judgements:
        """A row a translation, in the order of the file."""
        collector = RowCollector(path, format=self.name, on_bad=self.on_bad)
        seen: dict[str, int] = {}
        for number, line in enumerate(read_lines(path), start=1):
            try:
                rows = _rows(line)
                segment = str(rows[0]["segment"])
                if segment in seen:
                    raise DataError(f"the segment {segment!r} is there a second time, first on line {seen[segment]}.")
                seen[segment] = number
            except DataError as error:
                collector.wrong(number, str(error))
                continue
            for row in rows:
                collector.add(number, row)
        return collector.finish(CROWD_VOTES)

    def write_rows(self, value: Judgements, path: StrPath) -> None:
        """A line a segment; votes that are not known cannot be written."""
        write_tsv(path, _lines(value))

    def loses(self, value: Judgements) -> list[str]:
        """Who translated; names that are not made of segment and place."""
        lost = ["annotator"] if any(each is not None for each in value["annotator"]) else []
        for name, made in (("doc", _document), ("item", None)):
            if any(row[name] != (made(str(row["segment"])) if made else _item(row)) for row in value.rows()):
                lost.append(name)
        return lost


def _document(segment: str) -> str | None:
    return segment.rpartition("_")[0] or None


def _item(row: dict[str, Value]) -> str:
    return f"{row['segment']}/{row['candidate']}"


def _rows(line: str) -> list[dict[str, Value]]:
    segment, *cells = line.split("\t")
    if len(cells) < 3 or len(cells) % 2 == 0:
        raise DataError(f"the line has {len(cells) + 1} cells; expected segment, votes, then text and votes in turn.")
    n_votes = CROWD_VOTES.field("n_votes").parse(cells[0])
    rows: list[dict[str, Value]] = []
    for place, (text, votes) in enumerate(zip(cells[1::2], cells[2::2], strict=True), start=1):
        row: dict[str, Value] = {"segment": segment, "doc": _document(segment), "candidate": place, "text": text}
        rows.append(row | {"votes": CROWD_VOTES.field("votes").parse(votes), "n_votes": n_votes, "item": _item(row)})
    return rows


def _lines(value: Judgements) -> Iterator[list[str]]:
    for segment, group in groupby(value.rows(), key=lambda row: row["segment"]):
        rows = list(group)
        if any(row["votes"] is None for row in rows) or len({row["n_votes"] for row in rows}) > 1:
            raise DataError(f"The votes on segment {segment!r} are not all known, and a votes file must have them.")
        if [row["candidate"] for row in rows] != list(range(1, len(rows) + 1)):
            raise DataError(f"The translations of segment {segment!r} are not numbered from 1 on.")
        cells = [cell for row in rows for cell in (str(row["text"]), str(row["votes"]))]
        yield [str(segment), str(rows[0]["n_votes"]), *cells]
