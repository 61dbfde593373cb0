"""A system's words with their error classes, as results; `error_classes` makes them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from dragoman.metrics.classer import CLASSES
from dragoman.report import Column, Result, Table

if TYPE_CHECKING:
    from dragoman.metrics.error_classes import ErrorProfile

__all__ = ["LABELS", "ErrorLabels", "ErrorsByTag", "Label", "LabelledSegment", "LabelledWord"]

Label = Literal["correct", "inflection", "order", "missing", "extra", "lexical"]
LABELS: tuple[Label, ...] = ("correct", "inflection", "order", "missing", "extra", "lexical")


@dataclass(frozen=True)
class LabelledWord:
    """A word and what is wrong with it."""

    word: str
    label: Label
    tag: str | None = None  # part of speech, where it was given


@dataclass(frozen=True)
class LabelledSegment:
    """The words of a hypothesis and of the reference that it is compared with."""

    hyp: tuple[LabelledWord, ...]
    ref: tuple[LabelledWord, ...]
    reference: str  # the name of the reference
    edits: int  # Levenshtein distance of the two, in words


_COUNTED = ("hyp", "ref", *CLASSES)


@dataclass(frozen=True)
class ErrorsByTag(Result):
    """How many errors of each class the words of each part of speech have."""

    kind: ClassVar[str] = "errors by part of speech"

    system: str
    rows: tuple[tuple[Any, ...], ...]  # tag, words of output and reference, errors of each class

    def tables(self) -> list[Table]:
        """A row for each part of speech, the most frequent first."""
        columns = [Column("tag"), Column("hyp", "words"), Column("ref", "words of reference"), *map(Column, CLASSES)]
        note = "Words of the output; missing words are those of the reference."
        return [Table.of(f"Errors of {self.system} by part of speech", columns, self.rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """Whose errors they are."""
        return {"system": self.system}


@dataclass(frozen=True, eq=False)
class ErrorLabels(Result):
    """A system's output and its references with every word labelled."""

    kind: ClassVar[str] = "error labels"

    system: str
    segments: tuple[LabelledSegment, ...]
    profile: ErrorProfile

    def tables(self) -> list[Table]:
        """One row per word; then the profile."""
        rows = [
            (number, side, position, word.word, word.label, word.tag)
            for number, segment in enumerate(self.segments, start=1)
            for side, words in (("hyp", segment.hyp), ("ref", segment.ref))
            for position, word in enumerate(words, start=1)
        ]
        columns = [Column("segment"), Column("side"), Column("position"), Column("word", is_text=True), Column("label")]
        if not self.has_tags:
            return [Table.of(f"Words of {self.system}", columns, [row[:-1] for row in rows]), *self.profile.tables()]
        words = Table.of(f"Words of {self.system}", [*columns, Column("tag")], rows)
        return [words, *self.by_tag().tables(), *self.profile.tables()]

    @property
    def has_tags(self) -> bool:
        """Whether parts of speech were given."""
        return any(word.tag is not None for segment in self.segments for word in segment.hyp)

    def by_tag(self) -> ErrorsByTag:
        """The errors of each part of speech: of the output's words, and for missing ones of the reference's."""
        counts: dict[str, Counter[str]] = {}
        for segment in self.segments:
            for side, words in (("hyp", segment.hyp), ("ref", segment.ref)):
                for word in words:
                    own = counts.setdefault(str(word.tag), Counter())
                    own[side] += 1
                    if (word.label == "missing") == (side == "ref"):
                        own[word.label] += 1
        order = sorted(counts, key=lambda tag: (-counts[tag]["hyp"], tag))
        return ErrorsByTag(self.system, tuple((tag, *(counts[tag][name] for name in _COUNTED)) for tag in order))

    def meta(self) -> dict[str, Any]:
        """How words and base forms were found, and what was counted."""
        return {"system": self.system, **self.profile.meta()}

    def html(self) -> str:
        """One self-contained HTML page: the profile, then the segments with the labels above their words."""
        from dragoman.metrics.error_page import error_page

        return error_page(self)
