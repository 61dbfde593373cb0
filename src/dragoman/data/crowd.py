"""Translations by many hands, and the votes on which of them is best (Post, Callison-Burch & Osborne, WMT 2012)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from dragoman.data.judgements import Field, Judgements, Schema
from dragoman.data.judgements.crowd import CROWD_VOTES, TRANSLATIONS, VOTES, CrowdVotes
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, plain_name, read_lines

__all__ = [
    "CONTROL_ANSWERS",
    "TRANSLATIONS",
    "VOTES",
    "Document",
    "VotedSegment",
    "Votes",
    "read_documents",
    "read_votes",
    "votes_of",
]

CONTROL_ANSWERS = Schema(
    "crowd-control", (Field("annotator"), Field("item"), Field("answer", required=False)), key=("annotator", "item")
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
    """Votes as released: segment, number of votes, then translation and votes for it in turn, by tabs."""
    return votes_of(CrowdVotes().read(path), name=plain_name(path))


def votes_of(judgements: Judgements, *, name: str = "") -> Votes:
    """The voted segments that rows of crowd votes make up, in the order of their first rows.

    Where fewer votes are listed than were cast, the others went to a translation that is not there; they are kept as
    `n_absent`. A translation without a count has no votes that are known, and cannot be weighed against the others.
    """
    if judgements.schema.kind != CROWD_VOTES.kind:
        raise DataError(f"These are judgements of kind {judgements.schema.kind!r}; expected {CROWD_VOTES.kind!r}.")
    by_segment: dict[str, list[dict[str, Any]]] = {}
    for row in judgements.latest().rows():
        by_segment.setdefault(str(row["segment"]), []).append(row)
    segments = []
    for segment, rows in by_segment.items():
        counts = [row["votes"] for row in rows]
        if any(count is None for count in counts):
            raise DataError(f"A translation of the segment {segment!r} has no count of votes.")
        cast = rows[0]["n_votes"]
        if cast is not None and cast < sum(counts):
            raise DataError(f"The segment {segment!r} lists {sum(counts)} votes, but {cast} were cast.")
        who = tuple(str(row["annotator"]) for row in rows if row["annotator"] is not None)
        absent = 0 if cast is None else cast - sum(counts)
        texts = tuple(str(row["text"]) for row in rows)
        segments.append(VotedSegment(segment, texts, tuple(counts), absent, who if len(who) == len(rows) else ()))
    return Votes(tuple(segments), {"file": name, "n_segments": len(segments)})


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
                path=path,
                line=number,
            )
        name, title, english, category = cells
        if not name and unnamed == "drop":
            continue
        if not name:
            raise FormatError("the document has no id; give it one, or drop such lines.", path=path, line=number)
        documents.append(Document(name, category, title, english))
    return tuple(documents)
