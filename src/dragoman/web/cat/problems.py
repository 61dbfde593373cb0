"""Why a segment has no machine translation, as a sentence for the person who waits for one."""

from __future__ import annotations

from dragoman.errors import DragomanError
from dragoman.report import Sentence
from dragoman.store.refusals import NotAllowed, NotFound, TooMany
from dragoman.web.refusals import Busy, EngineAway, sentence_of

__all__ = ["engine_problem"]


def engine_problem(engine: str, error: DragomanError) -> str:
    """Return why the engine of a project gave no translation."""
    if isinstance(error, EngineAway):
        return sentence_of(error)
    if isinstance(error, Busy):
        return Sentence("The engine {engine} has too much to do; try again in a minute.", engine=engine)
    if isinstance(error, TooMany):
        return Sentence("You have reached your limit of requests for engines; wait a minute.")
    if isinstance(error, NotAllowed):
        return Sentence("You may not ask the engines of this server; an admin can give your account the service.")
    if isinstance(error, NotFound):
        return Sentence("This server has no engine called {engine}.", engine=engine)
    return Sentence("The engine {engine} failed: {reason}", engine=engine, reason=str(error))
