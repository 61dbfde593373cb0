"""Engines of others behind a guard: a time limit for each call, a few at a time, and a rest after several failures.

A call that is given up goes on in its thread until its own limit ends it; so many threads, no more, may be left behind.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from dragoman.engines import (
    Completer,
    Completes,
    Completion,
    Explains,
    Explanation,
    Request,
    Role,
    Translates,
    Translation,
    WordAlignment,
    need,
)
from dragoman.engines.bill import Bill
from dragoman.engines.endpoint import ServiceError
from dragoman.engines.roles import PLAIN
from dragoman.errors import DragomanError
from dragoman.report import Sentence
from dragoman.web.refusals import EngineAway

__all__ = ["CallGuard", "Guarded", "guarded"]

T = TypeVar("T")

_CALLS = 4  # at a time, of a service
_FAILURES = 3  # in a row, after which an engine is left alone
_REST = 30.0  # seconds


class _Call:
    """A call in a thread of its own, and what came of it."""

    def __init__(self, work: Callable[[], Any], ended: Callable[[], None]) -> None:
        self.done = threading.Event()
        self.result: Any = None
        self.error: BaseException | None = None
        self._work, self._ended = work, ended
        threading.Thread(target=self._run, daemon=True, name="engine call").start()

    def _run(self) -> None:
        try:
            self.result = self._work()
        except BaseException as error:
            self.error = error
        finally:
            self._ended()
            self.done.set()


class CallGuard:
    """Lets so many `calls` at a time through to an engine, each for `seconds`; after failures none for a while.

    When the rest is over one call tries: if it succeeds all go through again. `tell` hears of each failure and refusal.
    """

    def __init__(
        self,
        name: str,
        *,
        seconds: float,
        calls: int = _CALLS,
        failures: int = _FAILURES,
        rest: float = _REST,
        tell: Callable[[str, str], None] = lambda name, what: None,  # noqa: ARG005
    ) -> None:
        self.name = name
        self.seconds = seconds
        self._rest = rest
        self._most = failures
        self._tell = tell
        self._free = threading.BoundedSemaphore(calls)
        self._mutex = threading.Lock()
        self._failures = 0
        self._until = 0.0  # by the clock that never jumps
        self._trying = False

    @property
    def is_resting(self) -> bool:
        """Whether the engine is left alone just now."""
        return time.monotonic() < self._until

    def run(self, work: Callable[[], T]) -> T:
        """What `work` returns. Raises what it raises, or `EngineAway`."""
        is_try = self._enter()
        if not self._free.acquire(blocking=False):
            self._leave(is_try=is_try)
            full = Sentence("The engine {name} has as many requests as it can take; try again soon.", name=self.name)
            raise self._refused(full, 5)
        call = _Call(work, self._free.release)
        if not call.done.wait(self.seconds):
            self._failed(is_try=is_try)
            raise EngineAway(
                Sentence(
                    "The engine {name} did not answer within {seconds:g} seconds. It is not this server's; try again "
                    "later, or use another engine.",
                    name=self.name,
                    seconds=self.seconds,
                ),
                retry_after=math.ceil(self._rest),
            )
        if isinstance(call.error, OSError) or (isinstance(call.error, ServiceError) and call.error.away):
            self._failed(is_try=is_try)
        else:
            self._leave(is_try=is_try, good=call.error is None or isinstance(call.error, DragomanError))
        if call.error is not None:
            raise call.error
        result: T = call.result
        return result

    def _enter(self) -> bool:
        """Whether this call is the one that tries after a rest; raises while the engine is left alone."""
        with self._mutex:
            left = self._until - time.monotonic()
            if self._failures < self._most:
                return False
            if left <= 0 and not self._trying:
                self._trying = True
                return True
        raise self._refused(
            Sentence(
                "The engine {name} failed {n} times in a row and is left alone for a while; try later.",
                name=self.name,
                n=self._most,
            ),
            math.ceil(max(left, 1.0)),
        )

    def _leave(self, *, is_try: bool, good: bool = False) -> None:
        with self._mutex:
            self._trying = self._trying and not is_try
            self._failures = 0 if good else self._failures

    def _failed(self, *, is_try: bool) -> None:
        with self._mutex:
            self._trying = self._trying and not is_try
            self._failures += 1
            if self._failures >= self._most:
                self._until = time.monotonic() + self._rest
        self._tell(self.name, "failures")

    def _refused(self, message: str, seconds: int) -> EngineAway:
        self._tell(self.name, "refusals")
        return EngineAway(message, retry_after=seconds)


class Guarded(Translates):
    """An engine of others that translates, with its guard."""

    def __init__(self, engine: Translates, guard: CallGuard) -> None:
        self._engine = engine
        self.guard = guard
        self.details = engine.details

    @property
    def origin(self) -> Role:
        """The engine itself."""
        return self._engine

    @property
    def languages(self) -> tuple[str, str]:
        """The engine's."""
        return self._engine.languages

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The engine's."""
        return self._engine.feature_names

    @property
    def bill(self) -> Bill | None:
        """The engine's."""
        return self._engine.bill

    def lacks(self, role: type[Role]) -> str | None:
        """As the engine says."""
        return self._engine.lacks(role)

    def translations(
        self, lines: Sequence[str], request: Request = PLAIN, *, n_threads: int = 1
    ) -> Sequence[Translation]:
        """The engine's translations, in time."""
        return self.guard.run(lambda: self._engine.translations(lines, request, n_threads=n_threads))


class _GuardedCompleter:
    def __init__(self, completer: Completer, guard: CallGuard) -> None:
        self._completer = completer
        self._guard = guard
        self.source = completer.source

    def complete(self, prefix: str, suffix: str = "", *, n: int = 1, confidence: bool = False) -> list[Completion]:
        return self._guard.run(lambda: self._completer.complete(prefix, suffix, n=n, confidence=confidence))


class _GuardedPieces(Guarded, Completes, Explains):
    """A network of others, which runs in this process."""

    def completer(self, source: str) -> Completer:
        """The engine's, in time."""
        engine = need(self._engine, Completes)
        return _GuardedCompleter(self.guard.run(lambda: engine.completer(source)), self.guard)

    def explain(self, source: str, target: str | None = None) -> Explanation | None:
        """The engine's steps, in time."""
        engine = need(self._engine, Explains)
        return self.guard.run(lambda: engine.explain(source, target))

    def align(self, source: str, target: str) -> WordAlignment | None:
        """The engine's links, in time."""
        engine = need(self._engine, Explains)
        return self.guard.run(lambda: engine.align(source, target))


def guarded(engine: Translates, name: str, *, seconds: float, tell: Callable[[str, str], None]) -> Guarded:
    """An engine of others behind a guard. A network in this process does one call at a time, even one given up."""
    if isinstance(engine, Completes):
        return _GuardedPieces(engine, CallGuard(name, seconds=seconds, calls=1, tell=tell))
    return Guarded(engine, CallGuard(name, seconds=seconds, tell=tell))
