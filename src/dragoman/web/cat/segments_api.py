"""Segments over HTTP: seen, saved, filled, cut, joined; suggestions, checks, search and history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from sqlalchemy import Connection

from dragoman.cat import checking, saving
from dragoman.cat import projects as rooms
from dragoman.cat.repetitions import fill_repetitions
from dragoman.cat.saving import find_and_replace, history_of
from dragoman.store.refusals import NotAllowed, TooMany
from dragoman.store.translating import history as history_log
from dragoman.store.translating import reshaping, segments
from dragoman.store.translating.filling import Filled
from dragoman.store.translating.saving import Change, Outcome
from dragoman.web.bodies import Done, ResultBody, body_of
from dragoman.web.cat.bodies import (
    NumberBody,
    SegmentNumber,
)
from dragoman.web.cat.problems import engine_problem
from dragoman.web.cat.segment_bodies import (
    ChangesBody,
    CheckBody,
    FindingsBody,
    IgnoringBody,
    MergeBody,
    OutcomesBody,
    PretranslatedBody,
    PretranslationBody,
    ReplaceBody,
    ReplacedBody,
    RestoreBody,
    SegmentBody,
    SegmentsBody,
    SplitBody,
    SuggestionsBody,
    VersionsBody,
)
from dragoman.web.catalogue import words_in
from dragoman.web.guard import count_service
from dragoman.web.lanes import in_lane
from dragoman.web.objects import ProjectManager, ProjectReader, ProjectSaver, ProjectTyping, ProjectWorker
from dragoman.web.rendering import language_of

__all__ = ["ROUTER"]

ROUTER = APIRouter(prefix="/api/v1/cat/projects/{project}", tags=["translation"])
Find = Annotated[str, Query(max_length=1000, pattern=r"^[^\x00]*$")]
Place = Annotated[int, Query(ge=1, lt=2**31)]


@ROUTER.get("/segments")
def list_segments(
    request: Request,
    access: ProjectReader,
    offset: Annotated[int, Query(ge=0, lt=2**31)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    state: Literal["new", "draft", "translated", "approved", "rejected"] | None = None,
    file: Place | None = None,
    source: Find = "",
    target: Find = "",
    first: Place | None = None,
    last: Place | None = None,
) -> SegmentsBody:
    """Segments in their order: of a state, a file, with a text in source or target, from a place to another."""
    with request.app.state.store.read() as connection:
        total, rows = segments.list_segments(
            connection,
            access.project.id,
            offset=offset,
            limit=limit,
            state=state,
            file=file,
            source=source,
            target=target,
            first=first,
            last=last,
        )
    return SegmentsBody(total=total, segments=[SegmentBody(**row) for row in rows])


@ROUTER.get("/segments/{segment}")
def get_segment(request: Request, segment: SegmentNumber, access: ProjectReader) -> SegmentBody:
    """One segment."""
    with request.app.state.store.read() as connection:
        return SegmentBody(**segments.find_segment(connection, access.project.id, segment))


@ROUTER.post("/changes")
def save(request: Request, body: ChangesBody, access: ProjectSaver) -> OutcomesBody:
    """Save texts and states, each once, however often it is sent.

    A change made from an older text than the segment has now is refused with the newer one, and kept in the history.
    If the project's setting `repetitions` says so, segments like a confirmed one are filled as drafts: see `filled`.
    """
    state = request.app.state
    changes = [Change(**each.model_dump()) for each in body.changes]
    limit = state.settings.requests_per_minute

    def work(connection: Connection) -> tuple[list[Outcome], list[Filled]]:
        outcomes = saving.save(connection, access, changes, per_minute=limit)
        return outcomes, fill_repetitions(connection, access, outcomes)

    outcomes, filled = state.store.together(work)
    state.measures.count("segments_saved", sum(each.saved for each in outcomes))
    state.cat.confirm(access, outcomes)
    return _told(request, access.project.id, outcomes, filled)


def _told(request: Request, project: int, outcomes: list[Outcome], filled: Sequence[Filled] = ()) -> OutcomesBody:
    """The answer; whoever is in the project hears of it."""
    request.app.state.cat.hub.tell(project)
    rows: list[dict[str, Any]] = [asdict(each) for each in outcomes]
    for row in rows:
        del row["fresh"]
    return OutcomesBody(outcomes=rows, filled=[asdict(each) for each in filled])  # type: ignore[arg-type,misc]


@ROUTER.post("/pretranslation")
@in_lane("engines")
def pretranslate(request: Request, body: PretranslationBody, access: ProjectManager) -> PretranslatedBody:
    """Fill some empty segments behind a place as drafts: by memories, by what the file proposes, then by the engine.

    A few at once, so that nobody waits: call again with the place in `after` until it is null. Nothing that is there is
    touched, so whoever stops and begins anew at 0 goes on where it ended. With an engine each call counts as a request
    for it, which needs the service `translate`.
    """
    if body.use_engine and access.project.engine is not None:
        access.check_asks()
        count_service(request, access.user)
    step = request.app.state.cat.pretranslate(access, **body.model_dump())
    request.app.state.cat.hub.tell(access.project.id)
    return PretranslatedBody(filled=[asdict(each) for each in step.filled], after=step.after)  # type: ignore[misc]


@ROUTER.post("/segments/{segment}/split", status_code=201)
def split(request: Request, segment: SegmentNumber, body: SplitBody, access: ProjectWorker) -> NumberBody:
    """Cut a segment in two; the number of the second part."""
    with request.app.state.store.write() as connection:
        number = rooms.split(connection, access, segment, body.at, key=body.key, target_at=body.target_at)
    request.app.state.cat.hub.tell(access.project.id)
    return NumberBody(id=number)


@ROUTER.post("/segments/{segment}/merge")
@in_lane("imports")
def merge(request: Request, segment: SegmentNumber, body: MergeBody, access: ProjectWorker) -> Done:
    """Join a segment with the next one of its unit, whose number ends."""
    with request.app.state.store.read() as connection:  # reading the file; in the next transaction others wait
        is_done = reshaping.is_known(connection, access, body.key)
        joined = None if is_done else rooms.joined_segments(connection, access, segment)
    with request.app.state.store.write() as connection:
        rooms.merge(connection, access, segment, key=body.key, joined=joined)
    request.app.state.cat.hub.tell(access.project.id)
    return Done()


@ROUTER.get("/segments/{segment}/history")
def history(request: Request, segment: SegmentNumber, access: ProjectReader) -> VersionsBody:
    """All texts that a segment had, and those that were refused, with who wrote them."""
    with request.app.state.store.read() as connection:
        versions = history_of(connection, access.project.id, segment)
    return VersionsBody(versions=[asdict(each) for each in versions])  # type: ignore[misc]  # pydantic reads them


@ROUTER.post("/segments/{segment}/restore")
def restore(request: Request, segment: SegmentNumber, body: RestoreBody, access: ProjectWorker) -> OutcomesBody:
    """Give a segment the text of an earlier version, as a draft."""
    with request.app.state.store.write() as connection:
        outcome = saving.restore(connection, access, segment, body.number, revision=body.revision, key=body.key)
    return _told(request, access.project.id, [outcome])


@ROUTER.post("/replace")
def replace(request: Request, body: ReplaceBody, access: ProjectWorker) -> ReplacedBody:
    """Replace a text in all targets that one may change; with `dry_run` only show what would be."""
    with request.app.state.store.write() as connection:
        found = find_and_replace(connection, access, **body.model_dump())
    request.app.state.cat.hub.tell(access.project.id)
    return ReplacedBody(
        replaced=[
            {  # type: ignore[misc]  # pydantic reads it
                "segment": row["id"],
                "place": row["place"],
                "before": row["target"],
                "after": text,
                "saved": outcome is not None and outcome.saved,
            }
            for row, text, outcome in found
        ]
    )


@ROUTER.get("/segments/{segment}/suggestions")
@in_lane("engines")
def suggest(request: Request, segment: SegmentNumber, access: ProjectReader) -> SuggestionsBody:
    """What may stand in a segment: matches of the project's memories, machine translation; and terms of its source.

    Those who look on get no machine translation, and matches of those memories alone that they may use. Where machine
    translation is missing for another reason, `problem` says why, and `problem_said` says it in the language of the
    person.
    """
    with request.app.state.store.read() as connection:
        row = segments.find_segment(connection, access.project.id, segment)
    asks, problem = access.works and access.project.engine is not None, ""
    if asks:
        try:
            access.check_asks()
            count_service(request, access.user)
        except (NotAllowed, TooMany) as refusal:
            asks, problem = False, engine_problem(access.project.engine or "", refusal)
    found = request.app.state.cat.suggest(access.project, row, use_engine=asks, looker=access.looker)
    problem = problem or found["problem"]
    return SuggestionsBody(**found | {"problem": problem, "problem_said": words_in(language_of(request)).told(problem)})


@ROUTER.post("/segments/{segment}/checks")
def check_segment(request: Request, segment: SegmentNumber, body: CheckBody, access: ProjectTyping) -> FindingsBody:
    """What may be wrong with a target while it is typed: codes, numbers, marks, terms, spelling, length."""
    with request.app.state.store.read() as connection:
        findings = checking.check_segment(
            connection, access.project, segment, body.target, request.app.state.cat.checks_of(access.project)
        )
    words = words_in(language_of(request))
    rows = [{**asdict(each), "said": words.told(each.message)} for each in findings]
    return FindingsBody(findings=rows)  # type: ignore[arg-type]  # pydantic reads them


@ROUTER.post("/segments/{segment}/ignored", status_code=201)
def ignore_finding(request: Request, segment: SegmentNumber, body: IgnoringBody, access: ProjectWorker) -> Done:
    """Say why something that a check found in a segment is right; it is not shown any more."""
    with request.app.state.store.write() as connection:
        history_log.ignore_finding(
            connection, access, segment, body.check, body.message, reason=body.reason, key=body.key
        )
    return Done()


@ROUTER.get("/checks")
@in_lane("imports")
def check_project(request: Request, access: ProjectReader) -> ResultBody:
    """What may be wrong with the translations of a project, by place; also unlike ones of like segments."""
    with request.app.state.store.read() as connection:
        return body_of(
            checking.check_project(connection, access.project, request.app.state.cat.checks_of(access.project))
        )


@ROUTER.get("/analysis")
@in_lane("imports")
def analysis(request: Request, access: ProjectReader) -> ResultBody:
    """How much work the files are: words by the kind of help there is, weighed by what it saves."""
    with request.app.state.store.read() as connection:
        return body_of(checking.volume_of(connection, access.project, request.app.state.cat.memories))


@ROUTER.get("/concordance")
def concordance(
    request: Request,
    access: ProjectReader,
    text: Annotated[str, Query(min_length=1, max_length=1000, pattern=r"^[^\x00]*$")],
    side: Literal["source", "target"] = "source",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> ResultBody:
    """Where the project's memories have a text, in either language; `spans` are places in the side searched.

    Those who look on search the memories that they may use.
    """
    hits = request.app.state.cat.concordance(access.project, text, side, limit, access.looker)
    return ResultBody(
        kind="concordance",
        rows=[{**asdict(each), "spans": [list(span) for span in each.spans]} for each in hits],
        meta={"side": side},
    )
