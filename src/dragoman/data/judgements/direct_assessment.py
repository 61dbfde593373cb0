"""Direct assessment: one output, one score from 0 to 100, with items among the rest that tell a careful judge."""

from __future__ import annotations

from dragoman.data.judgements.base import Field, Schema

__all__ = ["DIRECT_ASSESSMENT", "ITEM_TYPES"]

ITEM_TYPES = ("TGT", "REF", "BAD", "CHK")

DIRECT_ASSESSMENT = Schema(
    "direct-assessment",
    (
        Field("annotator"),
        Field("item", meaning="what was shown, by its number in the annotator's task"),
        Field("type", required=False, meaning="TGT a system, REF a reference, BAD degraded, CHK shown again"),
        Field("doc", required=False),
        Field("segment", "whole"),
        Field("system"),
        Field("score", "number", required=False, low=0, high=100),
        Field("seconds", "number", required=False, low=0),
        Field("task", required=False, meaning="the HIT or batch to which the item belongs"),
        Field("source_lang", required=False),
        Field("target_lang", required=False),
        Field("attribute", required=False, meaning="adequacy or fluency"),
        Field("start", "number", required=False, meaning="when the item, or else its task, was opened: s since 1970"),
        Field("end", "number", required=False, meaning="when it was submitted: s since 1970"),
        Field("status", required=False, meaning="what became of the task: Approved, Rejected …"),
        Field("is_document", "truth", required=False, meaning="whether a whole document was scored"),
    ),
)
