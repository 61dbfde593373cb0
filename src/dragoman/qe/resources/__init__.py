"""What features look things up in: language models, n-gram counts, lexical tables."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TypeVar

from dragoman.errors import DataError
from dragoman.lm import LanguageModel
from dragoman.qe.resources.lexicon import LexicalTable
from dragoman.qe.resources.ngrams import NgramCounts, NgramRecipe

__all__ = ["LexicalTable", "NgramCounts", "NgramRecipe", "Resources", "present"]

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Resources:
    """The resources at hand. A feature names those it needs by the names of these fields."""

    source_lm: LanguageModel | None = None
    target_lm: LanguageModel | None = None
    ngrams: NgramCounts | None = None  # of the source side of the training corpus
    lexicon: LexicalTable | None = None  # p(target word | source word)

    def missing(self, needs: tuple[str, ...]) -> list[str]:
        """Which of the needed ones are not there."""
        known = [field.name for field in fields(self)]
        unknown = sorted(set(needs) - set(known))
        if unknown:
            raise DataError(f"No resource is called {unknown[0]!r}. Known: {', '.join(known)}.")
        return [name for name in needs if getattr(self, name) is None]


def present(resource: T | None, name: str) -> T:
    """The resource, which must be there."""
    if resource is None:
        raise DataError(f"A feature needs the resource {name}, which is not there.")
    return resource
