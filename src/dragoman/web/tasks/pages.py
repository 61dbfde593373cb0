"""The pages of shared tasks: what is asked, until when, the form that takes a file, and what came of it."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from pathlib import Path as FilePath
from tempfile import TemporaryDirectory
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Path, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import RedirectResponse, Response

from dragoman.errors import DataError, DragomanError
from dragoman.report import Sentence
from dragoman.store.people.sessions import Session
from dragoman.task import QualityTrack, Submission, SubmissionBox, Track
from dragoman.web.guard import Oneself, Submitting
from dragoman.web.refusals import sentence_of, status_of
from dragoman.web.rendering import show
from dragoman.web.tasks.shelf import TaskView

__all__ = ["ROUTER"]

ROUTER = APIRouter(include_in_schema=False)

TaskName = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$", description="the task's name")]
SubmissionKey = Annotated[str, Path(pattern=r"^[0-9a-f]{1,40}$", description="the submission's id")]

_FIELDS = ("team", "track", "system")


@ROUTER.get("/tasks")
def task_list(request: Request, who: Oneself) -> Response:
    """The tasks that concern whoever asks."""
    return _list(request, who)


@ROUTER.get("/tasks.json")
def task_list_for_programs(request: Request, who: Submitting) -> Response:
    """The same for programs, which come with a token."""
    return _list(request, who)


def _list(request: Request, who: Session) -> Response:
    rows = [_row(view) for view in request.app.state.tasks.seen_by(who.user)]
    return show(request, "tasks/list.html", {"kind": "tasks", "rows": rows, "meta": {}})


@ROUTER.get("/tasks/{name}.json")
def task_for_programs(request: Request, name: TaskName, who: Submitting) -> Response:
    """A task with the submissions that whoever asks may see."""
    return _page(request, request.app.state.tasks.view(name, who.user))


@ROUTER.get("/tasks/{name}")
def task_page(request: Request, name: TaskName, who: Oneself) -> Response:
    """The same as a page."""
    return _page(request, request.app.state.tasks.view(name, who.user))


@ROUTER.post("/tasks/{name}/submissions")
async def submit(request: Request, name: TaskName, who: Oneself) -> Response:
    """Take a file in: it is looked at and kept, and the page says what is wrong with it."""
    return await _taken(request, name, who)


@ROUTER.post("/tasks/{name}/submissions.json")
async def submit_by_program(request: Request, name: TaskName, who: Submitting) -> Response:
    """The same for programs."""
    return await _taken(request, name, who)


async def _taken(request: Request, name: str, who: Session) -> Response:
    most = request.app.state.settings.max_body
    async with request.form(max_files=2, max_fields=20, max_part_size=most) as form:
        file = form.get("file")
        content = await file.read() if isinstance(file, UploadFile) else None
        shown = file.filename or "" if isinstance(file, UploadFile) else ""
        work = partial(_submit, request, name, who, form, shown, content)
        answer: Response = await request.app.state.lanes["imports"].run(work)
        return answer


@ROUTER.get("/tasks/{name}/submissions/{item}")
def download(request: Request, name: TaskName, item: SubmissionKey, who: Submitting) -> Response:
    """A file as it came, for those who may see it."""
    submission = request.app.state.tasks.view(name, who.user).submission(item)
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(submission.file)}"}
    return Response(FilePath(submission.path).read_bytes(), media_type="application/octet-stream", headers=headers)


def _submit(request: Request, name: str, who: Session, form: FormData, shown: str, content: bytes | None) -> Response:
    view = request.app.state.tasks.view(name, who.user)
    values = {key: str(form.get(key) or "")[:200] for key in _FIELDS}
    is_program = request.url.path.endswith(".json")
    try:
        submission = _received(request, view, who, values, shown, content)
    except DragomanError as error:
        if is_program:
            raise
        return _page(request, view, values, sentence_of(error), status_of(error))
    status = 201 if submission.is_accepted else 422
    if is_program:
        return show(request, "", {"kind": "submission", "rows": [_record(submission)], "meta": {}}, status=status)
    if submission.is_accepted:
        return RedirectResponse(f"/tasks/{name}", status_code=303)
    return _page(request, view, values, submission.problems[0], status)


def _received(
    request: Request, view: TaskView, who: Session, values: dict[str, str], shown: str, content: bytes | None
) -> Submission:
    team = view.team(values["team"])
    if content is None or not shown:
        raise DataError(Sentence("Choose a file."))
    track, _, kind = values["track"].partition(":")
    with TemporaryDirectory() as folder:
        path = FilePath(folder) / "file"
        path.write_bytes(content)
        return SubmissionBox(view.task).receive(
            path,
            team=team.name,
            track=track,
            kind=kind or None,
            system=values["system"],
            file=shown,
            by=who.user.name,
            begun=request.state.begun,
        )


def _page(
    request: Request, view: TaskView, values: dict[str, str] | None = None, message: str = "", status: int = 200
) -> Response:
    submissions = view.submissions()
    content = {
        "kind": "task",
        "rows": [_record(each) for each in submissions],
        "meta": {
            **_row(view),
            "message": str(message),
            "tracks": [_asked(track, kind) for track in view.task.tracks for kind in _kinds(track)],
            "teams": [team.name for team in view.teams],
        },
    }
    return show(
        request,
        "tasks/task.html",
        content,
        status=status,
        submissions=submissions,
        values=values or {},
        message=message,
    )


def _row(view: TaskView) -> dict[str, Any]:
    task = view.task
    deadline = None if task.deadline is None else task.deadline.astimezone(UTC).replace(microsecond=0).isoformat()
    return {
        "name": task.name,
        "title": task.title,
        "deadline": deadline,
        "is_over": task.deadline is not None and datetime.now(UTC) > task.deadline,
        "late_count": task.late == "accept",
        "sees_all": view.sees_all,
    }


def _kinds(track: Track) -> list[str]:
    return ["quality"] if isinstance(track, QualityTrack) else ["translation", "metrics"]


def _asked(track: Track, kind: str) -> dict[str, str]:
    about = track.subtask if isinstance(track, QualityTrack) else track.pair
    return {"track": track.name, "kind": kind, "about": about}


def _record(each: Submission) -> dict[str, Any]:
    return {
        "id": each.id,
        "team": each.team,
        "track": each.track,
        "kind": each.kind,
        "system": each.system,
        "file": each.file,
        "by": each.by,
        "received": each.received.astimezone(UTC).replace(microsecond=0).isoformat(),
        "lines": each.n_lines,
        "state": each.state,
        "remarks": [str(text) for text in (*each.problems, *each.notes)],
    }
