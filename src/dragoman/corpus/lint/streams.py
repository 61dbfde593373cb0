"""Checks of whole streams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.corpus.language import LanguageGuesser, alike, language_guesser_available
from dragoman.corpus.lint.base import Check, Finding, Material, Severity, TextStream
from dragoman.errors import UnknownName
from dragoman.options import option
from dragoman.text.unicode import find_normalisation

__all__ = ["IdenticalStreams", "MixedNormalisation", "OtherLanguage", "TokenisedText"]


@dataclass(frozen=True)
class IdenticalStreams(Check):
    """Two systems have the same output, or a system's output is a reference or the source."""

    name: ClassVar[str] = "identical"
    severity: ClassVar[Severity] = "warning"

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        first: dict[bytes, TextStream] = {}
        for stream in material.streams:
            before = first.setdefault(stream.keys.tobytes(), stream)
            if before is not stream and len(material) > 0 and stream.present.all() and before.present.all():
                yield self.finding(stream, None, f"the same, segment by segment, as {before.name}")


@dataclass(frozen=True)
class MixedNormalisation(Check):
    """A stream spells the same letters now composed, now decomposed, so that equal words differ."""

    name: ClassVar[str] = "normalisation"
    severity: ClassVar[Severity] = "warning"

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        for stream in material.streams:
            forms = find_normalisation(stream.lines)
            if forms.is_mixed:
                _, composed, decomposed, mixed, _ = forms.first_lines
                odd = forms.decomposed + forms.mixed
                where = min(line for line in (decomposed, mixed) if line is not None)
                also = f", {forms.composed} are (first: {composed})" if composed else ""
                yield self.finding(stream, None, f"{odd} segments are not in NFC (first: {where}){also}")


@dataclass(frozen=True)
class TokenisedText(Check):
    """A stream looks tokenised: its commas and full stops stand apart from the words."""

    name: ClassVar[str] = "tokenised"
    severity: ClassVar[Severity] = "warning"
    share: float = option(0.9, low=0, high=1, text="of the marks that stand apart")
    marks: int = option(10, low=1, text="fewer say nothing")

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        for stream in material.streams:
            apart = int(stream.profiles["detached_marks"].sum())
            total = apart + int(stream.profiles["attached_marks"].sum())
            if total >= self.marks and apart >= self.share * total:
                yield self.finding(stream, None, f"{apart} of {total} commas and full stops have a space before them")


@dataclass(frozen=True)
class OtherLanguage(Check):
    """Many segments of a stream seem to be in another language than it should be (extra `lid`).

    Guessing takes time, so at most `sample` segments of `characters` or more are looked at, spread over the stream.
    """

    name: ClassVar[str] = "language"
    severity: ClassVar[Severity] = "warning"
    sample: int = option(60, low=1, text="segments of a stream that are looked at")
    characters: int = option(40, low=1, text="of a segment that is looked at")
    sure: float = option(0.8, low=0, high=1, text="probability of the other language")
    share: float = option(0.1, low=0, high=1, text="of the segments looked at")

    def skipped(self, material: Material) -> str | None:
        """See `Check`."""
        if not any(stream.lang for stream in material.streams):
            return "no language is known"
        return None if language_guesser_available() else 'not installed; pip install "dragoman[lid]"'

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        guesser = LanguageGuesser()
        for stream in material.streams:
            if stream.lang is None or not _knows(guesser, stream.lang):
                continue
            places = np.flatnonzero(stream.profiles["characters"] >= self.characters)
            places = places[:: max(1, -(-len(places) // self.sample))]
            guesses = [guesser.guess(stream.lines[place]) for place in places]
            others = [
                (lang, place)
                for (lang, probability), place in zip(guesses, places.tolist(), strict=True)
                if probability >= self.sure and not alike(lang, stream.lang)
            ]
            if others and len(others) > self.share * len(places):
                (most, _), *_ = Counter(lang for lang, _ in others).most_common(1)
                detail = f"{len(others)} of {len(places)} segments looked at are not {stream.lang}, mostly {most}"
                yield self.finding(stream, None, f"{detail} (first: {others[0][1] + 1})")


def _knows(guesser: LanguageGuesser, lang: str) -> bool:
    try:
        return guesser.knows(lang)
    except UnknownName:
        return False  # a tag of the user's own making
