"""Pen strokes over HTTP: what they may mean, by the server's recogniser and the writer's own templates."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from dragoman.cat.pen import GESTURES, Recogniser, Template
from dragoman.web.bodies import Text
from dragoman.web.guard import AtWorkbench, AtWorkbenchOften

__all__ = ["ROUTER"]

ROUTER = APIRouter(prefix="/api/v1/cat/pen", tags=["pen input"])

Point = Annotated[list[FiniteFloat], Field(min_length=2, max_length=4)]
Strokes = Annotated[
    list[Annotated[list[Point], Field(min_length=1, max_length=2000)]], Field(min_length=1, max_length=50)
]


class TemplateBody(BaseModel):
    """A drawing of the writer's, and what it means to them: the name of a gesture, or a text."""

    model_config = ConfigDict(extra="forbid")

    value: Annotated[Text, Field(min_length=1, max_length=200)]
    kind: Literal["gesture", "text"] = "text"
    strokes: Strokes


class StrokesBody(BaseModel):
    """Strokes: lists of points `[x, y]` or `[x, y, milliseconds]`; y grows downwards."""

    model_config = ConfigDict(extra="forbid")

    strokes: Strokes
    templates: Annotated[list[TemplateBody], Field(max_length=200)] = []
    context: Annotated[Text, Field(max_length=5000)] = ""
    n: Annotated[int, Field(ge=1, le=20)] = 5


class ReadingBody(BaseModel):
    """What strokes may mean, and how sure that is, from 0 to 1."""

    kind: Literal["gesture", "text"]
    value: str
    score: float


class ReadingsBody(BaseModel):
    """Readings, the surest first; none if nothing is like the strokes."""

    readings: list[ReadingBody]


class RecogniserBody(BaseModel):
    """The server's recogniser, and the gestures that pages know what to do with."""

    recogniser: str
    gestures: list[str]


@ROUTER.get("")
def recogniser(request: Request, who: AtWorkbench) -> RecogniserBody:  # noqa: ARG001
    """Who reads strokes here."""
    reader: Recogniser = request.app.state.recogniser
    return RecogniserBody(recogniser=reader.name, gestures=list(GESTURES))


@ROUTER.post("/readings")
def read_strokes(request: Request, body: StrokesBody, who: AtWorkbenchOften) -> ReadingsBody:  # noqa: ARG001
    """What strokes may mean. Nothing of them is kept: who records work sends them as events."""
    reader: Recogniser = request.app.state.recogniser
    templates = [Template(each.value, tuple(each.strokes), each.kind) for each in body.templates]
    readings = reader.read(body.strokes, templates, context=body.context, n=body.n)
    return ReadingsBody(readings=[ReadingBody(kind=r.kind, value=r.value, score=r.score) for r in readings])
