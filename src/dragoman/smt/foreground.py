"""What an engine was taught since it was saved, as phrases that come before all others: the foreground.

A sentence pair that a translator has just confirmed is one among tens of thousands in an index: its phrases would be
outvoted by what the text said before. So its longer phrases are offered beside those of the index, without the costs
of a table, as if they were certain; the language model and the reordering still have their say. Of several translations
of a phrase the one confirmed last is offered (Bertoldi et al. 2013 let caches decay; here the last word wins).
"""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.smt.constraints import Term
from dragoman.smt.journal import LearntPair

__all__ = ["Foreground"]

_SHORTEST, _LONGEST = 4, 12  # source words of a phrase; a whole sentence may have any number
# Shorter ones do harm: links of words that the aligner has never met are often wrong (300 sentences of a manual after
# captions, en-de: from two words on 5.7 BLEU, from four 6.4, without the foreground 6.3; a news stream does not mind).


class Foreground:
    """Phrases of the pairs learnt, by their source words."""

    def __init__(self) -> None:
        self._phrases: dict[tuple[str, ...], str] = {}
        self._n_pairs = 0

    def __len__(self) -> int:
        """The number of pairs it was made of."""
        return self._n_pairs

    def add(self, pairs: Sequence[LearntPair]) -> None:
        """Take in pairs; the last one says how a phrase is translated from now on."""
        for pair in pairs:
            source, target = pair.source.split(), pair.target.split()
            for begin, end, first, last in _spans(pair.points(), len(source)):
                self._phrases[tuple(source[begin:end])] = " ".join(target[first:last])
            self._phrases[tuple(source)] = pair.target
        self._n_pairs += len(pairs)

    def terms(self, tokens: Sequence[str]) -> list[Term]:
        """The translations of a sentence's phrases, each one more possibility."""
        n = len(tokens)
        spans = [(begin, end) for begin in range(n) for end in range(begin + _SHORTEST, min(begin + _LONGEST, n) + 1)]
        if not _SHORTEST <= n <= _LONGEST:
            spans.append((0, n))
        phrases = ((begin, end, self._phrases.get(tuple(tokens[begin:end]))) for begin, end in spans)
        return [Term(begin, end, text, exclusive=False) for begin, end, text in phrases if text is not None]


def _spans(points: Sequence[tuple[int, int]], n_source: int) -> list[tuple[int, int, int, int]]:
    """Source spans with the target span of their links, where no link leaves the two."""
    of_source: list[list[int]] = [[] for _ in range(n_source)]
    of_target: dict[int, list[int]] = {}
    for s, t in points:
        of_source[s].append(t)
        of_target.setdefault(t, []).append(s)
    spans = []
    for begin in range(n_source):
        low, high = -1, -1
        for end in range(begin + 1, min(begin + _LONGEST, n_source) + 1):
            for t in of_source[end - 1]:
                low, high = (t if low < 0 else min(low, t)), max(high, t)
            if low < 0 or end - begin < _SHORTEST:
                continue
            if all(begin <= s < end for t in range(low, high + 1) for s in of_target.get(t, ())):
                spans.append((begin, end, low, high + 1))
    return spans
