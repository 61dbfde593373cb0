"""Words at four levels: as they stand, as lemmas, as stems, and with what is named or counted replaced by its kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from dragoman.errors import ModelError, UnknownName
from dragoman.notation import whole_number
from dragoman.text.annotate.base import TypeAnnotator
from dragoman.text.annotate.lemmas import SimplemmaLemmas
from dragoman.text.annotate.stems import SnowballStems

__all__ = ["LEVELS", "Lines", "Named", "Names", "Units", "check_units", "collapsed", "level_lines", "units_of"]

LEVELS = ("token", "lemma", "stem", "semantic")
Units = dict[str, str]  # level → what makes its units: "simplemma:de", "lowercase", …

_STEM_LETTERS = 5  # that are left of a word where no stemmer is known
_NUMERIC = re.compile(r"[+−-]?\d+([.,:]\d+)*%?")
_DATE = re.compile(r"\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](\d{4}|\d{2})")
# What annotated text calls the kinds of names (CoNLL 2002 and 2003, OntoNotes, and others).
_CALLED = {
    **dict.fromkeys(("PER", "PERS", "PERSON"), "person"),
    **dict.fromkeys(("LOC", "LOCATION", "GPE", "PLACE"), "location"),
    **dict.fromkeys(("ORG", "ORGANIZATION", "ORGANISATION"), "organisation"),
}
_MAKERS = {
    "token": ("",),
    "lemma": ("simplemma", "lowercase"),
    "stem": ("snowball", "letters"),
    "semantic": ("names", "numbers"),
}


class Named(Protocol):
    """A name: the words [start, end), and its kind."""

    @property
    def start(self) -> int:
        """Its first word."""

    @property
    def end(self) -> int:
        """The word behind it."""

    @property
    def kind(self) -> str:
        """As the tagger calls it."""


class Names(Protocol):
    """A tagger of names."""

    def tag(self, token_lines: Sequence[Sequence[str]], *, n_threads: int = 1) -> Sequence[Sequence[Named]]:
        """The names of each line."""


@dataclass(frozen=True)
class Lines:
    """Sentences in the units of a level, and the unit of each word where these are not one to one."""

    tokens: list[list[str]]
    places: list[list[int]] | None = None


def units_of(language: str, has_names: bool) -> Units:
    """What makes the units of a side: annotators of its language, and plain rules where there are none."""
    return {
        "token": "",
        "lemma": f"simplemma:{language}" if _has(SimplemmaLemmas, language) else "lowercase",
        "stem": f"snowball:{language}" if _has(SnowballStems, language) else f"letters:{_STEM_LETTERS}",
        "semantic": "names" if has_names else "numbers",
    }


def check_units(units: Units) -> None:
    """Raise `ModelError` unless each level has what makes its units, with the letters of a stem as a number."""
    for level in LEVELS:
        maker, _, value = units.get(level, "?").partition(":")
        if maker not in _MAKERS[level] or (maker == "letters" and whole_number(value) is None):
            raise ModelError(f"{units.get(level)!r} makes no units of the level {level}. Build it again.")


def level_lines(lines: Sequence[Sequence[str]], level: str, units: Units, names: Names | None) -> Lines:
    """Tokenised sentences at a level."""
    if level == "token":
        return Lines([list(line) for line in lines])
    maker, _, value = units[level].partition(":")
    if maker == "lowercase":
        return Lines([[word.lower() for word in line] for line in lines])
    if maker == "letters":
        return Lines([[word.lower()[: int(value)] for word in line] for line in lines])
    if level in ("lemma", "stem"):
        annotator: TypeAnnotator[str] = SimplemmaLemmas(value) if maker == "simplemma" else SnowballStems(value)
        # An annotator may have nothing to say of a word, which then stands for itself.
        return Lines(
            [
                [unit or word for unit, word in zip(own, line, strict=True)]
                for own, line in zip(annotator.annotate([list(line) for line in lines]), lines, strict=True)
            ]
        )
    labels = _labels(lines, names if maker == "names" else None)
    pairs = [collapsed(line, own) for line, own in zip(lines, labels, strict=True)]
    return Lines([tokens for tokens, _ in pairs], [places for _, places in pairs])


def collapsed(line: Sequence[str], labels: Sequence[str]) -> tuple[list[str], list[int]]:
    """A sentence whose labelled words are replaced, a run of one label by one token; and the unit of each word."""
    tokens: list[str] = []
    places = []
    before = ""
    for word, label in zip(line, labels, strict=True):
        if not label or label != before:
            tokens.append(f"<{label}>" if label else word)
        places.append(len(tokens) - 1)
        before = label
    return tokens, places


def _labels(lines: Sequence[Sequence[str]], names: Names | None) -> list[list[str]]:
    """What each word is: a name's kind, a date, a number, or nothing of these."""
    labels = [["date" if _DATE.fullmatch(w) else "numeric" if _NUMERIC.fullmatch(w) else "" for w in x] for x in lines]
    if names is not None:
        for own, line in zip(labels, names.tag([list(line) for line in lines]), strict=True):
            for name in line:
                kind = _CALLED.get(name.kind.upper())
                if kind is not None:
                    own[name.start : name.end] = [kind] * (name.end - name.start)
    return labels


def _has(kind: type[SimplemmaLemmas] | type[SnowballStems], language: str) -> bool:
    if not language:
        return False
    try:
        return all(need.available() for need in kind(language).needs())
    except UnknownName:
        return False
