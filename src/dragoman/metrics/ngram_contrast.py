"""N-grams that tell two systems apart: those that one gets right more often than the other (as in compare-mt)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import UnknownName
from dragoman.metrics.cut_texts import CutTexts
from dragoman.report import Column, Table

__all__ = ["Ngram", "NgramContrast", "contrast_ngrams"]

_SMOOTHING = 1.0  # added to both sides of an n-gram's matches, so that 1 : 0 does not outweigh 20 : 2


@dataclass(frozen=True)
class Ngram:
    """An n-gram of the references and how often each of two systems has it where a reference has it."""

    text: str
    order: int
    left: int
    right: int

    @property
    def score(self) -> float:
        """The right system's share of the matches, smoothed; above ½ the right system is ahead."""
        return (self.right + _SMOOTHING) / (self.left + self.right + 2 * _SMOOTHING)


@dataclass(frozen=True)
class NgramContrast:
    """The n-grams that tell two systems apart most."""

    left: str
    right: str
    losses: tuple[Ngram, ...]  # that the left system gets right more often
    wins: tuple[Ngram, ...]  # that the right one does

    def tables(self) -> list[Table]:
        """Wins of the right system, then wins of the left."""
        note = (
            "Matches with a reference, counted in each segment at most as often as the reference has the n-gram; "
            f"score = (matches of {self.right} + 1) / (matches of both + 2). An n-gram that only one system gets right "
            "may be a matter of wording, not of quality; with thousands of n-grams some stand here by chance."
        )
        columns = [
            Column("ngram", "n-gram", is_text=True),
            Column("n"),
            Column("left", self.left),
            Column("right", self.right),
            Column("score", digits=3),
        ]
        return [
            Table.of(
                f"N-grams that {winner} gets right more often than {loser}",
                columns,
                [(each.text, each.order, each.left, each.right, each.score) for each in ngrams],
                note=remark,
            )
            for winner, loser, ngrams, remark in (
                (self.right, self.left, self.wins, note),
                (self.left, self.right, self.losses, "Counted as above."),
            )
        ]

    def to_dict(self) -> dict[str, Any]:
        """The n-grams as JSON has them."""
        return {
            "left": self.left,
            "right": self.right,
            **{
                side: [
                    {"ngram": each.text, "left": each.left, "right": each.right, "score": each.score} for each in ngrams
                ]
                for side, ngrams in (("wins", self.wins), ("losses", self.losses))
            },
        }


def contrast_ngrams(
    texts: CutTexts, left: str | None = None, *, max_order: int = 4, most: int = 10
) -> tuple[NgramContrast, ...]:
    """For each other system the n-grams that tell it from `left` (the first system), the strongest first."""
    names = list(texts.systems)
    if left is not None and left not in names:
        raise UnknownName(f"No system is called {left!r}. Known: {', '.join(names)}.")
    matched = _Matched(texts, max_order)
    first = 0 if left is None else names.index(left)
    return tuple(
        NgramContrast(
            names[first],
            name,
            losses=matched.strongest(first, number, most, of_right=False),
            wins=matched.strongest(first, number, most, of_right=True),
        )
        for number, name in enumerate(names)
        if number != first
    )


class _Matched:
    """How often each system has each n-gram of the references."""

    def __init__(self, texts: CutTexts, max_order: int) -> None:
        self._words = texts.vocabulary.words()
        self._parents, self._last, self._counts = _core.metrics.match_ngrams(
            list(texts.systems.values()), list(texts.refs), texts.present, order=max_order, n_threads=texts.n_threads
        )
        # An n-gram's parent comes before it, and the parents' orders are known after as many rounds as there are.
        self._orders = np.ones(len(self._parents), dtype=np.int64)
        for order in range(2, max_order + 1):
            longer = self._parents >= 0
            longer[longer] = self._orders[self._parents[longer]] == order - 1
            self._orders[longer] = order

    def strongest(self, left: int, right: int, most: int, *, of_right: bool) -> tuple[Ngram, ...]:
        """The n-grams that one of two systems wins by most; of equals the longer, then in the order of their text."""
        ours, theirs = self._counts[left], self._counts[right]
        candidates: NDArray[np.int64] = np.flatnonzero(theirs > ours if of_right else theirs < ours)
        a, b = ours[candidates], theirs[candidates]
        score = (b + _SMOOTHING) / (a + b + 2 * _SMOOTHING)
        strength = np.stack([score if of_right else -score, self._orders[candidates].astype(np.float64)], axis=1)
        by_strength = np.lexsort((-strength[:, 1], -strength[:, 0]))
        if len(by_strength) > most:
            # Texts are only made of what may stand in the list: what is as strong as its last entry, or stronger.
            last = strength[by_strength[most - 1]]
            weaker = (strength[:, 0] < last[0]) | ((strength[:, 0] == last[0]) & (strength[:, 1] < last[1]))
            by_strength = np.flatnonzero(~weaker)
        strongest = [
            Ngram(self._text(k), int(self._orders[k]), int(ours[k]), int(theirs[k]))
            for k in candidates[by_strength].tolist()
        ]
        sign = -1.0 if of_right else 1.0
        return tuple(sorted(strongest, key=lambda each: (sign * each.score, -each.order, each.text))[:most])

    def _text(self, ngram: int) -> str:
        words: list[str] = []
        while ngram >= 0:
            words.append(self._words[self._last[ngram]])
            ngram = int(self._parents[ngram])
        return " ".join(reversed(words))
