"""Comprehension questionnaires: who heard or read what understands how much of it (Hamon et al. 2009).

A row is one answer to one question about one excerpt in one condition, marked by a validator. The same table holds what
could be answered at all from the audio, the translation and the transcript (`condition` fair, slt, asr), and ratings of
the whole excerpt (`quality`, in a row without a question).
"""

from __future__ import annotations

from dragoman.data.judgements.base import Field, Schema

__all__ = ["COMPREHENSION"]

COMPREHENSION = Schema(
    "comprehension",
    (
        Field("annotator"),
        Field("item", meaning="one answer or rating"),
        Field("excerpt"),
        Field("condition", meaning="system, interpreter … or the stage looked at"),
        Field("question", required=False),
        Field("type", required=False, meaning="factual, yes-no or list"),
        Field("answer", required=False, meaning="as it was given"),
        Field("is_correct", "truth", required=False, meaning="as the validator marked it; missing if not yet marked"),
        Field("quality", "whole", required=False, low=1, high=5, meaning="5 very useful, 1 unusable"),
        Field("seconds", "number", required=False, low=0),
    ),
)
