"""Translations with all that an engine tells of them, where what is not language has gone around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from dragoman.cat.protection import has_units
from dragoman.cat.translating import Told, carried
from dragoman.engines import Candidate, Request, Translates
from dragoman.engines.base import check_details
from dragoman.engines.endpoint import ServiceError
from dragoman.engines.results import Translation
from dragoman.engines.translation import batches

__all__ = ["stream_with_units"]

_BLANK = "␣"  # in a token


def stream_with_units(
    engine: Translates, lines: Iterable[str], request: Request, *, n_threads: int = 1
) -> Iterator[Translation]:
    """The translations of each line, in order, a few lines at a time.

    A unit is one token, and a blank in it is `␣`. Lines without any are translated as they are.
    """
    check_details(engine, request)
    n_done = 0
    for batch in batches(lines, n_threads):
        coded = [place for place, line in enumerate(batch) if has_units(line)]
        others = sorted(set(range(len(batch))) - set(coded))
        places, found = others, dict[int, Translation]()
        try:
            if others:
                said = engine.translations([batch[place] for place in others], request, n_threads=n_threads)
                found |= zip(others, said, strict=True)
            places = coded
            if coded:
                whole = _carried(engine, [batch[place] for place in coded], request, n_threads)
                found |= zip(coded, whole, strict=True)
        except ServiceError as error:
            raise error.at([n_done + place for place in places]) from None
        yield from (found[place] for place in range(len(batch)))
        n_done += len(batch)


def _carried(engine: Translates, lines: Sequence[str], request: Request, n_threads: int) -> list[Translation]:
    linked = replace(request, alignment="alignment" in engine.details)
    nothing = (0.0,) * len(engine.feature_names)  # where there was nothing to translate

    def ask(texts: Sequence[str]) -> list[Sequence[Candidate]]:
        return [each.candidates for each in engine.translations(texts, linked, n_threads=n_threads)]

    whole = carried([(line, ()) for line in lines], ask, n_best=request.n_best)
    return [
        Translation(line, tuple(_candidate(*one, request, nothing) for one in zip(each.texts, each.told, strict=True)))
        for line, each in zip(lines, whole, strict=True)
    ]


def _candidate(text: str, told: Told, request: Request, nothing: tuple[float, ...]) -> Candidate:
    has_words = told.features is not None
    return Candidate(
        text,
        told.score if has_words or not request.features else 0.0,
        _tokens(told.source_tokens),
        _tokens(told.target_tokens),
        told.alignment if request.alignment else None,
        told.word_confidence,
        told.confidence,
        features=(told.features if has_words else nothing) if request.features else None,
        guessed=told.guessed,
    )


def _tokens(tokens: Sequence[str] | None) -> str | None:
    return None if tokens is None else " ".join(_BLANK.join(token.split()) for token in tokens)
