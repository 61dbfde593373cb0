"""The page of patterns: every element of the interface, for whoever builds pages."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from dragoman.web.guard import SignedIn
from dragoman.web.patterns import patterns
from dragoman.web.rendering import show

__all__ = ["ROUTER"]

ROUTER = APIRouter(include_in_schema=False)


@ROUTER.get("/patterns")
@ROUTER.get("/patterns.json")
def patterns_page(request: Request, who: SignedIn) -> Response:  # noqa: ARG001 - only whoever is signed in
    """Every element with real sentences."""
    return show(request, "patterns.html", patterns())
