"""The engines of the server, by name."""

from __future__ import annotations

from collections.abc import Sequence

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
from dragoman.web.models.shelf import Shelf

__all__ = ["MOST_N_BEST", "Engines"]

MOST_N_BEST = 100


class Engines(Shelf[Role]):
    """Engines that translate, and whatever else they can."""

    noun = "engine"
    flag = "--engine"

    def load(self, folder: str) -> Role:
        """The engine of a folder, or of a specification."""
        return need(load_engine(folder), Translates)

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

    def details(self, engine: str) -> list[str]:
        """What an engine tells of a translation if asked."""
        return self.described(engine)[2]

    def described(self, engine: str) -> tuple[tuple[str, str], tuple[str, ...], list[str]]:
        """Of an engine: its languages, its roles, and what it tells of a translation if asked."""
        with self.turn(engine) as (_, found):
            translating = need(found, Translates)
            return translating.languages, capabilities(found), sorted(translating.details)
