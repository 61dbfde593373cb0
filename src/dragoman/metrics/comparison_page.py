"""The comparison as one HTML file: tables that can be taken along, and a browser of the segments."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dragoman.report import Figure, Section, Table
from dragoman.report.pages import render_page
from dragoman.report.sentence import isolated

if TYPE_CHECKING:
    from dragoman.metrics.comparison import Comparison

__all__ = ["comparison_page"]

_FOLDER = Path(__file__).parent / "page"
_SCRIPTS = ("diff.js", "segments.js", "browser.js")  # in the order that their imports want


def comparison_page(comparison: Comparison, *, title: str = "") -> str:
    """The page; beside each figure stands its table."""
    return render_page(
        "comparison.html",
        folder=_FOLDER,
        title=title or f"{', '.join(map(isolated, comparison.systems[1:]))} against {isolated(comparison.baseline)}",
        sections=_sections(comparison),
        summary=_summary(comparison),
        findings=[pair.isolated_sentence for pair in comparison.pairs],
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
                items += [breakdown.table()] if figure is None else [figure, breakdown.table()]
        sections.append(Section(f"By {kind}", "", tuple(items)))
    if comparison.references:
        parts = [Section.of("", each) for each in comparison.references]
        sections.append(Section("By reference", "", tuple(item for part in parts for item in part.items)))
    if comparison.errors is not None:
        errors = comparison.errors
        sections.append(Section("Error classes", "", (*errors.figures(), errors.by_class(), *errors.tables())))
    if comparison.ngrams:
        tables = tuple(table for contrast in comparison.ngrams for table in contrast.tables())
        sections.append(Section("N-grams won and lost", "", tables))
    return sections


def _data(comparison: Comparison) -> dict[str, Any]:
    """What the segment browser needs. Segments are numbered from 1."""
    segments = comparison.segments
    test_set = segments.test_set
    scores = segments.scores.round(4).tolist()  # the browser shows one digit; its TSV keeps four

    def label(stream: Any, number: int) -> str | None:
        return None if stream is None else stream[number]

    return {
        "systems": comparison.systems,
        "metrics": [
            {"name": name, "higherIsBetter": higher}
            for name, higher in zip(comparison.metrics, comparison.higher_is_better, strict=True)
        ],
        "references": list(test_set.refs),
        "sourceLang": test_set.source_lang,
        "targetLang": test_set.target_lang,
        "segments": [
            {
                "id": i + 1,
                "doc": label(test_set.docs, i),
                "domain": label(test_set.domains, i),
                "origlang": label(test_set.origlangs, i),
                "src": label(test_set.srcs, i),
                "refs": [stream[i] for stream in test_set.refs.values()],
                "hyps": {name: test_set.systems[name][i] for name in comparison.systems},
                "scores": {
                    metric: {name: scores[m][s][i] for s, name in enumerate(comparison.systems)}
                    for m, metric in enumerate(comparison.metrics)
                },
            }
            for i in range(comparison.n_segments)
        ],
    }


def _inline_json(value: Any) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _script() -> str:
    """The modules in one: a page opened from disk may not import files."""
    parts = [(_FOLDER / name).read_text(encoding="utf-8") for name in _SCRIPTS]
    text = re.sub(r"^import [^;]*;\n", "", "\n".join(parts), flags=re.MULTILINE)
    return re.sub(r"^export ", "", text, flags=re.MULTILINE)
