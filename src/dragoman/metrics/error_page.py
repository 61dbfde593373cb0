"""The page of labelled words: the profile, then the segments, which can be filtered and leafed through."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.metrics.classer import CLASSES
from dragoman.report import Section
from dragoman.report.packing import pack
from dragoman.report.pages import render_page

if TYPE_CHECKING:
    from dragoman.metrics.error_labels import ErrorLabels, LabelledWord

__all__ = ["error_page"]

_FOLDER = Path(__file__).parent / "page"
_SHORT = {"inflection": "infl", "order": "order", "missing": "miss", "extra": "extra", "lexical": "lex"}


def error_page(labels: ErrorLabels) -> str:
    """One HTML file that needs nothing else."""
    profile = labels.profile
    return render_page(
        "errors.html",
        folder=_FOLDER,
        scripts=("filters.js", "errors.js"),
        title=f"Errors of {labels.system}",
        sections=[Section("Profile", items=(*profile.figures(), *profile.tables()))],
        classes=CLASSES,
        short=_SHORT,
        data=pack(
            {
                "classes": [{"name": name, "short": _SHORT[name]} for name in CLASSES],
                "segments": [{"hyp": _side(each.hyp), "ref": _side(each.ref)} for each in labels.segments],
            }
        ),
    )


def _side(words: Sequence[LabelledWord]) -> list[str | list[str | int]]:
    """Words as they stand; one in error as a pair with the number of its class."""
    return [word.word if word.label == "correct" else [word.word, CLASSES.index(word.label)] for word in words]
