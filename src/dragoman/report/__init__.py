"""Results shown: tables and figures as text, TSV, CSV, Markdown, LaTeX, JSON and HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.report.figure import Figure
    from dragoman.report.inspection import ModelInspection, inspect_model
    from dragoman.report.lines import Lines
    from dragoman.report.listing import Listing
    from dragoman.report.only import Only
    from dragoman.report.pages import Folded, Fragment, Open, Section, page, public_page
    from dragoman.report.progress import Progress
    from dragoman.report.render import RENDERERS, render
    from dragoman.report.result import Result
    from dragoman.report.sentence import Sentence, joined
    from dragoman.report.table import Column, Table
else:
    offer(__name__)

__all__ = [
    "RENDERERS",
    "Column",
    "Figure",
    "Folded",
    "Fragment",
    "Lines",
    "Listing",
    "ModelInspection",
    "Only",
    "Open",
    "Progress",
    "Result",
    "Section",
    "Sentence",
    "Table",
    "inspect_model",
    "joined",
    "page",
    "public_page",
    "render",
]
