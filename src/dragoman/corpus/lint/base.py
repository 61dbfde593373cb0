"""The contract of lint checks, what they are shown, and the table of those we have.

A check of your own is a frozen dataclass that derives from `Check`; name it in an entry point of the group
`dragoman.lint_check`, or hand it to `lint` as it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman._core import corpus as core
from dragoman.corpus.profiles import Profiles
from dragoman.options import check_options
from dragoman.registry import Registry

__all__ = ["CHECKS", "SEVERITIES", "Check", "Finding", "Material", "Severity", "TextStream"]

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")  # the gravest first


@dataclass(frozen=True)
class Finding:
    """One thing found. `segment` is counted from 1; None speaks of the whole stream."""

    check: str
    severity: Severity
    stream: str
    segment: int | None
    detail: str


class TextStream:
    """One side of the data: sources, a reference, a system's output. What several checks need is worked out once."""

    def __init__(self, name: str, lines: Sequence[str | None], *, lang: str | None, n_threads: int = 1) -> None:
        self.name = name
        self.lines = [line or "" for line in lines]
        self.present: NDArray[np.bool_] = np.fromiter(
            (line is not None for line in lines), dtype=np.bool_, count=len(lines)
        )
        self.lang = lang
        self.n_threads = n_threads

    @cached_property
    def profiles(self) -> Profiles:
        """What one pass over the lines counts."""
        return Profiles.of(self.lines, n_threads=self.n_threads)

    @cached_property
    def keys(self) -> NDArray[np.uint64]:
        """A hash of each line."""
        return core.hash_lines(self.lines, n_threads=self.n_threads)

    @cached_property
    def folded(self) -> list[str]:
        """The lines regardless of case."""
        return [line.casefold() for line in self.lines]


@dataclass(frozen=True)
class Material:
    """The streams of a test set or of a run of a bitext, source apart. All have one line a segment."""

    source: TextStream | None
    targets: tuple[TextStream, ...]

    @property
    def streams(self) -> tuple[TextStream, ...]:
        """All streams, the source first."""
        return self.targets if self.source is None else (self.source, *self.targets)

    @property
    def pairs(self) -> Iterator[tuple[TextStream, TextStream]]:
        """What should say the same: the source and each target; without a source, the first target and the others."""
        return ((self.streams[0], other) for other in self.streams[1:])

    def __len__(self) -> int:
        return len(self.streams[0].lines) if self.streams else 0


@dataclass(frozen=True)
class Check(ABC):
    """Something to look for. Thresholds are the fields of the subclass, all with defaults."""

    name: ClassVar[str]
    severity: ClassVar[Severity]

    def __post_init__(self) -> None:
        check_options(self)

    @abstractmethod
    def find(self, material: Material) -> Iterator[Finding]:
        """What there is to report, in the order of the streams and segments."""

    def skipped(self, material: Material) -> str | None:  # noqa: ARG002 - for subclasses
        """Why the check cannot be made on this material, if it cannot."""
        return None

    def finding(self, stream: TextStream, place: int | np.intp | None, detail: str) -> Finding:
        """A finding of this check at a place counted from 0."""
        return Finding(self.name, self.severity, stream.name, None if place is None else int(place) + 1, detail)


CHECKS: Registry[Check] = Registry(
    "lint check",
    {
        "control": "dragoman.corpus.lint.characters:ControlCharacters",
        "copy": "dragoman.corpus.lint.segments:Copied",
        "duplicate": "dragoman.corpus.lint.segments:DuplicateSource",
        "empty": "dragoman.corpus.lint.segments:EmptySegment",
        "entity": "dragoman.corpus.lint.characters:CharacterReferences",
        "identical": "dragoman.corpus.lint.streams:IdenticalStreams",
        "invalid": "dragoman.corpus.lint.characters:InvalidCharacters",
        "language": "dragoman.corpus.lint.streams:OtherLanguage",
        "length-ratio": "dragoman.corpus.lint.segments:LengthRatio",
        "long": "dragoman.corpus.lint.segments:LongSegment",
        "misaligned": "dragoman.corpus.lint.alignment:Misaligned",
        "mixed-alphabet": "dragoman.corpus.lint.characters:MixedAlphabet",
        "mojibake": "dragoman.corpus.lint.characters:Mojibake",
        "normalisation": "dragoman.corpus.lint.streams:MixedNormalisation",
        "outer-space": "dragoman.corpus.lint.characters:OuterSpace",
        "repeated-output": "dragoman.corpus.lint.segments:RepeatedOutput",
        "tokenised": "dragoman.corpus.lint.streams:TokenisedText",
        "unbalanced": "dragoman.corpus.lint.segments:Unbalanced",
        "wrong-script": "dragoman.corpus.lint.characters:WrongScript",
    },
)
