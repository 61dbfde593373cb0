"""Spans over words that lie in each other, drawn as boxes: a derivation, a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate

from markupsafe import Markup

__all__ = ["Span", "draw_spans"]

_CHARACTER, _ROW, _GAP = 9.6, 30.0, 3.0  # units: about the width of a letter, height of a row, between boxes
_N_COLOURS = 7


@dataclass(frozen=True)
class Span:
    """Words `[begin, end)` under a label, in a row that lies `depth` below the first; `note` is told on pointing."""

    depth: int
    begin: int
    end: int
    label: str
    note: str = ""


def draw_spans(words: Sequence[str], spans: Sequence[Span], *, title: str) -> Markup:
    """The words in a row, and above them the spans as boxes, the outermost on top. One of no words is not drawn."""
    room = [max(3, len(word) + 1) for word in words]
    for span in spans:  # a label of one word's span is never cut
        if span.end == span.begin + 1:
            room[span.begin] = max(room[span.begin], len(span.label) + 2)
    edges = [_CHARACTER * width for width in accumulate(room, initial=0)]
    n_rows = 1 + max((span.depth for span in spans), default=-1)
    tall, wide = (n_rows + 1) * _ROW, max(edges[-1], 1.0)
    body = "".join(_box(span, edges) for span in spans if span.begin < span.end)
    body += "".join(_text((a + b) / 2, tall - 9, word) for a, b, word in zip(edges[:-1], edges[1:], words, strict=True))
    return Markup(  # noqa: S704 - all text in it is escaped
        f'<svg class="chart spans" width="{wide:g}" viewBox="0 0 {wide:g} {tall:g}" role="img" '
        f'aria-label="{escape(title)}">{body}</svg>'
    )


def _box(span: Span, edges: Sequence[float]) -> str:
    left, right = edges[span.begin], edges[span.end]
    top = span.depth * _ROW
    room = int((right - left - 2 * _GAP) / _CHARACTER)
    label = span.label if len(span.label) <= room else span.label[: max(0, room - 1)] + "…"
    return (
        f'<g class="c{span.depth % _N_COLOURS}"><title>{escape(span.note or span.label)}</title>'
        f'<rect x="{left + _GAP:.1f}" y="{top + _GAP:.1f}" width="{right - left - 2 * _GAP:.1f}" '
        f'height="{_ROW - 2 * _GAP:.1f}" rx="4"/>{_text((left + right) / 2, top + 20, label)}</g>'
    )


def _text(x: float, y: float, words: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{escape(words)}</text>'
