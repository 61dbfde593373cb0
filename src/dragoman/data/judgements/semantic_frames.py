"""Semantic frames (HMEANT): who did what to whom in a reference and in an output, and which of it corresponds.

A row is one annotator's work on one sentence; `frames` is read and written by `parse_frames` and `frames_json`.
"""

from __future__ import annotations

from dragoman.data.judgements.base import Field, Schema

__all__ = ["FRAMES"]

FRAMES = Schema(
    "semantic-frames",
    (
        Field("annotator"),
        Field("item", meaning="one annotation"),
        Field("sentence", meaning="the sentence that was annotated"),
        Field("language"),
        Field("unit", meaning="the piece of work to which the sentence belongs"),
        Field("number", meaning="of the sentence within the unit"),
        Field("version", meaning="00 is the reference, others are systems; for whom, if it is a copy"),
        Field("is_reference", "truth", meaning="whether the annotation is of the reference, not of the output"),
        Field("text", required=False, meaning="what was annotated, tokens between spaces"),
        Field("reference", required=False, meaning="the annotation of the reference to which the links lead"),
        Field("frames", meaning="JSON"),
    ),
)
