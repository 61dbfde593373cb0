"""Interactive prediction for one segment: what a translator's caret sees to its right, whatever the engine.

The text left of the caret is the prefix and is never changed; what stands right of it and was confirmed is the suffix.
After CASMACAT (Alabau et al., EACL 2014): alternatives, rejection of what is shown, rules of search and replace, and a
prediction that ends before the first word believed to be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from dragoman.engines import Completion
from dragoman.engines.roles import Completer
from dragoman.errors import DataError

__all__ = ["Prediction", "Predictor", "ReplacementRule"]

_WORD = re.compile(r"\s*\S+\s?")


@dataclass(frozen=True)
class ReplacementRule:
    """What a prediction should say otherwise, where the source matches, too."""

    target: str
    replacement: str
    source: str = ""  # empty: whatever the source
    match_case: bool = False
    is_regex: bool = False

    def __post_init__(self) -> None:
        if not self.target:
            raise DataError("A rule of search and replace needs what it searches for.")
        for name in ("source", "target"):
            try:
                self._pattern(getattr(self, name))
            except re.error as error:
                raise DataError(f"The {name} of the rule is no regular expression: {error}.") from None

    def apply(self, source: str, text: str) -> str:
        """The text as the rule wants it."""
        if self.source and not self._pattern(self.source).search(source):
            return text
        replacement = self.replacement if self.is_regex else self.replacement.replace("\\", r"\\")
        try:
            return self._pattern(self.target).sub(replacement, text)
        except (re.error, IndexError) as error:
            raise DataError(f"The replacement {self.replacement!r} does not fit its rule: {error}.") from None

    def _pattern(self, text: str) -> re.Pattern[str]:
        return re.compile(text if self.is_regex else re.escape(text), 0 if self.match_case else re.IGNORECASE)


@dataclass(frozen=True)
class Prediction:
    """What may stand right of the caret: `prefix + text + suffix` is the translation."""

    text: str
    words: tuple[tuple[int, int, float | None], ...] = ()  # begin, end and confidence of each word of `text`
    edits: int | None = None  # words of the prefix that the engine would have said otherwise

    def until_doubt(self, least: float) -> Prediction:
        """The prediction up to the first word whose confidence is below `least`."""
        for place, (begin, _, confidence) in enumerate(self.words):
            if confidence is not None and confidence < least:
                return replace(self, text=self.text[:begin].rstrip(), words=self.words[:place])
        return self


@dataclass
class Predictor:
    """Predicts for one open segment. It remembers what was rejected, by the prefix at which it was."""

    completer: Completer
    rules: Sequence[ReplacementRule] = ()
    _rejected: dict[tuple[str, str], set[str]] = field(default_factory=dict)

    def predict(self, prefix: str, suffix: str = "", *, n: int = 1, confidence: bool = False) -> list[Prediction]:
        """Up to `n` predictions, best first, that begin with different words; what was rejected here is not among them.

        One that was rejected is not made again until the prefix changes; there may be none left.
        """
        rejected = self._rejected.get((prefix, suffix), set())
        completions = self.completer.complete(prefix, suffix, n=n + len(rejected), confidence=confidence)
        predictions = [self._prediction(each) for each in completions]
        return [each for each in predictions if _first_word(each.text) not in rejected][:n]

    def reject(self, prefix: str, shown: str, suffix: str = "") -> list[Prediction]:
        """The best prediction that begins otherwise than the one `shown`, and than all rejected before; none if so."""
        self._rejected.setdefault((prefix, suffix), set()).add(_first_word(shown))
        return self.predict(prefix, suffix)

    def word(self, before: str, letters: str, behind: str = "", *, n: int = 1) -> list[str]:
        """The word under the caret from its first letters, with context on both sides (the setting of WLAC)."""
        gap = "" if not before or before[-1].isspace() else " "
        words: dict[str, None] = {}
        for each in self.completer.complete(before + gap + letters, behind, n=n):
            rest = re.match(r"\S*", each.text)
            words[letters + (rest.group() if rest else "")] = None
        return [word for word in words if word]

    def _prediction(self, completion: Completion) -> Prediction:
        text = completion.text
        for rule in self.rules:
            text = rule.apply(self.completer.source, text)
        spans = _spans(text, completion.tokens or (), completion.word_confidence)
        return Prediction(text, spans, completion.edits)


def _first_word(text: str) -> str:
    return _WORD.match(text).group().strip() if text.strip() else ""  # type: ignore[union-attr]  # there is one


def _spans(
    text: str, tokens: Sequence[str], confidence: Sequence[float] | None
) -> tuple[tuple[int, int, float | None], ...]:
    """Where the engine's tokens stand in the text; words between spaces where the text does not spell them."""
    spans: list[tuple[int, int, float | None]] = []
    place = 0
    for number, token in enumerate(tokens):
        begin = text.find(token, place) if number else max(text.find(token), 0)
        end = begin + len(token)
        if number == 0 and text[begin:end] != token:  # its first letters were typed already
            begin, end = 0, len(re.match(r"\S*", text).group())  # type: ignore[union-attr]  # it may be empty
        if begin < 0 or text[place:begin].strip():
            return tuple((m.start(), m.end(), None) for m in re.finditer(r"\S+", text))
        if end > begin:  # of a word that was typed whole, nothing stands here
            spans.append((begin, end, None if confidence is None else confidence[number]))
        place = end
    return tuple(spans)
