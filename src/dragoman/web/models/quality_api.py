"""What the server's quality estimators say of translations."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from dragoman.data import check_parallel
from dragoman.web.bodies import Segment
from dragoman.web.guard import Estimating
from dragoman.web.lanes import in_lane
from dragoman.web.models.estimators import Estimators
from dragoman.web.models.shelf import MOST_TEXTS

__all__ = ["ROUTER", "EstimatedBody", "QualityBody", "QualityModelBody", "QualityModelsBody", "quality_of"]

ROUTER = APIRouter(prefix="/v1", tags=["quality estimation"])


class QualityBody(BaseModel):
    """Sources and their translations, a segment each. What is good and bad is on the scale of the model's task."""

    model_config = ConfigDict(extra="forbid")

    sources: Annotated[list[Segment], Field(max_length=MOST_TEXTS)]
    outputs: Annotated[list[Segment], Field(max_length=MOST_TEXTS)]
    model: Annotated[str, StringConstraints(max_length=80)] | None = None
    level: Annotated[float, Field(gt=0, lt=1)] = 0.8
    good: Annotated[float, Field(allow_inf_nan=False)] | None = None
    bad: Annotated[float, Field(allow_inf_nan=False)] | None = None
    risk: Annotated[float, Field(gt=0, lt=1)] = 0.1
    explain: Annotated[int, Field(ge=0, le=20)] = 3


class ReasonBody(BaseModel):
    """A feature that moved a score."""

    feature: str
    value: float
    usual: float
    contribution: float


class EstimateBody(BaseModel):
    """How good a translation is, where the truth lies for `level` of such sentences, and what to do with it."""

    source: str
    output: str
    score: float
    calibrated: float
    low: float
    high: float
    decision: str | None = None
    read_before: bool | None = None  # the model has read a post-edit of this source: its score means nothing
    reasons: list[ReasonBody] | None = None


class EstimatedBody(BaseModel):
    """Estimates, in the order of the sentences."""

    model: str
    task: str
    level: float
    estimates: list[EstimateBody]


class QualityModelBody(BaseModel):
    """A quality estimator of the server."""

    name: str
    default: bool


class QualityModelsBody(BaseModel):
    """The quality estimators of the server."""

    models: list[QualityModelBody]


@ROUTER.get("/quality-models")
def list_quality_models(request: Request, who: Estimating) -> QualityModelsBody:  # noqa: ARG001
    """The quality estimators by name."""
    return QualityModelsBody(models=[QualityModelBody(**each) for each in request.app.state.estimators.rows()])


@ROUTER.post("/quality", response_model_exclude_none=True)
@in_lane("engines")
def estimate_quality(request: Request, body: QualityBody, who: Estimating) -> EstimatedBody:  # noqa: ARG001
    """Say how good translations are, from source and output alone, what to do with each, and why."""
    return quality_of(request.app.state.estimators, body)


def quality_of(estimators: Estimators, body: QualityBody) -> EstimatedBody:
    """What an estimator makes of a request."""
    check_parallel({"sources": body.sources, "outputs": body.outputs})
    estimate = estimators.estimate(
        body.sources,
        body.outputs,
        model=body.model,
        level=body.level,
        good=body.good,
        bad=body.bad,
        risk=body.risk,
        top=body.explain,
    )
    reasons: list[list[ReasonBody] | None] = [None] * len(body.sources)
    if estimate.explanation is not None and body.explain:
        explain = estimate.explanation.strongest
        reasons = [[ReasonBody(**asdict(each)) for each in explain(place)] for place in range(len(reasons))]
    predictions = estimate.predictions
    estimates = [
        EstimateBody(
            source=source,
            output=output,
            score=predictions.scores[place],
            calibrated=(predictions.calibrated or ())[place],
            low=(predictions.low or ())[place],
            high=(predictions.high or ())[place],
            decision=estimate.decisions.decisions[place] if estimate.decisions else None,
            read_before=place + 1 in predictions.read_before or None,
            reasons=reasons[place],
        )
        for place, (source, output) in enumerate(zip(body.sources, body.outputs, strict=True))
    ]
    return EstimatedBody(model=estimate.model, task=predictions.task, level=body.level, estimates=estimates)
