"""Discourse relations of a text, in the manner of the Penn Discourse Treebank, by connectives and rules.

An explicit relation has a connective, whose most frequent sense is taken; its second argument is the clause of the
connective, its first the other clause of the sentence, or the sentence before. Two neighbouring sentences that no
connective links have a relation that is not explicit; its sense is guessed (see `SenseGuesser`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["SENSES", "Argument", "Relation", "SenseGuesser", "find_relations"]

SENSES = ("Comp", "Cont", "Exp", "Temp")  # comparison, contingency, expansion, temporal
_DEFAULT = "Exp"  # the most frequent sense of what is not explicit

# English connectives with their most frequent sense; those of the second lists open a clause that hangs on another.
_COORDINATING = {
    "Comp": """but; however; yet; nevertheless; nonetheless; still; by contrast; in contrast; by comparison; conversely;
        on the other hand; on the contrary; rather; instead; regardless""",
    "Cont": "so; therefore; thus; hence; consequently; accordingly; as a result; thereby; then",
    "Exp": """and; also; moreover; furthermore; in addition; additionally; besides; likewise; similarly; for example;
        for instance; in particular; specifically; in fact; indeed; in other words; in short; overall; finally; or;
        otherwise; alternatively; meantime; further; plus; nor; separately; in sum""",
    "Temp": """meanwhile; in the meantime; later; afterward; afterwards; previously; earlier; simultaneously;
        subsequently; thereafter; next; ultimately; in turn""",
}
_SUBORDINATING = {
    "Comp": "although; though; even though; while; whereas; even if; even as",
    "Cont": "because; since; if; so that; unless; as long as; in order that; now that; insofar as; in case; given that",
    "Exp": "except that; as if; as though; much as",
    "Temp": "when; after; before; until; till; as soon as; once; by the time; whenever; as; ever since",
}


def _table(lists: Mapping[str, str]) -> dict[tuple[str, ...], str]:
    return {tuple(words.split()): sense for sense, all_ in lists.items() for words in all_.split(";")}


_FREE, _BOUND = _table(_COORDINATING), _table(_SUBORDINATING)
_LONGEST = max(map(len, (*_FREE, *_BOUND)))
_FIRST_WORDS = frozenset(words[0] for words in (*_FREE, *_BOUND))
_BREAKS = frozenset({",", ";", ":", "—", "–", "--", "("})

Tokens = Sequence[str]
Guess = Callable[[Tokens, Tokens], str]


@dataclass(frozen=True)
class Argument:
    """Words of a sentence: `start` … `end` − 1, counted from 0, as the sentences are."""

    sentence: int
    start: int
    end: int


@dataclass(frozen=True)
class Relation:
    """A sense, the two arguments, and whether a connective says so."""

    sense: str
    first: Argument
    second: Argument
    explicit: bool


class SenseGuesser:
    """The sense of a relation without a connective, by the words of its arguments (after Marcu & Echihabi 2002).

    Naive Bayes, learnt from sentences that a connective links to the one before, the connective left out.
    """

    def __init__(self, counts: Mapping[str, Mapping[str, int]]) -> None:
        self.counts = {sense: dict(counts.get(sense, {})) for sense in SENSES}
        self._totals = {sense: sum(words.values()) for sense, words in self.counts.items()}
        self._size = len({word for words in self.counts.values() for word in words}) + 1

    @classmethod
    def learn(cls, texts: Iterable[Sequence[Tokens]]) -> SenseGuesser:
        """Count the words of sentences whose first word is a connective, and of those before them."""
        counts: dict[str, Counter[str]] = {sense: Counter() for sense in SENSES}
        for text in texts:
            for before, sentence in pairwise(text):
                found = _connective(sentence, 0, _FREE)
                if found:
                    counts[found[0]].update(_cues(before, sentence[found[1] :]))
        return cls(counts)

    def __call__(self, first: Tokens, second: Tokens) -> str:
        """The most probable sense; expansion where nothing was learnt."""
        if not any(self._totals.values()):
            return _DEFAULT
        cues = list(_cues(first, second))
        return max(SENSES, key=lambda sense: (self._score(sense, cues), sense == _DEFAULT))

    def _score(self, sense: str, cues: Sequence[str]) -> float:
        words, total = self.counts[sense], self._totals[sense]
        prior = math.log((total + 1) / (sum(self._totals.values()) + len(SENSES)))
        return prior + sum(math.log((words.get(cue, 0) + 1) / (total + self._size)) for cue in cues)


def _cues(first: Tokens, second: Tokens) -> Iterable[str]:
    yield from (f"1 {word.lower()}" for word in set(first))
    yield from (f"2 {word.lower()}" for word in set(second))


def find_relations(text: Sequence[Tokens], guess: Guess | None = None) -> list[Relation]:
    """The relations of a text, given as the words of its sentences, in their order."""
    relations: list[Relation] = []
    for number, sentence in enumerate(text):
        linked, place = False, 0
        while place < len(sentence):
            found, length = _explicit(text, number, place)
            if found:
                relations.append(found)
                linked |= found.first.sentence < number
            place += length
        if number and not linked:
            sense = guess(text[number - 1], sentence) if guess else _DEFAULT
            relations.append(Relation(sense, _whole(text, number - 1), _whole(text, number), explicit=False))
    return [each for each in relations if each.first.end > each.first.start and each.second.end > each.second.start]


def _connective(sentence: Tokens, place: int, table: Mapping[tuple[str, ...], str]) -> tuple[str, int] | None:
    """The sense of the connective that begins at a place and the number of its words; the longest counts."""
    for length in range(min(_LONGEST, len(sentence) - place), 0, -1):
        words = tuple(word.lower() for word in sentence[place : place + length])
        if words in table:
            return table[words], length
    return None


def _explicit(text: Sequence[Tokens], number: int, place: int) -> tuple[Relation | None, int]:
    """The relation of the connective at a place, if one links clauses there, and the number of words to go on by."""
    sentence = text[number]
    if sentence[place].lower() not in _FIRST_WORDS:
        return None, 1
    bound, free = _connective(sentence, place, _BOUND), _connective(sentence, place, _FREE)
    if bound and (free is None or bound[1] >= free[1]):
        return _subordinate(sentence, number, place, bound), bound[1]
    if free is None:
        return None, 1
    sense, length = free
    second = Argument(number, place + length, len(sentence))
    if place and sentence[place - 1] in _BREAKS:
        return Relation(sense, Argument(number, 0, place), second, explicit=True), length
    if place or not number:
        return None, length
    return Relation(sense, _whole(text, number - 1), second, explicit=True), length


def _subordinate(sentence: Tokens, number: int, place: int, found: tuple[str, int]) -> Relation | None:
    """A clause that opens the sentence ends at the next comma, and the main clause follows; else it stands before."""
    sense, length = found
    begin, end = place + length, len(sentence)
    comma = next((each for each in range(begin, end) if sentence[each] == ","), end)
    if place:
        return Relation(sense, Argument(number, 0, place), Argument(number, begin, end), explicit=True)
    if comma == end:
        return None
    return Relation(sense, Argument(number, comma + 1, end), Argument(number, begin, comma), explicit=True)


def _whole(text: Sequence[Tokens], number: int) -> Argument:
    return Argument(number, 0, len(text[number]))
