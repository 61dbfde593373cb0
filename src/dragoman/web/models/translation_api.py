"""Translation by the server's engines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter
from fastapi import Request as HttpRequest
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from dragoman.cat.protection import has_units
from dragoman.cat.translating import Told, carried
from dragoman.cat.unit_completion import completer_of
from dragoman.engines import Candidate, Completes, Request, need
from dragoman.engines.endpoint import ServiceError
from dragoman.web.guard import Translating
from dragoman.web.lanes import in_lane
from dragoman.web.models.engines import MOST_N_BEST, Engines
from dragoman.web.models.shelf import MOST_CHARACTERS, MOST_TEXTS

__all__ = ["ROUTER", "EngineBody", "EnginesBody", "TranslateBody", "TranslatedBody", "translations_of"]

ROUTER = APIRouter(prefix="/v1", tags=["translation"])

# A line break is a unit like any other: it is where it was in the translation.
Passage = Annotated[str, StringConstraints(max_length=MOST_CHARACTERS, pattern=r"^[^\x00]*$")]
Term = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00\n\r]*$")]


class TranslateBody(BaseModel):
    """Texts to translate, a segment each."""

    model_config = ConfigDict(extra="forbid")

    texts: Annotated[list[Passage], Field(max_length=MOST_TEXTS)]
    engine: Annotated[str, StringConstraints(max_length=80)] | None = None
    nbest: Annotated[int, Field(ge=1, le=MOST_N_BEST)] = 1
    alignment: bool = False
    confidence: bool = False
    glossary: Annotated[list[tuple[Term, Term]], Field(max_length=1000)] = []
    soft_glossary: Annotated[bool, Field(description="its translations are one more possibility each")] = False


class CompleteBody(BaseModel):
    """A segment, how its translation begins and perhaps how it ends."""

    model_config = ConfigDict(extra="forbid")

    text: Passage
    prefix: Passage
    suffix: Passage = ""
    engine: Annotated[str, StringConstraints(max_length=80)] | None = None
    n: Annotated[int, Field(ge=1, le=10)] = 1


class CompletedBody(BaseModel):
    """Ways on from the prefix, best first: `prefix`, one of them and `suffix` are a whole translation."""

    engine: str
    completions: list[str]


class CandidateBody(BaseModel):
    """One translation of a text. Alignment and confidence are of tokens, which stand beside them."""

    text: str
    score: float | None = None
    source_tokens: list[str] | None = None
    target_tokens: list[str] | None = None
    alignment: list[tuple[int, int]] | None = None
    confidence: list[float] | None = None
    sentence_confidence: float | None = None


class SegmentBody(BaseModel):
    """A text and its translations, best first; `text` is the best."""

    source: str
    text: str
    candidates: list[CandidateBody]


class TranslatedBody(BaseModel):
    """Translations, in the order of the texts."""

    engine: str
    translations: list[SegmentBody]


class EngineBody(BaseModel):
    """An engine of the server."""

    name: str
    default: bool


class EngineRolesBody(BaseModel):
    """What an engine of the server can be asked."""

    name: str
    source_lang: str
    target_lang: str
    roles: list[str]
    details: list[str]


class EnginesBody(BaseModel):
    """The engines of the server."""

    engines: list[EngineBody]


@ROUTER.get("/engines")
def list_engines(request: HttpRequest, who: Translating) -> EnginesBody:  # noqa: ARG001
    """The engines by name."""
    return EnginesBody(engines=[EngineBody(**each) for each in request.app.state.engines.rows()])


@ROUTER.get("/engines/{name}")
@in_lane("engines")
def describe_engine(
    request: HttpRequest,
    name: Annotated[str, StringConstraints(max_length=80)],
    who: Translating,  # noqa: ARG001
) -> EngineRolesBody:
    """The languages of an engine, its roles, and what it tells of each translation if asked."""
    (source, target), roles, details = request.app.state.engines.described(name)
    return EngineRolesBody(name=name, source_lang=source, target_lang=target, roles=list(roles), details=details)


@ROUTER.post("/translate", response_model_exclude_none=True)
@in_lane("engines")
def translate(request: HttpRequest, body: TranslateBody, who: Translating) -> TranslatedBody:  # noqa: ARG001
    """Translate texts, with alternatives, links of tokens, and how sure the engine is of each, if asked for."""
    return translations_of(request.app.state.engines, body)


@ROUTER.post("/complete")
@in_lane("engines")
def complete(request: HttpRequest, body: CompleteBody, who: Translating) -> CompletedBody:  # noqa: ARG001
    """Go on from the beginning of a translation, or fill the hole between a beginning and an end."""
    with request.app.state.engines.turn(body.engine) as (name, engine):
        completer = completer_of(need(engine, Completes), body.text)
        completions = completer.complete(body.prefix, body.suffix, n=body.n)
    return CompletedBody(engine=name, completions=[each.text for each in completions])


def translations_of(engines: Engines, body: TranslateBody) -> TranslatedBody:
    """What the engines make of a request; what is not language in a text goes around them as units."""
    request = Request(
        body.nbest,
        alignment=body.alignment,
        confidence=body.confidence,
        glossary=tuple(body.glossary),
        hard_glossary=not body.soft_glossary,
    )
    with_tokens = body.alignment or body.confidence
    coded = [n for n, text in enumerate(body.texts) if has_units(text)]
    others = [n for n in range(len(body.texts)) if n not in set(coded)]
    try:
        name, translations = engines.translate([body.texts[n] for n in others], request, engine=body.engine)
    except ServiceError as error:
        raise error.at(others) from None
    linked = replace(request, alignment=body.alignment or (bool(coded) and "alignment" in engines.details(name)))

    def ask(lines: Sequence[str]) -> list[Sequence[Candidate]]:
        return [each.candidates for each in engines.translate(lines, linked, engine=name)[1]]

    try:
        with_units = carried([(body.texts[n], ()) for n in coded], ask, n_best=body.nbest)
    except ServiceError as error:
        raise error.at(coded) from None
    found = dict[int, list[CandidateBody]]()
    for n, plain in zip(others, translations, strict=True):
        found[n] = [_candidate(one, with_tokens) for one in plain.candidates]
    for n, whole in zip(coded, with_units, strict=True):
        found[n] = [
            _with_units(text, told, body, with_tokens) for text, told in zip(whole.texts, whole.told, strict=True)
        ]
    segments = [
        SegmentBody(source=text, text=found[n][0].text if found[n] else "", candidates=found[n])
        for n, text in enumerate(body.texts)
    ]
    return TranslatedBody(engine=name, translations=segments)


def _candidate(one: Candidate, with_tokens: bool) -> CandidateBody:
    return CandidateBody(
        text=one.text,
        score=one.score,
        source_tokens=_tokens(one.source_tokens) if with_tokens else None,
        target_tokens=_tokens(one.target_tokens) if with_tokens else None,
        alignment=None if one.alignment is None else list(one.alignment),
        confidence=None if one.word_confidence is None else list(one.word_confidence),
        sentence_confidence=one.confidence,
    )


def _with_units(text: str, told: Told, body: TranslateBody, with_tokens: bool) -> CandidateBody:
    return CandidateBody(
        text=text,
        score=told.score,
        source_tokens=list(told.source_tokens) if with_tokens and told.source_tokens is not None else None,
        target_tokens=list(told.target_tokens) if with_tokens and told.target_tokens is not None else None,
        alignment=list(told.alignment) if body.alignment and told.alignment is not None else None,
        confidence=None if told.word_confidence is None else list(told.word_confidence),
        sentence_confidence=told.confidence,
    )


def _tokens(text: str | None) -> list[str] | None:
    return None if text is None else text.split()
