"""Google's interface, version 2 (basic), below `/google`: texts, languages, detection."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, BeforeValidator, Field

from dragoman.text.languages import language_name
from dragoman.web.dialects.answers import Answer, answers_of
from dragoman.web.dialects.fields import fields_of
from dragoman.web.guard import Translating
from dragoman.web.lanes import in_lane

__all__ = ["ROUTER"]

ROUTER = APIRouter(prefix="/google/language/translate", include_in_schema=False)  # its own documentation describes it

Texts = Annotated[
    list[Annotated[str, Field(max_length=100_000)]],
    BeforeValidator(lambda value: [value] if isinstance(value, str) else value),
]


class _Query(BaseModel):
    q: Texts
    target: str
    source: str | None = None
    format: Literal["html", "text"] = "html"  # as Google has it


@ROUTER.post("/v2")
async def translate(request: Request, who: Translating) -> dict[str, Any]:  # noqa: ARG001
    """Translate texts, as Google does."""
    return await _translate(request)


@ROUTER.get("/v2")
async def translate_by_address(request: Request, who: Translating) -> dict[str, Any]:  # noqa: ARG001
    """Translate texts that are in the address."""
    return await _translate(request)


async def _translate(request: Request) -> dict[str, Any]:
    query = await fields_of(request, _Query, lists=("q",))
    work = partial(
        answers_of,
        request.app.state.engines,
        query.q,
        query.source or None,
        query.target,
        has_tags=query.format == "html",
    )
    answers: list[Answer] = await request.app.state.lanes["engines"].run(work)
    detected = [{} if query.source else {"detectedSourceLanguage": each.source_lang} for each in answers]
    translations = [{"translatedText": each.text, **more} for each, more in zip(answers, detected, strict=True)]
    return {"data": {"translations": translations}}


@ROUTER.get("/v2/languages")
@in_lane("engines")
def languages(request: Request, who: Translating, target: str | None = None) -> dict[str, Any]:  # noqa: ARG001
    """The languages of the engines; with their names where a `target` asks for them."""
    engines = request.app.state.engines
    codes = dict.fromkeys(code for name in engines.folders for code in engines.described(name)[0])
    rows = [{"language": code, **({"name": language_name(code)} if target else {})} for code in codes]
    return {"data": {"languages": rows}}
