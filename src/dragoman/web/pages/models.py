"""The pages of the server's models: try an engine, or see what a quality estimator says of translations.

What was typed stays in the form, whatever comes of it.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from dragoman.errors import DragomanError
from dragoman.web.api.quality import QualityBody, quality_of
from dragoman.web.api.translation import TranslateBody, translations_of
from dragoman.web.guard import SignedIn
from dragoman.web.refusals import status_of
from dragoman.web.rendering import show
from dragoman.web.shelf import MOST_CHARACTERS, MOST_TEXTS

__all__ = ["ROUTER"]

ROUTER = APIRouter(include_in_schema=False)


def _translate_page(
    request: Request, typed: dict[str, str], *, made: Any = None, message: str = "", status: int = 200
) -> Response:
    rows = [] if made is None else [each.model_dump(exclude_none=True) for each in made.translations]
    engines = request.app.state.engines.rows()
    content: dict[str, Any] = {"kind": "translations", "rows": rows, "meta": {"engines": engines}}
    if message:
        content = {"status": status, "kind": "DataError", "message": message}
    return show(
        request, "translate.html", content, status=status, engines=engines, message=message, typed=typed,
        segments=rows,
    )  # fmt: skip


@ROUTER.get("/translate")
@ROUTER.get("/translate.json")
def translate_form(request: Request, who: SignedIn) -> Response:  # noqa: ARG001
    """The form to try an engine."""
    return _translate_page(request, {"text": "", "nbest": "1", "engine": ""})


@ROUTER.post("/translate")
@ROUTER.post("/translate.json")
async def translate_page(request: Request, who: SignedIn) -> Response:  # noqa: ARG001
    """Translations of what was typed, a segment a line."""
    async with request.form() as form:
        typed = {key: str(form.get(key) or "") for key in ("text", "nbest", "engine")}
    return await run_in_threadpool(_translated, request, typed)


def _translated(request: Request, typed: dict[str, str]) -> Response:
    lines = [line for line in typed["text"].replace("\r\n", "\n").split("\n") if line.strip()]
    values = {"texts": lines, "nbest": typed["nbest"] or 1, "engine": typed["engine"] or None}
    try:
        made = translations_of(request.app.state.engines, TranslateBody.model_validate(values))
    except ValidationError:
        message = f"At most {MOST_TEXTS} lines of {MOST_CHARACTERS:,} characters, and 1 to 100 translations of each."
        return _translate_page(request, typed, message=message, status=422)
    except DragomanError as error:
        return _translate_page(request, typed, message=str(error), status=status_of(error))
    return _translate_page(request, typed, made=made)


def _quality_page(
    request: Request, typed: dict[str, str], *, made: Any = None, message: str = "", status: int = 200
) -> Response:
    models = request.app.state.estimators.rows()
    content: dict[str, Any] = {"kind": "qe estimates", "rows": [], "meta": {"models": models}}
    if made is not None:
        told = made.model_dump(exclude_none=True)
        content = {"kind": "qe estimates", "rows": told.pop("estimates"), "meta": {**told, "models": models}}
    if message:
        content = {"status": status, "kind": "DataError", "message": message}
    return show(
        request, "quality.html", content, status=status, models=models, message=message, typed=typed,
        segments=content.get("rows", []), task=content.get("meta", {}).get("task", ""),
        level=content.get("meta", {}).get("level", 0.0),
    )  # fmt: skip


@ROUTER.get("/quality")
@ROUTER.get("/quality.json")
def quality_form(request: Request, who: SignedIn) -> Response:  # noqa: ARG001
    """The form to ask a quality estimator."""
    return _quality_page(request, {"sources": "", "outputs": "", "model": ""})


@ROUTER.post("/quality")
@ROUTER.post("/quality.json")
async def quality_page(request: Request, who: SignedIn) -> Response:  # noqa: ARG001
    """What a model says of the translations typed, a segment a line."""
    async with request.form() as form:
        typed = {key: str(form.get(key) or "") for key in ("sources", "outputs", "model")}
    return await run_in_threadpool(_estimated, request, typed)


def _estimated(request: Request, typed: dict[str, str]) -> Response:
    values = {
        # An empty line in the middle is an empty output, which has a score; the end of the last line is none.
        **{key: typed[key].replace("\r\n", "\n").removesuffix("\n").split("\n") for key in ("sources", "outputs")},
        "model": typed["model"] or None,
    }
    try:
        made = quality_of(request.app.state.estimators, QualityBody.model_validate(values))
    except ValidationError:
        message = f"At most {MOST_TEXTS} lines of {MOST_CHARACTERS:,} characters."
        return _quality_page(request, typed, message=message, status=422)
    except DragomanError as error:
        return _quality_page(request, typed, message=str(error), status=status_of(error))
    return _quality_page(request, typed, made=made)
