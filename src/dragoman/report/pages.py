"""One self-contained HTML page: opens from disk, asks nothing of the network, can be printed and read aloud."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from dragoman import __version__
from dragoman.report.charts import draw_chart
from dragoman.report.figure import Figure
from dragoman.report.render import render
from dragoman.report.result import Result
from dragoman.report.table import Table

__all__ = ["Folded", "Fragment", "Open", "Section", "page", "public_page", "render_page"]

_TEMPLATES = Path(__file__).parent / "templates"
_STATIC = Path(__file__).parent / "static"
_STYLES = (_STATIC / "base.css", _STATIC / "charts.css", _TEMPLATES / "page.css")
_SCRIPTS = (_STATIC / "sorting.js", _STATIC / "page.js", _STATIC / "unpack.js")


@dataclass(frozen=True)
class Fragment:
    """HTML that is neither table nor figure; whoever makes it has escaped the text in it."""

    html: str


@dataclass(frozen=True)
class Folded:
    """A table that is looked up rather than read."""

    table: Table


@dataclass(frozen=True)
class Open:
    """A table that is read whole, however long it is."""

    table: Table


Item = Table | Figure | Fragment | Folded | Open  # what stands in a section


@dataclass(frozen=True)
class Section:
    """A part of a page: a heading, a sentence or two, then tables, figures and fragments."""

    heading: str
    text: str = ""
    items: Sequence[Item] = ()

    @classmethod
    def of(cls, heading: str, result: Result, *, text: str = "") -> Section:
        """The section that shows a result."""
        return cls(heading, text, (*result.figures(), *result.tables()))


_MOST_ROWS_OPEN = 15  # longer tables are folded


_FOR_EVERYBODY: ContextVar[bool] = ContextVar("for_everybody", default=False)


def public_page(make: Callable[[], str]) -> str:
    """The page that a result makes of itself, for everybody: without tables and figures that name people."""
    token = _FOR_EVERYBODY.set(True)
    try:
        return make()
    finally:
        _FOR_EVERYBODY.reset(token)


def _public(sections: Sequence[Section]) -> list[Section]:
    kept = []
    for section in sections:
        items = [public for item in section.items if (public := _public_item(item)) is not None]
        if items or not section.items:
            kept.append(replace(section, items=items))
    return kept


def _public_item(item: Item) -> Item | None:
    if isinstance(item, Fragment):
        return item
    if isinstance(item, Table):
        return item.public()
    table = item.table.public()
    if isinstance(item, Figure):
        return item if table is item.table else None  # what is drawn by person is nothing without people
    return None if table is None else replace(item, table=table)


def page(title: str, sections: Sequence[Section], *, lang: str = "en") -> str:
    """The page as HTML; beside each figure stands its table."""
    return render_page("page.html", title=title, sections=sections, lang=lang)


def render_page(
    template: str,
    *,
    title: str,
    sections: Sequence[Section],
    lang: str = "en",
    folder: Path | None = None,
    scripts: Sequence[str] = (),
    **more: Any,
) -> str:
    """A page by a template of another room, which extends `page.html`.

    `folder` holds it, its style sheets and `scripts`, modules in the order that their imports want.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    folders = [_TEMPLATES] if folder is None else [folder, _TEMPLATES]
    environment = Environment(loader=FileSystemLoader(folders), autoescape=True, undefined=StrictUndefined)
    styles = [*_STYLES, *([] if folder is None else sorted(folder.glob("*.css")))]
    if _FOR_EVERYBODY.get():
        sections = _public(sections)
    modules = [*_SCRIPTS, *([] if folder is None else [folder / name for name in scripts])]
    return environment.get_template(template).render(
        title=title,
        sections=sections,
        lang=lang,
        css="\n".join(path.read_text(encoding="utf-8") for path in styles),
        script=_script(modules),
        version=__version__,
        show=_show,
        **more,
    )


def _script(modules: Sequence[Path]) -> str:
    """The modules in one: a page opened from disk may not import files."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in modules)
    return re.sub(r"^export ", "", re.sub(r"^import [^;]*;\n", "", text, flags=re.MULTILINE), flags=re.MULTILINE)


def _show(item: Item) -> str:
    if isinstance(item, Fragment):
        return item.html
    if isinstance(item, Figure):
        caption = f"<figcaption>{html.escape(item.title)}</figcaption>"
        data = _folded(f"Data of the figure: {item.title}", item.table)
        return f"<figure>{caption}{draw_chart(item)}{data}</figure>"
    if isinstance(item, Open):
        return _table(item.table)
    if isinstance(item, Folded) or len(item.rows) > _MOST_ROWS_OPEN:
        table = item.table if isinstance(item, Folded) else item
        return _folded(f"{table.title} ({len(table.rows)} rows)", table)
    return _table(item)


def _folded(summary: str, table: Table) -> str:
    return f"<details><summary>{html.escape(summary)}</summary>{_table(table)}</details>"


def _table(table: Table) -> str:
    """The table in a region that can be scrolled by keyboard, and links that save it."""
    label = html.escape(table.title, quote=True)
    links = " ".join(
        f'<a download="{_file_name(table.title)}.{suffix}" href="data:{mime};charset=utf-8,'
        f'{quote(render(table, form))}" aria-label="{label} as {shown}">{shown}</a>'
        for form, suffix, mime, shown in (
            ("tsv", "tsv", "text/tab-separated-values", "TSV"),
            ("latex", "tex", "text/plain", "LaTeX"),
        )
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">{render(table, "html")}</div>'
        f'<p class="tools">Save as {links}</p>'
    )


def _file_name(title: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-").lower() or "table"
