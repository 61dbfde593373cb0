"""Translations of unknown forms of known words, by endings that change together (KIT at WMT 2012).

*Kamin* is *chimney*; that *+en* goes with *+s* is learnt from other words; so *Kaminen*, never seen, is *chimneys*.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache

__all__ = ["ENDING", "STEM", "EndingTransfer", "change", "ending_pairs"]

Change = tuple[str, str]  # an ending, and what stands in its place

ENDING = 3  # letters at most
STEM = 4  # letters of a source word's stem at least, ...
_TARGET_STEM = 3  # ... and of a target word's


def change(one: str, other: str, stem: int) -> Change | None:
    """The endings in which two words differ; None if they are not short, or the stem is."""
    size = 0
    while size < min(len(one), len(other)) and one[size] == other[size]:
        size += 1
    endings = one[size:], other[size:]
    return endings if size >= stem and max(map(len, endings)) <= ENDING else None


def ending_pairs(lexicon: Mapping[str, str]) -> Counter[tuple[Change, Change]]:
    """How often endings of source words and of their translations change together, over all pairs of entries."""
    by_stem: dict[str, set[str]] = defaultdict(set)
    for word in lexicon:
        for cut in range(max(STEM, len(word) - ENDING), len(word) + 1):
            by_stem[word[:cut]].add(word)
    counts: Counter[tuple[Change, Change]] = Counter()
    for stem, words in by_stem.items():
        for one in words:
            for other in words:
                source = change(one, other, STEM)
                # Counted at the stem where they part alone, not at each shorter one.
                if one == other or source is None or len(stem) != len(one) - len(source[0]):
                    continue
                target = change(lexicon[one], lexicon[other], _TARGET_STEM)
                if target is not None:
                    counts[source, target] += 1
    return counts


class EndingTransfer:
    """Translates an unknown word by a known form of it, whose translation's ending is changed, too."""

    def __init__(
        self,
        words: Iterable[str],
        translation: Callable[[str], str | None],
        exists: Callable[[str], bool],
        least: int = 10,
    ) -> None:
        """`translation` is a word's best, if that is one word; `exists` knows target words.

        Endings must have changed together `least` times.
        """
        self._words = words
        self._translation = translation
        self._exists = exists
        self._least = least
        self.translations = lru_cache(maxsize=1 << 16)(self._translations)

    @cached_property
    def _lexicon(self) -> dict[str, str]:
        pairs = ((word, self._translation(word)) for word in self._words if word.isalpha())
        return {word: target for word, target in pairs if target and target.isalpha()}

    @cached_property
    def _changes(self) -> dict[Change, list[tuple[Change, int]]]:
        """By change of a source ending, changes of target endings with their counts, the most frequent first."""
        changes: dict[Change, list[tuple[Change, int]]] = defaultdict(list)
        for (source, target), count in ending_pairs(self._lexicon).most_common():
            if count >= self._least:
                changes[source].append((target, count))
        return changes

    def _translations(self, word: str) -> tuple[str, ...]:
        """The best new form, if there is one: words that exist first, then by how often the endings went together."""
        if not word.isalpha() or len(word) < STEM or word in self._lexicon:
            return ()
        best: tuple[bool, int, str] | None = None
        for cut in range(max(STEM, len(word) - ENDING), len(word) + 1):
            stem, ending = word[:cut], word[cut:]
            for (before, after), targets in self._changes.items():
                known = self._lexicon.get(stem + before) if after == ending else None
                for (old, new), count in targets if known else ():
                    if known and known.endswith(old):
                        form = known[: len(known) - len(old)] + new
                        found = (self._exists(form), count, form)
                        best = found if best is None else max(best, found)
        return (best[2],) if best else ()
