"""Units cut into sentences, and put together again: nothing between sentences is lost, codes least of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol
from unicodedata import east_asian_width

from dragoman.cat.segments import Segment, Unit, code_place, plain
from dragoman.errors import DataError
from dragoman.text import SentenceSplitter

__all__ = ["SegmentationRules", "SentenceRules", "join", "merge", "segments_of", "split"]


class SegmentationRules(Protocol):
    """Whatever knows where sentences begin."""

    def breaks(self, text: str) -> Sequence[int]:
        """The places in a text without codes at which a sentence begins, but for its first; in order."""


@dataclass(frozen=True)
class SentenceRules:
    """Sentences as the house's splitter finds them (`text.SentenceSplitter`): by the language's abbreviations."""

    lang: str = "en"

    def breaks(self, text: str) -> Sequence[int]:
        """Where the splitter's sentences begin in the text, whose white space it does not keep."""
        sentences = SentenceSplitter(self.lang).split([text])[0]
        begins, place = [], 0
        for sentence in sentences:
            for number, character in enumerate(sentence.replace(" ", "")):
                place = text.index(character, place) + 1
                if number == 0:
                    begins.append(place - 1)
        return begins[1:]


def segments_of(unit: Unit, rules: SegmentationRules) -> list[Segment]:
    """The segments of a unit, without the space around them; one for a unit that is not to be cut.

    A code between two sentences goes where it belongs: one that closes to the sentence before, one that opens to the
    sentence behind.
    """
    places = [place for place, character in enumerate(unit.source) if code_place(character) is None]
    text = "".join(unit.source[place] for place in places)
    begins = [begin for begin in (rules.breaks(text) if unit.cut else ()) if 0 < begin < len(text)]
    cuts = [_cut(unit, _last_before(text, begin, places), places[begin]) for begin in begins]
    edges = [0, *sorted(set(cuts)), len(unit.source)]
    segments = [segment(unit, begin, end) for begin, end in pairwise(edges)]
    return _with_text(unit, [each for each in segments if each.source])


def segment(unit: Unit, begin: int, end: int) -> Segment:
    """What stands in `[begin, end)` of a unit's source, without the space around it."""
    text = unit.source[begin:end]
    begin += len(text) - len(text.lstrip())
    source = text.strip()
    return Segment(unit.key, begin, begin + len(source), source)


def _last_before(text: str, begin: int, places: Sequence[int]) -> int:
    """Behind the last character of the sentence before."""
    end = begin
    while end and text[end - 1].isspace():
        end -= 1
    return places[end - 1] + 1 if end else 0


def _cut(unit: Unit, begin: int, end: int) -> int:
    """The place between two sentences, `[begin, end)`, where one segment ends and the other begins."""
    kinds = []
    for place in range(begin, end):
        code = code_place(unit.source[place])
        kinds.append("space" if code is None else unit.codes[code].kind if code < len(unit.codes) else "alone")
    if "close" in kinds:
        return begin + len(kinds) - kinds[::-1].index("close")
    wanted = "open" if "open" in kinds else "space"
    return begin + kinds.index(wanted) if wanted in kinds else end


def _with_text(unit: Unit, segments: list[Segment]) -> list[Segment]:
    """The segments, those of nothing but codes joined to a neighbour: there is nothing to translate in them."""
    kept: list[Segment] = []
    waiting: int | None = None  # where codes begin that no segment before could take
    for each in segments:
        if not _has_text(each.source) and len(segments) > 1:
            if kept:
                kept[-1] = segment(unit, kept[-1].begin, each.end)
            else:
                waiting = each.begin if waiting is None else waiting
            continue
        kept.append(segment(unit, each.begin if waiting is None else waiting, each.end))
        waiting = None
    return kept or segments[:1]


def _has_text(source: str) -> bool:
    return any(code_place(character) is None and not character.isspace() for character in source)


def join(unit: Unit, segments: Sequence[Segment], targets: Sequence[str]) -> str:
    """The target of a unit from those of its segments, with what the source has around and between them.

    Between sentences of Chinese and Japanese there is nothing, elsewhere a blank: where source and target differ, the
    target's script decides.
    """
    parts, done = [], 0
    for number, (each, target) in enumerate(zip(segments, targets, strict=True)):
        between = unit.source[done : each.begin]
        if number:
            between = _between(between, (segments[number - 1].source, each.source), (targets[number - 1], target))
        parts += [between, target]
        done = each.end
    return "".join([*parts, unit.source[done:]])


def _between(space: str, sources: tuple[str, str], targets: tuple[str, str]) -> str:
    """The space between two segments, or what the script of their targets has, if that is another."""
    source_is_wide, target_is_wide = (
        _ends_wide(first) and _begins_wide(second) for first, second in (sources, targets)
    )
    if source_is_wide and not space:
        return "" if _ends_wide(targets[0]) or _begins_wide(targets[1]) or not all(targets) else " "
    return "" if target_is_wide and not source_is_wide and space.isspace() else space


def _ends_wide(text: str) -> bool:
    return _is_wide(plain(text).rstrip()[-1:])


def _begins_wide(text: str) -> bool:
    return _is_wide(plain(text).lstrip()[:1])


def _is_wide(character: str) -> bool:
    return bool(character) and east_asian_width(character) in "WF"


def split(segment: Segment, place: int) -> tuple[Segment, Segment]:
    """A segment cut before a character of its source; each part has text."""
    head, tail = segment.source[:place].rstrip(), segment.source[place:].lstrip()
    if not 0 < place < len(segment.source) or not _has_text(head) or not _has_text(tail):
        raise DataError(f"A segment cannot be cut at character {place} of {len(segment.source)}: one part has no text.")
    return (
        Segment(segment.unit, segment.begin, segment.begin + len(head), head),
        Segment(segment.unit, segment.end - len(tail), segment.end, tail),
    )


def merge(unit: Unit, first: Segment, second: Segment) -> Segment:
    """Two segments of a unit, one behind the other, as one with what stands between them."""
    if first.unit != unit.key or second.unit != unit.key:
        raise DataError("Only segments of one unit can be merged.")
    if second.begin < first.end or _has_text(unit.source[first.end : second.begin]):
        raise DataError("Only neighbours can be merged: another segment stands between the two, or they overlap.")
    return Segment(unit.key, first.begin, second.end, unit.source[first.begin : second.end])
