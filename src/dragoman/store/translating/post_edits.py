"""What became of machine translations: the confirmed segments of a project that were made from one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from dragoman.store.translating import tables

__all__ = ["post_edited_revisions", "post_edits"]

_S = tables.segments.c
_CONFIRMED = ("translated", "approved")


def post_edited_revisions(connection: sa.Connection, project: int, *, most: int) -> dict[int, int]:
    """The numbers of confirmed segments with a suggestion they were made from, and their revisions; the last `most`."""
    query = (
        sa.select(_S.id, _S.revision)
        .where(_S.project_id == project, _S.state.in_(_CONFIRMED), _S.origin.is_not(None))
        .order_by(_S.place.desc())
        .limit(most)
    )
    return {row.id: row.revision for row in connection.execute(query)}


def post_edits(connection: sa.Connection, segments: Iterable[int]) -> dict[int, dict[str, Any]]:
    """Source, codes, target and origin of some segments, by number."""
    query = sa.select(_S.id, _S.source, _S.codes, _S.target, _S.origin).where(_S.id.in_(list(segments)))
    return {row.id: dict(row._mapping) for row in connection.execute(query)}
