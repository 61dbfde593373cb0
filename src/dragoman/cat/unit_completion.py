"""Completion with units: what is not language in a source is offered as it is, and read as one word when typed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dragoman.cat.protection import Part, Passage, protected
from dragoman.cat.translating import HeardUnit, masked_units
from dragoman.engines import Completes, Completion
from dragoman.engines.roles import Completer

__all__ = ["PassageCompleter", "UnitCompleter", "completer_of"]

_LONG = 4  # letters of an address that are no longer taken for the beginning of a word


def completer_of(engine: Completes, source: str) -> Completer:
    """What completes translations of a source, in which placeholders, addresses, code and line breaks are units."""
    passage = protected(source, ())
    if len(passage.parts) == 1 and len(passage.codes) == passage.n_own:
        return engine.completer(source)
    parts = [(part, _part_completer(engine, passage, part) if part.has_words else None) for part in passage.parts]
    (_, first), *others = parts
    return PassageCompleter(source, passage, parts) if others or first is None else first


def _part_completer(engine: Completes, passage: Passage, part: Part) -> Completer:
    masked, units = masked_units(passage, part)
    completer = engine.completer(masked)
    return UnitCompleter(completer, passage.written(part.text), units) if units else completer


@dataclass
class PassageCompleter:
    """Completers of the texts between walls, as line breaks after sentences, which are offered as they are."""

    source: str
    passage: Passage
    parts: Sequence[tuple[Part, Completer | None]]  # None: there is nothing to translate

    def complete(self, prefix: str, suffix: str = "", *, n: int = 1, confidence: bool = False) -> list[Completion]:
        """Ways on from a prefix to the end of its part, as the engine gives them, then the best of those behind it."""
        number, begin = self._place(prefix)
        wall, typed = self._wall(number), prefix[begin:]
        if begun := next((size for size in range(len(wall), 0, -1) if typed.endswith(wall[:size])), 0):
            ways = [_literal("")]
        else:
            cut = suffix.find(wall.strip(" ")) if wall else -1
            ways = self._ways(number, typed, suffix if cut < 0 else suffix[:cut], n, confidence)
        if suffix:
            return ways
        rest = [_literal(wall[begun:])] if wall[begun:] else []
        for place in range(number + 1, len(self.parts)):
            rest += [*self._ways(place, "", "", 1, confidence)[:1], _literal(self._wall(place))]
        return [_joined([way, *rest]) for way in ways]

    def _ways(self, number: int, prefix: str, suffix: str, n: int, confidence: bool) -> list[Completion]:
        part, completer = self.parts[number]
        if completer is not None:
            return completer.complete(prefix, suffix, n=n, confidence=confidence)
        text = self.passage.written(part.text)
        return [_literal(text[len(prefix) :] if text.startswith(prefix) else "")]

    def _wall(self, number: int) -> str:
        return self.passage.written(self.parts[number][0].wall)

    def _place(self, prefix: str) -> tuple[int, int]:
        """The part that a prefix has come to, and where in the prefix that begins."""
        begin = 0
        for number in range(len(self.parts) - 1):
            wall = self._wall(number)
            if (place := prefix.find(wall, begin)) < 0:
                return number, begin
            begin = place + len(wall)
        return len(self.parts) - 1, begin


def _literal(text: str) -> Completion:
    tokens = tuple(text.split())
    return Completion(text, tokens, 0.0, 0, (1.0,) * len(tokens))


def _joined(pieces: Sequence[Completion]) -> Completion:
    tokens = [each.tokens for each in pieces]
    sure = [each.word_confidence for each in pieces]
    return replace(
        pieces[0],
        text="".join(each.text for each in pieces),
        tokens=None if None in tokens else tuple(token for some in tokens for token in some or ()),
        word_confidence=None if None in sure else tuple(value for some in sure for value in some or ()),
    )


@dataclass
class UnitCompleter:
    """A completer that has unknown words in the place of units: what it says and hears has the units."""

    completer: Completer
    source: str
    units: Mapping[str, HeardUnit]  # by the words that stand for them

    def complete(self, prefix: str, suffix: str = "", *, n: int = 1, confidence: bool = False) -> list[Completion]:
        """Ways on from a prefix, as the engine gives them; a unit that was begun is finished first."""
        begun, word = self._begun(prefix)
        typed = self._heard(prefix[: len(prefix) - len(begun)])
        if word:
            typed = f"{typed.rstrip(' ') if self.units[word].touches_before else typed}{self.units[word].heard(word)}"
        said = self.completer.complete(typed, self._heard(suffix), n=n, confidence=confidence)
        return [self._told(each, word, self.units[word].text[len(begun) :] if word else "") for each in said]

    def _begun(self, prefix: str) -> tuple[str, str]:
        """The letters of a unit at the end of what was typed, and the word for it; empty if there are none."""
        for word, unit in self.units.items():
            text = unit.text
            if prefix.count(text) >= self.source.count(text):
                continue  # all of them were typed
            for size in range(min(len(text) - 1, len(prefix)), 0, -1):
                if prefix.endswith(text[:size]) and (size >= _LONG or not text[0].isalnum()):
                    return text[:size], word
        return "", ""

    def _heard(self, text: str) -> str:
        for word, unit in sorted(self.units.items(), key=lambda each: -len(each[1].text)):
            text = text.replace(unit.text, unit.heard(word))
        return text

    def _told(self, completion: Completion, word: str, rest: str) -> Completion:
        tokens = completion.tokens
        sure = completion.word_confidence
        if word and tokens and tokens[0].casefold() == word.casefold():  # the last word of a prefix is told once more
            tokens, sure = tokens[1:], None if sure is None else sure[1:]
        if rest:
            tokens = None if tokens is None else (rest, *tokens)
            sure = None if sure is None else (1.0, *sure)
        if tokens is not None:
            tokens = tuple(map(self._with_units, tokens))
            sure = None if sure is None else tuple(value for value, token in zip(sure, tokens, strict=True) if token)
            tokens = tuple(filter(None, tokens))
        text = rest + self._with_units(completion.text)
        return replace(completion, text=text, tokens=tokens, word_confidence=sure)

    def _with_units(self, text: str) -> str:
        for word, unit in self.units.items():
            pattern = unit.pattern.format(word)
            text = re.sub(pattern, lambda _, own=unit.text: own, text, flags=re.IGNORECASE)  # type: ignore[misc]
        # What a net made of such a word (`XQ 12`, `XQXQ`) is nothing that anybody said.
        stem = next(iter(self.units)).rstrip("0123456789")
        return re.sub(rf"(?:{stem})+(?: ?\d+)?(?!\w) ?", "", text, flags=re.IGNORECASE)
