"""Completion with units: what is not language in a source is offered as it is, and read as one word when typed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from dragoman.cat.translating import masked_units
from dragoman.engines import Completes, Completion
from dragoman.engines.roles import Completer

__all__ = ["UnitCompleter", "completer_of"]

_LONG = 4  # letters of an address that are no longer taken for the beginning of a word


def completer_of(engine: Completes, source: str) -> Completer:
    """What completes translations of a source, in which placeholders, addresses and code are units."""
    masked, words = masked_units(source)
    completer = engine.completer(masked)
    return UnitCompleter(completer, source, words) if words else completer


@dataclass
class UnitCompleter:
    """A completer that has unknown words in the place of units: what it says and hears has the units."""

    completer: Completer
    source: str
    words: Mapping[str, str]  # the unit that each of the words stands for

    def complete(self, prefix: str, suffix: str = "", *, n: int = 1, confidence: bool = False) -> list[Completion]:
        """Ways on from a prefix, as the engine gives them; a unit that was begun is finished first."""
        begun, word = self._begun(prefix)
        typed = self._heard(prefix[: len(prefix) - len(begun)]) + word
        said = self.completer.complete(typed, self._heard(suffix), n=n, confidence=confidence)
        return [self._told(each, self.words[word][len(begun) :] if word else "") for each in said]

    def _begun(self, prefix: str) -> tuple[str, str]:
        """The letters of a unit at the end of what was typed, and the word for it; empty if there are none."""
        for word, unit in self.words.items():
            for size in range(min(len(unit) - 1, len(prefix)), 0, -1):
                if prefix.endswith(unit[:size]) and (size >= _LONG or not unit[0].isalnum()):
                    return unit[:size], word
        return "", ""

    def _heard(self, text: str) -> str:
        for word, unit in sorted(self.words.items(), key=lambda each: -len(each[1])):
            text = text.replace(unit, word)
        return text

    def _told(self, completion: Completion, rest: str) -> Completion:
        tokens = completion.tokens
        sure = completion.word_confidence
        if rest:
            tokens = None if tokens is None else (rest, *tokens)
            sure = None if sure is None else (1.0, *sure)
        return replace(
            completion,
            text=rest + self._with_units(completion.text),
            tokens=None if tokens is None else tuple(map(self._with_units, tokens)),
            word_confidence=sure,
        )

    def _with_units(self, text: str) -> str:
        for word, unit in self.words.items():
            text = re.sub(rf"{word}(?!\d)", lambda _, unit=unit: unit, text, flags=re.IGNORECASE)  # type: ignore[misc]
        return text
