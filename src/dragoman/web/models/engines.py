"""The engines of the server, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from dragoman.artifact import Artifact
from dragoman.cat.project_engines import check_languages
from dragoman.engines import (
    Learns,
    Request,
    Role,
    Translates,
    Translation,
    capabilities,
    check_details,
    load_engine,
    need,
)
from dragoman.store.refusals import NotFound
from dragoman.text.languages import base_language
from dragoman.web.models.guarded import Guarded, guarded
from dragoman.web.models.shelf import Shelf

__all__ = ["MOST_N_BEST", "Engines", "why_not_learning"]

MOST_N_BEST = 100


def why_not_learning(engine: Role) -> str | None:
    """Why an engine cannot learn from what is confirmed; None if it can."""
    return engine.lacks(Learns) if isinstance(engine, Learns) else "This engine cannot learn."


class Engines(Shelf[Role]):
    """Engines that translate, and whatever else they can."""

    noun = "engine"
    flag = "--engine"

    def __init__(
        self,
        given: Sequence[str] = (),
        *,
        seconds: float = 20.0,
        tell: Callable[[str, str], None] = lambda name, what: None,  # noqa: ARG005
        **more: Any,
    ) -> None:
        super().__init__(given, **more)
        self._languages: dict[str, tuple[str, str]] = {}
        self._seconds = seconds  # that an engine of others may take
        self._tell = tell

    def load(self, folder: str) -> Role:
        """The engine of a folder, or of a specification."""
        return need(load_engine(folder), Translates)

    def open(self, name: str) -> Role:
        """The engine of this name; one of others behind a guard."""
        engine = super().open(name)
        if isinstance(engine, Artifact | Learns):  # what learns keeps its state here: nobody else runs it
            return engine
        return guarded(need(engine, Translates), name, seconds=self._seconds, tell=self._tell)

    @contextmanager
    def turn(self, name: str | None) -> Iterator[tuple[str, Role]]:
        """An engine of this name, or the default; its guard lets several ask one of others at a time."""
        with super().turn(name) as (name, engine):
            if not isinstance(engine, Guarded):
                yield name, engine
                return
        yield name, engine

    def resting(self) -> dict[str, bool]:
        """The engines of others that were asked so far, and whether each is left alone just now."""
        return {name: each.guard.is_resting for name, each in list(self._loaded.items()) if isinstance(each, Guarded)}

    def translate(
        self, texts: Sequence[str], request: Request, *, engine: str | None = None
    ) -> tuple[str, Sequence[Translation]]:
        """The engine's name, and the translations of each text, best first. An empty text is translated as such."""
        with self.turn(engine) as (name, found):
            translating = need(found, Translates)
            check_details(translating, request)
            return name, translating.translations(texts, request)

    def learn(self, source: str, target: str, *, engine: str | None = None) -> int:
        """Teach an engine a confirmed pair; how many pairs it knows now."""
        with self.turn(engine) as (_, model):
            return need(model, Learns).learn(source, target)

    def between(self, source: str | None, target: str) -> tuple[str, tuple[str, str]]:
        """The first engine from one language into another, its name and its languages; any source if it is None."""
        pairs = {name: self.described(name)[0] for name in self.folders}
        for name, pair in pairs.items():
            wanted = (pair[0] if source is None else source, target)
            if tuple(map(base_language, pair)) == tuple(map(base_language, wanted)):
                return name, pair
        available = ", ".join("-".join(pair) for pair in pairs.values()) or "none"
        raise NotFound(f"No engine translates from {source or 'any language'} into {target}. There are: {available}.")

    def check_fits(self, engine: str, source: str, target: str) -> None:
        """Refuse an engine of other languages than a project's, by name; one that names none is taken as it is."""
        if engine not in self.folders:
            raise NotFound(f"There is no engine called {engine[:80]!r}. Known: {', '.join(self.folders) or 'none'}.")
        check_languages(engine, (source, target), {name: self.languages_of(name) for name in self.folders})

    def languages_of(self, engine: str) -> tuple[str, str]:
        """The languages that an engine names; empty where it names none."""
        if engine not in self._languages:
            self._languages[engine] = self.described(engine)[0]
        return self._languages[engine]

    def offered(self) -> list[dict[str, str]]:
        """The engines by name, with their languages, for whoever chooses one."""
        pairs = {name: self.languages_of(name) for name in self.folders}
        return [{"name": name, "source": source, "target": target} for name, (source, target) in pairs.items()]

    def examined(self) -> dict[str, tuple[tuple[str, str], str | None]]:
        """Load each engine once; return the languages of each by name, and why it cannot learn."""
        found = {}
        for name, folder in self.folders.items():
            engine = self.load(folder)
            found[name] = need(engine, Translates).languages, why_not_learning(engine)
        return found

    def details(self, engine: str) -> list[str]:
        """What an engine tells of a translation if asked."""
        return self.described(engine)[2]

    def described(self, engine: str) -> tuple[tuple[str, str], tuple[str, ...], list[str]]:
        """Of an engine: its languages, its roles, and what it tells of a translation if asked."""
        with self.turn(engine) as (_, found):
            translating = need(found, Translates)
            return translating.languages, capabilities(found), sorted(translating.details)
