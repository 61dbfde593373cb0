"""What a word may be: P(word | symbol) of words that were seen, and of classes of words for those that were not.

A class is the look of a word (case, digits, hyphens, place at the sentence's beginning) and its last letters, learnt
from rare words: unseen words are like them. Words that were seen seldom are mixed with their class.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import ModelError
from dragoman.syntax.bracketed import ESCAPES
from dragoman.syntax.rules import State

__all__ = ["Lexicon", "learn_lexicon", "word_classes"]

_QUOTES = ('"',)  # straight ones
_LONGEST_ENDING = 3
_RARE = 3  # words seen so often or less teach what unseen ones are
_OWN_TAGS_ONLY = 15  # words seen so often have no tags but those they were seen with
_CLASS_WEIGHT = 1.0  # counts that a class is worth beside those of a rare word
_WIDER_CLASS = 3.0  # counts that a wider class is worth beside those of a class
_SPLIT_WEIGHT = 4.0  # counts that P(symbol | tag) is worth beside those of a word
_LEAST = 1e-3  # tags less likely than that, given the class, are left out


def word_classes(word: str, *, is_first: bool) -> Iterator[str]:
    """The classes of a word from the narrowest to the widest."""
    if any(letter.isdigit() for letter in word):
        look = "0" if not any(letter.isalpha() for letter in word) else "0a"
    elif not any(letter.isalpha() for letter in word):
        look = "."
    elif word[0].isupper():
        look = "A" if len(word) > 1 and word.isupper() else "Aa"
    else:
        look = "a"
    if "-" in word[1:-1]:
        look += "-"
    if is_first and look.startswith("A"):
        look = "^" + look
    ending = word[-_LONGEST_ENDING:].lower()
    for length in range(min(len(ending), len(word) - 1), 0, -1):
        yield f"{look} {ending[-length:]}"
    yield look
    yield ""


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Rows of symbols and scores; words and classes name their rows."""

    words: Mapping[str, int]
    classes: Mapping[str, int]
    offsets: NDArray[np.int64]
    symbols: NDArray[np.int32]
    scores: NDArray[np.float64]  # log P(word | symbol)

    def rows(self, tokens: Sequence[str]) -> list[int]:
        """The row of each token of a sentence.

        What the treebank writes otherwise is looked up as there: brackets, and straight quotes as opening and closing.
        A capital at the beginning, or a word of capitals, is tried in small letters before it counts as unseen.
        """
        found = []
        n_quotes = 0
        for place, token in enumerate(tokens):
            row = self.words.get(token)
            if row is None and token in _QUOTES:
                row = self.words.get("``" if n_quotes % 2 == 0 else "''")
                n_quotes += 1
            if row is None:
                row = self.words.get(ESCAPES.get(token, token))
            if row is None and token[:1].isupper() and (place == 0 or token.isupper()):
                row = self.words.get(token.lower())
            if row is None:
                row = next(
                    self.classes[each] for each in word_classes(token, is_first=place == 0) if each in self.classes
                )
            found.append(row)
        return found


def learn_lexicon(sentences: Sequence[Sequence[tuple[str, State]]], numbers: Mapping[State, int]) -> Lexicon:
    """From words with their symbols."""
    of_word: dict[str, Counter[State]] = defaultdict(Counter)
    of_tag: Counter[str] = Counter()
    of_state: Counter[State] = Counter()
    for words in sentences:
        for word, state in words:
            of_word[word][state] += 1
            of_tag[state.label] += 1
            of_state[state] += 1
    n_tokens = of_state.total()
    in_class = _classes(sentences, {word: counts.total() for word, counts in of_word.items()})
    states_of: dict[str, list[State]] = defaultdict(list)
    for state in of_state:
        states_of[state.label].append(state)
    table = _Rows(numbers, of_state, n_tokens)
    rows: dict[str, int] = {}
    for word, counts in of_word.items():
        total = counts.total()
        tags: Counter[str] = Counter()
        for state, count in counts.items():
            tags[state.label] += count
        mixed = {tag: count / total for tag, count in tags.items()}
        if total < _OWN_TAGS_ONLY:
            wide = next(in_class[each] for each in word_classes(word, is_first=False) if each in in_class)
            weight = _CLASS_WEIGHT
            mixed = {
                tag: (tags[tag] + weight * wide.get(tag, 0.0)) / (total + weight)
                for tag in {**mixed, **{tag: 0.0 for tag, p in wide.items() if p >= _LEAST}}
            }
        split: dict[State, float] = {}
        for tag, p in mixed.items():
            for state in states_of[tag]:
                own = (counts[state] + _SPLIT_WEIGHT * of_state[state] / of_tag[tag]) / (tags[tag] + _SPLIT_WEIGHT)
                split[state] = p * own
        rows[word] = table.add(split, total / n_tokens)
    n_once = sum(counts.total() == 1 for counts in of_word.values())
    # What was seen once tells how likely unseen words are (Good 1953); all of them are taken for equally likely.
    unseen = max(1, n_once) / n_tokens / max(1, len(of_word))
    classes = {}
    for name, tag_shares in in_class.items():
        classes[name] = table.add(
            {
                state: p * of_state[state] / of_tag[tag]
                for tag, p in tag_shares.items()
                if p >= _LEAST
                for state in states_of[tag]
            },
            unseen,
        )
    return Lexicon(rows, classes, *table.arrays())


def _classes(
    sentences: Sequence[Sequence[tuple[str, State]]], n_seen: Mapping[str, int]
) -> dict[str, dict[str, float]]:
    """P(tag | class), each class mixed with the next wider one."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    wider_of: dict[str, str | None] = {}
    for words in sentences:
        for place, (word, state) in enumerate(words):
            if n_seen[word] > _RARE:
                continue
            names = list(word_classes(word, is_first=place == 0))
            for name, wider in zip(names, [*names[1:], None], strict=True):
                counts[name][state.label] += 1
                wider_of[name] = wider
    if "" not in counts:  # no rare words: unseen ones are like all others
        for words in sentences:
            counts[""].update(state.label for _, state in words)
        wider_of[""] = None
    found: dict[str, dict[str, float]] = {}

    def share(name: str) -> dict[str, float]:
        if name not in found:
            wider = wider_of[name]
            below = share(wider) if wider is not None else {}
            weight = _WIDER_CLASS if below else 0.0
            total = counts[name].total() + weight
            found[name] = {
                tag: (counts[name][tag] + weight * below.get(tag, 0.0)) / total for tag in (below or counts[name])
            }
        return found[name]

    for name in sorted(counts):
        share(name)
    return found


class _Rows:
    """Rows that grow; scores turn P(symbol | word) into P(word | symbol)."""

    def __init__(self, numbers: Mapping[State, int], of_state: Mapping[State, int], n_tokens: int) -> None:
        self.numbers, self.of_state, self.n_tokens = numbers, of_state, n_tokens
        self.offsets, self.symbols, self.scores = [0], list[int](), list[float]()

    def add(self, shares: Mapping[State, float], p_word: float) -> int:
        for state, p in sorted(shares.items()):
            self.symbols.append(self.numbers[state])
            self.scores.append(log(p) + log(p_word) - log(self.of_state[state] / self.n_tokens))
        self.offsets.append(len(self.symbols))
        return len(self.offsets) - 2

    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        return (
            np.array(self.offsets, dtype=np.int64),
            np.array(self.symbols, dtype=np.int32),
            np.array(self.scores, dtype=np.float64),
        )


def check_classes(lexicon: Lexicon) -> Lexicon:
    """The lexicon, if every word has a row: the widest class is there and rows are inside."""
    n_rows = len(lexicon.offsets) - 1
    if "" not in lexicon.classes or any(
        not 0 <= row < n_rows for rows in (lexicon.words, lexicon.classes) for row in rows.values()
    ):
        raise ModelError("The lexicon of the grammar is damaged. Train it again.")
    return lexicon
