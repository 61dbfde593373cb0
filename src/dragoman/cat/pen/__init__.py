"""Pen input: strokes drawn over a segment, and recognisers that read them as gestures or as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.cat.pen.base import GESTURES, RECOGNISERS, Reading, Recogniser, Template
    from dragoman.cat.pen.points import PointClouds
else:
    offer(__name__)

__all__ = ["GESTURES", "RECOGNISERS", "PointClouds", "Reading", "Recogniser", "Template"]
