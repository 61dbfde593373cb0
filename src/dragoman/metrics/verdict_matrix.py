"""Who beats whom, at one look: a matrix of all pairs by one metric, the best system first."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from dragoman.metrics.findings import by_score
from dragoman.report import Fragment
from dragoman.report.table import shown_number

if TYPE_CHECKING:
    from dragoman.metrics.comparison import Comparison, SystemPair

__all__ = ["verdict_matrix"]

_SIGNS = {"won": "▲", "lost": "▼", "open": "·"}


def verdict_matrix(comparison: Comparison, metric: str) -> Fragment:
    """▲ where the test says that the row's system is better, ▼ where the column's is, · where it does not say."""
    names = [each.system for each in by_score(comparison, metric)]
    scores = {each.system: each.score for each in comparison.scores if each.metric == metric}
    pairs = {frozenset((p.system, p.baseline)): p for p in comparison.all_pairs if p.metric == metric}
    head = "".join(f'<th scope="col" title="{escape(name)}">{n}</th>' for n, name in enumerate(names, start=1))
    body = "".join(
        f'<tr><th scope="row" title="{escape(name)}"><span>{n}</span> <bdi>{escape(name)}</bdi></th>'
        f'<td class="number">{shown_number(scores[name], 2, 3)}</td>'
        + "".join("<td></td>" if other == name else _cell(name, pairs[frozenset((name, other))]) for other in names)
        + "</tr>\n"
        for n, name in enumerate(names, start=1)
    )
    title = escape(f"Who beats whom, {metric}")
    note = (
        f"Best score first. ▲ the system of the row is better than that of the column (corrected p ≤ "
        f"{comparison.alpha:g}), ▼ it is worse, · this test set does not separate them. Point at a cell for figures."
    )
    return Fragment(
        f'<div class="scroll" tabindex="0" role="region" aria-label="{title}"><table class="verdicts fixed">'
        f'<caption>{title}</caption>\n<thead><tr><th scope="col">system</th><th scope="col" class="number">score</th>'
        f'{head}</tr></thead>\n<tbody>\n{body}</tbody></table>\n</div><p class="note">{note}</p>'
    )


def _cell(name: str, pair: SystemPair) -> str:
    verdict = "open" if pair.better is None else "won" if pair.better == name else "lost"
    return f'<td class="{verdict}" title="{escape(pair.isolated_sentence)}">{_SIGNS[verdict]}</td>'
