"""What people did in a project, over HTTP: events come in; the edit log, replays and exports go out."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from dragoman.cat.log import EditLog
from dragoman.cat.process_tables import Links, tpr_tables
from dragoman.cat.replay import anonymised, frames, jsonl
from dragoman.cat.reports import edit_log_of
from dragoman.cat.word_links import aligned_spans
from dragoman.store.events import Event
from dragoman.store.refusals import NotAllowed
from dragoman.store.translating import history, segments
from dragoman.store.translating.history import Logged
from dragoman.store.translating.jobs import Access
from dragoman.web.bodies import ResultBody, body_of
from dragoman.web.cat.log_bodies import EventsBody, GazeBody, KeptBody, LoggedBody, ReplayBody
from dragoman.web.cat.projects_api import attachment
from dragoman.web.guard import count_service
from dragoman.web.objects import ProjectReader, ProjectSaver

__all__ = ["ROUTER", "log_for"]

ROUTER = APIRouter(prefix="/api/v1/cat/projects/{project}", tags=["edit log"])
_FILE: dict[int | str, dict[str, Any]] = {200: {"content": {"*/*": {}}, "description": "the file"}}
_ALL = 10**9


@ROUTER.post("/events")
def append_events(request: Request, body: EventsBody, access: ProjectSaver) -> KeptBody:
    """Keep events of the editor, each once, however often it is sent; nothing is kept of who has not agreed."""
    state = request.app.state
    if not access.logs:
        return KeptBody(kept=0, consented=False)
    events = [
        Event(each.key, each.kind, each.data, "" if each.segment is None else str(each.segment), each.at)
        for each in body.events
    ]
    limit = state.settings.requests_per_minute
    kept = state.store.together(lambda connection: history.append_log(connection, access, events, per_minute=limit))
    return KeptBody(kept=kept, consented=True)


@ROUTER.post("/gaze")
def append_gaze(request: Request, body: GazeBody, access: ProjectSaver) -> KeptBody:
    """Keep samples of an eye tracker, each batch once; they are `gaze` events of the log, by the same consent."""
    data = {"samples": body.samples, "device": body.device}
    event = LoggedBody(key=body.key, kind="gaze", segment=body.segment, at=body.at, data=data)
    return append_events(request, EventsBody(events=[event]), access)


def log_for(request: Request, access: Access) -> EditLog:
    """The edit log of a project: all of it for those who manage or view it, one's own for others."""
    with request.app.state.store.read() as connection:
        log = edit_log_of(connection, access.project.id)
    if access.role in ("manager", "viewer"):
        return log
    return EditLog(tuple(each for each in log.segments if each.user == access.user.name))


@ROUTER.get("/edit-log")
def edit_log(request: Request, access: ProjectReader) -> ResultBody:
    """What each segment cost, slowest first; `meta` has what holds of all. Translators see their own."""
    return body_of(log_for(request, access))


@ROUTER.get("/edit-log.csv", response_class=Response, responses=_FILE)
def edit_log_csv(request: Request, access: ProjectReader) -> Response:
    """The edit log as a table, separated by semicolons."""
    content = log_for(request, access).csv().encode()
    return attachment(f"{access.project.name}.edit-log.csv", content, "text/csv; charset=utf-8")


@ROUTER.get("/replay")
def replay(
    request: Request,
    access: ProjectReader,
    segment: Annotated[int, Query(ge=1, lt=2**31)] | None = None,
    after: Annotated[int, Query(ge=0, lt=2**31)] = 0,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 10_000,
) -> ReplayBody:
    """What happened, event by event, with the text of the segment after each; times in milliseconds from the first."""
    log = _log(request, access, segment)
    shown = [frame for frame in frames(log) if frame["number"] > after]
    return ReplayBody(total=len(log), frames=shown[:limit])


@ROUTER.get("/log.jsonl", response_class=Response, responses=_FILE)
def log_jsonl(request: Request, access: ProjectReader, anonymous: bool = False) -> Response:
    """All events, an object a line; with `anonymous` people are T1, T2, … and what they said is left out."""
    log = _log(request, access)
    content = "".join(jsonl(anonymised(log) if anonymous else log)).encode()
    return attachment(f"{access.project.name}.log.jsonl", content, "application/x-ndjson")


@ROUTER.get("/log.zip", response_class=Response, responses=_FILE)
def log_tables(request: Request, access: ProjectReader) -> Response:
    """Sessions, segments, tokens, keystrokes and fixations as tables in the style of the TPR-DB, people as T1, T2, …"""
    log = anonymised(_log(request, access))
    with request.app.state.store.read() as connection:
        _, rows = segments.list_segments(connection, access.project.id, limit=_ALL)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, table in tpr_tables(log, rows, links=_links(request, access)).items():
            archive.writestr(f"project.{name}", table)
    return attachment(f"{access.project.name}.log.zip", packed.getvalue(), "application/zip")


def _links(request: Request, access: Access) -> Links | None:
    """Return the word links of a segment by the project's engine; None without an engine or the right to ask it."""
    project = access.project
    if project.engine is None or not access.may_ask:
        return None
    count_service(request, access.user)

    def links(source: str, target: str) -> Sequence[tuple[tuple[int, int], tuple[int, int]]]:
        with request.app.state.cat.engine_of(project) as engine:
            return aligned_spans(engine, source, target)

    return links


def _log(request: Request, access: Access, segment: int | None = None) -> Sequence[Logged]:
    """The events that somebody may see: all for those who manage the project, else the own."""
    if access.role == "viewer":
        raise NotAllowed("Viewers see the edit log, not what people did key by key.")
    with request.app.state.store.read() as connection:
        log = history.read_log(connection, access.project.id, segment=segment)
    return log if access.manages else [each for each in log if each.user == access.user.name]
