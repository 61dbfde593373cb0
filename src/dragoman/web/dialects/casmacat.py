"""The interface of CASMACAT's and MateCat's engines, Google's enriched, below `/casmacat`.

Translations come with tokens, links, n-best lists and word confidence; a confirmed pair is sent back by `update`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from dragoman.cat.protection import has_units
from dragoman.cat.translating import Told, carried
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

    def ask(lines: Sequence[str]) -> list[Sequence[Candidate]]:
        return [each.candidates for each in engines.translate(lines, wish, engine=name)[1]]

    if has_units(query.q):
        (said,) = carried([(query.q, ())], ask, n_best=wish.n_best)
        found = list(zip(said.texts, said.told, strict=True))
    else:
        found = [(each.text, _told(each)) for each in ask([query.q])[0]]
    rows = [_row(*each, query) for each in found or [("", Told())]]
    return {"data": {"translations": [rows[0] | ({"nbest": rows} if query.nbest else {})]}}


def _told(candidate: Candidate) -> Told:
    return Told(
        candidate.score,
        tuple((candidate.source_tokens or "").split()),
        tuple((candidate.target_tokens or "").split()),
        candidate.alignment,
        candidate.word_confidence,
    )


def _row(text: str, told: Told, query: _Query) -> dict[str, Any]:
    row: dict[str, Any] = {
        "translatedText": text,
        "translatedTextRaw": " ".join(told.target_tokens or ()),
        "score": told.score,
        "tokenization": {
            "src": _spans(query.q, told.source_tokens or ()),
            "tgt": _spans(text, told.target_tokens or ()),
        },
    }
    if query.align:
        row["alignment"] = [list(link) for link in told.alignment or ()]
    if query.wpp:
        row["wpp"] = list(told.word_confidence or ())
    return row


def _spans(text: str, tokens: Sequence[str]) -> list[list[int]]:
    """Where tokens stand in the text, one after the other; nowhere what it does not spell."""
    spans: list[list[int]] = []
    place = 0
    for token in tokens:
        found = re.compile(re.escape(token), re.IGNORECASE).search(text, place)
        spans.append([0, 0] if found is None else list(found.span()))
        place = place if found is None else found.end()
    return spans
