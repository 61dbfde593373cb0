"""Name tables: which methods exist, where each lives, imported on first use.

The command line's choices, the reference pages and the contract tests are made from these tables, so one line here
is all it takes to add a method. Other packages add theirs through entry points in the group `dragoman.<kind>`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Generic, TypeVar

from dragoman.errors import UnknownName
from dragoman.options import parse_spec, read_options

__all__ = ["Registry"]

T = TypeVar("T")


class Registry(Generic[T]):
    """A table of names for one kind of thing, each leading to `"module:Name"`."""

    def __init__(self, kind: str, entries: dict[str, str]) -> None:
        self.kind = kind
        self._own = dict(entries)
        self._all: dict[str, str] | None = None

    def names(self) -> list[str]:
        """All names, sorted."""
        return sorted(self._entries())

    def __contains__(self, name: object) -> bool:
        return name in self._own or (isinstance(name, str) and self.resolve(name) is not None)

    def resolve(self, name: str) -> str | None:
        """The name as the table has it: `BLEU` is `bleu`, where but one name is spelt so; None where there is none."""
        if name in self._own or name in self._entries():
            return name
        alike = [each for each in self._entries() if each.casefold() == name.casefold()]
        return alike[0] if len(alike) == 1 else None

    def get(self, name: str) -> type[T]:
        """The class called `name`; unknown names raise with the nearest and with all known names."""
        known = self.resolve(name)
        if known is None:
            from difflib import get_close_matches

            near = get_close_matches(name, self._entries(), n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise UnknownName(f"No {self.kind} is called {name!r}.{hint} Known: {', '.join(self.names())}.")
        entries = self._own if known in self._own else self._entries()
        module, _, attribute = entries[known].partition(":")
        entry: type[T] = getattr(import_module(module), attribute)
        return entry

    def make(self, spec: str) -> T:
        """The entry that `spec` names, made with the options it gives: `13a`, `moses:lang=de,escape=no`.

        Truth is written yes or no; the items of a list are joined by `+`.
        """
        name, texts = parse_spec(spec)
        cls = self.get(name)
        return cls(**read_options(cls, texts, title=f"The {self.kind} {name!r}"))

    def _entries(self) -> dict[str, str]:
        # Entry points cost a scan of the installed packages, so they are read when a name is asked for that is not
        # ours. A name of ours cannot be taken over by another package.
        if self._all is None:
            from importlib.metadata import entry_points  # slow to import, and `import dragoman.text` needs none of it

            group = "dragoman." + self.kind.replace(" ", "_")
            self._all = {p.name: f"{p.module}:{p.attr}" for p in entry_points(group=group)} | self._own
        return self._all
