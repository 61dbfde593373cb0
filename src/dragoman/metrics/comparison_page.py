"""The comparison as one HTML file: tables that can be taken along, and a browser of the segments."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from dragoman import __version__
from dragoman.metrics.comparison import Comparison, isolated
from dragoman.report import Figure, Section, Table, render
from dragoman.report import pages as report_pages
from dragoman.report.plots import plots_available

__all__ = ["comparison_page"]

_FOLDER = Path(__file__).parent / "page"
_BASE_STYLE = Path(report_pages.__file__).parent / "templates" / "page.css"
_SCRIPTS = ("diff.js", "segments.js", "browser.js")  # in the order that their imports want

_MOST_ROWS_OPEN = 15  # longer tables are folded


def comparison_page(comparison: Comparison, *, title: str = "") -> str:
    """The page. Figures are drawn where matplotlib is there; their tables are always shown."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined)
    styles = [path.read_text(encoding="utf-8") for path in (_BASE_STYLE, _FOLDER / "comparison.css")]
    return environment.get_template("comparison.html").render(
        title=title or f"{', '.join(map(isolated, comparison.systems[1:]))} against {isolated(comparison.baseline)}",
        summary=_summary(comparison),
        findings=[pair.isolated_sentence for pair in comparison.pairs],
        sections=_sections(comparison),
        css="\n".join(styles),
        version=__version__,
        show=_show,
        data=_inline_json(_data(comparison)),
        script=_script(),
    )


def _summary(comparison: Comparison) -> str:
    drawn = comparison.test_options.get("trials")
    how = f", {drawn:,} trials, seed {comparison.seed}" if drawn else ""
    return (
        f"{comparison.n_segments:,} segments, {len(comparison.systems)} systems. Test: {comparison.test}{how}; "
        f"correction: {comparison.correction}; α = {comparison.alpha:g}."
    )


def _sections(comparison: Comparison) -> list[Section]:
    scores = Section("Scores", "", (*comparison.score_figures(), comparison.score_table()))
    tests = Section("Paired tests", "", (comparison.pair_table(), *comparison.matrices()))
    sections = [scores, tests]
    kinds = dict.fromkeys(breakdown.by for breakdown in comparison.breakdowns)
    for kind in kinds:
        items: list[Table | Figure] = []
        for breakdown in comparison.breakdowns:
            if breakdown.by == kind:
                figure = breakdown.figure()
                items += [figure] if figure is not None and plots_available() else []
                items.append(breakdown.table())
        sections.append(Section(f"By {kind}", "", tuple(items)))
    if comparison.errors is not None:
        sections.append(Section.of("Error classes", comparison.errors))
    if comparison.ngrams:
        tables = tuple(table for contrast in comparison.ngrams for table in contrast.tables())
        sections.append(Section("N-grams won and lost", "", tables))
    return sections


def _show(item: Table | Figure) -> str:
    if isinstance(item, Figure):
        # The table that says the same stands right behind the figure.
        return f"<figure>{item.svg()}</figure>" if plots_available() else ""
    label = html.escape(item.title, quote=True)
    links = " ".join(
        f'<a download="{_file_name(item.title)}.{suffix}" href="data:{mime};charset=utf-8,{quote(render(item, form))}"'
        f' aria-label="{label} as {shown}">{shown}</a>'
        for form, suffix, mime, shown in (
            ("tsv", "tsv", "text/tab-separated-values", "TSV"),
            ("latex", "tex", "text/plain", "LaTeX"),
        )
    )
    shown = f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">{render(item, "html")}</div>'
    tools = f'<p class="tools">Save as {links}</p>'
    if len(item.rows) > _MOST_ROWS_OPEN:
        return f"<details><summary>{label} ({len(item.rows)} rows)</summary>{shown}{tools}</details>"
    return shown + tools


def _file_name(title: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-").lower() or "table"


def _data(comparison: Comparison) -> dict[str, Any]:
    """What the segment browser needs. Segments are numbered from 1."""
    segments = comparison.segments
    scores = segments.scores.round(4).tolist()  # the browser shows one digit; its TSV keeps four

    def label(stream: Any, number: int) -> str | None:
        return None if stream is None else stream[number]

    return {
        "systems": comparison.systems,
        "metrics": [
            {"name": name, "higherIsBetter": higher}
            for name, higher in zip(comparison.metrics, comparison.higher_is_better, strict=True)
        ],
        "references": [_reference_name(name) for name in segments.refs.names],
        "sourceLang": comparison.langs[0],
        "targetLang": comparison.langs[1],
        "segments": [
            {
                "id": i + 1,
                "doc": label(segments.docs, i),
                "domain": label(segments.domains, i),
                "origlang": label(segments.origlangs, i),
                "src": label(segments.srcs, i),
                "refs": [stream[i] for stream in segments.refs.streams],
                "hyps": {name: lines[i] for name, lines in segments.systems.items()},
                "scores": {
                    metric: {name: scores[m][s][i] for s, name in enumerate(comparison.systems)}
                    for m, metric in enumerate(comparison.metrics)
                },
            }
            for i in range(comparison.n_segments)
        ],
    }


def _reference_name(name: str) -> str:
    """`refs[0]` is what messages call a reference that has no name."""
    unnamed = re.fullmatch(r"refs\[(\d+)\]", name)
    return f"Reference {int(unnamed[1]) + 1}" if unnamed else name


def _inline_json(value: Any) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _script() -> str:
    """The modules in one: a page opened from disk may not import files."""
    parts = [(_FOLDER / name).read_text(encoding="utf-8") for name in _SCRIPTS]
    text = re.sub(r"^import [^;]*;\n", "", "\n".join(parts), flags=re.MULTILINE)
    return re.sub(r"^export ", "", text, flags=re.MULTILINE)
