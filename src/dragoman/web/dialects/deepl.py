"""DeepL's interface, version 2, below `/deepl`: texts, languages, usage."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from dragoman.text.languages import language_name
from dragoman.web.dialects.answers import Answer, answers_of
from dragoman.web.dialects.fields import fields_of
from dragoman.web.guard import Translating
from dragoman.web.lanes import in_lane

__all__ = ["ROUTER"]

ROUTER = APIRouter(prefix="/deepl/v2", include_in_schema=False)  # its own documentation describes it

_UNLIMITED = 10**12  # characters: nothing is counted here


class _Query(BaseModel):
    text: list[Annotated[str, Field(max_length=100_000)]]
    target_lang: str
    source_lang: str | None = None
    tag_handling: str | None = None
    show_billed_characters: bool = False


@ROUTER.post("/translate")
async def translate(request: Request, who: Translating) -> dict[str, Any]:  # noqa: ARG001
    """Translate texts, as DeepL does."""
    query = await fields_of(request, _Query, lists=("text",))
    work = partial(
        answers_of,
        request.app.state.engines,
        query.text,
        query.source_lang,
        query.target_lang,
        has_tags=bool(query.tag_handling),
    )
    answers: list[Answer] = await request.app.state.lanes["engines"].run(work)
    translations = [
        {
            "detected_source_language": (query.source_lang or each.source_lang).upper(),
            "text": each.text,
            **({"billed_characters": len(text)} if query.show_billed_characters else {}),
        }
        for text, each in zip(query.text, answers, strict=True)
    ]
    return {"translations": translations}


@ROUTER.get("/languages")
@in_lane("engines")
def languages(request: Request, who: Translating, type: str = "source") -> list[dict[str, Any]]:  # noqa: A002, ARG001
    """The languages that engines translate from, or into."""
    engines = request.app.state.engines
    pairs = [engines.described(name)[0] for name in engines.folders]
    codes = dict.fromkeys(pair[type == "target"] for pair in pairs)
    extra = {"supports_formality": False} if type == "target" else {}
    return [{"language": code.upper(), "name": language_name(code), **extra} for code in codes]


@ROUTER.get("/usage")
def usage(request: Request, who: Translating) -> dict[str, int]:  # noqa: ARG001
    """What was used of what may be: nothing is counted here."""
    return {"character_count": 0, "character_limit": _UNLIMITED}
