"""The interface of CASMACAT's and MateCat's engines, Google's enriched, below `/casmacat`.

Translations come with tokens, links, n-best lists and word confidence; a confirmed pair is sent back by `update`.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from dragoman.cat.projection import token_spans
from dragoman.engines import Candidate
from dragoman.engines import Request as Wish
from dragoman.store.refusals import NotAllowed
from dragoman.web.dialects.fields import fields_of
from dragoman.web.guard import Teaching, Translating
from dragoman.web.models.engines import MOST_N_BEST, Engines

__all__ = ["ROUTER"]

ROUTER = APIRouter(prefix="/casmacat", include_in_schema=False)  # its own documentation describes it

Line = Annotated[str, Field(max_length=5000, pattern=r"^[^\x00\n\r]*$")]


class _Query(BaseModel):
    q: Line
    source: str | None = None
    target: str
    nbest: Annotated[int, Field(ge=0, le=MOST_N_BEST)] = 0
    wpp: Annotated[int, Field(ge=0, le=1)] = 0
    align: bool = False


class _Pair(BaseModel):
    source: str | None = None
    target: str
    q: Line
    t: Line


@ROUTER.get("/translate")
async def translate(request: Request, who: Translating) -> dict[str, Any]:  # noqa: ARG001
    """Translate a segment; with `nbest`, `wpp` (word confidence) and `align` more is told."""
    query = await fields_of(request, _Query)
    answer: dict[str, Any] = await request.app.state.lanes["engines"].run(
        partial(_translation, request.app.state.engines, query)
    )
    return answer


@ROUTER.post("/update")
async def update(request: Request, who: Teaching) -> dict[str, Any]:
    """Send back a segment and its confirmed translation: the engine learns it, for everybody who asks it."""
    if who.user.limited:
        raise NotAllowed("The engines of this server are everybody's; ask an admin to teach them.")
    pair = await fields_of(request, _Pair)
    n_pairs = await request.app.state.lanes["engines"].run(partial(_learnt, request.app.state.engines, pair))
    return {"data": {"pairs": n_pairs}}


def _learnt(engines: Engines, pair: _Pair) -> int:
    name, _ = engines.between(pair.source, pair.target)
    return engines.learn(pair.q, pair.t, engine=name)


def _translation(engines: Engines, query: _Query) -> dict[str, Any]:
    name, _ = engines.between(query.source or None, query.target)
    wish = Wish(max(query.nbest, 1), alignment=True, confidence=bool(query.wpp))
    _, translations = engines.translate([query.q], wish, engine=name)
    candidates = translations[0].candidates or (Candidate(""),)
    reply = _row(candidates[0], query.q, query)
    if query.nbest:
        reply["nbest"] = [_row(each, query.q, query) for each in candidates]
    return {"data": {"translations": [reply]}}


def _row(candidate: Candidate, source: str, query: _Query) -> dict[str, Any]:
    row: dict[str, Any] = {
        "translatedText": candidate.text,
        "translatedTextRaw": candidate.target_tokens or "",
        "score": candidate.score,
        "tokenization": {
            "src": _spans(source, candidate.source_tokens or ""),
            "tgt": _spans(candidate.text, candidate.target_tokens or ""),
        },
    }
    if query.align:
        row["alignment"] = [list(link) for link in candidate.alignment or ()]
    if query.wpp:
        row["wpp"] = list(candidate.word_confidence or ())
    return row


def _spans(text: str, tokens: str) -> list[list[int]]:
    """Where tokens stand in the text; nowhere, each, where it does not spell them."""
    spans = token_spans(text, tokens)
    return [[0, 0] for _ in tokens.split()] if spans is None else [list(each) for each in spans]
