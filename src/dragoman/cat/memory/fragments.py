"""Parts of a segment that a memory has translated: its longest phrases, and what their targets have in common.

No word alignment is needed. A phrase of the target belongs to a phrase of the source if the units that have the one are
those that have the other: Dice's coefficient of the two sets of units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dragoman.cat.memory.index import Hit, MemoryIndex
from dragoman.cat.memory.tokens import Token, tokens

__all__ = ["Fragment", "fragments"]

_LONGEST = 8  # tokens of a phrase
_UNITS = 200  # units of a phrase that are looked at
_TRIED = 12  # phrases of the target whose units are looked at

Searches = Callable[[str, bool], list[Hit]]


@dataclass(frozen=True, slots=True)
class Fragment:
    """A phrase of a source, as characters `[begin, end)`, with its likely translation."""

    begin: int
    end: int
    source: str
    target: str
    confidence: float  # Dice's coefficient, 0 to 1
    n_units: int  # that have the phrase; of many, the newest


def fragments(
    index: MemoryIndex, source: str, *, shortest: int = 2, least_confidence: float = 0.5, most: int = 10
) -> list[Fragment]:
    """The longest phrases of a source that two units or more have, with their translations, from left to right.

    Phrases do not overlap, begin and end with words, and have at least `shortest` tokens.
    """
    cut = tokens(source)
    taken = [False] * len(cut)
    chosen: list[Fragment] = []
    for size in range(min(_LONGEST, len(cut)), shortest - 1, -1):
        for begin in range(len(cut) - size + 1):
            phrase = cut[begin : begin + size]
            if len(chosen) == most or any(taken[begin : begin + size]) or not _is_phrase(phrase):
                continue
            fragment = _translated(index, source[phrase[0].begin : phrase[-1].end], phrase[0].begin)
            if fragment is not None and fragment.confidence >= least_confidence:
                chosen.append(fragment)
                taken[begin : begin + size] = [True] * size
    return sorted(chosen, key=lambda fragment: fragment.begin)


def _is_phrase(phrase: Sequence[Token]) -> bool:
    return phrase[0].kind == phrase[-1].kind == "word" and all(token.kind != "code" for token in phrase)


def _translated(index: MemoryIndex, phrase: str, begin: int) -> Fragment | None:
    hits = index.concordance(phrase, mode="exact", most=_UNITS)
    units = {hit.unit for hit in hits}
    if len({hit.source for hit in hits}) < 2:
        return None
    best: tuple[float, int, str] = (0.0, 0, "")
    for target, n_tokens in _common_phrases([hit.target for hit in hits]):
        others = {hit.unit for hit in index.concordance(target, side="target", mode="exact", most=2 * _UNITS)}
        dice = 2 * len(units & others) / (len(units) + len(others))
        best = max(best, (dice, n_tokens, target))
    return Fragment(begin, begin + len(phrase), phrase, best[2], best[0], len(hits)) if best[2] else None


def _common_phrases(targets: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Phrases that many of the targets have, the most frequent first, as they are first written."""
    counts: Counter[tuple[str, ...]] = Counter()
    written: dict[tuple[str, ...], str] = {}
    for text in targets:
        cut = tokens(text)
        of_text = {}
        for size in range(1, _LONGEST + 1):
            for begin in range(len(cut) - size + 1):
                phrase = cut[begin : begin + size]
                if _is_phrase(phrase):
                    of_text[tuple(token.form for token in phrase)] = text[phrase[0].begin : phrase[-1].end]
        counts.update(of_text.keys())
        for forms, spelling in of_text.items():
            written.setdefault(forms, spelling)
    often = sorted(counts.items(), key=lambda item: (-item[1], -len(item[0]), item[0]))
    for forms, n in often[:_TRIED]:
        if n > 1:
            yield written[forms], len(forms)
