"""The comparison as one HTML file: what was found, tables that can be taken along, and a browser of the segments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dragoman.metrics.verdict_matrix import verdict_matrix
from dragoman.report import Folded, Section, Table
from dragoman.report.packing import pack
from dragoman.report.pages import render_page
from dragoman.report.sentence import isolated

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dragoman.metrics.comparison import Comparison

__all__ = ["browser_data", "comparison_page"]

_FOLDER = Path(__file__).parent / "page"
_SCRIPTS = ("diff.js", "segments.js", "plots.js", "browser.js")  # in the order that their imports want
_DIGITS = 6  # of a segment's score that the page keeps
_MOST_NAMES = 4  # in the heading
_MOST_COLUMNS = 8  # of systems in a table that is open


def comparison_page(comparison: Comparison, title: str = "") -> str:
    """The page, with a browser of the segments; beside each figure stands its table."""
    return render_page(
        "comparison.html",
        folder=_FOLDER,
        scripts=_SCRIPTS,
        title=title or _title(comparison),
        sections=_sections(comparison),
        summary=_summary(comparison),
        findings=comparison.findings(),
        data=pack(browser_data(comparison)),
    )


def _title(comparison: Comparison) -> str:
    others = comparison.systems[1:]
    if len(others) > _MOST_NAMES:
        return f"{len(comparison.systems)} systems compared"
    return f"{', '.join(map(isolated, others))} against {isolated(comparison.baseline)}"


def _summary(comparison: Comparison) -> str:
    drawn = comparison.test_options.get("trials")
    how = f", {drawn:,} trials, seed {comparison.seed}" if drawn else ""
    return (
        f"{comparison.n_segments:,} segments, {len(comparison.systems)} systems. Test: {comparison.test}, "
        f"{comparison.sides}{how}; correction: {comparison.correction}; α = {comparison.alpha:g}."
    )


def _sections(comparison: Comparison) -> list[Section]:
    verdicts = [verdict_matrix(comparison, metric) for metric in comparison.metrics]
    matrices = verdicts if len(comparison.systems) > 2 else []
    sections = [
        Section("Scores", "", (*comparison.score_figures(), comparison.score_table())),
        Section("Paired tests", "", (*matrices, comparison.pair_table(), *map(Folded, comparison.matrices()))),
    ]
    for kind in dict.fromkeys(breakdown.by for breakdown in comparison.breakdowns):
        tables = [_column_a_system(each.table(), comparison) for each in comparison.breakdowns if each.by == kind]
        sections.append(Section(f"By {kind}", "", (*comparison.breakdown_figures(kind), *tables)))
    if comparison.references:
        parts = [Section.of("", each) for each in comparison.references]
        sections.append(Section("By reference", "", tuple(item for part in parts for item in part.items)))
    if comparison.errors is not None:
        errors = comparison.errors
        sections.append(Section("Error classes", "", (*errors.figures(), errors.by_class(), *errors.tables())))
    if comparison.ngrams:
        contrasts = [table for contrast in comparison.ngrams for table in contrast.tables()]
        sections.append(Section("N-grams won and lost", "", contrasts))
    if comparison.segment_tables:
        sections.append(Section("Closer looks", "", comparison.segment_tables))
    return sections


def _column_a_system(table: Table, comparison: Comparison) -> Table | Folded:
    """A table with a column for each system: open while it fits, folded behind its figure beyond."""
    return Folded(table) if len(comparison.systems) > _MOST_COLUMNS else table


def browser_data(comparison: Comparison) -> dict[str, Any]:
    """What the segment browser needs, column by column; the texts of a segment stand together, being much alike."""
    test_set = comparison.segments.test_set
    streams = [*([] if test_set.srcs is None else [test_set.srcs]), *test_set.refs.values()]
    streams += [test_set.systems[name] for name in comparison.systems]
    scores = comparison.segments.scores
    powers = [_power(of_metric) for of_metric in scores]
    return {
        "systems": comparison.systems,
        "metrics": [
            {"name": name, "higherIsBetter": higher, "power": power}
            for name, higher, power in zip(comparison.metrics, comparison.higher_is_better, powers, strict=True)
        ],
        "references": list(test_set.refs),
        "sourceLang": test_set.source_lang,
        "targetLang": test_set.target_lang,
        "hasSource": test_set.srcs is not None,
        "docs": _optional(test_set.docs),
        "domains": _optional(test_set.domains),
        "origlangs": _optional(test_set.origlangs),
        "texts": [text for segment in zip(*streams, strict=True) for text in segment],
        # Whole numbers in units of ten to the power of each metric: short, and exact to the digits that are kept.
        "scores": [_whole(of_metric, power) for of_metric, power in zip(scores, powers, strict=True)],
    }


def _optional(stream: Sequence[str | None] | None) -> list[str | None] | None:
    return None if stream is None else list(stream)


def _power(scores: NDArray[np.float64]) -> int:
    """The unit of the last digit that is kept, as a power of ten."""
    most = float(abs(scores).max(initial=0.0))
    return math.ceil(math.log10(most)) - _DIGITS if most > 0 else 0


def _whole(scores: NDArray[np.float64], power: int) -> list[list[int]]:
    rounded: list[list[int]] = (scores * 10.0**-power).round().astype("int64").tolist()
    return rounded
