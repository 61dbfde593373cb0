"""Documents read into segments before anything of them is kept, with limits on how many there may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, TypeVar

from dragoman.cat.analysis import count_words
from dragoman.cat.files import check_languages, format_of
from dragoman.cat.files.base import Langs
from dragoman.cat.segmentation import SegmentationRules, SentenceRules, segments_of
from dragoman.cat.segments import MOST_CHARACTERS, Segment, State, Unit, plain
from dragoman.errors import DataError
from dragoman.options import write_spec
from dragoman.store.translating.segments import check_segment

__all__ = [
    "BATCH",
    "ReadFile",
    "ReadLimits",
    "TooManyCharacters",
    "TooManySegments",
    "batches",
    "read_file",
    "read_file_in_parts",
    "segment_values",
    "unit_rows",
]

T = TypeVar("T")

_LETTERS = 200  # of a term with its translation and note, on average
_CODES = 5  # characters of inline codes for each character of text that is taken
BATCH = 1000  # rows that are handed on together: what reads them holds the interpreter for a moment only


class TooManySegments(DataError):
    """A document has more segments than are taken."""


class TooManyCharacters(DataError):
    """A document has more text than is taken."""


@dataclass
class ReadLimits:
    """How much of a document is taken; it counts what was read so far."""

    segments: int
    characters: int
    terms: int = 20_000  # of a project, which is read whole with every request: the interface takes no more, either
    n_segments: int = 0
    n_characters: int = 0
    n_of_codes: int = 0  # characters
    n_terms: int = 0
    n_of_terms: int = 0  # characters

    def count(self, name: str, *texts: str | None, codes: Sequence[Sequence[str]] = ()) -> None:
        """Count a segment with its texts and the codes of its unit; raise above a limit."""
        self.n_segments += 1
        self.n_characters += sum(len(text) for text in texts if text)
        self.n_of_codes += sum(sum(map(len, code)) for code in codes)
        if self.n_segments > self.segments:
            raise TooManySegments(
                f"{name} has more than {self.segments:,} segments, which is the most this server takes at once. Cut it "
                "into several files."
            )
        if self.n_characters > self.characters:
            raise TooManyCharacters(
                f"{name} has more than {self.characters:,} characters of text, which is the most this server takes at "
                "once. Cut it into several files."
            )
        if self.n_of_codes > _CODES * self.characters:
            raise TooManyCharacters(
                f"{name} has too many inline codes: each segment keeps those of its whole unit, together more than "
                f"{_CODES * self.characters:,} characters, which is the most this server takes at once. Cut its long "
                "paragraphs."
            )

    def count_terms(self, name: str, terms: Sequence[Mapping[str, str]]) -> None:
        """Count the terms of a file; raise above what a project takes of them, or of text in them."""
        self.n_terms += len(terms)
        self.n_of_terms += sum(len(text) for term in terms for text in term.values())
        if self.n_terms > self.terms:
            raise DataError(
                f"{name} has more than {self.terms:,} terms, the most that a project takes. Choose among them."
            )
        if self.n_of_terms > self.terms * _LETTERS:
            raise TooManyCharacters(
                f"{name} has more than {self.terms * _LETTERS:,} characters in its terms, the most that a project "
                "takes. Choose among them."
            )


@dataclass(frozen=True)
class ReadFile:
    """A document as the database keeps it: the specification of its format, and a row for each segment."""

    name: str
    format: str
    rows: Sequence[dict[str, Any]]


def read_file(
    name: str,
    content: bytes,
    langs: Langs,
    *,
    rules: SegmentationRules | None = None,
    limits: ReadLimits | None = None,
) -> ReadFile:
    """Read a document for work in two languages."""
    format_name, *parts = read_file_in_parts(name, content, langs, rules=rules, limits=limits)
    return ReadFile(name, str(format_name), [row for part in parts for row in part])


def read_file_in_parts(
    name: str,
    content: bytes,
    langs: Langs,
    *,
    rules: SegmentationRules | None = None,
    limits: ReadLimits | None = None,
) -> Iterator[Any]:
    """The specification of a document's format, then its rows, a batch at a time."""
    form = format_of(name, content, langs)
    check_languages(form, content, langs, name=name)
    yield write_spec(form)
    n_rows = 0
    for part in batches(unit_rows(form.units(content, name=name), rules or SentenceRules(langs[0]))):
        for row in part if limits else ():
            proposed = [text for each in row["alternatives"] for text in (each["source"], each["text"])]
            limits.count(name, row["source"], row["target"], *proposed, codes=row["codes"])  # type: ignore[union-attr]
        n_rows += len(part)
        yield part
    if not n_rows:
        raise DataError(f"{name} has nothing to translate.")


def batches(rows: Iterable[T]) -> Iterator[list[T]]:
    """The rows, `BATCH` at a time."""
    waiting = iter(rows)
    while part := list(islice(waiting, BATCH)):
        yield part


def unit_rows(units: Iterable[Unit], rules: SegmentationRules) -> Iterator[dict[str, Any]]:
    """The segments of units as the database keeps them."""
    for unit in units:
        if not unit.translate or not plain(unit.source).strip():
            continue
        # What was translated as a whole stays whole: nobody knows which sentence became which.
        is_whole = unit.target is not None or unit.alternatives
        state: State = "draft" if unit.target and unit.state == "new" else unit.state if unit.target else "new"
        for each in [_whole(unit)] if is_whole else segments_of(unit, rules):
            yield segment_values(unit, each, unit.target or None, state)


def segment_values(unit: Unit, segment: Segment, target: str | None, state: State) -> dict[str, Any]:
    """A segment of a unit as the database keeps it. What a file proposes is for the unit as a whole."""
    if len(segment.source) > MOST_CHARACTERS:
        raise DataError(
            f"The segment that begins with {segment.source[:20]!r} has {len(segment.source):,} characters; one that is "
            f"translated has at most {MOST_CHARACTERS:,}. Cut it by lines or sentences."
        )
    is_whole = unit.source.strip() == segment.source
    values = {
        "unit": unit.key,
        "begin": segment.begin,
        "end": segment.end,
        "source": segment.source,
        "words": count_words(segment.source),
        "codes": [[code.text, code.kind, code.pair, code.shown] for code in unit.codes],
        "note": unit.note,
        "max_length": unit.max_length,
        "alternatives": [asdict(each) for each in unit.alternatives] if is_whole else [],
        "target": target,
        "state": state,
    }
    check_segment(values)
    return values


def _whole(unit: Unit) -> Segment:
    source = unit.source.strip()
    begin = unit.source.index(source)
    return Segment(unit.key, begin, begin + len(source), source)
