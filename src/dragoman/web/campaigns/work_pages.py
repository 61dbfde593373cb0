"""The pages of an annotator: the campaigns to work on, and the page on which work is done."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from dragoman.store.judging import work
from dragoman.web.bodies import CampaignName
from dragoman.web.guard import Member, SignedIn
from dragoman.web.rendering import show

__all__ = ["ROUTER"]

ROUTER = APIRouter(include_in_schema=False)


@ROUTER.get("/")
@ROUTER.get("/home.json")
def home(request: Request, who: SignedIn) -> Response:
    """One's campaigns."""
    rows = work.my_campaigns(request.app.state.store, who.user, who.campaigns)
    return show(request, "home.html", {"kind": "work", "rows": rows, "meta": {}})


@ROUTER.get("/campaigns/{name}/work")
@ROUTER.get("/campaigns/{name}/work.json")
def work_page(request: Request, name: CampaignName, who: Member) -> Response:
    """The page on which items are judged; its script asks the interface for everything else."""
    return show(request, "work.html", work.get_work(request.app.state.store, name, who.user))
