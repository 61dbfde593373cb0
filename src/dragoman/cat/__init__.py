"""The translator's workbench: files and their segments, memories, terms, checks, prediction, records of the work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.cat.files.base import FILE_FORMATS, FileFormat, Langs, check_languages, format_of
    from dragoman.cat.files.inline import misfit
    from dragoman.cat.omegat import read_omegat, write_omegat
    from dragoman.cat.packages import Package, PackageFile, PackageSegment
    from dragoman.cat.segmentation import SegmentationRules, SentenceRules, join, merge, segments_of, split
    from dragoman.cat.segments import Code, Segment, State, Target, Unit
    from dragoman.cat.srx import Srx, SrxRules, default_srx, read_srx
else:
    offer(__name__)

__all__ = [
    "FILE_FORMATS",
    "Code",
    "FileFormat",
    "Langs",
    "Package",
    "PackageFile",
    "PackageSegment",
    "Segment",
    "SegmentationRules",
    "SentenceRules",
    "Srx",
    "SrxRules",
    "State",
    "Target",
    "Unit",
    "check_languages",
    "default_srx",
    "format_of",
    "join",
    "merge",
    "misfit",
    "read_omegat",
    "read_srx",
    "segments_of",
    "split",
    "write_omegat",
]
