"""What people say about segments over HTTP: comments, errors as MQM has them, scores as ESA has them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from dragoman.cat import review
from dragoman.store.translating import remarks, scores, segments
from dragoman.web.bodies import Done, ResultBody, body_of
from dragoman.web.cat.bodies import FileNumber, NumberBody, SegmentNumber
from dragoman.web.cat.review_bodies import CommentBody, IssueBody, ResolutionBody, ScoreBody
from dragoman.web.objects import ProjectReader, ProjectWorker

__all__ = ["ROUTER"]

ROUTER = APIRouter(prefix="/api/v1/cat/projects/{project}", tags=["review of translations"])
Place = Annotated[int, Query(ge=1, lt=2**31)]


@ROUTER.get("/comments")
def list_comments(request: Request, access: ProjectReader, segment: Place | None = None) -> ResultBody:
    """What people said about segments, or about one."""
    with request.app.state.store.read() as connection:
        return ResultBody(kind="comments", rows=remarks.list_comments(connection, access.project.id, segment), meta={})


@ROUTER.post("/segments/{segment}/comments", status_code=201)
def add_comment(request: Request, segment: SegmentNumber, body: CommentBody, access: ProjectWorker) -> NumberBody:
    """Say something about a segment."""
    with request.app.state.store.write() as connection:
        number = remarks.add_comment(connection, access, segment, body.text, key=body.key)
    request.app.state.cat.hub.tell(access.project.id)
    return NumberBody(id=number)


@ROUTER.put("/comments/{number}/resolution")
def resolve_comment(request: Request, number: FileNumber, body: ResolutionBody, access: ProjectWorker) -> Done:
    """Mark a comment as dealt with, or as open again."""
    with request.app.state.store.write() as connection:
        remarks.resolve_comment(connection, access, number, resolved=body.resolved)
    return Done()


@ROUTER.get("/issues")
def list_issues(request: Request, access: ProjectReader, segment: Place | None = None) -> ResultBody:
    """The errors that reviewers marked, with the text that they were marked in; `meta.form` says what may be marked."""
    with request.app.state.store.read() as connection:
        rows = remarks.list_issues(connection, access.project.id, segment)
    return ResultBody(kind="issues", rows=rows, meta={"form": review.review_form()})


@ROUTER.post("/segments/{segment}/issues", status_code=201)
def add_issue(request: Request, segment: SegmentNumber, body: IssueBody, access: ProjectWorker) -> NumberBody:
    """Mark an error in a segment as it stands.

    It has a place in the target (`start`, `end`), in the source (`source_start`, `source_end`) or in both; with
    `is_omission` something is left out: it has no place in the target, and one in the source if that shows what.
    """
    span = body.model_dump(exclude={"key", "note"}, exclude_none=True)
    with request.app.state.store.write() as connection:
        row = segments.find_segment(connection, access.project.id, segment)
        review.check_issue(row["source"], row["target"] or "", span)
        number = remarks.add_issue(connection, access, segment, span, key=body.key, note=body.note)
    request.app.state.cat.hub.tell(access.project.id)
    return NumberBody(id=number)


@ROUTER.delete("/issues/{number}")
def withdraw_issue(request: Request, number: FileNumber, access: ProjectWorker) -> Done:
    """Take an error back that one has marked."""
    with request.app.state.store.write() as connection:
        remarks.withdraw_issue(connection, access, number)
    return Done()


@ROUTER.get("/scores")
def list_scores(request: Request, access: ProjectReader, segment: Place | None = None) -> ResultBody:
    """The scores that reviewers gave segments, or one: the last of each, and whether the text has changed since."""
    with request.app.state.store.read() as connection:
        return ResultBody(kind="scores", rows=scores.list_scores(connection, access.project.id, segment), meta={})


@ROUTER.put("/segments/{segment}/score")
def set_score(request: Request, segment: SegmentNumber, body: ScoreBody, access: ProjectWorker) -> Done:
    """Say how good a segment is as it stands, from 0 to 100, after its errors were marked (as ESA asks).

    A reviewer has one score for a segment, the last; null takes it back. `meta.form.score` of the issues has the scale.
    """
    with request.app.state.store.write() as connection:
        scores.set_score(connection, access, segment, body.score, key=body.key)
    request.app.state.cat.hub.tell(access.project.id)
    return Done()


@ROUTER.get("/review")
def review_report(request: Request, access: ProjectReader) -> ResultBody:
    """What reviewers found wrong, by kind, what it costs for a thousand words, and the mean of their scores."""
    with request.app.state.store.read() as connection:
        issues = remarks.list_issues(connection, access.project.id)
        marks = scores.list_scores(connection, access.project.id)
        n_words = sum(words for _, _, words in segments.progress_of(connection, access.project.id).states)
    return body_of(review.review_of(issues, n_words, marks))
