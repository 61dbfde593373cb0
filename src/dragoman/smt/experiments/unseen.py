"""Words of a text that another text does not have, by tokens and by types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dragoman.smt.preparation import TextSide
from dragoman.smt.recipe import EngineRecipe

__all__ = ["Unseen", "unseen_words", "word_counts"]


@dataclass(frozen=True)
class Unseen:
    """How many words of a text are not in another."""

    n_tokens: int
    n_types: int
    unseen_tokens: int
    unseen_types: int

    @property
    def tokens_percent(self) -> float:
        """Unseen running words of a hundred."""
        return 100 * self.unseen_tokens / self.n_tokens if self.n_tokens else 0.0

    @property
    def types_percent(self) -> float:
        """Unseen different words of a hundred."""
        return 100 * self.unseen_types / self.n_types if self.n_types else 0.0

    @classmethod
    def of(cls, words: Counter[str], seen: Counter[str]) -> Unseen:
        """The words of one text that another, counted too, has not."""
        absent = [word for word in words if word not in seen]
        return cls(words.total(), len(words), sum(words[word] for word in absent), len(absent))


def word_counts(lines: Iterable[str], lang: str, recipe: EngineRecipe, *, n_threads: int = 1) -> Counter[str]:
    """How often each word occurs in raw lines, tokenised as a recipe says, lower-cased."""
    tokenised = TextSide(lang, recipe.text).tokenise(list(lines), n_threads=n_threads)
    return Counter(word for line in tokenised for word in line.lower().split())


def unseen_words(srcs: Sequence[str], training: Iterable[str], recipe: EngineRecipe) -> Unseen:
    """Words of source text that training text does not have, whatever their case."""
    lang = recipe.source_lang
    return Unseen.of(word_counts(srcs, lang, recipe), word_counts(training, lang, recipe))
