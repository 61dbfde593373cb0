"""Health, measures and the interface's own description."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from dragoman import __version__
from dragoman.store.probe import facts_of
from dragoman.web.bodies import Health
from dragoman.web.description import Operation, operations
from dragoman.web.guard import Anyone, Unasked, Watching
from dragoman.web.rendering import show

__all__ = ["ROUTER"]

ROUTER = APIRouter(tags=["service"])


@ROUTER.get("/health")
async def health(request: Request, who: Unasked) -> Health:  # noqa: ARG001
    """Whether the server and its database work; 503 if the database cannot be written, for then nobody can save.

    It is answered at once: if the database takes its time, by what it said in the last half minute.
    """
    await request.app.state.pulse.check()
    return Health(status="ok", version=__version__, database=request.app.state.store.dialect)


@ROUTER.get(
    "/metrics",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/plain": {}}, "description": "Prometheus' text form"}},
)
def metrics(request: Request, who: Watching) -> Response:  # noqa: ARG001
    """Counters of all workers, for Prometheus: for admins, or for everybody with `--public-metrics`."""
    request.app.state.measures.resting(request.app.state.engines.resting())
    with request.app.state.store.read() as connection:
        text = request.app.state.measures.text(facts_of(connection))
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


@ROUTER.get("/docs", include_in_schema=False)
def docs(request: Request, who: Anyone) -> Response:  # noqa: ARG001
    """This interface as a page."""
    described: dict[str, Any] = request.app.openapi()
    groups: dict[str, list[Operation]] = {}
    for operation in operations(described, request.app.state.scopes):
        groups.setdefault(operation.tag, []).append(operation)
    return show(request, "docs.html", {}, groups=groups, about=described["info"]["description"])


@ROUTER.get("/api/v1/openapi.json", include_in_schema=False)
def description(request: Request, who: Anyone) -> Response:  # noqa: ARG001
    """This interface as OpenAPI 3.1."""
    described: dict[str, Any] = request.app.openapi()
    return JSONResponse(described)
