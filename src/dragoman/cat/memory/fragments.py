"""Parts of a segment that a memory has translated: its longest phrases, and what their targets have in common.

No word alignment is needed. A phrase of the target belongs to a phrase of the source if the units that have the one are
those that have the other: Dice's coefficient of the two sets of units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest

from dragoman.cat.memory.index import MemoryIndex
from dragoman.cat.memory.tokens import Token, tokens

__all__ = ["Fragment", "fragments"]

_LONGEST = 8  # tokens of a phrase
_LONGER = 2  # tokens that a translation may have more than its phrase
_UNITS = 40  # units of a phrase that are looked at, the newest
_TRIED = 8  # phrases of the target whose units are looked at

Forms = tuple[str, ...]


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
    translator = _Translator(index, least_confidence)
    for size in range(min(_LONGEST, len(cut)), shortest - 1, -1):
        for begin in range(len(cut) - size + 1):
            phrase = cut[begin : begin + size]
            if len(chosen) == most or any(taken[begin : begin + size]) or not _is_phrase(phrase):
                continue
            fragment = translator.translated(source[phrase[0].begin : phrase[-1].end], phrase)
            if fragment is not None:
                chosen.append(fragment)
                taken[begin : begin + size] = [True] * size
    return sorted(chosen, key=lambda fragment: fragment.begin)


def _is_phrase(phrase: Sequence[Token]) -> bool:
    return phrase[0].kind == phrase[-1].kind == "word" and all(token.kind != "code" for token in phrase)


class _Translator:
    """Finds the translations of phrases; what targets are cut into is kept from phrase to phrase."""

    def __init__(self, index: MemoryIndex, least: float) -> None:
        self._index = index
        self._least = least
        self._phrases: dict[str, dict[Forms, str]] = {}

    def translated(self, phrase: str, cut: Sequence[Token]) -> Fragment | None:
        """The phrase with what its units' targets share; none if it is too little, or one source alone has it."""
        hits = self._index.units_with(phrase, most=_UNITS)
        units = {unit for unit, _, _ in hits}
        if len({source for _, source, _ in hits}) < 2:
            return None
        oldest = min(units) if len(units) == _UNITS else 0
        best: tuple[float, int, str] = (0.0, 0, "")
        for target, n_tokens in self._common([target for *_, target in hits], len(cut) + _LONGER):
            others = {unit for unit, *_ in self._index.units_with(target, side="target", most=2 * _UNITS)}
            others = {unit for unit in others if unit >= oldest}
            dice = 2 * len(units & others) / (len(units) + len(others))
            best = max(best, (dice, n_tokens, target))
        span = cut[0].begin, cut[-1].end
        return Fragment(*span, phrase, best[2], best[0], len(hits)) if best[0] >= self._least and best[2] else None

    def _common(self, targets: Sequence[str], longest: int) -> Iterator[tuple[str, int]]:
        """Phrases that several targets have, the most frequent first, as they are first written."""
        counts: Counter[Forms] = Counter()
        for text in targets:
            counts.update(forms for forms in self._phrases_of(text) if len(forms) <= longest)
        # In fewer targets, a phrase cannot reach the least coefficient: 2i / (n + i) grows with i.
        fewest = max(2, self._least * len(targets) / (2 - self._least))
        often = [(n, len(forms), forms) for forms, n in counts.items() if n >= fewest]
        for _, n_tokens, forms in nlargest(_TRIED, often):
            written = next(text for text in targets if forms in self._phrases_of(text))
            yield self._phrases_of(written)[forms], n_tokens

    def _phrases_of(self, text: str) -> dict[Forms, str]:
        """The phrases of a target, by their forms, as they are written."""
        if text not in self._phrases:
            cut = tokens(text)
            forms = tuple(token.form for token in cut)
            words = [place for place, token in enumerate(cut) if token.kind == "word"]
            codes = {place for place, token in enumerate(cut) if token.kind == "code"}
            self._phrases[text] = {
                forms[a : b + 1]: text[cut[a].begin : cut[b].end]
                for number, a in enumerate(words)
                for b in words[number : number + _LONGEST]
                if b - a < _LONGEST and not (codes and codes.intersection(range(a, b)))
            }
        return self._phrases[text]
