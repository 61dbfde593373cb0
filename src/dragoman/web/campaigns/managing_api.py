"""The managers' interface: campaigns, invitations, progress, exclusion, judgements, adjudication."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request

from dragoman.store import audit
from dragoman.store.judging import campaigns, deciding, listing, membership, payments, results, state
from dragoman.store.people import invites, managers
from dragoman.web.bodies import (
    AdjudicationBody,
    CampaignName,
    ChangeBody,
    Done,
    ExclusionBody,
    InviteBody,
    Limit,
    ManifestBody,
    MemberBody,
    Offset,
    ResultBody,
    StateBody,
    UserName,
    body_of,
)
from dragoman.web.campaigns.uploads import planned_upload, read_upload
from dragoman.web.guard import Manager, Viewer, actor_of, limit_of
from dragoman.web.lanes import in_lane

__all__ = ["ROUTER"]

ROUTER = APIRouter(prefix="/api/v1", tags=["campaigns"])


@ROUTER.get("/campaigns")
def list_campaigns(request: Request, who: Viewer) -> ResultBody:
    """All campaigns, newest first; a limited manager's own."""
    with request.app.state.store.read() as connection:
        return body_of(listing.list_campaigns(connection, limit_of(who)))


@ROUTER.post("/campaigns", status_code=201)
@in_lane("imports")
def create_campaign(request: Request, body: ManifestBody, who: Manager) -> ResultBody:
    """Plan a campaign from a manifest and open it; the coverage is what `dragoman campaign plan` prints."""
    more = body.model_dump(exclude={"manifest", "files", "media"})
    most = request.app.state.settings.import_segments
    with read_upload(body.manifest, body.files, body.media, most=most) as manifest:
        planned = planned_upload(manifest, most=most)
        with request.app.state.store.write() as connection:
            actor = actor_of(request, who)
            return body_of(campaigns.create_campaign(connection, manifest, actor=actor, planned=planned, **more))


@ROUTER.get("/campaigns/{name}")
def get_progress(request: Request, name: CampaignName, who: Viewer) -> ResultBody:  # noqa: ARG001
    """How far everybody is."""
    with request.app.state.store.read() as connection:
        return body_of(results.campaign_progress(connection, name))


@ROUTER.get("/campaigns/{name}/payments")
def get_payments(request: Request, name: CampaignName, who: Manager) -> ResultBody:  # noqa: ARG001
    """What everybody did, with the crowd platforms' ids of people, for whoever pays them."""
    with request.app.state.store.read() as connection:
        return body_of(payments.campaign_payments(connection, name))


@ROUTER.patch("/campaigns/{name}")
def change_campaign(request: Request, name: CampaignName, body: ChangeBody, who: Manager) -> Done:
    """Change title, instructions, lease, code, address to return to, who is qualified, whether decisions count."""
    changes: dict[str, Any] = {key: value for key, value in body.model_dump().items() if value is not None}
    with request.app.state.store.write() as connection:
        campaigns.update_campaign(connection, name, changes, actor=actor_of(request, who))
    return Done()


@ROUTER.put("/campaigns/{name}/state")
def set_state(request: Request, name: CampaignName, body: StateBody, who: Manager) -> Done:
    """Open, pause or close a campaign."""
    with request.app.state.store.write() as connection:
        campaigns.set_state(connection, name, body.state, actor=actor_of(request, who))
    return Done()


@ROUTER.get("/campaigns/{name}/invites")
def list_invites(request: Request, name: CampaignName, who: Manager) -> ResultBody:  # noqa: ARG001
    """The invitations to a campaign, without their links."""
    with request.app.state.store.read() as connection:
        return body_of(invites.list_invites(connection, name))


@ROUTER.post("/campaigns/{name}/invites", status_code=201)
def make_invite(request: Request, name: CampaignName, body: InviteBody, who: Manager) -> ResultBody:
    """Make a link by which annotators join."""
    store = request.app.state.store
    if body.role != "annotator":
        body = body.model_copy(update={"role": "annotator"})
    with store.write() as connection:
        invitation = invites.make_invite(
            connection,
            secret=store.secret,
            address=request.app.state.address(request),
            campaign=name,
            actor=actor_of(request, who),
            **body.model_dump(),
        )
    return body_of(invitation)


@ROUTER.delete("/invites/{number}")
def revoke_invite(request: Request, number: Annotated[int, Path(ge=1, le=2**31 - 1)], who: Manager) -> Done:
    """Withdraw an invitation."""
    with request.app.state.store.write() as connection:
        invites.revoke(connection, number, actor=actor_of(request, who), user=who.user)
    return Done()


@ROUTER.get("/campaigns/{name}/managers")
def list_managers(request: Request, name: CampaignName, who: Manager) -> ResultBody:  # noqa: ARG001
    """Who manages a campaign, besides admins; it counts on a server started with `--own-campaigns`."""
    with request.app.state.store.read() as connection:
        return body_of(managers.list_managers(connection, name))


@ROUTER.put("/campaigns/{name}/managers/{user}")
def add_manager(request: Request, name: CampaignName, user: UserName, who: Manager) -> Done:
    """Let a manager manage this campaign."""
    with request.app.state.store.write() as connection:
        managers.add_manager(connection, name, user, actor=actor_of(request, who))
    return Done()


@ROUTER.delete("/campaigns/{name}/managers/{user}")
def remove_manager(request: Request, name: CampaignName, user: UserName, who: Manager) -> Done:
    """Let somebody manage this campaign no longer."""
    with request.app.state.store.write() as connection:
        managers.remove_manager(connection, name, user, actor=actor_of(request, who))
    return Done()


@ROUTER.post("/campaigns/{name}/members", status_code=201)
def add_member(request: Request, name: CampaignName, body: MemberBody, who: Manager) -> Done:
    """Let an account take part."""
    with request.app.state.store.write() as connection:
        membership.add_member(connection, name, body.name, max_tasks=body.max_tasks, actor=actor_of(request, who))
    return Done()


@ROUTER.put("/campaigns/{name}/members/{user}/exclusion")
def exclude(request: Request, name: CampaignName, user: UserName, body: ExclusionBody, who: Manager) -> Done:
    """Leave somebody's answers out; nothing is deleted."""
    with request.app.state.store.write() as connection:
        membership.exclude(connection, name, user, actor=actor_of(request, who), reason=body.reason, renew=body.renew)
    return Done()


@ROUTER.delete("/campaigns/{name}/members/{user}/exclusion")
def include(request: Request, name: CampaignName, user: UserName, who: Manager) -> Done:
    """Take an exclusion back."""
    with request.app.state.store.write() as connection:
        membership.include(connection, name, user, actor=actor_of(request, who))
    return Done()


@ROUTER.get("/campaigns/{name}/judgements")
def judgements(
    request: Request,
    name: CampaignName,
    who: Viewer,  # noqa: ARG001
    excluded: bool = False,
    offset: Offset = 0,
    limit: Limit = 1000,
) -> ResultBody:
    """The answers as judgements, in the order in which they came."""
    with request.app.state.store.read() as connection:
        return body_of(results.judgement_rows(connection, name, excluded=excluded, offset=offset, limit=limit))


@ROUTER.get("/campaigns/{name}/analysis")
def analysis(
    request: Request,
    name: CampaignName,
    who: Viewer,  # noqa: ARG001
    seed: Annotated[int, Query(ge=0, le=2**31 - 1)] = 1,
) -> ResultBody:
    """What the protocol makes of the judgements so far: the systems' table."""
    with request.app.state.store.read() as connection:
        return body_of(results.analyse_campaign(connection, name, seed=seed))


@ROUTER.get("/campaigns/{name}/quality")
def quality(request: Request, name: CampaignName, who: Viewer) -> ResultBody:  # noqa: ARG001
    """Who judges with care, by controls, repeats, agreement and time."""
    with request.app.state.store.read() as connection:
        return body_of(state.live_quality(connection, name))


@ROUTER.get("/campaigns/{name}/standing")
def standing(request: Request, name: CampaignName, who: Viewer) -> ResultBody:  # noqa: ARG001
    """How sure the order of the systems is, and whether to go on."""
    with request.app.state.store.read() as connection:
        return body_of(state.campaign_standing(connection, name))


@ROUTER.get("/campaigns/{name}/adjudications")
def list_adjudications(request: Request, name: CampaignName, who: Viewer) -> ResultBody:  # noqa: ARG001
    """The decisions on disputed items."""
    with request.app.state.store.read() as connection:
        return body_of(deciding.list_adjudications(connection, name))


@ROUTER.post("/campaigns/{name}/adjudications", status_code=201)
def adjudicate(request: Request, name: CampaignName, body: AdjudicationBody, who: Manager) -> Done:
    """Decide an item."""
    with request.app.state.store.write() as connection:
        deciding.adjudicate(
            connection,
            name,
            body.item,
            body.answer,
            user=who.user,
            key=body.key,
            note=body.note,
            actor=actor_of(request, who),
        )
    return Done()


@ROUTER.get("/campaigns/{name}/audit")
def campaign_audit(request: Request, name: CampaignName, who: Manager, limit: Limit = 200) -> ResultBody:  # noqa: ARG001
    """Who did what to a campaign, newest first."""
    with request.app.state.store.read() as connection:
        campaigns.find_campaign(connection, name)
        return body_of(audit.list_audit(connection, limit=limit, subject=f"campaign {name}"))
