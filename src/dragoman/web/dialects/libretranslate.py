"""LibreTranslate's interface: `POST /translate`, `GET /languages`, `POST /detect`, below `/libretranslate`."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from dragoman.corpus.language import LanguageGuesser
from dragoman.errors import DataError
from dragoman.text.languages import language_name
from dragoman.web.dialects.answers import Answer, answers_of
from dragoman.web.dialects.fields import fields_of
from dragoman.web.guard import Translating
from dragoman.web.lanes import in_lane

__all__ = ["ROUTER"]

ROUTER = APIRouter(prefix="/libretranslate", include_in_schema=False)  # its own documentation describes it

Words = Annotated[str, Field(max_length=100_000)]


class _Query(BaseModel):
    q: Words | list[Words]
    source: str = "auto"
    target: str
    format: Literal["text", "html"] = "text"
    alternatives: Annotated[int, Field(ge=0, le=10)] = 0


class _Sample(BaseModel):
    q: Words


@ROUTER.post("/translate")
async def translate(request: Request, who: Translating) -> dict[str, Any]:  # noqa: ARG001
    """Translate a text or several, as LibreTranslate does."""
    query = await fields_of(request, _Query)
    texts = [query.q] if isinstance(query.q, str) else query.q
    work = partial(
        answers_of,
        request.app.state.engines,
        texts,
        None if query.source == "auto" else query.source,
        query.target,
        has_tags=query.format == "html",
        n_best=1 + query.alternatives,
    )
    answers: list[Answer] = await request.app.state.lanes["engines"].run(work)
    is_one = isinstance(query.q, str)
    reply: dict[str, Any] = {"translatedText": answers[0].text if is_one else [each.text for each in answers]}
    if query.alternatives:
        others = [list(each.alternatives[: query.alternatives]) for each in answers]
        reply["alternatives"] = others[0] if is_one else others
    if query.source == "auto":
        found = [{"language": each.source_lang, "confidence": 100.0} for each in answers]
        reply["detectedLanguage"] = found[0] if is_one else found
    return reply


@ROUTER.get("/languages")
@in_lane("engines")
def languages(request: Request, who: Translating) -> list[dict[str, Any]]:  # noqa: ARG001
    """The languages that engines translate from, each with those that they translate into."""
    engines = request.app.state.engines
    targets: dict[str, list[str]] = {}
    for name in engines.folders:
        (source, target), *_ = engines.described(name)
        targets.setdefault(source, []).append(target)
    return [{"code": code, "name": language_name(code), "targets": into} for code, into in targets.items()]


@ROUTER.post("/detect")
async def detect(request: Request, who: Translating) -> list[dict[str, Any]]:  # noqa: ARG001
    """The language of a text, guessed."""
    query = await fields_of(request, _Sample)
    if not query.q.strip():
        raise DataError("The text is empty: it is in no language.")
    lang, probability = await run_in_threadpool(lambda: LanguageGuesser().guess(query.q))
    return [{"language": lang, "confidence": round(100 * probability, 1)}]
