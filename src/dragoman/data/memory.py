"""Translation units: segments in several languages that belong together, with what a memory knows about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

__all__ = ["TranslationUnit", "TranslationUnits", "Variant"]


@dataclass(frozen=True)
class Variant:
    """A segment in one language.

    `attributes` are those of its element but the language (`changedate`, `changeid`, `usagecount` …); `props` are
    pairs of type and value in file order (`x-context-pre`, `x-context-post` …).
    """

    lang: str
    text: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    props: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", MappingProxyType(dict(self.attributes)))


@dataclass(frozen=True)
class TranslationUnit:
    """Variants of one segment; its own attributes (`tuid`, `srclang` …), properties and notes."""

    variants: tuple[Variant, ...]
    attributes: Mapping[str, str] = field(default_factory=dict)
    props: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    line: int | None = field(default=None, compare=False)  # in the file it came from

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", MappingProxyType(dict(self.attributes)))

    def prop(self, kind: str) -> str | None:
        """The first property of this type, on the unit or on one of its variants."""
        everywhere = [*self.props, *(prop for variant in self.variants for prop in variant.props)]
        return next((value for name, value in everywhere if name == kind), None)


@dataclass(frozen=True)
class TranslationUnits:
    """Units in order; those of a file are read when iterated, one at a time."""

    items: Iterable[TranslationUnit]

    def __iter__(self) -> Iterator[TranslationUnit]:
        return iter(self.items)
