"""Features of the text alone that count tokens of a kind, and compare the two sides."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, SideTokens, means, most, shares
from dragoman.stats.arrays import Floats

__all__ = ["Balance", "Copied", "LastMark", "LengthRatio", "Matching", "Numbers", "Repeats", "TypeToken", "WordLength"]

_UU = "Hardmeier et al., WMT 2012, §3"
_WLV = "Felice & Specia, WMT 2012, §3"

_NUMBER = re.compile(r"[+-]?\d[\d.,:/]*")
_QUOTES = frozenset("\"'`´‘’‚“”„«»‹›「」『』")
_HYPHENS = frozenset("-‐‑‒–—―")
_ENDS = frozenset(".!?…。！？؟।:;")

# The patterns of Hardmeier et al. first, then single marks (Felice & Specia) and what Buck's indicators ask.
PATTERNS: dict[str, Callable[[str], bool]] = {
    "number": lambda word: _NUMBER.fullmatch(word) is not None,
    "open-bracket": lambda word: all(unicodedata.category(char) == "Ps" for char in word),
    "close-bracket": lambda word: all(unicodedata.category(char) == "Pe" for char in word),
    "strong": lambda word: word in {".", "!", "?", "¡", "¿", "。", "！", "？", "؟", "।"},
    "weak": lambda word: word in {",", ";", ":", "、", "，", "；", "：", "،", "؛"},
    "ellipsis": lambda word: word in {"…", "...", ".."},
    "hyphen": lambda word: any(char in _HYPHENS for char in word),
    "quote": lambda word: all(char in _QUOTES for char in word),
    "genitive": lambda word: word.lower() in {"'s", "’s", "s'", "s’"} or word.lower().endswith(("'s", "’s", "s'")),
    "short": lambda word: word.isalpha() and len(word) <= 3,
    "long": lambda word: word.isalpha() and len(word) >= 4,
    "comma": lambda word: word in {",", "，", "،", "、"},
    "period": lambda word: word in {".", "。", "।"},
    "colon": lambda word: word in {":", "："},
    "semicolon": lambda word: word in {";", "；", "؛"},
    "question": lambda word: word in {"?", "¿", "？", "؟"},
    "exclamation": lambda word: word in {"!", "¡", "！"},
    "capital": lambda word: word[:1].isupper(),
    "upper": lambda word: len(word) > 1 and word.isupper(),
    "non-letter": lambda word: not any(char.isalpha() for char in word),
    "letter": lambda word: any(char.isalpha() for char in word),
    "digit": lambda word: any(char.isdigit() for char in word),
    "punctuation": lambda word: all(unicodedata.category(char)[0] == "P" for char in word),
    "a-z": lambda word: word.isascii() and word.isalpha(),
    "not-a-z": lambda word: not (word.isascii() and word.isalpha()),
}


@dataclass(frozen=True)
class Matching(Feature):
    """Number of tokens of a kind in the source, in the translation, or how the two differ.

    `difference` is source less translation, `distance` its absolute value, `squared` its square, `ratio` source divided
    by translation. With `per=length` the number is divided by the length of the side, differences by that of the
    translation, with `per=source` by that of the source; with `per=any` it is 1 if there is one at all.
    """

    name: ClassVar[str] = "matching"
    paper: ClassVar[str] = f"{_UU}; {_WLV}; Buck, WMT 2012, §3.1; the 79 of QuEst"

    kind: str = option("number", choices=tuple(PATTERNS), text="which tokens")
    on: str = option(
        "source", choices=("source", "target", "difference", "distance", "squared", "ratio"), text="of which side"
    )
    per: str = option("", choices=("", "length", "source", "any"), text="divided by a length, or told as 0 and 1")

    def values(self, batch: Batch) -> Floats:
        """Tokens of the kind in each sentence."""
        sides = {side: batch.tokens(side, self.compat) for side in ("source", "target")}
        counts = {side: each.sums(each.by_word(PATTERNS[self.kind])) for side, each in sides.items()}
        if self.on in counts:
            number, length = counts[self.on], sides[self.on].lengths
        elif self.on == "ratio":
            number, length = shares(counts["source"], counts["target"]), sides["target"].lengths
        else:
            gap = counts["source"] - counts["target"]
            number = {"difference": gap, "distance": np.abs(gap), "squared": gap**2}[self.on]
            length = sides["target"].lengths
        if self.per == "any":
            return np.where(number != 0, 1.0, 0.0)
        if self.per == "source":
            length = sides["source"].lengths
        return shares(number, length) if self.per else number


@dataclass(frozen=True)
class LengthRatio(Feature):
    """Length of the source divided by that of the translation, or the other way about; 0 where one divides by nothing.

    `more` is 1 where the translation has more than three times as many words as the source, which is Hardmeier's flag;
    `distance` is the difference of both, whichever is longer, divided by the source.
    """

    name: ClassVar[str] = "length-ratio"
    paper: ClassVar[str] = f"{_UU}; {_WLV}"

    of: str = option("source", choices=("source", "target", "more", "distance"), text="which length is divided")
    unit: str = option("word", choices=("word", "character", "letter"), text="letter: words with a letter in them")

    def values(self, batch: Batch) -> Floats:
        """The ratio of each pair."""
        lengths = {side: self._length(batch.tokens(side, self.compat)) for side in ("source", "target")}
        if self.of == "more":
            return (lengths["target"] > 3 * lengths["source"]).astype(np.float64)
        if self.of == "distance":
            return shares(np.abs(lengths["source"] - lengths["target"]), lengths["source"])
        return shares(lengths[self.of], lengths["target" if self.of == "source" else "source"])

    def _length(self, tokens: SideTokens) -> Floats:
        if self.unit == "word":
            return tokens.lengths.astype(np.float64)
        return tokens.sums(tokens.by_word(len if self.unit == "character" else PATTERNS["letter"]))


@dataclass(frozen=True)
class TypeToken(Feature):
    """Different words against words, by one of the formulas of lexical richness; V types, N tokens, case ignored.

    `plain` V/N, `corrected` V/√2N, `log` ln V/ln N, `guiraud` V/√N, `uber` (ln N)²/(ln N − ln V), cut at 1000.
    """

    name: ClassVar[str] = "type-token"
    paper: ClassVar[str] = _WLV

    on: str = option("source", choices=("source", "target"), text="of which side")
    formula: str = option("plain", choices=("plain", "corrected", "log", "guiraud", "uber"), text="the formula")

    def values(self, batch: Batch) -> Floats:
        """The ratio of each sentence."""
        tokens = batch.tokens(self.on, self.compat)
        n = tokens.lengths.astype(np.float64)
        v = np.bincount(tokens.types(lowercase=True)[0], minlength=len(batch)).astype(np.float64)
        if self.formula == "plain":
            return shares(v, n)
        if self.formula in ("corrected", "guiraud"):
            return shares(v, np.sqrt(n * (2 if self.formula == "corrected" else 1)))
        log_n, log_v = np.log(np.maximum(n, 1)), np.log(np.maximum(v, 1))
        if self.formula == "log":
            return shares(log_v, log_n)
        return np.minimum(shares(log_n**2, np.maximum(log_n - log_v, 0)), 1000.0)


@dataclass(frozen=True)
class WordLength(Feature):
    """Characters of the tokens of a side: their mean, or the longest one's."""

    name: ClassVar[str] = "word-length"
    paper: ClassVar[str] = _WLV

    on: str = option("target", choices=("source", "target"), text="of which side")
    value: str = option("mean", choices=("mean", "most"), text="mean or longest")

    def values(self, batch: Batch) -> Floats:
        """Characters of each sentence's tokens."""
        tokens = batch.tokens(self.on, self.compat)
        lengths = tokens.by_word(len)
        if self.value == "mean":
            return shares(tokens.sums(lengths), tokens.lengths)
        return most(lengths[tokens.ids], tokens.sentence, len(batch))


@dataclass(frozen=True)
class Balance(Feature):
    """Brackets and double quotes of a side that have no partner."""

    name: ClassVar[str] = "unbalanced"
    paper: ClassVar[str] = f"{_WLV}; Langlois et al., WMT 2012, §3"

    on: str = option("target", choices=("source", "target"), text="of which side")
    kind: str = option("", choices=("", "bracket", "quote"), text="one kind alone")

    def values(self, batch: Batch) -> Floats:
        """Marks without a partner."""
        tokens = batch.tokens(self.on, self.compat)
        signs = tokens.by_word(lambda word: PATTERNS["open-bracket"](word) - PATTERNS["close-bracket"](word))
        single = {
            "bracket": np.abs(tokens.sums(signs)),
            "quote": tokens.sums(tokens.by_word(lambda word: word.count('"'))) % 2,
        }
        return single[self.kind] if self.kind else single["bracket"] + single["quote"]


@dataclass(frozen=True)
class LastMark(Feature):
    """1 if the translation ends with a mark that ends sentences; `same` compares its last token with the source's."""

    name: ClassVar[str] = "last-mark"
    paper: ClassVar[str] = "Langlois et al., WMT 2012, §3"

    same: bool = option(False, choices=(False, True), text="1 if both sides end with one, or both do not")

    def values(self, batch: Batch) -> Floats:
        """0 or 1."""
        ends = [
            np.array(
                [line.rstrip()[-1:] in _ENDS and bool(line.strip()) for line in batch.tokens(side).lines], dtype=bool
            )
            for side in ("source", "target")
        ]
        return (ends[0] == ends[1] if self.same else ends[1]).astype(np.float64)


@dataclass(frozen=True)
class Repeats(Feature):
    """Words of the translation that follow themselves, `the the`; the share of its words."""

    name: ClassVar[str] = "repeats"
    paper: ClassVar[str] = "Avramidis, WMT 2012, language checking"
    side: ClassVar[Literal["target"]] = "target"

    def values(self, batch: Batch) -> Floats:
        """Shares of repeated words."""
        tokens = batch.tokens("target", self.compat)
        twice = np.zeros(len(tokens.ids), dtype=np.float64)
        if len(tokens.ids) > 1:
            twice[1:] = (tokens.ids[1:] == tokens.ids[:-1]) & (tokens.sentence[1:] == tokens.sentence[:-1])
        return means(twice, tokens.sentence, len(batch))


@dataclass(frozen=True)
class Copied(Feature):
    """Share of the translation's words with letters that stand in the source as they are: untranslated words, names."""

    name: ClassVar[str] = "copied"
    paper: ClassVar[str] = "Mehdad et al., WMT 2012, §3 (out-of-vocabulary terms)"

    def values(self, batch: Batch) -> Floats:
        """Shares of copied words."""
        return _shared(batch, "target", "source", "letter", str, self.compat, empty=0.0)


@dataclass(frozen=True)
class Numbers(Feature):
    """Share of the numbers of one side that stand in the other, in digits of any script; 1 where there is none."""

    name: ClassVar[str] = "numbers-kept"
    paper: ClassVar[str] = "Graham et al., SemEval 2013, feature A2"

    on: str = option("source", choices=("source", "target"), text="whose numbers are looked for")

    def values(self, batch: Batch) -> Floats:
        """Shares of numbers."""
        other = "target" if self.on == "source" else "source"
        return _shared(batch, self.on, other, "digit", _in_ascii_digits, self.compat, empty=1.0)


def _shared(
    batch: Batch, side: str, other: str, kind: str, spelt: Callable[[str], str], compat: str, *, empty: float
) -> Floats:
    """The share of a side's tokens of a kind that stand in the other side, both spelt in one way."""
    parts = np.full(len(batch), empty)
    pairs = zip(batch.tokens(side, compat).lines, batch.tokens(other, compat).lines, strict=True)
    for number, (line, across) in enumerate(pairs):
        wanted = [spelt(word) for word in line.split() if PATTERNS[kind](word)]
        if wanted:
            there = set(map(spelt, across.split()))
            parts[number] = sum(word in there for word in wanted) / len(wanted)
    return parts


def _in_ascii_digits(word: str) -> str:
    """Arabic, Devanagari, full-width … digits as 0 to 9."""
    return word if word.isascii() else "".join(str(unicodedata.decimal(char, char)) for char in word)
