"""The engines of the server, by name."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.engines import Request, Role, Translates, Translation, capabilities, check_details, load_engine, need
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

    def described(self, engine: str) -> tuple[tuple[str, str], tuple[str, ...], list[str]]:
        """Of an engine: its languages, its roles, and what it tells of a translation if asked."""
        with self.turn(engine) as (_, found):
            translating = need(found, Translates)
            return translating.languages, capabilities(found), sorted(translating.details)
