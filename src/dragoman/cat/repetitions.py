"""Repeated segments: once one is confirmed, the others like it can have its translation, as drafts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dragoman.cat.files.inline import unfit
from dragoman.cat.memory.codes import codes_of
from dragoman.cat.projects import codes_of as unit_codes
from dragoman.cat.saving import is_confirmed
from dragoman.cat.segments import code_place
from dragoman.cat.settings import REPETITIONS
from dragoman.store.translating import segments
from dragoman.store.translating.filling import Fill, Filled, fill_segments, like_segments
from dragoman.store.translating.jobs import Access
from dragoman.store.translating.saving import Outcome

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["fill_repetitions"]


def fill_repetitions(connection: Connection, access: Access, outcomes: Sequence[Outcome]) -> list[Filled]:
    """Fill the segments of a project that are like those confirmed just now, as its settings say; which ones.

    Like is a segment with the same source and the same inline codes, whoever's job it is in.
    """
    mode = access.project.settings.get("repetitions", "off")
    if mode not in REPETITIONS[1:]:
        return []
    fills: dict[int, Fill] = {}
    for outcome in outcomes:
        if is_confirmed(outcome):
            fills |= {each.segment: each for each in _fills(connection, access.project.id, outcome, mode)}
    return fill_segments(
        connection, access.project.id, [*fills.values()], user_id=access.user.id, drafts=mode == "draft"
    )


def _fills(connection: Connection, project: int, outcome: Outcome, mode: str) -> list[Fill]:
    row = segments.find_segment(connection, project, outcome.segment)
    target = outcome.target or ""
    origin = {"kind": "repetition", "name": str(outcome.place), "score": 100, "text": target}
    alike = like_segments(connection, project, row["source"], drafts=mode == "draft")
    used = codes_of(row["source"] + target)
    wanted = _codes(row["codes"], used)
    return [
        Fill(each.id, target, origin)
        for each in alike
        if each.id != outcome.segment
        and _codes(each.codes, used) == wanted
        and not unfit(each.source, target, unit_codes(each.codes))
    ]


def _codes(codes: Sequence[Sequence[str]], used: Sequence[str]) -> list[Any]:
    """What the characters of codes stand for; None of one that the unit does not have."""
    places = [code_place(char) or 0 for char in used]
    return [codes[place][0] if place < len(codes) else None for place in places]
