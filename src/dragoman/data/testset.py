"""A test set: sources, references and system outputs of the same segments, checked once and then frozen."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import groupby
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError, UnknownName
from dragoman.text.lines import TextLines

__all__ = ["TestSet"]

T = TypeVar("T")

# A name becomes a file name, a column heading and a cell: no control characters, no path separators, no folder.
_BAD_NAME = re.compile(r"[\x00-\x1f\x7f/\\\ud800-\udfff]|^\s|\s$|^\ufeff|^\.\.?$")
_BAD_LABEL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_LANGUAGE = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class TestSet:
    """Segments in file order; every stream has one entry per segment.

    `refs` may be ragged: `None` stands where a reference has no translation of that segment. A source or a system's
    output is always a string, perhaps an empty one. `docs` gives each segment's document; a document's segments are
    consecutive. Of `origlangs` and `domains` single entries may be `None`; nothing but `None` is the same as no stream.
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
    layers: Mapping[str, str] = field(default_factory=dict)  # layer → the annotator that makes it (`text.layers`)

    def __post_init__(self) -> None:
        for name in ("srcs", "docs", "origlangs", "domains"):
            stream = getattr(self, name)
            object.__setattr__(self, name, None if stream is None else _frozen(stream, name))
        for name in ("origlangs", "domains"):
            if set(getattr(self, name) or ()) <= {None}:
                object.__setattr__(self, name, None)
        for name in ("refs", "systems"):
            streams = {key: _frozen(lines, f"{name}[{key}]") for key, lines in getattr(self, name).items()}
            object.__setattr__(self, name, MappingProxyType(streams))
        object.__setattr__(self, "layers", MappingProxyType(dict(self.layers)))
        self._check_names()
        check_parallel(self.streams())
        self._check_text()
        self._check_labels()
        self._check_documents()

    def __len__(self) -> int:
        return next((len(stream) for stream in self.streams().values() if stream is not None), 0)

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only mapping cannot be pickled; a plain one says the same to a worker process.
        values = [getattr(self, f.name) for f in fields(self)]
        return type(self), tuple(dict(value) if isinstance(value, MappingProxyType) else value for value in values)

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

    def ref(self, name: str) -> Sequence[str | None]:
        """One reference."""
        return self._named("reference", self.refs, name)

    def system(self, name: str) -> Sequence[str]:
        """The output of one system."""
        return self._named("system", self.systems, name)

    def with_systems(self, systems: Mapping[str, Sequence[str]]) -> TestSet:
        """The same test set with further systems; a name that is there already is refused."""
        doubled = sorted(set(systems) & set(self.systems))
        if doubled:
            raise DataError(f"The test set {self.name!r} already has a system called {', '.join(doubled)}.")
        return replace(self, systems={**self.systems, **systems})

    def documents(self) -> dict[str, range]:
        """Each document with its segments, counted from 0, in file order; empty where documents are not known."""
        spans: dict[str, range] = {}
        start = 0
        for doc, run in groupby(self.docs or ()):
            spans[doc] = range(start, start := start + sum(1 for _ in run))
        return spans

    def _named(self, kind: str, streams: Mapping[str, T], name: str) -> T:
        if name not in streams:
            names = ", ".join(streams) or "none"
            raise UnknownName(f"The test set {self.name!r} has no {kind} {name!r}. Known: {names}.")
        return streams[name]

    def _check_names(self) -> None:
        for name in (*self.refs, *self.systems):
            if not name or _BAD_NAME.search(name):
                raise DataError(f"{name!r} cannot name a system or reference; use letters, digits, '.', '-' and '_'.")
        for lang in (self.source_lang, self.target_lang):
            if lang is not None and not _LANGUAGE.fullmatch(lang):
                raise DataError(f"{lang!r} is no language code; expected something like 'en' or 'pt-BR'.")
        if _BAD_LABEL.search(self.name):
            raise DataError(f"{self.name!r} cannot name a test set: it has control characters.")

    def _check_text(self) -> None:
        for name, stream in self.streams().items():
            ragged = name.startswith("refs") or name in {"origlangs", "domains"}
            allowed = {str, type(None)} if ragged else {str}
            if stream is None or isinstance(stream, TextLines) or set(map(type, stream)) <= allowed:
                continue
            for segment, text in enumerate(stream, start=1):
                if not isinstance(text, str) and not (ragged and text is None):
                    raise DataError(f"{name} must hold text; segment {segment} is {text!r}.")
        for name, stream in self.streams().items():
            if isinstance(stream, TextLines):  # checked when it was read
                continue
            try:
                "".join(filter(None, stream or ())).encode()
            except UnicodeEncodeError:
                bad = next(i for i, text in enumerate(stream or (), start=1) if text and _SURROGATE.search(text))
                raise DataError(
                    f"{name}, segment {bad} has a lone surrogate, which is no character. "
                    "Decode it again from its bytes."
                ) from None

    def _check_labels(self) -> None:
        for name in ("docs", "origlangs", "domains"):
            for label in set(getattr(self, name) or ()) - {None}:
                if not label or _BAD_LABEL.search(label):
                    raise DataError(f"{label!r} in {name} is empty or has control characters; give it a name.")

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


def _frozen(stream: Sequence[Any], name: str) -> Sequence[Any]:
    if isinstance(stream, TextLines):
        return stream
    if isinstance(stream, str):  # a sequence of its characters, which nobody means
        raise DataError(f"{name} must be a list of segments, got one string: {stream[:40]!r}.")
    return tuple(stream)
