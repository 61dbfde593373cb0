"""The managers' pages of running a campaign: list, new, overview, people, state."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import RedirectResponse, Response

from dragoman.errors import DataError, DragomanError
from dragoman.notation import whole_number
from dragoman.store import audit
from dragoman.store.judging import campaigns, listing, membership, payments, results, state
from dragoman.store.judging.restoring import restore_archive
from dragoman.store.people import invites
from dragoman.store.people.sessions import Session
from dragoman.store.refusals import NotFound
from dragoman.web.bodies import CampaignName, UserName
from dragoman.web.campaigns.gathering import Upload, Wizard, gather
from dragoman.web.campaigns.previews import preview, protocol_rows
from dragoman.web.campaigns.uploads import planned_upload, read_upload
from dragoman.web.guard import Admin, Manager, Viewer, actor_of, limit_of
from dragoman.web.refusals import status_of
from dragoman.web.rendering import show

__all__ = ["ROUTER", "Line", "Number", "back"]

ROUTER = APIRouter(include_in_schema=False)

Line = Annotated[str, Form(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
ProtocolName = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,40}$")]


def back(path: str) -> Response:
    """See the page again after a change."""
    return RedirectResponse(path, status_code=303)


@ROUTER.get("/campaigns")
@ROUTER.get("/campaigns.json")
def campaign_list(request: Request, who: Viewer) -> Response:
    """All campaigns; a limited manager's own."""
    with request.app.state.store.read() as connection:
        return show(request, "campaigns/list.html", listing.list_campaigns(connection, limit_of(who)))


@ROUTER.get("/campaigns/new")
@ROUTER.get("/campaigns/new.json")
def new_form(request: Request, who: Manager) -> Response:  # noqa: ARG001
    """The forms by which a campaign is made."""
    return _new(request, {}, "")


def _new(request: Request, values: dict[str, str], message: str, status: int = 200) -> Response:
    content = {
        "kind": "new-campaign",
        "rows": protocol_rows(),
        "meta": {"message": message, "values": values},
    }
    return show(request, "campaigns/new.html", content, status=status)


@ROUTER.get("/protocols/{protocol}")
@ROUTER.get("/protocols/{protocol}.json")
def preview_page(request: Request, protocol: ProtocolName, who: Viewer) -> Response:  # noqa: ARG001
    """A protocol as annotators see it, with an item of the samples; nothing is saved."""
    row = next((each for each in protocol_rows() if each["protocol"] == protocol), None)
    if row is None:
        raise NotFound(f"There is no protocol called {protocol!r}.")
    return show(request, "campaigns/preview.html", {"kind": "protocol", "rows": [row], "meta": preview(protocol)})


@ROUTER.post("/campaigns")
async def create(request: Request, who: Manager) -> Response:
    """Make a campaign from a manifest or from the wizard's fields. It is paused, so that its coverage is seen first."""
    async with request.form() as form:
        uploads = {name: [await _upload(each) for each in form.getlist(name)] for name in _FILES}
        made: Response = await request.app.state.lanes["imports"].run(partial(_create, request, who, form, uploads))
        return made


_FILES = ("files", "sources", "references", "systems", "test_set")


async def _upload(value: Any) -> Upload:
    return Upload(value.filename or "", await value.read()) if isinstance(value, UploadFile) else Upload("", b"")


def _create(request: Request, who: Session, form: FormData, uploads: dict[str, list[Upload]]) -> Response:
    values = {key: str(value)[:100_000] for key, value in form.items() if isinstance(value, str)}
    sent = {name: [each for each in files if each.name] for name, files in uploads.items()}
    try:
        manifest, contents = gather(values.get("manifest", ""), _wizard(values), **sent)
        most = request.app.state.settings.import_segments
        with read_upload(manifest, {}, contents=contents, most=most) as declared:
            planned = planned_upload(declared, most=most)
            with request.app.state.store.write() as connection:
                actor = actor_of(request, who)
                campaigns.create_campaign(connection, declared, actor=actor, state="paused", planned=planned)
            name = declared.name
    except DragomanError as error:
        return _new(
            request, {key: value for key, value in values.items() if key != "csrf_token"}, str(error), status_of(error)
        )
    return back(f"/campaigns/{name}")


def _wizard(values: dict[str, str]) -> Wizard | None:
    if values.get("by") != "wizard":
        return None
    given_redundancy = values.get("redundancy", "").strip()
    redundancy = whole_number(given_redundancy)
    if given_redundancy and redundancy is None:
        raise DataError(f"redundancy is {given_redundancy[:40]!r}; expected a whole number.")

    def given(key: str) -> str:
        return values.get(key, "")

    return Wizard(
        given("name"),
        given("protocol"),
        title=given("title"),
        instructions=given("instructions"),
        source_lang=given("source_lang"),
        target_lang=given("target_lang"),
        annotators=given("annotators"),
        options=given("options"),
        redundancy=redundancy,
    )


@ROUTER.post("/campaigns/restore")
async def restore(request: Request, who: Manager) -> Response:
    """Bring a campaign back from its archive."""
    async with request.form() as form:
        upload = await _upload(form.get("archive"))
        name = str(form.get("name") or "").strip() or None
        people = str(form.get("people") or "")
    restored: Response = await request.app.state.lanes["imports"].run(
        partial(_restore, request, who, upload, name, people)
    )
    return restored


def _restore(request: Request, who: Session, upload: Upload, name: str | None, people: str) -> Response:
    lines = [line.partition("=") for line in people.replace(",", "\n").splitlines() if line.strip()]
    same = {old.strip(): (new if equals else old).strip() for old, equals, new in lines}
    try:
        restored = restore_archive(
            request.app.state.store,
            upload.content,
            name=name,
            people=same,
            actor=actor_of(request, who),
            limit=limit_of(who),
        )
    except DragomanError as error:
        return _new(request, {}, str(error), status_of(error))
    return back(f"/campaigns/{restored.campaign}")


@ROUTER.get("/campaigns/{name}")
@ROUTER.get("/campaigns/{name}.json")
def overview(request: Request, name: CampaignName, who: Viewer) -> Response:  # noqa: ARG001
    """How far everybody is, and what was planned."""
    with request.app.state.store.read() as connection:
        progress = results.campaign_progress(connection, name)
        campaign = campaigns.find_campaign(connection, name)
        coverage = state.campaign_coverage(connection, name)
        return show(request, "campaigns/overview.html", progress, campaign=campaign, coverage=coverage)


@ROUTER.post("/campaigns/{name}/state")
def set_state(
    request: Request, name: CampaignName, who: Manager, state: Annotated[str, Form(max_length=8)]
) -> Response:
    """Open, pause or close a campaign."""
    with request.app.state.store.write() as connection:
        campaigns.set_state(connection, name, state, actor=actor_of(request, who))
    return back(f"/campaigns/{name}")


@ROUTER.get("/campaigns/{name}/payments")
@ROUTER.get("/campaigns/{name}/payments.json")
def payments_page(request: Request, name: CampaignName, who: Manager) -> Response:  # noqa: ARG001
    """What everybody did, for whoever pays them."""
    with request.app.state.store.read() as connection:
        campaign = campaigns.find_campaign(connection, name)
        return show(request, "campaigns/payments.html", payments.campaign_payments(connection, name), campaign=campaign)


@ROUTER.get("/campaigns/{name}/payments.csv")
def payments_table(request: Request, name: CampaignName, who: Manager) -> Response:  # noqa: ARG001
    """The same as a table for spreadsheets and crowd platforms."""
    with request.app.state.store.read() as connection:
        content = payments.campaign_payments(connection, name).render("csv")
    headers = {"Content-Disposition": f'attachment; filename="{name}.payments.csv"'}
    return Response(content, media_type="text/csv; charset=utf-8", headers=headers)


@ROUTER.get("/campaigns/{name}/people")
@ROUTER.get("/campaigns/{name}/people.json")
def people(request: Request, name: CampaignName, who: Manager) -> Response:  # noqa: ARG001
    """Who takes part, and the invitations."""
    return _people(request, name)


def _people(
    request: Request, name: str, *, made: invites.Invite | None = None, message: str = "", status: int = 200
) -> Response:
    with request.app.state.store.read() as connection:
        return show(
            request,
            "campaigns/people.html",
            results.campaign_progress(connection, name),
            status=status,
            campaign=campaigns.find_campaign(connection, name),
            invites=invites.list_invites(connection, name),
            made=made,
            message=message,
        )


@ROUTER.post("/campaigns/{name}/invites")
def invite(
    request: Request,
    name: CampaignName,
    who: Manager,
    hours: Annotated[float, Form(gt=0, le=8784)],
    max_uses: Annotated[str, Form(pattern=r"^\d{0,6}$")] = "",
    platform: Annotated[str, Form(pattern=r"^(prolific|mturk|toloka|other)?$")] = "",
) -> Response:
    """Make a link; it is shown once, on the page that answers."""
    store = request.app.state.store
    try:
        with store.write() as connection:
            invitation = invites.make_invite(
                connection,
                secret=store.secret,
                address=request.app.state.address(request),
                campaign=name,
                hours=hours,
                max_uses=int(max_uses) if max_uses else None,
                platform=platform or None,
                actor=actor_of(request, who),
            )
    except DataError as error:
        return _people(request, name, message=str(error), status=status_of(error))
    return _people(request, name, made=invitation)


@ROUTER.post("/campaigns/{name}/invites/{number}/withdraw")
def withdraw_invite(request: Request, name: CampaignName, number: Number, who: Manager) -> Response:
    """Withdraw an invitation."""
    with request.app.state.store.write() as connection:
        invites.revoke(connection, number, actor=actor_of(request, who), campaign=name)
    return back(f"/campaigns/{name}/people")


@ROUTER.post("/campaigns/{name}/members")
def add_member(request: Request, name: CampaignName, who: Manager, user: Line) -> Response:
    """Let an account take part."""
    try:
        with request.app.state.store.write() as connection:
            membership.add_member(connection, name, user.strip(), actor=actor_of(request, who))
    except DragomanError as error:
        return _people(request, name, message=str(error), status=status_of(error))
    return back(f"/campaigns/{name}/people")


@ROUTER.post("/campaigns/{name}/members/{user}/exclude")
def exclude(
    request: Request,
    name: CampaignName,
    user: UserName,
    who: Manager,
    reason: Annotated[str, Form(max_length=2000)] = "",
    renew: Annotated[str, Form(max_length=5)] = "",
) -> Response:
    """Leave somebody's answers out; nothing is deleted."""
    with request.app.state.store.write() as connection:
        membership.exclude(connection, name, user, actor=actor_of(request, who), reason=reason, renew=bool(renew))
    return back(f"/campaigns/{name}/quality")


@ROUTER.post("/campaigns/{name}/members/{user}/include")
def include(request: Request, name: CampaignName, user: UserName, who: Manager) -> Response:
    """Take an exclusion back."""
    with request.app.state.store.write() as connection:
        membership.include(connection, name, user, actor=actor_of(request, who))
    return back(f"/campaigns/{name}/quality")


@ROUTER.get("/audit")
@ROUTER.get("/audit.json")
def audit_page(request: Request, who: Admin) -> Response:  # noqa: ARG001
    """Who did what, everywhere."""
    with request.app.state.store.read() as connection:
        return show(request, "campaigns/audit.html", audit.list_audit(connection), campaign=None)
