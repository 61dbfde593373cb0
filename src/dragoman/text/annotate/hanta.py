"""Parts of speech and lemmas for English, German and Dutch by HanTa, the Hanover Tagger (Wartena, KONVENS 2019)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar
from unicodedata import category

from dragoman.errors import UnknownName
from dragoman.options import option
from dragoman.text.annotate.base import Annotator, Need, TokenLines
from dragoman.text.languages import base_language

__all__ = ["HantaTagger"]

_MODELS = {"de": "morphmodel_ger.pgz", "en": "morphmodel_en.pgz", "nl": "morphmodel_dutch.pgz"}

# HanTa's time grows with the cube of a word's length (16 s at 1000 letters), and no real word is longer than this.
_LONGEST = 50
_MOST_WORDS = 200_000  # whose tags are remembered
_ENDING = 20  # letters shown of a longer one

# The tag sets of its training corpora → Universal Dependencies. The longest prefix counts.
_UNIVERSAL = {
    # BNC's C5
    "en": {
        "AJ": "ADJ",
        "AT0": "DET",
        "AV": "ADV",
        "CJC": "CCONJ",
        "CJS": "SCONJ",
        "CJT": "SCONJ",
        "CRD": "NUM",
        "DPS": "PRON",
        "DT": "DET",
        "EX0": "PRON",
        "IN": "ADP",
        "ITJ": "INTJ",
        "NN": "NOUN",
        "NP0": "PROPN",
        "ORD": "ADJ",
        "PN": "PRON",
        "POS": "PART",
        "PR": "ADP",
        "PU": "PUNCT",
        "TO0": "PART",
        "VB": "AUX",
        "VD": "AUX",
        "VH": "AUX",
        "VM0": "AUX",
        "VV": "VERB",
        "XX0": "PART",
        "ZZ0": "NOUN",
    },
    # Stuttgart-Tübingen, with brackets
    "de": {
        "$": "PUNCT",
        "ADJ": "ADJ",
        "ADV": "ADV",
        "AP": "ADP",
        "ART": "DET",
        "CARD": "NUM",
        "ITJ": "INTJ",
        "KOKOM": "CCONJ",
        "KON": "CCONJ",
        "KOU": "SCONJ",
        "NE": "PROPN",
        "NN": "NOUN",
        "PDAT": "DET",
        "PDS": "PRON",
        "PIAT": "DET",
        "PIS": "PRON",
        "PPER": "PRON",
        "PPOSAT": "DET",
        "PPOSS": "PRON",
        "PREL": "PRON",
        "PRF": "PRON",
        "PROAV": "ADV",
        "PTKA": "PART",
        "PTKANT": "INTJ",
        "PTKNEG": "PART",
        "PTKVZ": "ADP",
        "PTKZU": "PART",
        "PWAT": "DET",
        "PWAV": "ADV",
        "PWS": "PRON",
        "TRUNC": "NOUN",
        "VA": "AUX",
        "VM": "AUX",
        "VV": "VERB",
    },
    # Corpus Gesproken Nederlands
    "nl": {
        "ADJ": "ADJ",
        "BW": "ADV",
        "LET": "PUNCT",
        "LID": "DET",
        "N(eigen": "PROPN",
        "N(soort": "NOUN",
        "SPEC(deeleigen": "PROPN",
        "SPEC(symb": "SYM",
        "TSW": "INTJ",
        "TW(hoofd": "NUM",
        "TW(rang": "ADJ",
        "VG(neven": "CCONJ",
        "VG(onder": "SCONJ",
        "VNW": "PRON",
        "VZ": "ADP",
        "WW": "VERB",
    },
}


@dataclass(frozen=True)
class HantaTagger(Annotator[str]):
    """Parts of speech and lemmas of English, German and Dutch, in context, by the Hanover Tagger.

    `pos` is the universal part of speech, `xpos` the tag of its training corpus (BNC C5, STTS, CGN). Auxiliaries are
    told by the word, not by its use: every form of *have* is `AUX`. The extra `pos` brings the package with its models.
    """

    name: ClassVar[str] = "hanta"
    layers: ClassVar[tuple[str, ...]] = ("pos", "xpos", "lemma")

    lang: str = option("en", positional=True, text="language of the text: en, de or nl")
    give: str = option("pos", choices=("pos", "xpos", "lemma"), text="the layer wanted")

    def __post_init__(self) -> None:
        if base_language(self.lang) not in _MODELS:
            raise UnknownName(f"HanTa has no model for {self.lang!r}. It has: {', '.join(_MODELS)}.")

    def needs(self) -> list[Need]:
        """The package HanTa."""
        return [Need.package("HanTa", extra="pos")]

    def fingerprint(self) -> str:
        """The package, which brings the models."""
        from importlib.metadata import version

        return f"{self.signature()} {version('HanTa')}"

    def _annotate(self, token_lines: TokenLines) -> list[list[str]]:
        language = base_language(self.lang)
        tagger = _tagger(language)
        if self.give == "lemma":
            return [self._lemmas(tokens, tagger.tag_sent(list(map(_shown, tokens)))) for tokens in token_lines]
        tagged = ((tokens, tagger.tag_sent(list(map(_shown, tokens)), taglevel=0)) for tokens in token_lines)
        if self.give == "xpos":
            return [list(tags) for _, tags in tagged]
        return [
            [_universal(language, tag, _is_punctuation(token)) for token, tag in zip(tokens, tags, strict=True)]
            for tokens, tags in tagged
        ]

    def _lemmas(self, tokens: Sequence[str], tagged: list[tuple[str, str, str]]) -> list[str]:
        return [lemma if len(token) <= _LONGEST else token for token, (_, lemma, _) in zip(tokens, tagged, strict=True)]


def _shown(token: str) -> str:
    return token if len(token) <= _LONGEST else token[-_ENDING:]


def _is_punctuation(token: str) -> bool:
    return not token[0].isalnum() and all(category(char).startswith("P") for char in token)


@lru_cache(maxsize=1024)
def _universal(language: str, tag: str, is_punctuation: bool) -> str:
    # The models know the marks of their corpora, which had no typographic quotes.
    if is_punctuation:
        return "PUNCT"
    table = _UNIVERSAL[language]
    return next((table[tag[:size]] for size in range(len(tag), 0, -1) if tag[:size] in table), "X")


@lru_cache(maxsize=3)
def _tagger(language: str) -> Any:
    from HanTa import HanoverTagger

    tagger = HanoverTagger.HanoverTagger(_MODELS[language])
    # What it makes of a word depends on the word alone, and takes most of its time: words are looked at once.
    tagger._tag_word = lru_cache(_MOST_WORDS)(tagger._tag_word)
    tagger._analyze = lru_cache(_MOST_WORDS)(tagger._analyze)
    return tagger
