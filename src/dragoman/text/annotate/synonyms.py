"""Synonyms of words, from WordNet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.errors import NotAvailable
from dragoman.options import option
from dragoman.text.annotate.base import Need, TypeAnnotator
from dragoman.text.languages import parse_language
from dragoman.text.wordnet import open_synonyms, synonyms_install

__all__ = ["WordNetSynonyms"]


@dataclass(frozen=True)
class WordNetSynonyms(TypeAnnotator[tuple[str, ...]]):
    """Synonyms from WordNet, of whatever part of speech the word may be, by way of its base forms.

    `synonyms` are the other words of its sets; `synsets` the ids of the sets, so that two words are synonyms if they
    share one. English comes from WordNet's database files (Debian's `wordnet-base`, NLTK's data, `WNHOME`), other
    languages from a lexicon of the package `wn`.
    """

    name: ClassVar[str] = "wordnet"
    layers: ClassVar[tuple[str, ...]] = ("synonyms", "synsets")

    lang: str = option("en", positional=True, text="language of the text")
    give: str = option("synonyms", choices=("synonyms", "synsets"), text="the layer wanted")
    place: str | None = option(
        None, text="folder or zip of the database files, or folder of METEOR's; searched for by default"
    )

    def __post_init__(self) -> None:
        parse_language(self.lang)

    def needs(self) -> list[Need]:
        """A database, wherever it is."""
        return [Need(f"a WordNet for {self.lang!r}", synonyms_install(self.lang), self._is_there)]

    def _is_there(self) -> bool:
        try:
            open_synonyms(self.place, self.lang)
        except NotAvailable:
            return False
        return True

    def _annotate_types(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        source = open_synonyms(self.place, self.lang)
        look_up = source.synonyms if self.give == "synonyms" else source.synset_ids
        return [look_up(word) for word in words]
