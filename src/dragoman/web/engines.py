"""The engines of the server, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dragoman.web.shelf import Shelf

if TYPE_CHECKING:
    from dragoman.smt import Engine

__all__ = ["MOST_N_BEST", "Engines"]

MOST_N_BEST = 100


class Engines(Shelf["Engine"]):
    """Engines that translate."""

    noun = "engine"
    flag = "--engine"

    def load(self, folder: str) -> Engine:
        """The engine of a folder."""
        from dragoman.smt import Engine

        return Engine.load(folder)

    def translate(
        self, texts: Sequence[str], *, engine: str | None = None, n_best: int = 1, confidence: bool = False
    ) -> tuple[str, list[list[Any]]]:
        """The engine's name, and the translations of each text, best first. An empty text is translated as such."""
        from dragoman.smt.translation import stream_translations

        with self.turn(engine) as (name, found):
            return name, list(stream_translations(found, texts, n_best=n_best, confidence=confidence))
