"""Edits of outputs made without the source, and their reviews (Bojar et al., Findings of WMT 2013, §4).

An *editor*, who sees the output alone, corrects it or gives up. A *reviewer* sees the source and a reference and
confirms the edit, polishes it (and writes `OK:` before it) or corrects it.
"""

from __future__ import annotations

from typing import Literal

from dragoman.data.judgements.base import Field, Schema

__all__ = ["BLIND_EDITS", "POLISHED", "REVIEWS", "STATUSES", "Status", "review_status"]

Status = Literal["good", "almost", "bad", "empty"]
STATUSES: tuple[Status, ...] = ("good", "almost", "bad", "empty")
POLISHED = "OK:"

BLIND_EDITS = Schema(
    "blind-edit",
    (
        Field("annotator"),
        Field("item"),
        Field("segment", "whole"),
        Field("system"),
        Field("doc", required=False),
        Field("output", required=False, meaning="what was edited"),
        Field("edit", required=False, meaning="nothing if the editor gave up"),
        Field("keystrokes", "whole", required=False, low=0),
        Field("seconds", "number", required=False, low=0),
        Field("task", required=False),
    ),
)

REVIEWS = Schema(
    "blind-edit-review",
    (
        Field("editor", meaning="who edited the output without the source"),
        Field("reviewer"),
        Field("system"),
        Field("segment"),
        Field("edit", required=False, meaning="nothing if the editor gave up"),
        Field("review", meaning="the edit as the reviewer left it; OK: before it if it was only polished"),
        Field("seen", "truth", required=False, meaning="whether the editor had met the sentence before"),
        Field("annotator", required=False, meaning="the reviewer, where a campaign asked"),
        Field("item", required=False),
        Field("seconds", "number", required=False, low=0),
    ),
    key=("editor", "reviewer", "system", "segment"),
)


def review_status(edit: str | None, review: str) -> Status:
    """What a review says of an edit, blanks at the ends aside.

    good: left as it was; almost: changed and marked OK; bad: changed; empty: the editor had given up.
    """
    text, left = (edit or "").strip(), review.strip()
    if not text:
        return "empty"
    if left == text:
        return "good"
    return "almost" if left.startswith(POLISHED) else "bad"
