"""Text on its way into an engine and out of it: normalised, tokenised, in true case, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.options import Recipe, option
from dragoman.smt.related_words import RelatedWords
from dragoman.text import MosesDetokeniser, MosesTokeniser, PunctuationNormaliser, Truecaser

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


@dataclass(frozen=True, eq=False)
class TextSide:
    """One language of an engine: what is done to its raw text. Nothing is escaped: markup is text like any other."""

    lang: str
    recipe: Preparation
    truecaser: Truecaser | None = None
    related: RelatedWords | None = None

    def tokenise(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Raw lines, normalised and tokenised, in the case they have."""
        if self.recipe.normalise:
            lines = PunctuationNormaliser(lang=self.lang).normalise(lines, n_threads=n_threads)
        tokeniser = MosesTokeniser(
            lang=self.lang, escape=False, aggressive_dash_splits=self.recipe.dashes, protected=self.recipe.whole
        )
        return tokeniser.tokenise(lines, n_threads=n_threads)

    def cased(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Raw lines as training sees them: tokens separated by single spaces, in true case."""
        tokenised = self.tokenise(lines, n_threads=n_threads)
        return self.truecaser.apply(tokenised, n_threads=n_threads) if self.truecaser else tokenised

    def prepare(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Raw lines as the engine reads them: the same, with known words in the place of related unknown ones."""
        cased = self.cased(lines, n_threads=n_threads)
        return list(map(self.related.rewrite, cased)) if self.related else cased

    def restore(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Tokenised lines as text for people: with capitals at sentence starts, detokenised."""
        if self.truecaser:
            lines = self.truecaser.undo(lines, n_threads=n_threads)
        return MosesDetokeniser(lang=self.lang, unescape=False).detokenise(lines, n_threads=n_threads)
