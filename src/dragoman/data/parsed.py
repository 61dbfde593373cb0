"""Annotated text: sentences whose words have lemmas, parts of speech, heads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dragoman.text.conllu import Sentence

__all__ = ["ParsedText"]


@dataclass(frozen=True)
class ParsedText:
    """Annotated sentences in order; those of a file are read when iterated."""

    items: Iterable[Sentence]

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.items)
