"""Inline codes through machine translation: taken out of the source, put back into the translation by its word links.

A pair of codes goes around the translation of the words that it goes around in the source, a code that stands alone to
the word that it stands at. Pairs that were nested stay nested and pairs that were apart stay apart, whatever the links.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dragoman.cat.segments import Code, code_place, plain
from dragoman.engines.results import Candidate, Link

__all__ = ["Projection", "project", "spoken", "token_spans"]

Span = tuple[int, int]
_WORD = re.compile(r"\w+(?:['’-]\w+)*")


def spoken(source: str, codes: Sequence[Code]) -> str:
    """The source as an engine gets it: without codes; what a code alone kept apart stays apart."""
    kept = [char if (place := code_place(char)) is None else " " * _is_alone(place, codes) for char in source]
    return " ".join("".join(kept).split())


def _is_alone(place: int, codes: Sequence[Code]) -> bool:
    return place >= len(codes) or codes[place].kind == "alone"


def project(source: str, codes: Sequence[Code], candidate: Candidate) -> str:
    """The candidate's text with all the codes of the source in it."""
    target = candidate.text
    source_spans = _spans(_blank(source), candidate.source_tokens)
    target_spans = _spans(target, candidate.target_tokens)
    links = candidate.alignment
    if links is None or not links:
        links = _by_place(len(source_spans), len(target_spans))
    return Projection(source, codes, source_spans, target, target_spans, links).text()


def _blank(source: str) -> str:
    return plain(source, " ")


def token_spans(text: str, tokens: str) -> list[Span] | None:
    """Where an engine's tokens stand in a text, whatever their case; None where the text does not spell them."""
    spans: list[Span] = []
    place, folded = 0, text.casefold()
    if len(folded) != len(text):
        return None
    for token in tokens.split():
        begin = folded.find(token.casefold(), place)
        if begin < 0 or text[place:begin].strip():
            return None
        place = begin + len(token)
        spans.append((begin, place))
    return None if text[place:].strip() else spans


def _spans(text: str, tokens: str | None) -> list[Span]:
    """Where tokens stand in the text; words between spaces where it does not spell them."""
    spans = token_spans(text, tokens or "") or _nearly(text, tokens or "")
    return [(word.start(), word.end()) for word in re.finditer(r"\S+", text)] if spans is None else spans


def _nearly(text: str, tokens: str) -> list[Span] | None:
    """Where tokens stand in a text that has other words in the place of some, as an engine hears a related word."""
    spans: list[Span] = []
    place, waiting = 0, tokens.split()
    for number, token in enumerate(waiting):
        behind = "".join(waiting[number + 1 : number + 2])
        while text[place : place + 1].isspace():
            place += 1
        end = place + len(token)
        is_spelt = text[place:end].casefold() == token.casefold()
        runs_on = text[end - 1 : end].isalnum() and text[end : end + 1].isalnum()
        if not is_spelt or (runs_on and text[end : end + len(behind)].casefold() != behind.casefold()):
            word = _WORD.match(text, place)
            if word is None:
                return None
            end = word.end()
        spans.append((place, end))
        place = end
    return None if text[place:].strip() else spans


def _by_place(n_source: int, n_target: int) -> tuple[Link, ...]:
    """Links of an engine that tells none: each word to the one as far along."""
    if not n_source or not n_target:
        return ()
    forth = {(i, min(n_target - 1, i * n_target // n_source)) for i in range(n_source)}
    back = {(min(n_source - 1, j * n_source // n_target), j) for j in range(n_target)}
    return tuple(sorted(forth | back))


@dataclass
class _Node:
    """A pair of codes and what is inside it, or one code that stands alone (`end` is its own place then)."""

    begin: int  # place of the opening character in the source
    end: int
    inside: list[_Node] = field(default_factory=list)

    @property
    def is_pair(self) -> bool:
        return self.end > self.begin


@dataclass(frozen=True)
class Projection:
    """A source with codes, a translation without, and links between their tokens."""

    source: str
    codes: Sequence[Code]
    source_spans: Sequence[Span]
    target: str
    target_spans: Sequence[Span]
    links: Iterable[Link]

    def text(self) -> str:
        """The translation with the codes in it."""
        parts: dict[int, list[str]] = {}
        self._put(self._nodes(), 0, len(self.target), parts)
        pieces: list[str] = []
        for place in range(len(self.target) + 1):
            pieces += parts.get(place, ())
            pieces.append(self.target[place : place + 1])
        return "".join(pieces)

    def _nodes(self) -> list[_Node]:
        """The codes as a forest. What has no partner in the right order stands alone."""
        top: list[_Node] = []
        stack: list[tuple[str, _Node, list[_Node]]] = []
        siblings = top
        for place, char in enumerate(self.source):
            number = code_place(char)
            if number is None:
                continue
            code = self.codes[number] if number < len(self.codes) else Code("")
            if code.kind == "close" and any(pair == code.pair for pair, *_ in stack):
                while stack:
                    pair, node, siblings = stack.pop()
                    if pair == code.pair:
                        node.end = place
                        break
                    siblings += node.inside  # an opening code whose partner is missing inside
                    node.inside = []
                continue
            node = _Node(place, place)
            siblings.append(node)
            if code.kind == "open":
                stack.append((code.pair, node, siblings))
                siblings = node.inside
        while stack:
            _, node, siblings = stack.pop()
            siblings += node.inside
            node.inside = []
        return top

    def _put(self, nodes: Sequence[_Node], low: int, high: int, parts: dict[int, list[str]]) -> None:
        """Write nodes into the target's characters [low, high], which are theirs alone."""
        spans = sorted(((self._span(node, low, high), node.begin, node) for node in nodes), key=lambda each: each[:2])
        for (begin, end), _, node in spans:
            begin, end = max(begin, low), max(end, low)
            parts.setdefault(begin, []).append(self.source[node.begin])
            if node.is_pair:
                self._put(node.inside, begin, end, parts)
                parts.setdefault(end, []).append(self.source[node.end])
            low = end

    def _span(self, node: _Node, low: int, high: int) -> Span:
        """Where in the target a node belongs, within limits."""
        first = bisect_left(self.source_spans, (node.begin, node.begin))
        last = bisect_left(self.source_spans, (node.end, node.end))
        if node.is_pair and last > first:
            if first == 0 and last == len(self.source_spans):
                return low, high
            linked = [self.target_spans[t] for s, t in self.links if first <= s < last]
            linked = [span for span in linked if low <= span[0] and span[1] <= high]
            if linked:
                return min(begin for begin, _ in linked), max(end for _, end in linked)
        place = min(max(self._place(node.begin, first), low), high)
        return place, place

    def _place(self, place: int, token: int) -> int:
        """Where a code goes that has no word inside: to the word that follows it, or to the one it sticks to."""
        if token == 0:
            return 0
        before, behind = self.source[self.source_spans[token - 1][1] : place], plain(self.source[place:])
        if not behind.strip() or (not plain(before) and behind[0].isspace()):
            return self._end_of(token - 1)
        starts = [self.target_spans[t][0] for s, t in self.links if s == token]
        return min(starts) if starts else self._end_of(token - 1)

    def _end_of(self, token: int) -> int:
        """Behind the translation of a source token, or of the nearest before it that has one."""
        if token == len(self.source_spans) - 1:
            return len(self.target)
        for number in range(token, -1, -1):
            ends = [self.target_spans[t][1] for s, t in self.links if s == number]
            if ends:
                return max(ends)
        return 0
