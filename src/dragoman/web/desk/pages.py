"""The pages of the desk: bring files or paste text, see tables and figures, download.

What was typed or brought stays in the form, whatever comes of it: files as the text they hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import Response

from dragoman.errors import DragomanError
from dragoman.report import Sentence
from dragoman.web.desk import OPTIONS, SLOTS, Job, Upload, checked_options
from dragoman.web.desk.api import answer_of
from dragoman.web.desk.jobs import FORMS, Slot
from dragoman.web.guard import ScorePage
from dragoman.web.refusals import sentence_of, status_of
from dragoman.web.rendering import show

__all__ = ["ROUTER"]

ROUTER = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class Box:
    """A text on the form: what it is called and what it says."""

    name: str
    text: str


def _page(
    request: Request,
    task: str,
    *,
    boxes: dict[str, list[Box]] | None = None,
    typed: dict[str, Any] | None = None,
    shown: Any = None,
    message: str = "",
    status: int = 200,
) -> Response:
    """The form, and the result or what is wrong above it."""
    options = [
        {"name": each.name, "kind": each.kind, "default": each.default, "choices": list(each.choices())}
        for each in OPTIONS[task]
    ]
    slots = [{"name": slot.name, "least": slot.least, "most": slot.most} for slot in SLOTS[task]]
    if shown is not None:
        content = shown.content
    elif message:
        content = {"status": status, "kind": "DataError", "message": message}
    else:
        content = {"kind": f"{task}-form", "rows": options, "meta": {"slots": slots, "forms": list(FORMS)}}
    return show(
        request,
        "desk.html",
        content,
        status=status,
        task=task,
        slots=slots,
        options=options,
        boxes=boxes or {},
        typed=typed or {},
        message=message,
        tables=() if shown is None else shown.tables,
        figures=() if shown is None else shown.figures,
        forms=list(FORMS),
        is_done=shown is not None,
    )


async def _do(request: Request, task: str) -> Response:
    async with request.form() as form:  # files are closed when it ends
        boxes, uploads, problem = await _files(form, SLOTS[task])
    typed = {option.name: _typed(form, option.name, option.kind) for option in OPTIONS[task]}
    wanted = str(form.get("form") or "")
    work = partial(_answer, request, task, boxes, uploads, typed, wanted, problem)
    answer: Response = await request.app.state.lanes["desk"].run(work)
    return answer


def _answer(
    request: Request,
    task: str,
    boxes: dict[str, list[Box]],
    uploads: dict[str, list[Upload]],
    typed: dict[str, Any],
    wanted: str,
    problem: str,
) -> Response:
    desk = request.app.state.desk
    try:
        job = Job(task, uploads, checked_options(task, typed), wanted if wanted in FORMS else None)
        if not problem and job.form is not None:
            return answer_of(desk, job)
        shown = None if problem else desk.do(job)
    except DragomanError as error:
        return _page(request, task, boxes=boxes, typed=typed, message=sentence_of(error), status=status_of(error))
    return _page(request, task, boxes=boxes, typed=typed, shown=shown, message=problem, status=422 if problem else 200)


def _typed(form: FormData, name: str, kind: str) -> Any:
    if kind == "names":
        return [str(each) for each in form.getlist(name) if each]
    return str(form.get(name) or "")


async def _files(form: FormData, slots: tuple[Slot, ...]) -> tuple[dict[str, list[Box]], dict[str, list[Upload]], str]:
    """The texts of the form and the files brought, as boxes to show again and as uploads; and what is no UTF-8."""
    boxes: dict[str, list[Box]] = {}
    uploads: dict[str, list[Upload]] = {}
    problem = ""
    for slot in slots:
        own: list[Box] = []
        names, texts = form.getlist(f"{slot.name}_name"), form.getlist(f"{slot.name}_text")
        for place, text in enumerate(texts):
            if isinstance(text, str) and text.strip():
                name = str(names[place]).strip() if place < len(names) else ""
                own.append(Box(name or f"{slot.name}-{place + 1}", text.replace("\r\n", "\n")))
        for file in form.getlist(slot.name):
            if not isinstance(file, UploadFile) or not file.filename:
                continue
            # Old browsers send the whole path.
            name = PurePosixPath(PureWindowsPath(file.filename).name).name or slot.name
            content = await file.read()
            try:
                own.append(Box(name, content.decode("utf-8-sig")))
            except UnicodeDecodeError as error:
                line = content.count(b"\n", 0, error.start) + 1
                problem = problem or Sentence(
                    "{place}: byte {byte} is no UTF-8. Save the file as UTF-8 and bring it again.",
                    place=f"{name}:{line}",
                    byte=f"{content[error.start]:#04x}",
                )
        boxes[slot.name] = own
        uploads[slot.name] = [Upload(box.name, box.text.encode("utf-8", "surrogatepass")) for box in own]
    return boxes, uploads, problem


def _offer(task: str) -> None:
    """The form of a task, what comes of it, and their twins in JSON."""

    def form(request: Request, who: ScorePage) -> Response:  # noqa: ARG001
        return _page(request, task)

    async def done(request: Request, who: ScorePage) -> Response:  # noqa: ARG001
        return await _do(request, task)

    for path in (f"/{task}", f"/{task}.json"):
        ROUTER.add_api_route(path, form, methods=["GET"], name=f"{task}_form")
        ROUTER.add_api_route(path, done, methods=["POST"], name=f"{task}_page")


for _task in SLOTS:
    _offer(_task)
