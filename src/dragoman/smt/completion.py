"""Going on from what a translator has typed: raw text in, raw text out, answered by the graph of one search."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from dragoman.engines.holes import hole
from dragoman.engines.results import Completion
from dragoman.errors import DataError
from dragoman.smt.decoder import Decoder
from dragoman.smt.hypergraph import GraphPath, SearchGraph
from dragoman.smt.preparation import TextSide
from dragoman.smt.translation import doubted, doubtful

__all__ = ["PhraseCompleter"]

_EDIT_COST = 1000.0  # of a word that was typed otherwise than the graph has it; more than scores differ
_MOST_COMPARED = 250_000  # tokens of the source times tokens typed, each with each: a third of a gigabyte, a second
_NOWHERE = -1  # a word that no translation has


@dataclass(frozen=True)
class _Typed:
    """What stands before a hole or behind it: finished words as tokens, and the letters of one that is not."""

    words: tuple[str, ...]
    begun: str = ""

    @property
    def tokens(self) -> tuple[str, ...]:
        return (*self.words, self.begun) if self.begun else self.words


class PhraseCompleter:
    """Completes translations of one source. The search is done once; each answer takes a way through its graph."""

    def __init__(self, decoder: Decoder, source: str) -> None:
        self.source = source
        self._side: TextSide = decoder.target
        tokens, guesses = decoder.source.prepared([source])
        self._read, self._tokens, self._guesses = decoder.source, tokens[0], guesses[0]
        self._graph: SearchGraph = decoder.graph(tokens[0])

    def complete(self, prefix: str, suffix: str = "", *, n: int = 1, confidence: bool = False) -> list[Completion]:
        """Up to `n` ways on from `prefix`, best first, that begin with different words; they end before `suffix`."""
        if n < 1:
            raise DataError(f"A list has one completion or more, got n={n}.")
        before, behind = self._typed(prefix), _Typed(tuple(self._side.tokenise([suffix])[0].split()))
        n_typed, n_source = len(before.tokens) + len(behind.tokens), len(self._tokens.split())
        if n_typed * n_source > _MOST_COMPARED:
            raise DataError(
                f"{n_typed:,} tokens were typed for {n_source:,} of the source, too many to go on from: the product of "
                f"both numbers is at most {_MOST_COMPARED:,}. Cut the text into sentences."
            )
        completions = self._alternatives(prefix, before, behind, suffix, n, confidence)
        if len(completions) < n and self._number(before.begun) != _NOWHERE:  # it may be a whole word, too
            whole = _Typed((*before.words, before.begun))
            others = self._alternatives(prefix, whole, behind, suffix, n, confidence)
            texts = {each.text for each in completions}
            completions += [each for each in others if each.text not in texts and each.edits == completions[0].edits]
        return completions[:n]

    def _alternatives(
        self, prefix: str, before: _Typed, behind: _Typed, suffix: str, n: int, confidence: bool
    ) -> list[Completion]:
        """The best ways on, no two of which begin with the same word."""
        completions: list[Completion] = []
        firsts: set[str] = set()
        while len(completions) < n:
            path, begin, end, edits = self._way(before, behind, firsts)
            added = tuple(path.text.split()[begin:end])
            first = added[0] if added else ""
            if completions and (edits > (completions[0].edits or 0) or first in firsts):
                break  # no other word leads on from what was typed
            text = self._text(prefix, before, added, behind, suffix)
            sure = self._confidence(path)[begin:end] if confidence else None
            completions.append(Completion(text, added, path.score, edits, sure))
            firsts.add(first)
        return completions

    def _confidence(self, path: GraphPath) -> tuple[float, ...]:
        sure = self._graph.confidence(path)
        links = self._graph.links(path)
        return doubted(sure, doubtful(self._read, self._guesses, links, self._tokens, path.text))

    def _typed(self, prefix: str) -> _Typed:
        tokens = self._side.tokenise([prefix])[0].split()
        half = bool(tokens) and not prefix[-1].isspace()
        return _Typed(tuple(tokens[:-1] if half else tokens), tokens[-1] if half else "")

    def _way(self, before: _Typed, behind: _Typed, not_first: Collection[str]) -> tuple[GraphPath, int, int, int]:
        """The best path, which of its words stand in the hole (a half word is one of them), and its edits."""
        prefix = self._cased(before.words)
        numbers = [self._number(word) for word in prefix]
        ahead: dict[int, str] | None = None  # what may come next, if not everything
        if before.begun or not_first:
            ahead = {n: word for n, word in self._beginning(before).items() if word not in not_first}
        following = [] if ahead is None else list(ahead) or [_NOWHERE]
        if behind.words:
            suffix = [self._number(word) for word in behind.words]
            score, arcs, _, edits = self._graph.core.bridge(numbers, following, suffix, _EDIT_COST)
            words = self._words(arcs)
            nexts = [] if ahead is None else [frozenset(map(str.casefold, ahead.values()))]
            begin, end = hole(words, [*map(_fitting, prefix), *nexts], [*map(_fitting, behind.words)])
        else:
            score, arcs, begin, edits = self._graph.core.complete(numbers, following, _EDIT_COST)
            words = self._words(arcs)
            end = len(words)
        if ahead and begin and words[begin - 1] in ahead.values():
            begin -= 1
        return GraphPath(" ".join(words), score, tuple(arcs)), begin, end, edits

    def _cased(self, words: Sequence[str]) -> list[str]:
        caser = self._side.truecaser
        return caser.apply([" ".join(words)])[0].split() if caser and words else list(words)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """Words of the graph by how they are spelt, and by how they are spelt without regard to case."""
        words = self._graph.vocabulary.items()
        return {word.casefold(): number for number, word in words} | {word: number for number, word in words}

    def _number(self, word: str) -> int:
        return self._numbers.get(word, self._numbers.get(word.casefold(), _NOWHERE))

    def _beginning(self, before: _Typed) -> dict[int, str]:
        """The graph's words that begin with the letters typed last, in this case if there are any."""
        words, letters = self._graph.vocabulary, before.begun
        # The capital of a sentence's first word may be the sentence's or the word's own.
        small = letters[:1].lower() if self._side.truecaser and not before.words else letters[:1]
        exact = {n: word for n, word in words.items() if word.startswith((letters, small + letters[1:]))}
        folded = letters.casefold()
        return exact or {number: word for number, word in words.items() if word.casefold().startswith(folded)}

    def _words(self, arcs: Sequence[int]) -> list[str]:
        return [self._graph.vocabulary[number] for number in self._graph.core.words_of(list(arcs))]

    def _text(self, prefix: str, before: _Typed, added: tuple[str, ...], behind: _Typed, suffix: str) -> str:
        """The words of a hole as text that fits between what was typed, spaces included."""
        middle = added
        if before.begun and added and added[0].casefold().startswith(before.begun.casefold()):
            middle = (before.begun + added[0][len(before.begun) :], *added[1:])
        elif before.begun:
            middle = (before.begun, *added)
        parts = (*before.words, *middle, *behind.words), before.tokens, behind.words
        whole, head, tail = self._side.restore([" ".join(part) for part in parts])
        if whole.startswith(head) and whole[len(whole) - len(tail) :].casefold() == tail.casefold():
            text = whole[len(head) : len(whole) - len(tail)]
        else:  # a beginning can look otherwise alone than as part of the whole: quotes, marks that stick to words
            text = " ".join(middle)[len(before.begun) :]
            text = f"{'' if before.begun else ' '}{text} "
        if not before.tokens or prefix[-1:].isspace():
            text = text.lstrip(" ")
        return text.rstrip(" ") if not behind.words or suffix[0].isspace() else text


def _fitting(word: str) -> frozenset[str]:
    return frozenset((word.casefold(),))
