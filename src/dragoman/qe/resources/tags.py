"""What a tagged corpus tells of words and tags: which tags a word has, which runs of tags there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.data import check_parallel
from dragoman.options import Recipe, option
from dragoman.qe.resources.stored import StoredArtifact

__all__ = ["TagLexicon", "TagLexiconRecipe"]


@dataclass(frozen=True)
class TagLexiconRecipe(Recipe):
    """How to collect the tags that words have in a corpus."""

    least: float = option(0.05, low=0, high=1, text="share of a word's tokens that makes a tag one of its tags")

    def train(self, lines: Sequence[str], tag_lines: Sequence[str]) -> TagLexicon:
        """Count the tags of the words of tokenised lines, in small letters."""
        self.check()
        check_parallel({"lines": lines, "lines of tags": tag_lines})
        counts: dict[str, Counter[str]] = {}
        for line, tags in zip(lines, tag_lines, strict=True):
            for word, tag in zip(line.lower().split(), tags.split(), strict=True):
                counts.setdefault(word, Counter())[tag] += 1
        number = {}
        for word, tagged in counts.items():
            total = tagged.total()
            number[word] = sum(n >= self.least * total for n in tagged.values())
        return TagLexicon(self, number)


@dataclass(eq=False, repr=False)
class TagLexicon(StoredArtifact):
    """How many tags each word has."""

    kind: ClassVar[str] = "tag lexicon"
    format: ClassVar[int] = 2

    recipe: TagLexiconRecipe
    n_tags: dict[str, int]

    def __len__(self) -> int:
        """The number of words."""
        return len(self.n_tags)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of words."""
        return (len(self),)

    def of(self, word: str) -> int:
        """The number of tags of a word; 0 if it is not known."""
        return self.n_tags.get(word.lower(), 0)
