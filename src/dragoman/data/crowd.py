"""Translations by many hands, and the votes on which of them is best (Post, Callison-Burch & Osborne, WMT 2012)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from dragoman.data.judgements import Field, Schema
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, plain_name, read_lines, write_lines

__all__ = [
    "CONTROL_ANSWERS",
    "TRANSLATIONS",
    "VOTES",
    "Document",
    "VotedSegment",
    "Votes",
    "read_documents",
    "read_votes",
    "write_votes",
]  # fmt: skip

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
    ),
    key=("annotator", "segment"),
)
VOTES = Schema(
    "crowd-choice",
    (
        Field("annotator", meaning="who votes"),
        Field("segment"),
        Field("translator", meaning="whose translation is best"),
    ),
    key=("annotator", "segment"),
)
CONTROL_ANSWERS = Schema(
    "crowd-control",
    (Field("annotator"), Field("item"), Field("answer", required=False)),
    key=("annotator", "item"),
)


@dataclass(frozen=True)
class VotedSegment:
    """The translations of one segment and the votes that each got; votes may be weighted."""

    segment: str
    translations: tuple[str, ...]
    votes: tuple[float, ...]
    n_absent: float = 0  # votes for translations that are not there
    translators: tuple[str, ...] = ()  # empty where they are not known

    def __post_init__(self) -> None:
        for name in ("translations", "votes", "translators"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if not self.translations:
            raise DataError(f"The segment {self.segment!r} has no translations to vote for.")
        if len(self.votes) != len(self.translations) or len(self.translators) not in (0, len(self.translations)):
            raise DataError(
                f"The segment {self.segment!r} has {len(self.translations)} translations, {len(self.votes)} counts of "
                f"votes and {len(self.translators)} translators."
            )
        if min(self.votes) < 0 or self.n_absent < 0:
            raise DataError(f"The segment {self.segment!r} has a negative number of votes.")

    @property
    def winners(self) -> tuple[int, ...]:
        """The places of the translations with most votes: several for a tie, all without any vote."""
        most = max(self.votes)
        return tuple(n for n, votes in enumerate(self.votes) if votes == most)


@dataclass(frozen=True)
class Votes:
    """All voted segments, each once, in file order."""

    segments: tuple[VotedSegment, ...]
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "segments", tuple(self.segments))
        object.__setattr__(self, "provenance", MappingProxyType(dict(self.provenance)))
        if len({each.segment for each in self.segments}) < len(self.segments):
            names = [each.segment for each in self.segments]
            twice = next(name for name in names if names.count(name) > 1)
            raise DataError(f"The segment {twice!r} is there twice.")

    def __len__(self) -> int:
        return len(self.segments)


def read_votes(path: StrPath) -> Votes:
    """Votes as released: segment, number of votes, then translation and votes for it in turn, by tabs.

    Where fewer votes are listed than were cast, the others went to a translation that is not in the line; they are
    kept as `n_absent`.
    """
    segments: list[VotedSegment] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(read_lines(path), start=1):
        segment, *cells = line.split("\t")
        if len(cells) < 3 or len(cells) % 2 == 0:
            raise FormatError(
                f"expected segment, number of votes, and pairs of translation and votes, by tabs; got "
                f"{len(cells) + 1} cells.", path=path, line=number,
            )  # fmt: skip
        if segment in seen:
            raise FormatError(f"the segment {segment!r} stands on line {seen[segment]} too.", path=path, line=number)
        seen[segment] = number
        total, votes = _count(cells[0], path, number), [_count(cell, path, number) for cell in cells[2::2]]
        if sum(votes) > total:
            raise FormatError(f"{sum(votes)} votes are listed, but {total} were cast.", path=path, line=number)
        segments.append(VotedSegment(segment, tuple(cells[1::2]), tuple(votes), total - sum(votes)))
    return Votes(tuple(segments), {"file": plain_name(path), "n_segments": len(segments)})


def _count(cell: str, path: StrPath, line: int) -> int:
    if not cell.isascii() or not cell.isdigit():
        raise FormatError(f"a number of votes is {cell!r}; expected a whole number from 0 on.", path=path, line=line)
    return int(cell)


def write_votes(votes: Votes, path: StrPath) -> int:
    """Write votes in the released layout, most votes first; returns how many segments."""
    lines = []
    for each in votes.segments:
        counts = [*each.votes, each.n_absent]
        if any(count != int(count) for count in counts):
            raise DataError(f"The segment {each.segment!r} has weighted votes; this layout holds whole numbers.")
        if any("\t" in text for text in each.translations):
            raise DataError(f"A translation of the segment {each.segment!r} has a tab, which parts the cells.")
        order = sorted(range(len(each.votes)), key=lambda n: -each.votes[n])
        cells = [each.segment, str(int(sum(counts)))]
        for n in order:
            cells += [each.translations[n], str(int(each.votes[n]))]
        lines.append("\t".join(cells))
    return write_lines(path, lines)


@dataclass(frozen=True)
class Document:
    """A source document with its category."""

    name: str
    category: str
    title: str = ""
    english_title: str = ""


def read_documents(path: StrPath, *, unnamed: Literal["error", "drop"] = "error") -> tuple[Document, ...]:
    """Documents as released: id, title, English title, category, by tabs.

    Pages that could not be fetched have no id; `unnamed="drop"` leaves their lines out.
    """
    documents: list[Document] = []
    for number, line in enumerate(read_lines(path), start=1):
        cells: Sequence[str] = line.split("\t")
        if len(cells) != 4:
            raise FormatError(
                f"expected document, title, English title and category, by tabs; got {len(cells)} cells.",
                path=path, line=number,
            )  # fmt: skip
        name, title, english, category = cells
        if not name and unnamed == "drop":
            continue
        if not name:
            raise FormatError("the document has no id; give it one, or drop such lines.", path=path, line=number)
        documents.append(Document(name, category, title, english))
    return tuple(documents)
