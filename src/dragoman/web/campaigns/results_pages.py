"""The managers' pages of what came of a campaign: ranking, quality, answers, differences, exports, audit log."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Query, Request
from starlette.responses import Response

from dragoman.errors import DataError, DragomanError
from dragoman.store import audit
from dragoman.store.judging import browsing, campaigns, deciding, exports, publishing, ranking, results, state
from dragoman.store.signing import new_token
from dragoman.web.bodies import CampaignName, ItemName, Offset
from dragoman.web.campaigns.managing_pages import back
from dragoman.web.guard import Anyone, Manager, Viewer, actor_of
from dragoman.web.refusals import status_of
from dragoman.web.rendering import show

__all__ = ["ROUTER"]

ROUTER = APIRouter(include_in_schema=False)

Filter = Annotated[str, Query(max_length=200)]
Token = Annotated[str, Path(pattern=r"^[A-Za-z0-9_.-]{1,100}$")]


def _asked(campaign: campaigns.Campaign) -> dict[str, Any]:
    """What the screen of a campaign's protocol needs to know to tell answers, and to take one."""
    return {
        "screen": campaign.protocol.screen,
        "ask": campaign.protocol.ask(),
        "languages": {"source": campaign.source_lang, "target": campaign.target_lang},
        "campaign": campaign.name,
        "media": "recordings",
    }


@ROUTER.get("/campaigns/{name}/ranking")
@ROUTER.get("/campaigns/{name}/ranking.json")
def ranking_page(request: Request, name: CampaignName, who: Viewer) -> Response:  # noqa: ARG001
    """The systems by the judgements so far."""
    with request.app.state.store.read() as connection:
        return show(
            request,
            "campaigns/ranking.html",
            ranking.live_ranking(connection, name),
            campaign=campaigns.find_campaign(connection, name),
            publication=publishing.find_publication(connection, name, address=request.app.state.address(request)),
        )


@ROUTER.post("/campaigns/{name}/publish")
def publish(request: Request, name: CampaignName, who: Manager) -> Response:
    """Publish the ranking."""
    address = request.app.state.address(request)
    with request.app.state.store.write() as connection:
        publishing.publish(connection, name, address=address, actor=actor_of(request, who))
    return back(f"/campaigns/{name}/ranking")


@ROUTER.post("/campaigns/{name}/withdraw")
def withdraw(request: Request, name: CampaignName, who: Manager) -> Response:
    """Take the public page away."""
    with request.app.state.store.write() as connection:
        publishing.withdraw(connection, name, actor=actor_of(request, who))
    return back(f"/campaigns/{name}/ranking")


@ROUTER.get("/published/{token}")
@ROUTER.get("/published/{token}.json")
def published(request: Request, token: Token, who: Anyone) -> Response:  # noqa: ARG001
    """A published ranking, for everybody who has the link."""
    with request.app.state.store.read() as connection:
        answer = show(request, "campaigns/published.html", publishing.published_ranking(connection, token))
    answer.headers["X-Robots-Tag"] = "noindex"
    return answer


@ROUTER.get("/campaigns/{name}/quality")
@ROUTER.get("/campaigns/{name}/quality.json")
def quality_page(request: Request, name: CampaignName, who: Viewer) -> Response:  # noqa: ARG001
    """Who judges with care, and how far people agree."""
    with request.app.state.store.read() as connection:
        agreement, why = None, ""
        try:
            agreement = ranking.campaign_agreement(connection, name)
        except DataError as error:
            why = error.args[0]  # perhaps a sentence, which the page says in its language
        progress = results.campaign_progress(connection, name)
        return show(
            request,
            "campaigns/quality.html",
            state.live_quality(connection, name),
            campaign=campaigns.find_campaign(connection, name),
            agreement=agreement,
            why=why,
            excluded={row[0]: row[8] or "" for row in progress.annotators if row[7]},
        )


@ROUTER.get("/campaigns/{name}/answers")
@ROUTER.get("/campaigns/{name}/answers.json")
def answers_page(
    request: Request,
    name: CampaignName,
    who: Viewer,  # noqa: ARG001
    annotator: Filter = "",
    system: Filter = "",
    kind: Filter = "",
    segment: Annotated[str, Query(pattern=r"^\d{0,9}$")] = "",
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> Response:
    """The answers, filtered and by pages."""
    with request.app.state.store.read() as connection:
        answers = browsing.browse_answers(
            connection,
            name,
            annotator=annotator,
            system=system,
            kind=kind,
            segment=int(segment) if segment else None,
            offset=offset,
            limit=limit,
        )
        campaign = campaigns.find_campaign(connection, name)
        return show(request, "campaigns/answers.html", answers, campaign=campaign, asked=_asked(campaign))


@ROUTER.get("/campaigns/{name}/answers/{item}")
@ROUTER.get("/campaigns/{name}/answers/{item}.json")
def item_page(request: Request, name: CampaignName, item: ItemName, who: Viewer) -> Response:  # noqa: ARG001
    """One item: what was shown, all answers with their revisions, the decisions."""
    return _item(request, name, item)


def _item(request: Request, name: str, item: str, *, message: str = "", status: int = 200) -> Response:
    with request.app.state.store.read() as connection:
        campaign = campaigns.find_campaign(connection, name)
        return show(
            request,
            "campaigns/item.html",
            browsing.item_history(connection, name, item),
            status=status,
            campaign=campaign,
            asked=_asked(campaign),
            message=message,
            key=new_token()[:40],
        )


@ROUTER.post("/campaigns/{name}/answers/{item}/decide")
def decide(
    request: Request,
    name: CampaignName,
    item: ItemName,
    who: Manager,
    key: Annotated[str, Form(pattern=r"^[A-Za-z0-9._:-]{1,64}$")],
    answer: Annotated[str, Form(max_length=100_000)],
    note: Annotated[str, Form(max_length=10_000)] = "",
) -> Response:
    """Decide an item: an answer that stands above the annotators'."""
    try:
        try:
            values = json.loads(answer)
        except (ValueError, RecursionError):
            values = None
        if not isinstance(values, dict):
            raise DataError('A decision is a JSON object, like an answer: {"score": 70}.')
        with request.app.state.store.write() as connection:
            deciding.adjudicate(
                connection, name, item, values, user=who.user, key=key, note=note, actor=actor_of(request, who)
            )
    except DragomanError as error:
        return _item(request, name, item, message=str(error), status=status_of(error))
    return back(f"/campaigns/{name}/answers/{item}")


@ROUTER.get("/campaigns/{name}/disputes")
@ROUTER.get("/campaigns/{name}/disputes.json")
def disputes_page(request: Request, name: CampaignName, who: Viewer) -> Response:  # noqa: ARG001
    """The items on which people differ most."""
    with request.app.state.store.read() as connection:
        campaign = campaigns.find_campaign(connection, name)
        disputes = browsing.disputed_items(connection, name)
        return show(request, "campaigns/disputes.html", disputes, campaign=campaign, asked=_asked(campaign))


@ROUTER.post("/campaigns/{name}/decisions")
def set_decisions(
    request: Request, name: CampaignName, who: Manager, count: Annotated[str, Form(max_length=5)] = ""
) -> Response:
    """Let decisions take the place of answers, or not."""
    with request.app.state.store.write() as connection:
        campaigns.update_campaign(connection, name, {"decisions": bool(count)}, actor=actor_of(request, who))
    return back(f"/campaigns/{name}/disputes")


@ROUTER.get("/campaigns/{name}/exports")
@ROUTER.get("/campaigns/{name}/exports.json")
def exports_page(request: Request, name: CampaignName, who: Viewer) -> Response:  # noqa: ARG001
    """The judgements as files."""
    with request.app.state.store.read() as connection:
        campaign = campaigns.find_campaign(connection, name)
        return show(
            request,
            "campaigns/exports.html",
            exports.list_forms(connection, name),
            campaign=campaign,
            n_decided=len(deciding.decisions_that_count(connection, campaign)),
        )


@ROUTER.get("/campaigns/{name}/audit")
@ROUTER.get("/campaigns/{name}/audit.json")
def audit_page(request: Request, name: CampaignName, who: Manager) -> Response:  # noqa: ARG001
    """Who did what to a campaign."""
    with request.app.state.store.read() as connection:
        campaign = campaigns.find_campaign(connection, name)
        log = audit.list_audit(connection, subject=f"campaign {name}")
        return show(request, "campaigns/audit.html", log, campaign=campaign)
