"""What came of a campaign, for managers and viewers: ranking, agreement, answers, differences, exports, publishing."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from dragoman.errors import DataError
from dragoman.store.judging import browsing, exports, publishing, ranking
from dragoman.store.judging.restoring import restore_archive
from dragoman.web.bodies import ArchiveBody, CampaignName, Done, ItemName, Limit, MediaName, Offset, ResultBody, body_of
from dragoman.web.guard import Anyone, Manager, Viewer, actor_of, limit_of
from dragoman.web.lanes import in_lane

__all__ = ["ROUTER"]

ROUTER = APIRouter(prefix="/api/v1", tags=["results"])

Filter = Annotated[str, Query(max_length=200, pattern=r"^[^\x00]*$")]


@ROUTER.get("/campaigns/{name}/ranking")
def get_ranking(request: Request, name: CampaignName, who: Viewer) -> ResultBody:  # noqa: ARG001
    """The systems by the judgements so far; `meta.enough` says whether that is enough, `meta.reason` why."""
    with request.app.state.store.read() as connection:
        return body_of(ranking.live_ranking(connection, name))


@ROUTER.get("/campaigns/{name}/agreement")
def get_agreement(
    request: Request,
    name: CampaignName,
    who: Viewer,  # noqa: ARG001
    by: Literal["judge", "pair"] | None = None,
) -> ResultBody:
    """How far the annotators agree, with each other and with themselves."""
    with request.app.state.store.read() as connection:
        return body_of(ranking.campaign_agreement(connection, name, by=by))


@ROUTER.get("/campaigns/{name}/answers")
def get_answers(
    request: Request,
    name: CampaignName,
    who: Viewer,  # noqa: ARG001
    annotator: Filter = "",
    system: Filter = "",
    kind: Filter = "",
    segment: Annotated[int, Query(ge=1, le=10**9)] | None = None,
    offset: Offset = 0,
    limit: Limit = 50,
) -> ResultBody:
    """The last answer of each annotator to each item, the newest first; also those that do not count."""
    with request.app.state.store.read() as connection:
        answers = browsing.browse_answers(
            connection, name, annotator=annotator, system=system, kind=kind, segment=segment, offset=offset, limit=limit
        )
        return body_of(answers)


@ROUTER.get("/campaigns/{name}/answers/{item}")
def get_item(request: Request, name: CampaignName, item: ItemName, who: Viewer) -> ResultBody:  # noqa: ARG001
    """All answers to an item with their revisions, and the decisions on it."""
    with request.app.state.store.read() as connection:
        return body_of(browsing.item_history(connection, name, item))


@ROUTER.get(
    "/campaigns/{name}/recordings/{media}",
    response_class=Response,
    responses={200: {"content": {"*/*": {}}, "description": "the file"}},
)
def get_recording(request: Request, name: CampaignName, media: MediaName, who: Viewer) -> Response:  # noqa: ARG001
    """A file that an item of the campaign plays or shows."""
    with request.app.state.store.read() as connection:
        kind, content = browsing.item_media(connection, name, media)
    return Response(content, media_type=kind)


@ROUTER.get("/campaigns/{name}/disputes")
def get_disputes(request: Request, name: CampaignName, who: Viewer, limit: Limit = 100) -> ResultBody:  # noqa: ARG001
    """The items on which people differ most."""
    with request.app.state.store.read() as connection:
        return body_of(browsing.disputed_items(connection, name, limit=limit))


@ROUTER.get("/campaigns/{name}/export")
def list_exports(request: Request, name: CampaignName, who: Viewer) -> ResultBody:  # noqa: ARG001
    """The forms in which the judgements can be had, and which of them fit."""
    with request.app.state.store.read() as connection:
        return body_of(exports.list_forms(connection, name))


@ROUTER.get(
    "/campaigns/{name}/export/{form}",
    response_class=Response,
    responses={200: {"content": {"*/*": {}}, "description": "the file"}},
)
def export(
    request: Request,
    name: CampaignName,
    form: Annotated[str, Path(pattern=r"^[a-z-]{1,40}$", description="csv, appraise, archive …")],
    who: Viewer,  # noqa: ARG001
    excluded: bool = False,
    raw: bool = False,
) -> Response:
    """The judgements as a file. In csv and tsv, `raw` leaves cells alone that spreadsheets take for formulas."""
    with request.app.state.store.read() as connection:
        sheet = exports.export_campaign(connection, name, form, excluded=excluded, raw=raw)
    headers = {"Content-Disposition": f'attachment; filename="{sheet.name}"'}
    return Response(sheet.content, media_type=sheet.media_type, headers=headers)


@ROUTER.post("/restore", status_code=201)
@in_lane("imports")
def restore(request: Request, body: ArchiveBody, who: Manager) -> ResultBody:
    """Bring a campaign back from its archive; if it was open, it is paused."""
    try:
        content = base64.b64decode(body.archive, validate=True)
    except (binascii.Error, ValueError):
        raise DataError("The archive is not in base 64.") from None
    restored = restore_archive(
        request.app.state.store,
        content,
        name=body.name,
        people=body.people,
        actor=actor_of(request, who),
        limit=limit_of(who),
    )
    return body_of(restored)


@ROUTER.get("/campaigns/{name}/publication")
def get_publication(request: Request, name: CampaignName, who: Viewer) -> ResultBody:  # noqa: ARG001
    """Whether, and where, the ranking is published."""
    with request.app.state.store.read() as connection:
        return body_of(publishing.find_publication(connection, name, address=request.app.state.address(request)))


@ROUTER.put("/campaigns/{name}/publication")
def publish(request: Request, name: CampaignName, who: Manager) -> ResultBody:
    """Publish the ranking: everybody who has the link can see it."""
    address = request.app.state.address(request)
    with request.app.state.store.write() as connection:
        return body_of(publishing.publish(connection, name, address=address, actor=actor_of(request, who)))


@ROUTER.delete("/campaigns/{name}/publication")
def withdraw(request: Request, name: CampaignName, who: Manager) -> Done:
    """Take the public page away."""
    with request.app.state.store.write() as connection:
        publishing.withdraw(connection, name, actor=actor_of(request, who))
    return Done()


@ROUTER.get("/published/{token}")
def published(
    request: Request,
    token: Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{20,64}$")],
    who: Anyone,  # noqa: ARG001
) -> ResultBody:
    """A published ranking, for everybody: no names of people."""
    with request.app.state.store.read() as connection:
        return body_of(publishing.published_ranking(connection, token))
