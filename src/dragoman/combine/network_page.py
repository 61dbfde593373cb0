"""The page of a combination: who contributed what, then the network of each segment with the words that were taken."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.report.pages import Fragment, Section, render_page

if TYPE_CHECKING:
    from dragoman.combine.result import Combination

__all__ = ["MOST_SHOWN", "TakenPath", "network_page"]

_FOLDER = Path(__file__).parent / "page"
_NONE = "·"
MOST_SHOWN = 300  # networks on a page: more is too much for a browser


@dataclass(frozen=True)
class TakenPath:
    """The network that the text of a segment comes from, and the word taken in each link."""

    skeleton: int
    links: tuple[tuple[str | None, ...], ...]  # (links, systems)
    words: tuple[str | None, ...]


def network_page(combination: Combination) -> str:
    """One HTML file that needs nothing else."""
    systems = [each.system for each in combination.contributions]
    segments = [
        _segment(number, text, path, systems)
        for number, (text, path) in enumerate(zip(combination.texts, combination.paths, strict=False), start=1)
    ]
    n = len(combination.texts)
    shown = f"The first {len(segments)} of {n} segments." if len(segments) < n else f"All {n} segments."
    text = f"{shown} A row a system, a column a link; what is marked was taken. {_NONE} means no word."
    sections = [
        Section("Who contributed what", items=combination.tables()),
        Section("Networks", text=text, items=[Fragment("\n".join(segments))]),
    ]
    return render_page("page.html", folder=_FOLDER, title="Combination of systems", sections=sections)


def _segment(number: int, text: str, path: TakenPath, systems: Sequence[str]) -> str:
    rows = [
        _row(name + " *" * (s == path.skeleton), [link[s] for link in path.links], path.words)
        for s, name in enumerate(systems)
    ]
    rows.append(_row("taken", path.words, path.words, kind=' class="result"'))
    votes = [sum(other == word for other in link) for word, link in zip(path.words, path.links, strict=True)]
    cells = "".join(f"<td>{vote}</td>" for vote in votes)
    rows.append(f"<tr><th scope='row'>systems</th>{cells}</tr>")
    label = f"Network of segment {number}; the skeleton has a star"
    return (
        f'<details id="segment-{number}"><summary>{number}. {html.escape(text) or "–"}</summary>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">'
        f'<table class="network"><tbody>{"".join(rows)}</tbody></table></div></details>'
    )


def _row(name: str, words: Sequence[str | None], taken: Sequence[str | None], *, kind: str = "") -> str:
    cells = []
    for word, other in zip(words, taken, strict=True):
        marks = [*["taken"] * (word == other), *["none"] * (word is None)]
        shown = _NONE if word is None else html.escape(word)
        cells.append(f'<td class="{" ".join(marks)}">{shown}</td>' if marks else f"<td>{shown}</td>")
    return f"<tr{kind}><th scope='row'>{html.escape(name)}</th>{''.join(cells)}</tr>"
