"""Judging by a chat model: GEMBA-DA (Kocmi & Federmann, EAMT 2023) and GEMBA-MQM (WMT 2023), with our own prompts.

What a model says is no judgement of a person's: as an annotator it is called `simulated` (`dragoman.human.judged`).
"""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.engines.chat import ChatModel, Message
from dragoman.engines.endpoint import Refusal
from dragoman.errors import DataError
from dragoman.metrics.base import Metric, Rows, mean_rows, ratio
from dragoman.metrics.references import ScoredText
from dragoman.notation import parse_toml
from dragoman.options import option
from dragoman.text.languages import language_name, parse_pair

__all__ = ["GembaDA", "GembaMQM", "MqmError"]

T = TypeVar("T")

_NUMBER = re.compile(r"(?:Score:)?\s*(\d{1,3})(?:\.0*)?\s*(?:/\s*100)?\.?")
_FENCE = re.compile(r"```[a-z]*\n(.*?)\n?```", re.DOTALL)
_CATEGORIES = ("accuracy", "fluency", "style", "terminology", "locale", "non-translation", "other")
# Kocmi & Federmann (WMT 2023), §3: weights of the severities, and the least that a segment scores.
_PENALTIES = {"critical": 25, "major": 5, "minor": 1}
_WORST = -25.0


class MqmError(NamedTuple):
    """An error that a model finds: the words, where there are such, its category and severity."""

    span: str
    category: str
    severity: str


@dataclass(frozen=True)
class _Gemba(Metric):
    """A score that a chat model gives each segment."""

    level: ClassVar[Literal["corpus", "segment"]] = "segment"
    quick: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset({"srcs"})
    empty: ClassVar[float]  # the score of no translation, for which no model is asked

    chat: str = option("", positional=True, text="chat model: (url=http://localhost:8000/v1,model=NAME,key=VARIABLE)")
    languages: str = option("", text="pair, source first: de-en")

    def check(self) -> Self:
        """The metric, if there is a model and the languages are two."""
        super().check()
        if not self.chat or not self.languages:
            raise DataError(
                f"The metric {self.name} asks a chat model: -m '{self.name}:(url=http://localhost:8000/v1,model=NAME),"
                "languages=de-en'."
            )
        parse_pair(self.languages)
        self.model()
        return self

    def model(self) -> ChatModel:
        """The model that is asked, the same one for all metrics that name it so."""
        return _model(self.chat)

    def signature_options(self) -> dict[str, Any]:
        """The options; the model's stand in parentheses."""
        return {**super().signature_options(), "chat": f"({self.chat})" if "," in self.chat else self.chat}

    @abstractmethod
    def judged(self, place: int, src: str, hyp: str, ref: str | None) -> float:
        """The score of one segment, which is the `place`-th from 0."""

    def batch_rows(self, text: ScoredText, n_threads: int) -> Rows:  # noqa: ARG002, a model is asked one by one
        """A segment's score, and 1; of several references the first is shown."""
        if text.srcs is None:
            raise DataError(f"The metric {self.name} needs the sources: name them with --src (in Python: srcs).")
        for lines in text.systems:
            _core.text.check_lines(list(lines))  # lone surrogates
        refs = [
            next((ref for ref in segment if ref is not None), None) for segment in zip(*text.refs.streams, strict=True)
        ]
        scores = [
            [
                self.judged(place, src, hyp, ref) if hyp.strip() else self.empty
                for place, (src, hyp, ref) in enumerate(zip(text.srcs, hyps, refs, strict=True))
            ]
            for hyps in text.systems
        ]
        return mean_rows(np.array(scores, dtype=np.float64).reshape(len(text.systems), len(refs)))

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Means of segment scores."""
        totals = np.asarray(totals, dtype=np.float64)
        return ratio(totals[..., 0], totals[..., 1])

    def names(self, src: str, hyp: str, ref: str | None = None) -> dict[str, str]:
        """What is filled into prompts."""
        source, target = map(language_name, parse_pair(self.languages))
        return {"source": source, "target": target, "src": src, "hyp": hyp, "ref": ref or ""}

    def asked(self, place: int, messages: list[Message], read: Callable[[str], T]) -> T:
        """What `read` makes of the answer; a failure names the segment."""
        model = self.model()
        try:
            return model.ask_once(messages, read)
        except Refusal as refusal:
            raise refusal.error(str(model.endpoint), "judge", place, place) from None


@dataclass(frozen=True)
class GembaDA(_Gemba):
    """GEMBA-DA: a chat model's direct assessment from 0 to 100, with the reference or without.

    No person judged: the score depends on the model, its version and the prompt, and is worth as much as its agreement
    with people, which can be measured (`dragoman meta`).
    """

    name: ClassVar[str] = "gemba-da"
    label_pattern: ClassVar[str] = "GEMBA-DA"
    empty: ClassVar[float] = 0.0

    reference: bool = option(True, text="show the model the reference")

    def judged(self, place: int, src: str, hyp: str, ref: str | None) -> float:
        """The number that the model says."""
        prompts = _prompts()["da"]
        kind = "with_reference" if self.reference and ref is not None else "without_reference"
        question = _filled(prompts[kind], self.names(src, hyp, ref))
        return float(self.asked(place, _messages(prompts["system"], question), _score))


@dataclass(frozen=True)
class GembaMQM(_Gemba):
    """GEMBA-MQM: a chat model marks errors after three examples; −25 for a critical one, −5 major, −1 minor.

    A segment scores −25 at least. The model sees no reference. No person judged: see `gemba-da`.
    """

    name: ClassVar[str] = "gemba-mqm"
    label_pattern: ClassVar[str] = "GEMBA-MQM"
    bounds: ClassVar[tuple[float, float]] = (_WORST, 0.0)
    empty: ClassVar[float] = _WORST

    def judged(self, place: int, src: str, hyp: str, ref: str | None) -> float:  # noqa: ARG002
        """The penalties of the errors, all together."""
        return max(_WORST, -float(sum(_PENALTIES[each.severity] for each in self.errors(place, src, hyp))))

    def errors(self, place: int, src: str, hyp: str) -> list[MqmError]:
        """The errors of one segment, as the model marks them."""
        prompts = _prompts()["mqm"]
        messages = _messages(prompts["system"])
        for shot in prompts["shots"]:
            messages += [_said("user", _filled(prompts["question"], shot)), _said("assistant", shot["answer"])]
        messages.append(_said("user", _filled(prompts["question"], self.names(src, hyp))))
        return self.asked(place, messages, _errors)


@cache
def _model(chat: str) -> ChatModel:
    return ChatModel.of(chat)


@cache
def _prompts() -> dict[str, Any]:
    return parse_toml(files("dragoman.engines.prompts").joinpath("gemba.toml").read_text(encoding="utf-8"))


def _filled(text: str, names: Mapping[str, str]) -> str:
    return re.sub(r"\{([a-z]+)\}", lambda name: names[name[1]], text).strip()


def _said(role: str, content: str) -> Message:
    return {"role": role, "content": content.strip()}


def _messages(system: str, *questions: str) -> list[Message]:
    return [_said("system", system), *(_said("user", question) for question in questions)]


def _score(text: str) -> int:
    number = _NUMBER.fullmatch(text.strip())
    if number is None or int(number[1]) > 100:
        raise Refusal(f"its answer is no number from 0 to 100: {text[:80]!r}", lie=True)
    return int(number[1])


def _errors(text: str) -> list[MqmError]:
    fence = _FENCE.fullmatch(text.strip())
    try:
        rows = json.loads(fence[1] if fence else text)
        errors = [MqmError(row["span"], row["category"].lower(), row["severity"].lower()) for row in rows]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Refusal(f"its answer is no list of errors: {text[:80]!r}", lie=True) from None
    for each in errors:
        if not isinstance(each.span, str) or each.severity not in _PENALTIES:
            raise Refusal(f"an error's severity is {each.severity!r}; expected {', '.join(_PENALTIES)}", lie=True)
        if each.category.partition("/")[0] not in _CATEGORIES:
            raise Refusal(f"an error's category is {each.category!r}; expected {', '.join(_CATEGORIES)}", lie=True)
    return errors
