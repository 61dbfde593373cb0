"""Going on from what a translator has typed, by decoding behind it as a forced beginning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dragoman.engines.holes import hole
from dragoman.engines.results import Completion
from dragoman.errors import DataError
from dragoman.neural.words import word_values

if TYPE_CHECKING:
    from dragoman.neural.decoding import Output, PieceEngine

__all__ = ["NeuralCompleter"]

_TRIED = 12  # continuations looked through for one that goes on from a half word


class NeuralCompleter:
    """Completes translations of one source: the beginning is forced, the rest is searched for."""

    def __init__(self, engine: PieceEngine, source: str) -> None:
        self.source = source
        self._engine = engine
        [self._pieces] = engine.cut([source])

    def complete(self, prefix: str, suffix: str = "", *, n: int = 1, confidence: bool = False) -> list[Completion]:
        """Up to `n` ways on from `prefix`, best first, that begin with different words; they end before `suffix`.

        A half word is gone on with by a word that begins with its letters if one of the likely ones does, else from its
        own pieces.
        """
        if n < 1:
            raise DataError(f"A list has one completion or more, got n={n}.")
        completions: list[Completion] = []
        for output, head in self._ways(prefix, n):
            each = self._completion(prefix, suffix, output, head, confidence)
            if each.text not in {other.text for other in completions}:
                completions.append(each)
        return completions[:n] or [Completion("", ())]

    def _ways(self, prefix: str, n: int) -> list[tuple[Output, int]]:
        """Outputs that go on from a prefix, and how many of their pieces were forced."""
        whole, begun = _cut(prefix)
        if not begun:
            return self._behind(whole, n)
        fitting = [
            way for way in self._behind(whole, _TRIED) if self._engine.text(way[0].pieces).startswith(whole + begun)
        ]
        return fitting or self._behind(whole + begun, n)

    def _behind(self, text: str, n: int) -> list[tuple[Output, int]]:
        [pieces] = self._engine.cut_targets([text])
        if not self._pieces:
            return []
        found = self._engine.search([self._pieces], [pieces], n_best=n, alternatives=n > 1)[0]
        return [(output, len(pieces)) for output in found]

    def _completion(self, prefix: str, suffix: str, output: Output, head: int, confidence: bool) -> Completion:
        text = self._engine.text(output.pieces)
        typed = " ".join(prefix.split())
        added = text[len(typed) :] if text.startswith(typed) else self._engine.text(output.pieces[head:])
        if suffix:
            added = _before(added, suffix)
        if not typed or prefix[-1:].isspace():
            added = added.lstrip(" ")
        tokens = tuple(added.split())
        values = self._sureness(output, len((prefix + added).split()), len(tokens)) if confidence else None
        return Completion(added, tokens, output.score, None, values)

    def _sureness(self, output: Output, end: int, n: int) -> tuple[float, ...]:
        """Of the `n` words of a translation before its word `end`; of a word that the net did not say, 0."""
        sure = word_values(
            self._engine.log_probabilities(self._pieces, output.pieces), self._engine.spans(output.pieces)
        )
        return (*sure, *(0.0,) * max(0, end - len(sure)))[end - n : end]


def _cut(prefix: str) -> tuple[str, str]:
    """The finished words of what was typed, and the letters of one that is not."""
    if not prefix or prefix[-1].isspace():
        return prefix.strip(), ""
    whole, space, begun = prefix.rpartition(" ")
    return whole + space if whole.strip() else "", begun


def _before(added: str, suffix: str) -> str:
    """What of a continuation stands before a suffix that the translator has written."""
    words: Sequence[str] = added.split()
    _, end = hole(words, (), [frozenset((word.casefold(),)) for word in suffix.split()])
    text = " ".join(words[:end])
    lead = " " if added.startswith(" ") and text else ""
    return lead + text + (" " if text and not suffix[0].isspace() else "")
