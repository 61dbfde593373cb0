"""Lemmas by dictionary, through simplemma (Barbaresi)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.errors import UnknownName
from dragoman.options import option
from dragoman.text.annotate.base import Need, TypeAnnotator
from dragoman.text.languages import base_language

__all__ = ["SimplemmaLemmas"]

_LANGUAGES = (
    "ar",
    "ast",
    "bg",
    "ca",
    "cs",
    "cy",
    "da",
    "de",
    "el",
    "en",
    "enm",
    "eo",
    "es",
    "et",
    "fa",
    "fi",
    "fr",
    "ga",
    "gd",
    "gl",
    "grc",
    "gv",
    "hbs",
    "he",
    "hi",
    "hu",
    "hy",
    "id",
    "is",
    "it",
    "ka",
    "la",
    "lb",
    "lt",
    "lv",
    "mk",
    "ml",
    "ms",
    "nb",
    "nl",
    "nn",
    "pl",
    "pt",
    "ro",
    "ru",
    "se",
    "sk",
    "sl",
    "sq",
    "sv",
    "sw",
    "tl",
    "tr",
    "uk",
)
_UNDER_ANOTHER_NAME = {"bs": "hbs", "hr": "hbs", "no": "nb", "sr": "hbs"}


@dataclass(frozen=True)
class SimplemmaLemmas(TypeAnnotator[str]):
    """Lemmas of some 50 languages from simplemma's dictionaries, without regard to context: `were` becomes `be`.

    An unknown word is its own lemma. The extra `lemmas` brings the package with its dictionaries.
    """

    name: ClassVar[str] = "simplemma"
    layers: ClassVar[tuple[str, ...]] = ("lemma",)

    lang: str = option("en", positional=True, text="language of the text")
    greedy: bool = option(False, text="cut unknown words by rules, too: finds more lemmas, and more wrong ones")

    def __post_init__(self) -> None:
        if self._language not in _LANGUAGES:
            raise UnknownName(f"simplemma has no dictionary for {self.lang!r}. It has: {', '.join(_LANGUAGES)}.")

    def needs(self) -> list[Need]:
        """The package simplemma."""
        return [Need.package("simplemma", extra="lemmas")]

    def _annotate_types(self, words: Sequence[str]) -> list[str]:
        from simplemma import lemmatize

        return [lemmatize(word, lang=self._language, greedy=self.greedy) for word in words]

    @property
    def _language(self) -> str:
        base = base_language(self.lang)
        return _UNDER_ANOTHER_NAME.get(base, base)
