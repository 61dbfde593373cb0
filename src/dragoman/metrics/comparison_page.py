"""The comparison as one HTML file: tables that can be taken along, and a browser of the segments."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dragoman.report import Section
from dragoman.report.pages import render_page

__all__ = ["comparison_page"]

_FOLDER = Path(__file__).parent / "page"
_SCRIPTS = ("diff.js", "segments.js", "browser.js")  # in the order that their imports want


def comparison_page(
    title: str, summary: str, findings: Sequence[str], sections: Sequence[Section], segments: Mapping[str, Any]
) -> str:
    """The page, with a browser of the segments; beside each figure stands its table."""
    return render_page(
        "comparison.html",
        folder=_FOLDER,
        title=title,
        sections=list(sections),
        summary=summary,
        findings=list(findings),
        data=_inline_json(segments),
        scripts=_SCRIPTS,
    )


def _inline_json(value: Any) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
