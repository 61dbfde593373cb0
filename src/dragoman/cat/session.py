"""A session of interactive prediction: the calls of CASMACAT's CAT server (Alabau et al., EACL 2014), not its network.

The names of calls and of what they answer are that server's. Places count characters; what is right of the caret is
the engine's to say, but for `fillHole`, which keeps what stands behind the hole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dragoman._core import edit
from dragoman.cat.memory.tokens import tokens
from dragoman.cat.prediction import Prediction, Predictor, ReplacementRule
from dragoman.cat.segments import plain
from dragoman.cat.unit_completion import completer_of
from dragoman.cat.word_links import spans_in, word_alignment
from dragoman.engines import Completes, Request, Role, Translates, capabilities, need
from dragoman.engines.results import GUESS, Candidate
from dragoman.errors import DataError

__all__ = ["CALLS", "PredictionSession"]

_DOUBT = 0.4  # confidence below which a word is doubted: predictions are shown up to the first of these
_MOST = 10  # predictions of one call
_N_BEST = 50  # translations from which the confidence of a text comes
_MATCH, _INSERT = 0, 2  # of `edit.operations`


@dataclass
class PredictionSession:
    """What somebody asks about one open segment. `engine` opens the engine for the time of a block."""

    engine: Callable[[], Any]  # a context manager that gives the engine
    rules: dict[int, ReplacementRule] = field(default_factory=dict)
    _predictor: Predictor | None = None
    _n_rules: int = 0

    def call(self, name: str, data: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a call; what is wrong with it raises `DataError`."""
        if name not in CALLS:
            raise DataError(f"There is no call {name!r}. Known: {', '.join(CALLS)}.")
        answer: dict[str, Any] = CALLS[name](self, data)
        return answer

    def start(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """`startSession(source)`: search for translations of a source once."""
        source = _text(data, "source")
        with self.engine() as engine:
            completer = completer_of(need(engine, Completes), _said(source))
        self._predictor = Predictor(completer, tuple(self.rules.values()))
        return {"source": source, "sourceSegmentation": token_spans(source)}

    def end(self, data: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """`endSession`: forget the source and what was rejected."""
        self._predictor = None
        return {}

    def reset(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """`reset`: forget rules, too."""
        self.rules.clear()
        return self.end(data)

    def set_prefix(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """`setPrefix(target, caretPos, numResults)`: go on from what stands left of the caret."""
        target, caret = _caret(data)
        n = _count(data, "numResults", 1, _MOST)
        predictions = self._open().predict(plain(target[:caret]), n=n, confidence=True)
        return {"caretPos": caret, "nbest": [_shown(target[:caret], each, "") for each in predictions]}

    def reject_suffix(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """`rejectSuffix(target, caretPos)`: something else than what stands right of the caret."""
        target, caret = _caret(data)
        predictions = self._open().reject(plain(target[:caret]), plain(target[caret:]))
        return {"caretPos": caret, "nbest": [_shown(target[:caret], each, "") for each in predictions]}

    def fill_hole(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """`fillHole(target, begin, end, numResults)`: what may stand in `[begin, end)` of the target."""
        target, begin = _caret(data, "begin")
        _, end = _caret(data, "end")
        if end < begin:
            raise DataError(f"The hole ends at {end}, before it begins at {begin}.")
        n = _count(data, "numResults", 1, _MOST)
        predictions = self._open().predict(plain(target[:begin]), plain(target[end:]), n=n, confidence=True)
        return {"begin": begin, "nbest": [_shown(target[:begin], each, target[end:]) for each in predictions]}

    def complete_word(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """`completeWord(target, begin, caretPos, numResults)`: the word of which `[begin, caretPos)` is typed."""
        target, begin = _caret(data, "begin")
        _, caret = _caret(data)
        if caret < begin:
            raise DataError(f"The word begins at {begin}, behind the caret at {caret}.")
        n = _count(data, "numResults", 1, _MOST)
        parts = (plain(part) for part in (target[:begin], target[begin:caret], target[caret:]))
        return {"words": self._open().word(*parts, n=n)}

    def tokens(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """`getTokens(source, target)`: where their words stand."""
        return {f"{name}Segmentation": token_spans(_text(data, name)) for name in ("source", "target") if name in data}

    def alignments(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """`getAlignments(source, target)`: which words belong together (see `word_alignment`), and where they stand."""
        source, target = _text(data, "source"), _text(data, "target")
        with self.engine() as engine:
            alignment = word_alignment(engine, source, target)
        return {
            "alignments": list(alignment.links),
            "sourceTokens": list(alignment.source_tokens),
            "targetTokens": list(alignment.target_tokens),
            "sourceSegmentation": spans_in(source, alignment.source_tokens),
            "targetSegmentation": spans_in(target, alignment.target_tokens),
        }

    def confidences(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """`getConfidences(source, target, validatedTokens)`: how sure each word of a target is, by the n-best list.

        A word's posterior probability is that of the translations in which it stands (Ueffing & Ney 2007), texts
        aligned by edit distance. Words that the user has validated are sure.
        """
        source, target = _text(data, "source"), _text(data, "target")
        spans = token_spans(target)
        validated = _truths(data, "validatedTokens")
        with self.engine() as engine:
            posteriors = _posteriors(engine, _said(source), [target[begin:end] for begin, end in spans])
        sure = [1.0 if place < len(validated) and validated[place] else p for place, p in enumerate(posteriors)]
        quality = sum(sure) / len(sure) if sure else None
        return {"targetSegmentation": spans, "confidences": sure, "quality": quality}

    def set_rule(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """`setReplacementRule(sourceRule, targetRule, targetReplacement, matchCase)`: the number of the rule."""
        if data.get("isRegExp"):
            # One that takes exponential time would stop the server for everybody; a browser stops its own page alone.
            raise DataError("The server takes no regular expressions as rules; apply them in the browser.")
        rule = ReplacementRule(
            _text(data, "targetRule"),
            _text(data, "targetReplacement"),
            _text(data, "sourceRule", ""),
            match_case=bool(data.get("matchCase")),
        )
        if len(self.rules) >= _MOST * 10:
            raise DataError(f"There are {len(self.rules)} rules already; delete some first.")
        self._n_rules += 1
        self.rules[self._n_rules] = rule
        self._renew()
        return {"ruleId": self._n_rules}

    def get_rules(self, data: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """`getReplacementRules`: all rules, in the order in which they are applied."""
        return {
            "rules": [
                {
                    "ruleId": number,
                    "sourceRule": rule.source,
                    "targetRule": rule.target,
                    "targetReplacement": rule.replacement,
                    "matchCase": rule.match_case,
                    "isRegExp": rule.is_regex,
                }
                for number, rule in self.rules.items()
            ]
        }

    def delete_rule(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """`delReplacementRule(ruleId)`."""
        number = data.get("ruleId")
        if self.rules.pop(number if isinstance(number, int) else 0, None) is None:
            raise DataError(f"There is no rule {number!r}.")
        self._renew()
        return {}

    def apply_rules(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """`applyReplacementRules(source, target)`: the target as the rules want it."""
        source, target = _text(data, "source"), _text(data, "target")
        for rule in self.rules.values():
            target = rule.apply(source, target)
        return {"target": target}

    def ping(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """`ping`: what was sent."""
        return {"ms": data.get("ms")}

    def _open(self) -> Predictor:
        if self._predictor is None:
            raise DataError("No session was started; call startSession with the source first.")
        return self._predictor

    def _renew(self) -> None:
        if self._predictor is not None:
            self._predictor.rules = tuple(self.rules.values())


CALLS: dict[str, Callable[[PredictionSession, Mapping[str, Any]], dict[str, Any]]] = {
    "startSession": PredictionSession.start,
    "endSession": PredictionSession.end,
    "reset": PredictionSession.reset,
    "setPrefix": PredictionSession.set_prefix,
    "rejectSuffix": PredictionSession.reject_suffix,
    "fillHole": PredictionSession.fill_hole,
    "completeWord": PredictionSession.complete_word,
    "getTokens": PredictionSession.tokens,
    "getAlignments": PredictionSession.alignments,
    "getConfidences": PredictionSession.confidences,
    "setReplacementRule": PredictionSession.set_rule,
    "getReplacementRules": PredictionSession.get_rules,
    "delReplacementRule": PredictionSession.delete_rule,
    "applyReplacementRules": PredictionSession.apply_rules,
    "ping": PredictionSession.ping,
}


def token_spans(text: str) -> list[tuple[int, int]]:
    """Where words and single marks stand: characters `[begin, end)`. Inline codes are neither."""
    return [(token.begin, token.end) for token in tokens(text) if token.kind != "code"]


def _shown(prefix: str, prediction: Prediction, suffix: str) -> dict[str, Any]:
    """A prediction as CASMACAT's server says it; what was typed is sure."""
    typed, behind = token_spans(prefix), token_spans(suffix)
    begin, end = len(prefix), len(prefix) + len(prediction.text)
    spans = [
        *typed,
        *((begin + a, begin + b) for a, b, _ in prediction.words),
        *((end + a, end + b) for a, b in behind),
    ]
    sure = [*(1.0 for _ in typed), *(c for *_, c in prediction.words), *(1.0 for _ in behind)]
    told = [c for *_, c in prediction.words if c is not None]
    priorities, doubts = [], 0
    for confidence in sure:
        doubts += confidence is not None and confidence < _DOUBT
        priorities.append(doubts)
    return {
        "target": prefix + prediction.text + suffix,
        "prediction": prediction.text,
        "targetSegmentation": spans,
        "confidences": sure,
        "quality": sum(told) / len(told) if told else None,
        "validatedTokens": [*(True for _ in typed), *(False for _ in prediction.words), *(True for _ in behind)],
        "priorities": priorities,  # words of priority 0 stand before the first that is doubted
        "edits": prediction.edits,
    }


def _said(source: str) -> str:
    """A source as an engine gets it: without inline codes, but with its line breaks."""
    if plain(source) == source:
        return source
    return "\n".join(" ".join(filter(None, line.split(" "))) for line in plain(source, " ").split("\n")).strip()


def _posteriors(engine: Role, source: str, words: Sequence[str]) -> list[float]:
    if "n-best" not in getattr(engine, "details", ()):
        raise DataError(
            f"The engine tells no n-best list, so no confidences; it has: {', '.join(capabilities(engine))}."
        )
    (translation,) = need(engine, Translates).translations([source], Request(_N_BEST))
    candidates = [each for each in translation.candidates if each.score is not None]
    if not candidates or not words:
        return [0.0] * len(words)
    scores = np.array([each.score for each in candidates])
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    ids: dict[str, int] = {}
    sure = np.zeros(len(words))
    for weight, each in zip(weights, candidates, strict=True):
        other = [each.text[begin:end] for begin, end in token_spans(each.text)]
        sure += weight * _kept(words, other, ids) * _known(words, each)
    return [float(each) for each in sure]


def _known(words: Sequence[str], candidate: Candidate) -> np.ndarray[Any, Any]:
    """What each word counts: less where it stands for a guess at an unknown word."""
    tokens = (candidate.target_tokens or "").casefold().split()
    guessed = {tokens[place] for place in candidate.guessed if place < len(tokens)}
    return np.array([GUESS if word.casefold() in guessed else 1.0 for word in words])


def _kept(words: Sequence[str], other: Sequence[str], ids: dict[str, int]) -> np.ndarray[Any, Any]:
    """Which of the words another text has at the same place, by the alignment with the fewest edits."""
    sides = [np.array([ids.setdefault(w.casefold(), len(ids)) for w in side], np.int32) for side in (words, other)]
    operations, _ = edit.operations(
        sides[0], np.array([0, len(words)], np.int64), sides[1], np.array([0, len(other)], np.int64)
    )
    kept, place = np.zeros(len(words)), 0
    for operation in operations.tolist():
        if operation == _INSERT:
            continue
        kept[place] = operation == _MATCH
        place += 1
    return kept


def _text(data: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = data.get(name, default)
    if not isinstance(value, str):
        raise DataError(f"{name} is {str(value)[:40]!r}; expected a text.")
    return value


def _caret(data: Mapping[str, Any], name: str = "caretPos") -> tuple[str, int]:
    target, caret = _text(data, "target"), data.get(name)
    if not isinstance(caret, int) or isinstance(caret, bool) or not 0 <= caret <= len(target):
        raise DataError(f"{name} is {str(caret)[:40]!r}; expected a place in the target, 0 to {len(target)}.")
    return target, caret


def _count(data: Mapping[str, Any], name: str, low: int, high: int) -> int:
    value = data.get(name, low)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise DataError(f"{name} is {str(value)[:40]!r}; expected {low} to {high}.")
    return value


def _truths(data: Mapping[str, Any], name: str) -> list[bool]:
    value = data.get(name, [])
    if not isinstance(value, list):
        raise DataError(f"{name} is {str(value)[:40]!r}; expected a list, true or false for each word.")
    return [bool(each) for each in value]
