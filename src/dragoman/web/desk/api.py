"""Scoring, comparing, ranking and meta-evaluation of texts that are sent along. Nothing of them is kept."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.responses import Response

from dragoman.web.bodies import ResultBody
from dragoman.web.desk import SLOTS, Desk, Job, Upload, checked_options
from dragoman.web.desk.jobs import FORMS
from dragoman.web.guard import Scoring
from dragoman.web.lanes import in_lane

__all__ = ["PROGRAMS", "ROUTER", "answer_of"]

ROUTER = APIRouter(prefix="/api/v1", tags=["desk"])
PROGRAMS = APIRouter(prefix="/v1", tags=["scoring"])  # beside /v1/translate and /v1/quality, by a token

Form = Literal["json", "tsv", "csv", "latex", "markdown", "html"]
Name = Annotated[str, StringConstraints(max_length=200)]
Names = Annotated[list[Name], Field(max_length=10)]
Seed = Annotated[int, Field(ge=0, le=2**31)]
Trials = Annotated[int, Field(ge=1, le=10_000)]
Alpha = Annotated[float, Field(gt=0, le=0.5, allow_inf_nan=False)]

_SHAPES: dict[int | str, dict[str, Any]] = {
    200: {"content": {kind.partition(";")[0]: {} for kind in FORMS.values()}, "description": "the result in its form"}
}


class TextBody(BaseModel):
    """A file: its name, which errors and tables show, and its text."""

    model_config = ConfigDict(extra="forbid")

    name: Name
    text: str


Texts = Annotated[list[TextBody], Field(max_length=50)]


class _DeskBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    seed: Seed = 12345
    form: Form = "json"
    raw: Annotated[bool, Field(description="leave cells of tsv and csv that spreadsheets take for formulas")] = False


class _TestSetBody(_DeskBody):
    systems: Texts
    refs: Texts
    src: TextBody | None = None
    docs: TextBody | None = None
    metrics: Names = ["bleu", "chrf"]
    trials: Trials = 1000


class ScoreBody(_TestSetBody):
    """Systems and references to score, one segment a line."""

    level: Literal["corpus", "document", "segment"] = "corpus"
    ci: bool = False


class CompareBody(_TestSetBody):
    """A baseline, other systems, and references."""

    test: Name = "bootstrap"
    all_pairs: bool = False
    correction: Name = "holm"
    alpha: Alpha = 0.05


class RankingBody(_DeskBody):
    """Files of judgements to rank systems by."""

    judgements: Texts
    pair: Name | None = None
    method: Name | None = None
    clusters: bool = False
    unit: Name = "screen"
    replicates: Annotated[int, Field(ge=1, le=5000)] = 1000


class MetaBody(_DeskBody):
    """Scores of metrics, and what people said."""

    scores: Texts
    human: Texts
    pair: Name | None = None
    level: Literal["sys", "seg"] | None = None
    correction: Literal["none", "holm", "bh"] = "none"
    alpha: Alpha = 0.05
    trials: Trials = 1000


@PROGRAMS.post("/score", response_model=ResultBody, responses=_SHAPES)
@ROUTER.post("/score", response_model=ResultBody, responses=_SHAPES)
@in_lane("desk")
def score(request: Request, body: ScoreBody, who: Scoring) -> Response:  # noqa: ARG001
    """Score systems against references; what `dragoman score` prints."""
    return _answer(request, "score", body)


@PROGRAMS.post("/compare", response_model=ResultBody, responses=_SHAPES)
@ROUTER.post("/compare", response_model=ResultBody, responses=_SHAPES)
@in_lane("desk")
def compare(request: Request, body: CompareBody, who: Scoring) -> Response:  # noqa: ARG001
    """Test systems against a baseline, the first; what `dragoman compare` prints."""
    return _answer(request, "compare", body)


@ROUTER.post("/ranking", response_model=ResultBody, responses=_SHAPES)
@in_lane("desk")
def ranking(request: Request, body: RankingBody, who: Scoring) -> Response:  # noqa: ARG001
    """Rank systems by judgements; what `dragoman rank` prints."""
    return _answer(request, "ranking", body)


@ROUTER.post("/meta", response_model=ResultBody, responses=_SHAPES)
@in_lane("desk")
def meta(request: Request, body: MetaBody, who: Scoring) -> Response:  # noqa: ARG001
    """Tell which metrics agree with people; what `dragoman meta` prints."""
    return _answer(request, "meta", body)


def _answer(request: Request, task: str, body: _DeskBody) -> Response:
    files: dict[str, list[Upload]] = {}
    for slot in SLOTS[task]:
        value = getattr(body, slot.name)
        own = value if isinstance(value, list) else [] if value is None else [value]
        files[slot.name] = [Upload(each.name, each.text.encode()) for each in own]  # pydantic lets no surrogate through
    job = Job(task, files, checked_options(task, body.model_dump()), body.form, body.raw)
    return answer_of(request.app.state.desk, job)


def answer_of(desk: Desk, job: Job) -> Response:
    """The download of a job. The report is a page of its own: it must not act as one of ours."""
    form = job.form or "json"
    text = desk.do(job).text or ""
    answer = Response(text, media_type=FORMS[form])
    suffix = {"latex": "tex", "markdown": "md"}.get(form, form)
    if form != "json":
        answer.headers["Content-Disposition"] = f'attachment; filename="{job.task}.{suffix}"'
    answer.headers["Content-Security-Policy"] = (
        "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
        "img-src data:"
    )
    return answer
