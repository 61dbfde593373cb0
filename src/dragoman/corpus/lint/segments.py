"""Checks of single segments, and of segments beside their counterparts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.corpus.lint.base import Check, Finding, Material, Severity
from dragoman.options import option

__all__ = ["Copied", "DuplicateSource", "EmptySegment", "LengthRatio", "LongSegment", "RepeatedOutput", "Unbalanced"]


@dataclass(frozen=True)
class EmptySegment(Check):
    """A segment has no character but white space."""

    name: ClassVar[str] = "empty"
    severity: ClassVar[Severity] = "warning"

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        for stream in material.streams:
            for place in np.flatnonzero((stream.profiles["tokens"] == 0) & stream.present):
                yield self.finding(stream, place, "the segment is empty")


@dataclass(frozen=True)
class DuplicateSource(Check):
    """A source segment of `tokens` or more stands in the data twice."""

    name: ClassVar[str] = "duplicate"
    severity: ClassVar[Severity] = "note"
    tokens: int = option(4, low=1, text="shorter segments are often the same")

    def skipped(self, material: Material) -> str | None:
        """See `Check`."""
        return None if material.source is not None else "there are no sources"

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        source = material.source
        if source is None:
            return
        first: dict[int, int] = {}
        for place in np.flatnonzero(source.profiles["tokens"] >= self.tokens).tolist():
            before = first.setdefault(int(source.keys[place]), place)
            if before != place:
                yield self.finding(source, place, f"the same as segment {before + 1}: {source.lines[place][:40]!r}")


@dataclass(frozen=True)
class RepeatedOutput(Check):
    """A target segment of `tokens` or more comes again though its source is another."""

    name: ClassVar[str] = "repeated-output"
    severity: ClassVar[Severity] = "note"
    tokens: int = option(6, low=1, text="shorter segments are often the same")

    def skipped(self, material: Material) -> str | None:
        """See `Check`."""
        return None if material.source is not None else "there are no sources"

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        source = material.source
        if source is None:
            return
        for stream in material.targets:
            first: dict[int, int] = {}
            for place in np.flatnonzero(stream.profiles["tokens"] >= self.tokens).tolist():
                before = first.setdefault(int(stream.keys[place]), place)
                if source.keys[before] != source.keys[place]:
                    yield self.finding(stream, place, f"the same as segment {before + 1}: {stream.lines[place][:40]!r}")


@dataclass(frozen=True)
class Copied(Check):
    """A target segment with `tokens` or more is its source, letter by letter."""

    name: ClassVar[str] = "copy"
    severity: ClassVar[Severity] = "warning"
    tokens: int = option(4, low=1, text="shorter segments are often the same in two languages")

    def skipped(self, material: Material) -> str | None:
        """See `Check`."""
        return None if material.source is not None else "there are no sources"

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        source = material.source
        if source is None:
            return
        # Numbers, dates and names are the same in many languages; a copied sentence has several words with letters.
        wordy = (source.profiles["tokens"] >= self.tokens) & (source.profiles["letters"] >= 3 * self.tokens)
        for stream in material.targets:
            for place in np.flatnonzero((stream.keys == source.keys) & wordy & stream.present):
                yield self.finding(stream, place, f"the source untranslated: {stream.lines[place][:40]!r}")


@dataclass(frozen=True)
class LengthRatio(Check):
    """A target segment is far longer or shorter than its source makes one expect.

    The log ratio of the lengths is compared with its median over the stream, in units of its spread (the median
    absolute deviation, made comparable with a standard deviation). Short segments vary more: the spread is taken to
    grow as the square root of a source shorter than `typical` characters shrinks (Gale & Church 1993).
    """

    name: ClassVar[str] = "length-ratio"
    severity: ClassVar[Severity] = "warning"
    deviations: float = option(7.0, low=0, text="how far from the median is far")
    characters: int = option(25, low=0, text="a smaller difference is no matter")
    typical: int = option(100, low=1, text="characters of a source; shorter ones vary more")
    segments: int = option(20, low=1, text="fewer say nothing about what is usual")

    def skipped(self, material: Material) -> str | None:
        """See `Check`."""
        if len(material.streams) < 2:
            return "there is one stream only"
        return None if len(material) >= self.segments else f"fewer than {self.segments} segments"

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        for base, stream in material.pairs:
            here, there = (s.profiles["characters"].astype(np.float64) for s in (base, stream))
            both = (base.profiles["tokens"] > 0) & (stream.profiles["tokens"] > 0)
            if both.sum() < self.segments:
                continue
            ratio = np.log((there + 1) / (here + 1))
            centre = float(np.median(ratio[both]))
            # 1.4826: the MAD of a normal distribution is 0.6745 standard deviations.
            spread = max(0.08, 1.4826 * float(np.median(np.abs(ratio[both] - centre))))
            shrink = np.sqrt(np.minimum(here, self.typical) / self.typical)
            far = np.abs(ratio - centre) * shrink > self.deviations * spread
            apart = np.abs(there - here * np.exp(centre)) > self.characters
            for place in np.flatnonzero(far & apart & both):
                usual = here[place] * np.exp(centre)
                detail = f"{there[place]:.0f} characters where about {usual:.0f} would be usual"
                yield self.finding(stream, place, f"{detail}: {stream.lines[place][:40]!r}")


@dataclass(frozen=True)
class Unbalanced(Check):
    """Brackets or quotation marks do not pair, though those of the source do."""

    name: ClassVar[str] = "unbalanced"
    severity: ClassVar[Severity] = "note"

    def skipped(self, material: Material) -> str | None:
        """See `Check`."""
        return None if len(material.streams) > 1 else "there is one stream only"

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        kinds = {1: "round brackets", 2: "square brackets", 4: "curly brackets", 8: "quotation marks"}
        for base, stream in material.pairs:
            # A quotation over several segments is open in both; only what the translation broke is reported.
            broken = stream.profiles["unbalanced"] & ~base.profiles["unbalanced"]
            for place in np.flatnonzero((broken > 0) & base.present):
                names = [name for bit, name in kinds.items() if broken[place] & bit]
                yield self.finding(stream, place, f"{' and '.join(names)} do not pair: {stream.lines[place][:40]!r}")


@dataclass(frozen=True)
class LongSegment(Check):
    """A segment has more than `characters`: a paragraph, or lines that lost their breaks."""

    name: ClassVar[str] = "long"
    severity: ClassVar[Severity] = "note"
    characters: int = option(1000, low=1, text="a segment may have")

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        for stream in material.streams:
            for place in np.flatnonzero(stream.profiles["characters"] > self.characters):
                yield self.finding(stream, place, f"{stream.profiles['characters'][place]} characters")
