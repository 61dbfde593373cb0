"""Moses' search graphs (`-output-search-graph`, also the extended form).

    0 hyp=0 stack=0 forward=12 fscore=-4.2
    0 hyp=3 stack=1 back=0 score=-1.1 transition=-1.1 forward=9 fscore=-4.6 covered=0-1 out=the house

The extended form (`-output-search-graph-extended`, `-osgx`) adds `scores="…"` and writes `out="source|target"`.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from dragoman.data.formats.base import Format
from dragoman.data.formats.nbest import parse_features
from dragoman.data.traces import GraphSummary, Spread, Trace, Traces
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines
from dragoman.notation import whole_number

__all__ = ["MosesGraph"]

_COVERED = re.compile(r"[0-9]{1,9}-[0-9]{1,9}")
_MOST_SKIPPED = 1_000_000  # segments without a line; more is a damaged number, not a decoder that gave up


@dataclass(frozen=True)
class MosesGraph(Format):
    """Moses' search graphs, plain and extended, as traces: the best way, and the search in a few numbers.

    Each line is a hypothesis: `hyp` its number, `back` the one before, `recombined` the better one that took its place,
    `transition` what its phrase scored, `covered` its source words, `out` its words. Moses leaves dead nodes out unless
    `-unpruned-search-graph` is given; where they are there, they are counted.
    """

    name: ClassVar[str] = "moses-graph"
    holds: ClassVar[type] = Traces
    suffixes: ClassVar[tuple[str, ...]] = (".searchgraph", ".osg", ".osgx")
    writable: ClassVar[bool] = False

    def read(self, path: StrPath) -> Traces:
        """The traces, without sources; the file is opened when they are iterated. A skipped segment is empty."""
        return Traces(_GraphFile(os.fspath(path)))


@dataclass(frozen=True)
class _Node:
    """A line: a hypothesis and the arc that leads to it."""

    number: int
    stack: int
    back: int | None
    transition: float
    recombined: int | None
    covered: tuple[int, int]
    out: str
    scores: dict[str, tuple[float, ...]]


@dataclass(frozen=True)
class _GraphFile:
    path: str

    def __iter__(self) -> Iterator[Trace]:
        expected = skipped = 0
        for segment, group in groupby(self._nodes(), key=lambda item: item[1]):
            lines = list(group)
            if segment < expected:
                raise FormatError(
                    f"segment {segment} comes after segment {expected - 1}; segments go upwards, each in one piece.",
                    path=self.path,
                    line=lines[0][0],
                )
            skipped += segment - expected
            if skipped > _MOST_SKIPPED:
                raise FormatError(
                    f"the segment is {segment}, but {skipped} segments before it have no line; "
                    f"at most {_MOST_SKIPPED} may be skipped. Is the number damaged?",
                    path=self.path,
                    line=lines[0][0],
                )
            for _ in range(expected, segment):
                yield Trace("")
            try:
                yield _trace([node for _, _, node in lines])
            except DataError as error:
                raise FormatError(str(error), path=self.path, line=lines[0][0]) from None
            expected = segment + 1

    def _nodes(self) -> Iterator[tuple[int, int, _Node]]:
        for number, line in enumerate(iter_lines(self.path), start=1):
            if not line.strip():
                continue
            try:
                yield number, *_parse(line)
            except DataError as error:
                raise FormatError(str(error), path=self.path, line=number) from None


def _parse(line: str) -> tuple[int, _Node]:
    name, _, rest = line.strip().partition(" ")
    segment = whole_number(name)
    if segment is None:
        raise DataError(f"the segment is {name[:40]!r}; expected a whole number from 0 on.")
    # `out` holds any text and stands last, `scores` is quoted: both are taken before the rest is cut at blanks.
    rest, found, out = rest.partition(" out=")
    values: dict[str, str] = {}
    scores = re.search(r'\bscores="([^"]*)"', rest)
    if scores:
        rest = rest[: scores.start()] + rest[scores.end() :]
        if found and len(out) >= 2 and out[0] == out[-1] == '"':
            out = out[1:-1].partition("|")[2]
    for word in rest.split():
        name, equals, value = word.partition("=")
        if not equals:
            raise DataError(f"found {word!r}; expected fields such as hyp=1 stack=1 back=0.")
        values[name] = value
    hyp, stack = (_whole(values, name) for name in ("hyp", "stack"))
    if hyp is None or stack is None:
        raise DataError(f"a hypothesis needs {'hyp' if hyp is None else 'stack'}=, a whole number.")
    if hyp == 0:
        return segment, _Node(0, 0, None, 0.0, None, (0, 0), "", {})
    back = _whole(values, "back")
    if back is None:
        raise DataError(f"hypothesis {hyp} does not say what it goes on from: back= is missing.")
    covered = _COVERED.fullmatch(values.get("covered", ""))
    begin, end = map(int, covered[0].split("-")) if covered else (1, 0)
    if begin > end:
        found = values.get("covered", "nothing")[:40]
        raise DataError(f"hypothesis {hyp} covers {found!r}; expected first-last source word.")
    try:
        transition = float(values.get("transition", ""))
    except ValueError:
        transition = math.nan
    if not math.isfinite(transition):
        raise DataError(f"hypothesis {hyp} has the transition {values.get('transition')!r}; expected a number.")
    return segment, _Node(
        hyp,
        stack,
        back,
        transition,
        _whole(values, "recombined"),
        (begin, end + 1),
        out.strip(),
        parse_features(_named(scores.group(1))) if scores else {},
    )


def _whole(values: dict[str, str], name: str) -> int | None:
    text = values.get(name)
    if text is None:
        return None
    number = whole_number(text)
    if number is None:
        raise DataError(f"{name} is {text[:40]!r}; expected a whole number.")
    return number


def _named(text: str) -> str:
    """Scores as n-best lists have them. Moses prints collections as `<<a, b, c>>` without names, or with them."""
    return text.replace("<<", " ").replace(">>", " ").replace(",", " ")


def _trace(nodes: list[_Node]) -> Trace:
    """The best way and the summary of one sentence's graph."""
    by_number = {node.number: node for node in nodes}
    if len(by_number) < len(nodes):
        numbers = [node.number for node in nodes]
        raise DataError(f"hypothesis {next(n for n in numbers if numbers.count(n) > 1)} is there twice.")
    lost = next((n for n in nodes if n.back is not None and n.back not in by_number), None)
    if lost is not None:
        raise DataError(f"hypothesis {lost.number} goes on from {lost.back}, which is not in the graph.")
    # A recombined hypothesis is an arc more to the node that took its place.
    head = {node.number: node.number if node.recombined is None else node.recombined for node in nodes}
    arcs = [node for node in nodes if node.back is not None]
    # Arcs cover more words than they go on from.
    arcs.sort(key=lambda node: (node.stack, node.number))
    best: dict[int, tuple[float, _Node | None]] = {0: (0.0, None)}
    for arc in arcs:
        start = best.get(head[arc.back or 0])
        if start is None:
            raise DataError(f"hypothesis {arc.number} covers no more words than hypothesis {arc.back} before it.")
        score = start[0] + arc.transition
        if head[arc.number] not in best or score > best[head[arc.number]][0]:
            best[head[arc.number]] = (score, arc)
    full = max((node.stack for node in nodes), default=0)
    ends = {head[node.number] for node in nodes if node.stack == full}
    alive = set(ends)
    for arc in reversed(arcs):
        if head[arc.number] in alive:
            alive.add(head[arc.back or 0])
    live = [arc for arc in arcs if head[arc.number] in alive]
    graph = GraphSummary(len(set(head.values())), len(set(head.values()) - alive), len(live), spreads=_spreads(live))
    if not arcs:
        return Trace("", graph=graph)
    end = max(ends, key=lambda number: (best[number][0], -number))
    way: list[_Node] = []
    place = end
    while (step := best[place][1]) is not None:
        way.append(step)
        place = head[step.back or 0]
    way.reverse()
    phrases, at = [], 0
    for step in way:
        n_words = len(step.out.split())
        phrases.append((*step.covered, at, at + n_words))
        at += n_words
    text = " ".join(word for step in way for word in step.out.split())
    return Trace("", (text,), (best[end][0],), _sums(way), tuple(phrases), graph=graph)


def _sums(way: list[_Node]) -> tuple[dict[str, tuple[float, ...]], ...]:
    if not all(step.scores for step in way):
        return ()
    total: dict[str, list[float]] = {}
    for step in way:
        for name, values in step.scores.items():
            own = total.setdefault(name, [0.0] * len(values))
            for place, value in enumerate(values):
                own[place] += value
    return ({name: tuple(values) for name, values in total.items()},)


def _spreads(arcs: list[_Node]) -> dict[str, Spread]:
    columns: dict[str, list[float]] = {"score": [arc.transition for arc in arcs]} if arcs else {}
    for arc in arcs:
        for name, values in arc.scores.items():
            for place, value in enumerate(values, start=1):
                columns.setdefault(name if len(values) == 1 else f"{name}.{place}", []).append(value)
    spreads = {}
    for name, column in columns.items():
        mean = math.fsum(column) / len(column)
        variance = math.fsum((value - mean) ** 2 for value in column) / len(column)
        spreads[name] = Spread(mean, variance, min(column), max(column))
    return spreads
