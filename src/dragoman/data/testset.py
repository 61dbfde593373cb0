"""A test set: sources, references and system outputs of the same segments, checked once and then frozen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar

from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError, UnknownName

__all__ = ["TestSet"]

_NAME_BREAKERS = "\t\n\r\x00/"


@dataclass(frozen=True)
class TestSet:
    """Segments in file order; every stream has one entry per segment.

    `refs` may be ragged: `None` stands where a reference has no translation of that segment. A system's output is
    always a string, perhaps an empty one. `docs` gives each segment's document; a document's segments are consecutive.
    """

    __test__: ClassVar[bool] = False  # not a test of pytest's

    name: str = ""
    source_lang: str | None = None  # BCP 47
    target_lang: str | None = None
    srcs: Sequence[str] | None = None
    refs: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    systems: Mapping[str, Sequence[str]] = field(default_factory=dict)
    docs: Sequence[str] | None = None
    origlangs: Sequence[str | None] | None = None
    domains: Sequence[str | None] | None = None

    def __post_init__(self) -> None:
        for name in ("srcs", "docs", "origlangs", "domains"):
            stream = getattr(self, name)
            object.__setattr__(self, name, None if stream is None else tuple(stream))
        for name in ("refs", "systems"):
            streams = {key: tuple(lines) for key, lines in getattr(self, name).items()}
            object.__setattr__(self, name, MappingProxyType(streams))
        for name in (*self.refs, *self.systems):
            if not name or any(char in name for char in _NAME_BREAKERS):
                raise DataError(f"{name!r} cannot name a system or reference; use letters, digits, '.', '-' and '_'.")
        check_parallel(self.streams())
        self._check_documents()

    def __len__(self) -> int:
        return check_parallel(self.streams())

    def streams(self) -> dict[str, Sequence[str | None] | None]:
        """All per-segment streams by a name fit for messages: `srcs`, `refs[A]`, `systems[online-B]`, `docs` …"""
        return {
            "srcs": self.srcs,
            **{f"refs[{name}]": lines for name, lines in self.refs.items()},
            **{f"systems[{name}]": lines for name, lines in self.systems.items()},
            "docs": self.docs,
            "origlangs": self.origlangs,
            "domains": self.domains,
        }

    @property
    def pair(self) -> str | None:
        """The language pair, source first: `de-en`."""
        return f"{self.source_lang}-{self.target_lang}" if self.source_lang and self.target_lang else None

    def system(self, name: str) -> Sequence[str]:
        """The output of one system."""
        if name not in self.systems:
            known = ", ".join(self.systems) or "none"
            raise UnknownName(f"The test set {self.name!r} has no system {name!r}. Known: {known}.")
        return self.systems[name]

    def with_systems(self, systems: Mapping[str, Sequence[str]]) -> TestSet:
        """The same test set with further systems; a name that is there already is refused."""
        doubled = sorted(set(systems) & set(self.systems))
        if doubled:
            raise DataError(f"The test set {self.name!r} already has a system called {', '.join(doubled)}.")
        return replace(self, systems={**self.systems, **systems})

    def _check_documents(self) -> None:
        finished: set[str] = set()
        previous: str | None = None
        for segment, doc in enumerate(self.docs or (), start=1):
            if doc == previous:
                continue
            if doc in finished:
                raise DataError(
                    f"Document {doc!r} begins again at segment {segment}; its segments must be consecutive."
                )
            if previous is not None:
                finished.add(previous)
            previous = doc
