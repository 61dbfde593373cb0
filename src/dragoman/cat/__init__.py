"""The translator's workbench: files and their segments, memories, terms, checks, prediction, records of the work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.cat.files.base import FILE_FORMATS, FileFormat, Langs, format_of
    from dragoman.cat.segments import Code, Segment, State, Target, Unit
else:
    offer(__name__)

__all__ = ["FILE_FORMATS", "Code", "FileFormat", "Langs", "Segment", "State", "Target", "Unit", "format_of"]
