"""The engines of the server, by name: loaded when first asked, one text at a time each, with limits."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from dragoman.errors import DataError
from dragoman.web.refusals import Busy, NotFound

if TYPE_CHECKING:
    from dragoman.smt import Engine

__all__ = ["MOST_CHARACTERS", "MOST_N_BEST", "MOST_TEXTS", "Engines"]

MOST_TEXTS = 100  # of a request
MOST_CHARACTERS = 5000  # of a text
MOST_N_BEST = 100
_WAIT = 30.0  # seconds that a request waits for its turn
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


class Engines:
    """Engines from `NAME=FOLDER`, the first being the default. An engine does one request at a time.

    Decoding runs in the core without Python's lock, so other requests go on; that requests take turns at an engine
    bounds the server's memory and processor time whatever people send.
    """

    def __init__(self, given: Sequence[str] = (), *, wait: float = _WAIT) -> None:
        self.folders: dict[str, str] = {}
        self._wait = wait
        for text in given:
            name, _, folder = text.partition("=")
            if not _NAME.fullmatch(name) or not folder:
                raise DataError(
                    f"The engine {text!r} is not NAME=FOLDER, with a name of letters, digits, '.', '_', '-'."
                )
            if name in self.folders:
                raise DataError(f"Two engines are called {name!r}; give them different names.")
            self.folders[name] = folder
        self._locks = {name: threading.Lock() for name in self.folders}
        self._loaded: dict[str, Engine] = {}

    def check(self) -> None:
        """Load every engine once, so that a wrong folder is told before the server starts."""
        from dragoman.smt import Engine

        for folder in self.folders.values():
            Engine.load(folder)

    def rows(self) -> list[dict[str, Any]]:
        """The engines by name, and which is the default."""
        return [{"name": name, "default": place == 0} for place, name in enumerate(self.folders)]

    def translate(
        self, texts: Sequence[str], *, engine: str | None = None, n_best: int = 1, confidence: bool = False
    ) -> tuple[str, list[list[Any]]]:
        """The engine's name, and the translations of each text, best first. An empty text is translated as such."""
        from dragoman.smt.translation import stream_translations

        name = self._chosen(engine)
        with self._turn(name) as found:
            return name, list(stream_translations(found, texts, n_best=n_best, confidence=confidence))

    def _chosen(self, engine: str | None) -> str:
        if not self.folders:
            raise NotFound("This server has no engine; start it with --engine NAME=FOLDER.")
        if engine is None:
            return next(iter(self.folders))
        if engine not in self.folders:
            raise NotFound(f"There is no engine called {engine[:80]!r}. Known: {', '.join(self.folders)}.")
        return engine

    @contextmanager
    def _turn(self, name: str) -> Iterator[Engine]:
        if not self._locks[name].acquire(timeout=self._wait):
            raise Busy(f"The engine {name} has too much to do; try again in a minute.", retry_after=30)
        try:
            if name not in self._loaded:
                from dragoman.smt import Engine

                self._loaded[name] = Engine.load(self.folders[name])
            yield self._loaded[name]
        finally:
            self._locks[name].release()
