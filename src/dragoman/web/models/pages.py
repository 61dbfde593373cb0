"""The pages of the server's models: try an engine, or see what a quality estimator says of translations.

What was typed stays in the form, whatever comes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from fastapi import APIRouter, Request
from markupsafe import Markup
from pydantic import ValidationError
from starlette.responses import Response

from dragoman.engines import Explains, need
from dragoman.engines.derivations import draw_derivation
from dragoman.errors import DragomanError
from dragoman.web.guard import QualityPage, TranslatePage
from dragoman.web.models.engines import MOST_N_BEST, Engines
from dragoman.web.models.estimators import Estimators
from dragoman.web.models.quality_api import QualityBody, quality_of
from dragoman.web.models.shelf import MOST_CHARACTERS, MOST_TEXTS
from dragoman.web.models.translation_api import TranslateBody, translations_of
from dragoman.web.refusals import status_of
from dragoman.web.rendering import show

__all__ = ["ROUTER"]

ROUTER = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class _Page:
    """One page of a kind of model: what it shows, and how a request's form is answered."""

    template: str
    kind: str
    shelf: str  # of the app's state
    fields: dict[str, str]  # of the form, with what it holds at first
    limits: str  # what to say where a value is out of bounds
    answer: Callable[[Any, dict[str, str]], tuple[list[dict[str, Any]], dict[str, Any]]]  # rows and meta

    def show(
        self,
        request: Request,
        typed: dict[str, str],
        rows: Sequence[dict[str, Any]] = (),
        meta: Mapping[str, Any] = MappingProxyType({}),
        *,
        message: str = "",
        status: int = 200,
    ) -> Response:
        """The form with what was typed, and the result or what is wrong."""
        models = getattr(request.app.state, self.shelf).rows()
        content: dict[str, Any] = {"kind": self.kind, "rows": list(rows), "meta": {self.shelf: models, **meta}}
        if message:
            content = {"status": status, "kind": "DataError", "message": message}
        return show(
            request,
            self.template,
            content,
            status=status,
            models=models,
            message=message,
            typed=typed,
            segments=rows,
            **meta,
        )

    async def ask(self, request: Request) -> Response:
        """What the model says of what was typed."""
        async with request.form() as form:
            typed = {key: str(form.get(key) or "").replace("\r\n", "\n") for key in self.fields}
        answer: Response = await request.app.state.lanes["engines"].run(partial(self._asked, request, typed))
        return answer

    def _asked(self, request: Request, typed: dict[str, str]) -> Response:
        try:
            rows, meta = self.answer(getattr(request.app.state, self.shelf), typed)
        except ValidationError:
            return self.show(request, typed, message=self.limits, status=422)
        except DragomanError as error:
            return self.show(request, typed, message=str(error), status=status_of(error))
        return self.show(request, typed, rows, meta)


def _translated(engines: Engines, typed: dict[str, str]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    lines = [line for line in typed["text"].split("\n") if line.strip()]
    values = {"texts": lines, "nbest": typed["nbest"] or 1, "engine": typed["engine"] or None}
    body = translations_of(engines, TranslateBody.model_validate(values)).model_dump(exclude_none=True)
    pictures = _pictures(engines, lines, body["engine"]) if typed["derivation"] else []
    return body.pop("translations"), {**body, "pictures": pictures}


def _pictures(engines: Engines, lines: Sequence[str], engine: str) -> list[Markup]:
    """How the best translation of each line comes about, drawn."""
    with engines.turn(engine) as (_, model):
        explained = [need(model, Explains).explain(line) for line in lines]
    return [Markup(draw_derivation(each)) if each else Markup() for each in explained]  # noqa: S704 - text is escaped


def _estimated(estimators: Estimators, typed: dict[str, str]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    # An empty line in the middle is an empty output, which has a score; the end of the last line is none.
    values = {key: typed[key].removesuffix("\n").split("\n") for key in ("sources", "outputs")}
    body = QualityBody.model_validate({**values, "model": typed["model"] or None})
    made = quality_of(estimators, body).model_dump(exclude_none=True)
    return made.pop("estimates"), made


_LINES = f"At most {MOST_TEXTS} lines of {MOST_CHARACTERS:,} characters"
_TRANSLATE = _Page(
    "translate.html",
    "translations",
    "engines",
    {"text": "", "nbest": "1", "engine": "", "derivation": ""},
    f"{_LINES}, and 1 to {MOST_N_BEST} translations of each.",
    _translated,
)
_QUALITY = _Page(
    "quality.html", "qe estimates", "estimators", {"sources": "", "outputs": "", "model": ""}, f"{_LINES}.", _estimated
)


@ROUTER.get("/translate")
@ROUTER.get("/translate.json")
def translate_form(request: Request, who: TranslatePage) -> Response:  # noqa: ARG001
    """The form to try an engine."""
    return _TRANSLATE.show(request, _TRANSLATE.fields)


@ROUTER.post("/translate")
@ROUTER.post("/translate.json")
async def translate_page(request: Request, who: TranslatePage) -> Response:  # noqa: ARG001
    """Translations of what was typed, a segment a line."""
    return await _TRANSLATE.ask(request)


@ROUTER.get("/quality")
@ROUTER.get("/quality.json")
def quality_form(request: Request, who: QualityPage) -> Response:  # noqa: ARG001
    """The form to ask a quality estimator."""
    return _QUALITY.show(request, _QUALITY.fields)


@ROUTER.post("/quality")
@ROUTER.post("/quality.json")
async def quality_page(request: Request, who: QualityPage) -> Response:  # noqa: ARG001
    """What a model says of the translations typed, a segment a line."""
    return await _QUALITY.ask(request)
