"""The resources at hand when features are computed, and those built without the very sentences asked about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError, UnknownName
from dragoman.qe.resources.groups import RESOURCES
from dragoman.qe.resources.material import digest
from dragoman.text.languages import base_language

__all__ = ["HeldOut", "Resources"]

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Resources:
    """The resources at hand, by the names under which `RESOURCES` declares them."""

    by_name: Mapping[str, Any] = field(default_factory=dict)
    held_out: HeldOut | None = None
    languages: str = ""
    fingerprint: str = ""  # of all files, once they lie in a folder
    read_sources: frozenset[bytes] = frozenset()  # digests of those whose post-edits were read, where no parts are kept
    beside: str = ""  # fingerprint of what is there beside them for the text at hand, such as its parses

    def __post_init__(self) -> None:
        _check_names(self.by_name)

    @classmethod
    def of(cls, **by_name: Any) -> Resources:
        """From resources by name."""
        return cls().having(**by_name)

    def having(self, **others: Any) -> Resources:
        """With these in place of what there is; None takes one away."""
        every = {**self.by_name, **others}
        return replace(self, by_name={name: value for name, value in every.items() if value is not None})

    def get(self, name: str) -> Any | None:
        """The resource, if it is there."""
        _check_names((name,))
        return self.by_name.get(name)

    @overload
    def ask(self, name: str) -> Any: ...
    @overload
    def ask(self, name: str, kind: type[T]) -> T: ...
    def ask(self, name: str, kind: type[Any] = object) -> Any:
        """The resource, which must be there and of this kind."""
        value = self.get(name)
        if value is None:
            raise DataError(f"A feature needs the resource {name}, which is not there.")
        if not isinstance(value, kind):
            raise DataError(f"The resource {name} is a {type(value).__name__}; a feature needs a {kind.__name__}.")
        return value

    def missing(self, needs: Sequence[str]) -> list[str]:
        """Which of the needed ones are not there."""
        return [name for name in needs if self.get(name) is None]

    def language(self, side: str) -> str:
        """The language of a side, without its region, as far as `languages` says; else nothing."""
        source, _, target = self.languages.partition("-")
        name = source if side == "source" else target
        try:
            return base_language(name) if name else ""
        except UnknownName:  # a pair may be called anything
            return ""


def _check_names(names: Sequence[str] | Mapping[str, Any]) -> None:
    unknown = sorted(set(names) - RESOURCES.keys())
    if unknown:
        raise DataError(f"No resource is called {unknown[0]!r}. Known: {', '.join(RESOURCES)}.")


class HeldOut:
    """For sentences that the resources were built from: resources built without them.

    A language model that has read a sentence's post-edit knows whether its translation was corrected. Features of such
    sentences are therefore computed from resources that have seen all but their part of the text.
    """

    def __init__(self, parts: Sequence[str], parts_of: dict[bytes, int], load: Callable[[str], Resources]) -> None:
        self.parts = tuple(parts)
        self._part_of = parts_of
        self._load = load
        self._loaded: tuple[str, Resources] | None = None

    def part_of(self, sources: Sequence[str]) -> NDArray[np.int64]:
        """The part that each sentence was in, -1 for one that the resources have not seen."""
        return np.array([self._part_of.get(digest(source), -1) for source in sources], dtype=np.int64)

    def without(self, part: int) -> Resources:
        """The resources built without a part; one part is kept in memory at a time."""
        name = self.parts[part]
        if self._loaded is None or self._loaded[0] != name:
            self._loaded = (name, self._load(name))
        return self._loaded[1]
