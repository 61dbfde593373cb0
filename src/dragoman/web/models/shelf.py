"""Models that the server has, by name: loaded when first asked, one request at a time each."""

from __future__ import annotations

import re
import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Generic, TypeVar

from dragoman.errors import DataError
from dragoman.store.refusals import NotFound
from dragoman.web.refusals import Busy

__all__ = ["MOST_CHARACTERS", "MOST_TEXTS", "Shelf"]

MOST_TEXTS = 100  # of a request
MOST_CHARACTERS = 5000  # of a text
_WAIT = 30.0  # seconds that a request waits for its turn
_MOST_WAITING = 32  # requests for one model: more than can be served in that time
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")

M = TypeVar("M")


class Shelf(ABC, Generic[M]):
    """Models from `NAME=FOLDER`, the first being the default. A model does one request at a time.

    The work runs in the core without Python's lock, so other requests go on; that requests take turns at a model bounds
    the server's memory and processor time whatever people send.
    """

    noun: ClassVar[str]  # what a model is called in messages
    flag: ClassVar[str]  # the option of `dragoman serve` that names one

    def __init__(self, given: Sequence[str] = (), *, wait: float = _WAIT) -> None:
        self.folders: dict[str, str] = {}
        self._wait = wait
        for text in given:
            name, _, folder = text.partition("=")
            if not _NAME.fullmatch(name) or not folder:
                raise DataError(
                    f"The {self.noun} {text!r} is not NAME=FOLDER, with a name of letters, digits, '.', '_', '-'."
                )
            if name in self.folders:
                raise DataError(f"Two {self.noun}s are called {name!r}; give them different names.")
            self.folders[name] = folder
        self._locks = {name: threading.Lock() for name in self.folders}
        self._loaded: dict[str, M] = {}
        self._waiting: Counter[str] = Counter()  # requests that wait for a model
        self._mutex = threading.Lock()

    @abstractmethod
    def load(self, folder: str) -> M:
        """The model of a folder, ready to be asked."""

    def open(self, name: str) -> M:
        """The model of this name, as requests get it."""
        return self.load(self.folders[name])

    def check(self) -> None:
        """Load every model once, so that a wrong folder is told before the server starts."""
        for folder in self.folders.values():
            self.load(folder)

    def rows(self) -> list[dict[str, Any]]:
        """The models by name, and which is the default."""
        return [{"name": name, "default": place == 0} for place, name in enumerate(self.folders)]

    @contextmanager
    def turn(self, name: str | None) -> Iterator[tuple[str, M]]:
        """A model of this name, or the default, with its name, for oneself."""
        name = self._chosen(name)
        if self._waiting[name] >= _MOST_WAITING or not self._acquired(name):
            raise Busy(f"The {self.noun} {name} has too much to do; try again in a minute.", retry_after=30)
        try:
            if name not in self._loaded:
                self._loaded[name] = self.open(name)
            yield name, self._loaded[name]
        finally:
            self._locks[name].release()

    def _acquired(self, name: str) -> bool:
        """Whether a model is free, at last."""
        with self._mutex:
            self._waiting[name] += 1
        try:
            return self._locks[name].acquire(timeout=self._wait)
        finally:
            with self._mutex:
                self._waiting[name] -= 1

    def _chosen(self, name: str | None) -> str:
        if not self.folders:
            raise NotFound(f"This server has no {self.noun}; start it with {self.flag} NAME=FOLDER.")
        if name is None:
            return next(iter(self.folders))
        if name not in self.folders:
            raise NotFound(f"There is no {self.noun} called {name[:80]!r}. Known: {', '.join(self.folders)}.")
        return name
