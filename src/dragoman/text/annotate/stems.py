"""Stems by the Snowball algorithms (Porter 2001)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.errors import NotAvailable, UnknownName
from dragoman.options import option
from dragoman.text.annotate.base import Need, TypeAnnotator
from dragoman.text.casing import lowercase
from dragoman.text.languages import base_language

__all__ = ["SnowballStems"]

_ALGORITHMS = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}


@dataclass(frozen=True)
class SnowballStems(TypeAnnotator[str]):
    """Stems of 36 languages by rules that cut endings: `houses` and `housing` become `hous`.

    Words are lower-cased first, since the algorithms are defined on small letters. Comes with Dragoman.
    """

    name: ClassVar[str] = "snowball"
    layers: ClassVar[tuple[str, ...]] = ("stem",)

    lang: str = option("en", positional=True, text="language of the text")
    algorithm: str = option(
        "", text="Snowball's name of the algorithm, such as `porter`; by default the language's own"
    )

    def __post_init__(self) -> None:
        if not self.algorithm and base_language(self.lang) not in _ALGORITHMS:
            raise UnknownName(f"Snowball has no stemmer for {self.lang!r}. It has: {', '.join(_ALGORITHMS)}.")

    def needs(self) -> list[Need]:
        """The package snowballstemmer, a dependency of Dragoman's."""
        return [Need.package("snowballstemmer")]

    def _annotate_types(self, words: Sequence[str]) -> list[str]:
        import snowballstemmer

        algorithm = self.algorithm or _ALGORITHMS[base_language(self.lang)]
        algorithms = snowballstemmer.algorithms()
        if algorithm not in algorithms and algorithm in _ALGORITHMS.values():
            raise NotAvailable(
                f"The {algorithm} stemmer needs a newer snowballstemmer. "
                "Install it with: pip install --upgrade snowballstemmer"
            )
        if algorithm not in algorithms:
            raise UnknownName(f"Snowball has no algorithm {algorithm!r}. It has: {', '.join(algorithms)}.")
        stemmed: list[str] = snowballstemmer.stemmer(algorithm).stemWords(lowercase(words, self.lang))
        return stemmed
