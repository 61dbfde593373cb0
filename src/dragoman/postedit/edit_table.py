"""What was changed into what, how often, and beside which words: the phrase table of a post-editor."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dragoman.align.phrases import PhraseSpans, phrase_spans
from dragoman.data.alignments import Link
from dragoman.notation import parse_json
from dragoman.postedit.gain import Edit
from dragoman.postedit.recipe import PostEditRecipe
from dragoman.postedit.tokens import NUMBER, Words, guarded

__all__ = ["BESIDE", "EditTable", "Edited", "Uses"]

BEGIN, END = "<s>", "</s>"
BESIDE = ("left", "right", "source")  # what the uses of a phrase are told apart by
_COMMON = 120  # so many of the most frequent words of the references count as function words


@dataclass(frozen=True, slots=True)
class Edited:
    """A line of training: the engine's output, its reference, their links, and by place the source's words."""

    output: Words
    ref: Words
    links: tuple[Link, ...]
    sources: Mapping[int, frozenset[str]]

    def beside(self, begin: int, end: int) -> tuple[tuple[str, ...], ...]:
        """The words to the left, to the right, and of the source, of a span of the output."""
        return beside(self.output, self.sources, begin, end)


def beside(
    line: Words, sources: Mapping[int, frozenset[str]], begin: int, end: int
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The words to the left, to the right, and of the source, of a span."""
    left = line[begin - 1] if begin else BEGIN
    right = line[end] if end < len(line) else END
    words = frozenset[str]().union(*(sources.get(place, ()) for place in range(begin, end)))
    return (left,), (right,), tuple(sorted(words))


@dataclass(slots=True)
class Uses:
    """How often something was met, in all and beside each word."""

    count: int = 0
    beside: tuple[Counter[str], ...] = field(default_factory=lambda: tuple(Counter[str]() for _ in BESIDE))

    def add(self, words: Sequence[Sequence[str]]) -> None:
        """One more, beside these."""
        self.count += 1
        for counts, each in zip(self.beside, words, strict=True):
            counts.update(each)

    def to_json(self) -> list[Any]:
        """The count, and those beside words."""
        return [self.count, *map(dict, self.beside)]

    @classmethod
    def of_json(cls, values: Sequence[Any]) -> Uses:
        """What `to_json` gave."""
        return cls(int(values[0]), tuple(Counter(each) for each in values[1:]))


@dataclass(slots=True)
class Phrase:
    """A phrase of the engine's output: all its uses, how often it was kept, and what it became else."""

    uses: Uses
    kept: int
    edits: dict[Words, Uses]


class EditTable:
    """The changes that training lines show often enough, by the phrase that was changed."""

    def __init__(self, phrases: Mapping[Words, Phrase], longest: int) -> None:
        self.phrases = dict(phrases)
        self.longest = longest

    def __len__(self) -> int:
        """The number of changes."""
        return sum(len(phrase.edits) for phrase in self.phrases.values())

    @classmethod
    def of(cls, lines: Sequence[Edited], recipe: PostEditRecipe) -> EditTable:
        """The table of training lines. Changes that lose or double what is guarded are left out."""
        spans = [_spans(line, recipe.longest) for line in lines]
        pairs: Counter[tuple[Words, Words]] = Counter()
        totals: Counter[Words] = Counter()
        for line, each in zip(lines, spans, strict=True):
            for begin, end, low, high in each:
                pairs[line.output[begin:end], line.ref[low:high]] += 1
                totals[line.output[begin:end]] += 1
        common = frozenset(w for w, _ in Counter(w for line in lines for w in line.ref).most_common(_COMMON))
        phrases: dict[Words, Phrase] = {}
        for (old, new), count in pairs.items():
            often = count >= recipe.least_count and count >= recipe.least_share * totals[old]
            if often and len(old) >= recipe.shortest and _is_safe(old, new, common, recipe.target_lang):
                phrases.setdefault(old, Phrase(Uses(), pairs[old, old], {})).edits[new] = Uses()
        for line, each in zip(lines, spans, strict=True):
            for begin, end, low, high in each:
                if phrase := phrases.get(line.output[begin:end]):
                    words = line.beside(begin, end)
                    phrase.uses.add(words)
                    if uses := phrase.edits.get(line.ref[low:high]):
                        uses.add(words)
        return cls(phrases, recipe.longest)

    def matches(self, line: Words) -> Iterator[tuple[Edit, Phrase, Uses]]:
        """The changes that fit a line, with what is known of each."""
        for begin in range(len(line)):
            for end in range(begin + 1, min(begin + self.longest, len(line)) + 1):
                if phrase := self.phrases.get(line[begin:end]):
                    for words, uses in phrase.edits.items():
                        yield (begin, end, words), phrase, uses

    def write(self, path: Path) -> None:
        """A line of JSON for each phrase: its words, uses, kept, changes."""
        with path.open("w", encoding="utf-8") as stream:
            for words, phrase in self.phrases.items():
                edits = [[new, *uses.to_json()] for new, uses in phrase.edits.items()]
                row = [words, phrase.uses.to_json(), phrase.kept, edits]
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")

    @classmethod
    def read(cls, path: Path, longest: int) -> EditTable:
        """What `write` wrote."""
        phrases = {}
        with path.open(encoding="utf-8") as stream:
            for line in stream:
                words, uses, kept, edits = parse_json(line)
                changes = {tuple(new): Uses.of_json(values) for new, *values in edits}
                phrases[tuple(words)] = Phrase(Uses.of_json(uses), int(kept), changes)
        return cls(phrases, longest)


def _spans(line: Edited, longest: int) -> list[PhraseSpans]:
    spans = phrase_spans(line.links, len(line.output), longest, free_ends=True)
    return [each for each in spans if each[3] - each[2] <= longest]


def _is_safe(old: Words, new: Words, common: frozenset[str], lang: str) -> bool:
    """Whether a change keeps codes, numbers and names, and takes no word with a meaning away without another."""
    if old == new or guarded(old, lang) != guarded(new, lang) or sum(NUMBER in word for word in old) > 1:
        return False  # of two numbers nobody could tell which becomes which
    lost, gained = Counter(old) - Counter(new), Counter(new) - Counter(old)
    return bool(gained) or all(word in common for word in lost)


def sources_by_place(links: Sequence[Link], source: Words) -> dict[int, frozenset[str]]:
    """By place of the output, the words of the source that are linked to it."""
    words: defaultdict[int, set[str]] = defaultdict(set)
    for s, t in links:
        words[t].add(source[s])
    return {place: frozenset(each) for place, each in words.items()}
