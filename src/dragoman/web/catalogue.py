"""The texts of the interface, from the catalogues in `words/`: one TOML file per language, the same keys in each.

A text is `section.name`. Braces hold values (`{n}`); a text that depends on a number is a table of CLDR's plural
categories, chosen by the value `n`. Values that are text are isolated (Unicode's FSI and PDI), so that a right-to-left
name does not turn the sentence round.

What results say is in `words/sentences/`, by the pattern of the English sentence (`dragoman.report.Sentence`): rooms
know nothing of languages, and whatever is not in the catalogue stays English.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from dragoman.errors import UnknownName
from dragoman.report import Sentence
from dragoman.text.languages import text_direction

__all__ = ["LANGUAGES", "PLURALS", "Words", "choose_language", "words_in"]

_FOLDER = Path(__file__).parent / "words"

# The languages of the interface by their own names, in the order in which they are offered.
LANGUAGES = {"en": "English", "de": "Deutsch", "es": "Español", "ar": "العربية"}

Text = str | Mapping[str, str]


def _one_or_other(n: int) -> str:
    return "one" if n == 1 else "other"


def _arabic(n: int) -> str:
    if n in (0, 1, 2):
        return ("zero", "one", "two")[n]
    rest = n % 100
    return "few" if 3 <= rest <= 10 else "many" if rest >= 11 else "other"


# CLDR 45, cardinal rules for whole numbers. Spanish "many" is for whole millions, which nobody judges.
PLURALS: dict[str, Callable[[int], str]] = {
    "en": _one_or_other,
    "de": _one_or_other,
    "es": _one_or_other,
    "ar": _arabic,
}


@dataclass(frozen=True)
class Words:
    """The catalogue of one language; called with a key and values it gives the text."""

    lang: str
    texts: Mapping[str, Text]
    sentences: Mapping[str, str] = field(default_factory=dict)  # by their English patterns

    @property
    def dir(self) -> str:
        """Where lines begin: `ltr` or `rtl`."""
        return text_direction(self.lang)

    def __call__(self, key: str, **values: str | int | float) -> str:
        """The text of a key with its values filled in."""
        text = self.texts.get(key)
        if text is None:
            raise UnknownName(f"The interface has no text {key!r}; add it to every file in web/words.")
        if not isinstance(text, str):
            text = text.get(PLURALS[self.lang](int(values["n"])), text["other"])
        return re.sub(r"\{(\w+)\}", lambda found: _shown(values[found[1]]), text)

    def knows(self, text: str) -> bool:
        """Whether what a result says is told in this language."""
        return self.lang == "en" or _pattern(text) in self.sentences

    def told(self, text: str) -> str:
        """What a result says, in this language; in English where the catalogue does not have it."""
        pattern = self.sentences.get(_pattern(text))
        if pattern is None:
            return str(text)
        values = text.values if isinstance(text, Sentence) else {}
        return pattern.format(**{name: self._value(value) for name, value in values.items()})

    def _value(self, value: object) -> object:
        if isinstance(value, str):
            return self.told(value) if _pattern(value) in self.sentences else _shown(value)
        return value

    def section(self, *names: str) -> dict[str, Text]:
        """The texts of some sections, for the scripts of a page."""
        return {key: text for key, text in self.texts.items() if key.partition(".")[0] in names}


def _pattern(text: str) -> str:
    return text.pattern if isinstance(text, Sentence) else text


def _shown(value: str | int | float) -> str:
    return f"\u2068{value}\u2069" if isinstance(value, str) else str(value)


@cache
def words_in(lang: str) -> Words:
    """The catalogue of a language of the interface."""
    if lang not in LANGUAGES:
        raise UnknownName(f"The interface does not speak {lang!r}. Known: {', '.join(LANGUAGES)}.")
    sections = tomllib.loads((_FOLDER / f"{lang}.toml").read_text(encoding="utf-8"))
    texts = {f"{name}.{key}": text for name, section in sections.items() for key, text in section.items()}
    path = _FOLDER / "sentences" / f"{lang}.toml"  # English sentences need none
    words = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return Words(lang, texts, {pattern: text for section in words.values() for pattern, text in section.items()})


def choose_language(*wishes: str | None, accept: str = "") -> str:
    """The language of the interface: the first wish that we speak, else the best of `Accept-Language`, else English."""
    for wish in wishes:
        if wish in LANGUAGES:
            return wish
    ranked = []
    for place, part in enumerate(accept.split(",")[:50]):
        tag, _, weight = part.strip().partition(";q=")
        lang = tag.partition("-")[0].lower()
        quality = float(weight) if re.fullmatch(r"[01](\.\d{0,3})?", weight) else 0.0 if weight else 1.0
        if lang in LANGUAGES and quality > 0:
            ranked.append((-quality, place, lang))
    return min(ranked)[2] if ranked else "en"
