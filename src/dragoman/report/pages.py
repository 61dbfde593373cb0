"""One self-contained HTML page: opens from disk, asks nothing of the network, can be printed and read aloud."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman import __version__
from dragoman.report.figure import Figure
from dragoman.report.plots import plots_available
from dragoman.report.render import to_html
from dragoman.report.result import Result
from dragoman.report.table import Table

__all__ = ["Fragment", "Section", "page"]

_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Fragment:
    """HTML that is neither table nor figure; whoever makes it has escaped the text in it."""

    html: str


@dataclass(frozen=True)
class Section:
    """A part of a page: a heading, a sentence or two, then tables, figures and fragments."""

    heading: str
    text: str = ""
    items: Sequence[Table | Figure | Fragment] = ()

    @classmethod
    def of(cls, heading: str, result: Result, *, text: str = "") -> Section:
        """The section that shows a result."""
        return cls(heading, text, (*result.figures(), *result.tables()))


def page(title: str, sections: Sequence[Section], *, lang: str = "en") -> str:
    """The page as HTML. Figures are drawn where matplotlib is there; their tables are always shown."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined)
    template = environment.get_template("page.html")
    css = (_TEMPLATES / "page.css").read_text(encoding="utf-8")
    return template.render(title=title, sections=sections, lang=lang, css=css, version=__version__, show=_show)


def _show(item: Table | Figure | Fragment) -> str:
    if isinstance(item, Fragment):
        return item.html
    if isinstance(item, Table):
        return f'<div class="scroll" tabindex="0" role="region" aria-label="Table">{to_html(item)}</div>'
    # The table says the same in words and numbers, so the drawing may be left out.
    drawing = f"<figure>{item.svg()}</figure>" if plots_available() else ""
    return f"{drawing}<details><summary>Data of the figure</summary>{to_html(item.table)}</details>"
