"""Text on its way into an engine and out of it: normalised, tokenised, in true case, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dragoman.options import Recipe, option
from dragoman.smt.number_tags import shown, tagged
from dragoman.smt.related_words import CAPITALS, RelatedWords
from dragoman.smt.splitting import NO_SPLITTER, Splitter
from dragoman.text import MosesDetokeniser, MosesTokeniser, PunctuationNormaliser, Truecaser
from dragoman.text.french import join_french, split_french
from dragoman.text.languages import base_language
from dragoman.text.numbers import join_numbers

__all__ = ["Preparation", "TextSide"]


@dataclass(frozen=True)
class Preparation(Recipe):
    """How raw text becomes what an engine is trained on."""

    normalise: bool = option(False, choices=(False, True), text="bring quotes, dashes and spaces to one ASCII form")
    dashes: bool = option(False, choices=(False, True), text="cut words at hyphens: foo @-@ bar")
    whole: tuple[str, ...] = option(
        ("url", "email", "tag", "entity", "placeholder"),
        text="what stays one token, as it is: patterns with a name, or re: and a regular expression",
    )
    truecase: bool = option(True, choices=(False, True), text="sentence starts lose their accidental capital")
    related: bool = option(
        True, choices=(False, True), text="read an unknown word as known ones: other ending, parts of a compound"
    )
    capitals: str = option(
        "stay",
        choices=CAPITALS,
        text="related: an unknown word with a capital, which may be a name, stays, is read by its parts, or as others",
    )
    french: bool = option(
        False,
        choices=(False, True),
        text="French: cut subjects off behind verbs, keep aujourd'hui whole, decimal points",
    )
    numbers: bool = option(
        False,
        choices=(False, True),
        text="one word for all numbers above 31 in the models; in the output their values, as its language writes them",
    )
    endings: int = option(
        0, low=0, text="translate unknown forms of known words by endings that changed together so often; 0: not"
    )
    cognates: bool = option(False, choices=(False, True), text="unknown words without capitals lose their accents")

    def by_step(self) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """What tokenising is told, what casing, and what only translating asks for."""
        tokens = {name: getattr(self, name) for name in ("normalise", "dashes", "whole")}
        tokens |= {name: True for name in ("french", "numbers") if getattr(self, name)}  # work of before stays good
        reading = {name: value for name in ("endings", "cognates") if (value := getattr(self, name))}
        return tokens, {"truecase": self.truecase}, {"related": self.related, "capitals": self.capitals, **reading}


@dataclass(frozen=True, eq=False)
class TextSide:
    """One language of an engine: what is done to its raw text. Nothing is escaped: markup is text like any other."""

    lang: str
    recipe: Preparation
    truecaser: Truecaser | None = None
    related: RelatedWords | None = None
    splitter: Splitter = NO_SPLITTER

    def tokenise(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Raw lines, normalised and tokenised, in the case they have."""
        if self.recipe.normalise:
            lines = PunctuationNormaliser(lang=self.lang).normalise(lines, n_threads=n_threads)
        tokeniser = MosesTokeniser(
            lang=self.lang, escape=False, aggressive_dash_splits=self.recipe.dashes, protected=self.recipe.whole
        )
        tokenised = tokeniser.tokenise(lines, n_threads=n_threads)
        if self.recipe.numbers:
            tokenised = [join_numbers(line, self.lang) for line in tokenised]
        return list(map(split_french, tokenised)) if self._has_french_rules else tokenised

    @property
    def _has_french_rules(self) -> bool:
        return self.recipe.french and base_language(self.lang) == "fr"

    def generalised(self, token_lines: list[str]) -> list[str]:
        """Lines of tokens as models are trained on them: with one word for all numbers, if the recipe says so."""
        return [tagged(line, self.lang) for line in token_lines] if self.recipe.numbers else token_lines

    def cased(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Raw lines as tokens separated by single spaces, in true case, in the pieces that models are trained on."""
        tokenised = self.tokenise(lines, n_threads=n_threads)
        cased = self.truecaser.apply(tokenised, n_threads=n_threads) if self.truecaser else tokenised
        return self.splitter.cut(cased) if self.splitter else cased

    def trained(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Raw lines as training sees them: the same, generalised."""
        return self.generalised(self.cased(lines, n_threads=n_threads))

    def prepare(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Raw lines as the engine reads them: the same, with known words in the place of related unknown ones."""
        return self.prepared(lines, n_threads=n_threads)[0]

    def prepared(self, lines: Sequence[str], *, n_threads: int = 1) -> tuple[list[str], list[frozenset[int]]]:
        """Raw lines as the engine reads them, and the places of words that are but guesses at what stands there."""
        if not self.related:
            cased = self.cased(lines, n_threads=n_threads)
            return cased, [frozenset()] * len(cased)
        tokenised = self.tokenise(lines, n_threads=n_threads)
        cased = self.truecaser.apply(tokenised, n_threads=n_threads) if self.truecaser else tokenised
        cased = list(map(self.related.with_capitals, tokenised, cased))
        cased = self.splitter.cut(cased) if self.splitter else cased
        return list(map(self.related.rewrite, cased)), list(map(self.related.guesses, cased))

    def restore(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Tokenised lines as text for people: whole words, with capitals at sentence starts, detokenised."""
        if self.splitter:
            lines = self.splitter.join(lines)
        if self.truecaser:
            lines = self.truecaser.undo(lines, n_threads=n_threads)
        if self._has_french_rules:
            lines = list(map(join_french, lines))
        if self.recipe.numbers:
            lines = list(map(shown, lines))
        return MosesDetokeniser(lang=self.lang, unescape=False).detokenise(lines, n_threads=n_threads)
