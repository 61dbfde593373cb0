"""What an edit is worth: the slope, along it, of the logarithm of n-gram precision and recall.

BLEU (Papineni et al. 2002) has precision alone as long as a text is not too short, so that leaving words out pays; here
recall has the same weight, and it does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dragoman.postedit.tokens import Words

__all__ = ["Edit", "Exchange", "edited"]

ORDER = 4

Edit = tuple[int, int, Words]  # begin and end in a line, what stands there afterwards


def edited(line: Words, edits: Iterable[Edit]) -> Words:
    """The line with edits made, which do not overlap."""
    for begin, end, words in sorted(edits, reverse=True):
        line = (*line[:begin], *words, *line[end:])
    return line


def _ngrams(words: Sequence[str], n: int) -> Counter[Words]:
    return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))


@dataclass(frozen=True)
class Exchange:
    """What a matching n-gram and a word are worth, by the counts of a whole text; per line of it."""

    match: tuple[float, ...]  # by length, of one n-gram more that the reference has
    word: float  # of one word more, matching or not

    @classmethod
    def of(cls, lines: Sequence[Words], refs: Sequence[Words]) -> Exchange:
        """The mean of log precision and log recall is a function of counts: its derivatives, times the lines."""
        matches, totals = [1.0] * ORDER, [1.0] * ORDER  # add one: a text without any match has a slope, too
        for line, ref in zip(lines, refs, strict=True):
            for n in range(1, ORDER + 1):
                grams = _ngrams(line, n)
                matches[n - 1] += (grams & _ngrams(ref, n)).total()
                totals[n - 1] += grams.total()
        word = (
            -sum(1 / total for total in totals) / ORDER / 2
        )  # recall, the other half, has the reference's counts below
        return cls(tuple(len(lines) / ORDER / count for count in matches), len(lines) * word)

    def gains(self, line: Words, ref: Words, edits: Sequence[Edit]) -> list[float]:
        """What each edit of a line adds by itself: 0.01 is one per cent of the line's matches."""
        here = [_ngrams(line, n) for n in range(1, ORDER + 1)]
        there = [_ngrams(ref, n) for n in range(1, ORDER + 1)]
        return [self._gain(line, edit, here, there) for edit in edits]

    def _gain(self, line: Words, edit: Edit, here: Sequence[Counter[Words]], there: Sequence[Counter[Words]]) -> float:
        begin, end, words = edit
        gain = self.word * (len(words) - (end - begin))
        for n in range(1, ORDER + 1):
            left, right = line[max(0, begin - n + 1) : begin], line[end : end + n - 1]
            old, new = _ngrams((*left, *line[begin:end], *right), n), _ngrams((*left, *words, *right), n)
            for gram in old.keys() | new.keys():
                count, limit = here[n - 1][gram], there[n - 1][gram]
                gain += self.match[n - 1] * (min(count - old[gram] + new[gram], limit) - min(count, limit))
        return gain
