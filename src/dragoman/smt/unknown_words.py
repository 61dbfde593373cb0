"""What an engine tries for words that it has no translation of, as its recipe says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from dragoman.smt.morphology import EndingTransfer
from dragoman.smt.phrase_table import PhraseTable
from dragoman.text.french import without_accents
from dragoman.text.vocabulary import Vocabulary

__all__ = ["UnknownWordRules", "cognate", "ending_transfer", "single_translation"]


def cognate(word: str) -> tuple[str, ...]:
    """The word without accents, unless it has a capital, as names have, or no accents (CMU-Avenue, WMT 2012)."""
    plain = without_accents(word)
    return (plain,) if plain != word and word == word.lower() else ()


class UnknownWordRules:
    """Asks one rule after the other; the first that knows something is believed."""

    def __init__(self, *rules: Callable[[str], Sequence[str]]) -> None:
        self._rules = rules

    def __call__(self, word: str) -> Sequence[str]:
        """Translations to try."""
        return next((found for rule in self._rules if (found := rule(word))), ())


def ending_transfer(table: PhraseTable, target: Vocabulary, least: int) -> EndingTransfer:
    """The transfer of endings by a phrase table's words."""
    translation = partial(single_translation, table)
    return EndingTransfer(table.source.words(), translation, lambda word: target.get(word) is not None, least)


def single_translation(table: PhraseTable, word: str) -> str | None:
    """The best translation of a word in a phrase table, if that is one word."""
    pairs = table.translations(word)
    return pairs[0].target if pairs and " " not in pairs[0].target else None
