"""The annotators' interface: work, items, answers."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from dragoman.store.judging import saving, work
from dragoman.web.bodies import (
    AnswersBody,
    AnswersSaved,
    CampaignName,
    ItemName,
    ItemShown,
    MediaName,
    ResultBody,
    Work,
)
from dragoman.web.guard import Member, MemberSaving, SignedIn

__all__ = ["ROUTER"]

ROUTER = APIRouter(prefix="/api/v1", tags=["work"])


@ROUTER.get("/work")
def my_work(request: Request, who: SignedIn) -> ResultBody:
    """The campaigns in which one takes part."""
    return ResultBody(kind="work", rows=work.my_campaigns(request.app.state.store, who.user, who.campaigns), meta={})


@ROUTER.get("/campaigns/{name}/work")
def get_work(request: Request, name: CampaignName, who: Member) -> Work:
    """One's work in a campaign; whoever has nothing open gets the next task."""
    return Work(**work.get_work(request.app.state.store, name, who.user))


@ROUTER.get("/campaigns/{name}/next", response_model_exclude_unset=True)
def next_item(request: Request, name: CampaignName, who: Member) -> ItemShown:
    """The first item without an answer, or none and the completion code."""
    return ItemShown(**work.next_item(request.app.state.store, name, who.user))


@ROUTER.get("/campaigns/{name}/items/{item}", response_model_exclude_unset=True)
def get_item(request: Request, name: CampaignName, item: ItemName, who: Member) -> ItemShown:
    """An item of one's own, with one's answers to it."""
    return ItemShown(**work.get_item(request.app.state.store, name, item, who.user))


@ROUTER.get(
    "/campaigns/{name}/media/{media}",
    response_class=Response,
    responses={200: {"content": {"*/*": {}}, "description": "the file"}},
)
def get_media(request: Request, name: CampaignName, media: MediaName, who: Member) -> Response:
    """A file that an item of one's own plays or shows."""
    kind, content = work.get_media(request.app.state.store, name, media, who.user)
    return Response(content, media_type=kind)


@ROUTER.post("/campaigns/{name}/answers")
def save_answers(request: Request, name: CampaignName, body: AnswersBody, who: MemberSaving) -> AnswersSaved:
    """Save answers, each once, however often it is sent."""
    state = request.app.state
    events = [saving.Answer(**dict(event)) for event in body.events]
    outcome = saving.save_answers(state.store, name, who.user, events, per_minute=state.settings.requests_per_minute)
    state.measures.count("answers_saved", len(outcome["saved"]))
    state.measures.count("answers_refused", len(outcome["refused"]))
    return AnswersSaved(**outcome)
