"""What is found in a project by checks, terms and memories: mistakes, the terms of a segment, the work that it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dragoman.cat.analysis import VolumeAnalysis, analyse
from dragoman.cat.checks import CHECKS, Check, CheckReport, Finding, Pair, check_pair
from dragoman.cat.checks.words import Terms
from dragoman.cat.memory import MemoryShelf, Penalised
from dragoman.cat.projects import codes_of
from dragoman.cat.terms import Glossary, Term
from dragoman.store.refusals import NotFound
from dragoman.store.translating import segments
from dragoman.store.translating.history import ignored_findings
from dragoman.store.translating.memories import find_memory
from dragoman.store.translating.projects import Project

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from dragoman.store.people.accounts import User

__all__ = ["check_project", "check_segment", "glossary_of", "memories_of", "terms_in", "volume_of"]

_ALL = 10**9
_TERMS = Terms()
_ALONE = tuple(CHECKS.make(name) for name in CHECKS.names() if name not in ("terms", "unlike"))  # of one segment
_TOGETHER = tuple(CHECKS.make(name) for name in CHECKS.names() if name != "terms")


def glossary_of(project: Project) -> Glossary:
    """The terms of a project, ready to be looked up."""
    rows = tuple((t["source"], t["target"], t.get("status", "preferred"), t.get("note", "")) for t in project.glossary)
    return _glossary(rows, project.source_lang, project.target_lang)


@lru_cache(maxsize=32)
def _glossary(rows: tuple[tuple[str, ...], ...], source_lang: str, target_lang: str) -> Glossary:
    terms = tuple(Term(*row) for row in rows)  # type: ignore[arg-type]  # checked when it was written
    return Glossary(terms, source_lang, target_lang)


def terms_in(project: Project, source: str) -> list[dict[str, Any]]:
    """The terms of a source with their translations and places, from left to right, preferred translations first."""
    places: dict[Term, list[list[int]]] = {}
    for hit in glossary_of(project).look_up(source):
        for term in hit.terms:
            places.setdefault(term, []).append([hit.begin, hit.end])
    return [{**asdict(term), "places": spans} for term, spans in places.items()]


def memories_of(connection: Connection, project: Project, user: User | None = None) -> list[Penalised]:
    """Return the memories that a project looks into, with `user` those of them that this person may use.

    Memories that were deleted since the project was made are passed over.
    """
    found = []
    for each in project.memories:
        try:
            found.append(Penalised(find_memory(connection, each["name"], user), each.get("penalty", 0)))
        except NotFound:
            continue
    return found


def check_segment(
    connection: Connection, project: Project, segment: int, target: str, more: Sequence[Check] = ()
) -> list[Finding]:
    """What may be wrong with a target for a segment, errors first, without what somebody ignored for a reason.

    `more` are checks of the house, besides those that every project has.
    """
    pair = _pair(project, segments.find_segment(connection, project.id, segment), target)
    found = [*check_pair(pair, (*_ALONE, *more)), *_TERMS.find_with(glossary_of(project), pair)] if target else []
    ignored = ignored_findings(connection, project.id)
    return [each for each in found if (segment, each.check, each.message) not in ignored]


def check_project(connection: Connection, project: Project, more: Sequence[Check] = ()) -> CheckReport:
    """What may be wrong with the targets of a project, also with unlike ones of like segments; by place."""
    _, rows = segments.list_segments(connection, project.id, limit=_ALL)
    pairs = [_pair(project, row, row["target"] or "") for row in rows]
    report = CheckReport.of(pairs, (*_TOGETHER, *more))
    glossary = glossary_of(project)
    terms: Iterable[list[Finding]] = (list(_TERMS.find_with(glossary, pair)) if pair.target else [] for pair in pairs)
    ignored = ignored_findings(connection, project.id)
    return CheckReport(
        tuple(
            tuple(each for each in (*own, *more) if (row["id"], each.check, each.message) not in ignored)
            for row, own, more in zip(rows, report.findings, terms, strict=True)
        )
    )


def _pair(project: Project, row: Mapping[str, Any], target: str) -> Pair:
    langs = project.source_lang, project.target_lang
    return Pair(row["source"], target, codes_of(row["codes"]), row["max_length"], *langs)


def volume_of(connection: Connection, project: Project, shelf: MemoryShelf) -> VolumeAnalysis:
    """How much work the project's files are, given its memories and its engine."""
    _, rows = segments.list_segments(connection, project.id, limit=_ALL)
    documents: dict[str, list[str]] = {}
    for row in rows:
        documents.setdefault(row["file"], []).append(row["source"])
    memories = memories_of(connection, project)
    return analyse(
        documents,
        lambda queries: shelf.matches_of(memories, list(queries), most=1),
        has_engine=project.engine is not None,
    )
