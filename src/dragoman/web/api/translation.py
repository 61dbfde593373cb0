"""Translation by the server's engines."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from dragoman.web.api.bodies import Segment
from dragoman.web.engines import MOST_N_BEST
from dragoman.web.guard import SignedIn
from dragoman.web.shelf import MOST_TEXTS

__all__ = ["ROUTER", "EngineBody", "EnginesBody", "TranslateBody", "TranslatedBody", "translations_of"]

ROUTER = APIRouter(prefix="/v1", tags=["translation"])


class TranslateBody(BaseModel):
    """Texts to translate, a segment each."""

    model_config = ConfigDict(extra="forbid")

    texts: Annotated[list[Segment], Field(max_length=MOST_TEXTS)]
    engine: Annotated[str, StringConstraints(max_length=80)] | None = None
    nbest: Annotated[int, Field(ge=1, le=MOST_N_BEST)] = 1
    alignment: bool = False
    confidence: bool = False


class CandidateBody(BaseModel):
    """One translation of a text. Alignment and confidence are of tokens, which stand beside them."""

    text: str
    score: float
    source_tokens: list[str] | None = None
    target_tokens: list[str] | None = None
    alignment: list[tuple[int, int]] | None = None
    confidence: list[float] | None = None


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


class EnginesBody(BaseModel):
    """The engines of the server."""

    engines: list[EngineBody]


@ROUTER.get("/engines")
def list_engines(request: Request, who: SignedIn) -> EnginesBody:  # noqa: ARG001
    """The engines by name."""
    return EnginesBody(engines=[EngineBody(**each) for each in request.app.state.engines.rows()])


@ROUTER.post("/translate", response_model_exclude_none=True)
def translate(request: Request, body: TranslateBody, who: SignedIn) -> TranslatedBody:  # noqa: ARG001
    """Translate texts, with alternatives, links of tokens, and how sure the engine is of each, if asked for."""
    return translations_of(request.app.state.engines, body)


def translations_of(engines: Any, body: TranslateBody) -> TranslatedBody:
    """What the engines make of a request."""
    name, found = engines.translate(body.texts, engine=body.engine, n_best=body.nbest, confidence=body.confidence)
    with_tokens = body.alignment or body.confidence
    segments = []
    for text, each in zip(body.texts, found, strict=True):
        candidates = [
            CandidateBody(
                text=one.translation,
                score=one.score,
                source_tokens=one.source_tokens.split() if with_tokens else None,
                target_tokens=one.target_tokens.split() if with_tokens else None,
                alignment=_links(one.alignment) if body.alignment else None,
                confidence=list(one.confidence) if body.confidence else None,
            )
            for one in each
        ]
        segments.append(SegmentBody(source=text, text=candidates[0].text if candidates else "", candidates=candidates))
    return TranslatedBody(engine=name, translations=segments)


def _links(text: str) -> list[tuple[int, int]]:
    return [(int(s), int(t)) for s, _, t in (link.partition("-") for link in text.split())]
