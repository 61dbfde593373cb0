"""Comprehension questionnaires as a protocol: what somebody who heard or read a translation can answer (S2S-EVAL)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.judgements import Schema, Value
from dragoman.data.judgements.comprehension import COMPREHENSION
from dragoman.data.judgements.rules import QUESTION_TYPES
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.answers import opened
from dragoman.human.comprehension.plan import plan_listening
from dragoman.human.draws import Draws
from dragoman.human.material import check_choice
from dragoman.human.protocol import Assignment, Item, Protocol, Task
from dragoman.human.protocols.scales import labelled
from dragoman.human.simulated import deserved, is_careful, seconds_of
from dragoman.options import option

__all__ = ["ComprehensionTest"]

# Hamon et al. (EACL 2009), §4.2
_QUALITY = ("very bad, unusable", "bad", "fair", "good", "very useful")
_ENTRY = {"segment", "question", "type", "text", "answers"}
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class ComprehensionTest(Protocol):
    """Comprehension: people hear or read each passage in one condition, then answer questions about it.

    Segments of the test set are the passages, its systems the conditions (an interpreter may be one). Nobody meets a
    passage twice, and every passage is met in every condition by `redundancy` people, so there must be as many
    annotators as conditions, times the redundancy.
    """

    name: ClassVar[str] = "comprehension"
    screen: ClassVar[str] = "questions"
    schema: ClassVar[Schema] = COMPREHENSION
    paths: ClassVar[tuple[str, ...]] = ("audio",)
    most_tasks: ClassVar[int | None] = 1  # a second session has the same passages in other conditions

    questions: Sequence[Mapping[str, Any]] = option(
        (), text="tables with segment, question, text, type (factual, yes-no, list) and answers"
    )
    audio: str = option("", text="file of a passage, with {system} and {segment}; empty: text")
    marking: str = option("key", text="who marks answers: the key (any of `answers`), or a validator later")
    quality: bool = option(True, text="whether the passage is rated from 1 to 5, too")
    max_plays: int = option(1, text="how often a passage may be heard; 0: no limit")
    text_stays: bool = option(False, text="whether a text may be read while answering")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("marking", self.marking, ("key", "validator"))
        if self.max_plays < 0:
            raise DataError(f"max_plays is {self.max_plays}; expected 0 or more.")
        if not isinstance(self.questions, list | tuple):
            raise DataError(f"questions is {self.questions!r}; expected a list of tables.")
        for number, each in enumerate(self.questions, start=1):
            self._check_question(number, each)
        keys = [(each["segment"], each["question"]) for each in self.questions]
        if len(set(keys)) < len(keys):
            segment, question = next(key for key in keys if keys.count(key) > 1)
            raise DataError(f"questions has the question {question!r} of segment {segment} twice.")

    def _check_question(self, number: int, each: Any) -> None:
        if not isinstance(each, Mapping) or set(each) - _ENTRY or not {"segment", "question", "text"} <= set(each):
            raise DataError(f"Entry {number} of questions needs segment, question and text; known: {sorted(_ENTRY)}.")
        if type(each["segment"]) is not int or not all(isinstance(each[key], str) for key in ("question", "text")):
            raise DataError(f"Entry {number} of questions has a whole segment; question and text are text.")
        check_choice(f"The type of entry {number} of questions", each.get("type", "factual"), QUESTION_TYPES)
        answers = each.get("answers", [])
        if not isinstance(answers, list | tuple) or not all(isinstance(answer, str) for answer in answers):
            raise DataError(f"Entry {number} of questions has answers {answers!r}; expected a list of texts.")
        if self.marking == "key" and not answers:
            raise DataError(f"Entry {number} of questions has no answers, by which it could be marked.")

    @property
    def medium(self) -> str:
        """Whether passages are heard or read."""
        return "audio" if self.audio else "text"

    def tasks(self, test_set: TestSet, *, seed: int) -> list[Task]:
        """The passages of one session each; see `plan`."""
        return [each.task for each in self.plan(test_set, [str(n) for n in range(len(test_set.systems))], seed=seed)]

    def plan(self, test_set: TestSet, annotators: Sequence[str], *, seed: int) -> list[Assignment]:
        """A session for each annotator: every passage once, every condition equally often."""
        if not test_set.systems:
            raise DataError("The test set has no systems to judge.")
        if self.gold or self.tutorial:
            raise DataError("The protocol 'comprehension' has no items of gold or a tutorial.")
        conditions = list(test_set.systems)
        needed = self.redundancy * len(conditions)
        if needed > len(annotators):
            raise DataError(
                f"Each task goes to {self.redundancy} different annotators in each of {len(conditions)} conditions, "
                f"but there are {len(annotators)}. Invite {needed} or lower the redundancy."
            )
        asked = self._asked(test_set)
        draws = Draws(seed, "passages")
        items = {
            (segment, system): self._item(test_set, segment, system, draws)
            for segment in asked
            for system in conditions
        }
        people = list(annotators)[:needed]
        if len(conditions) == 1:
            hearings = [(name, segment, conditions[0]) for name in people for segment in draws.shuffled(list(asked))]
        else:
            planned = plan_listening([str(n) for n in asked], people, conditions=conditions, seed=seed)
            hearings = [(each.annotator, int(each.passage), each.condition) for each in planned.hearings]
        width = len(str(len(people)))
        return [
            Assignment(
                name, Task(f"session-{number:0{width}}", tuple(items[s, c] for who, s, c in hearings if who == name))
            )
            for number, name in enumerate(people, start=1)
        ]

    def _asked(self, test_set: TestSet) -> dict[int, list[Mapping[str, Any]]]:
        asked: dict[int, list[Mapping[str, Any]]] = {}
        for each in self.questions:
            asked.setdefault(each["segment"], []).append(each)
        for segment in asked:
            if not 1 <= segment <= len(test_set):
                raise DataError(f"questions asks about segment {segment}; the test set has {len(test_set)}.")
        without = [n for n in range(1, len(test_set) + 1) if n not in asked]
        if without:
            raise DataError(f"Segment {without[0]} has no questions; every passage needs some.")
        return dict(sorted(asked.items()))

    def _item(self, test_set: TestSet, segment: int, system: str, draws: Draws) -> Item:
        asked = [each for each in self.questions if each["segment"] == segment]
        shown: dict[str, Any] = {
            "questions": [
                {"question": each["question"], "type": each.get("type", "factual"), "text": each["text"]}
                for each in asked
            ]
        }
        media = {}
        if self.audio:
            shown["audio"] = draws.name()
            media[shown["audio"]] = self.audio.replace("{system}", system).replace("{segment}", str(segment))
        else:
            shown["text"] = test_set.systems[system][segment - 1]
        doc = None if test_set.docs is None else test_set.docs[segment - 1]
        langs = (test_set.source_lang, test_set.target_lang)
        return Item(draws.name(), "TGT", system, segment, doc, shown, media=media, langs=langs)

    def ask(self) -> dict[str, Any]:
        """How the passage is met, and whether it is rated."""
        quality = {"low": 1, "high": 5, "labels": labelled(_QUALITY)} if self.quality else None
        return {
            "medium": self.medium,
            "max_plays": self.max_plays,
            "text_stays": self.text_stays,
            "quality": quality,
            "question": self.question,
        }

    def check(self, item: Item, answer: Mapping[str, Any]) -> None:
        """Texts for questions of this passage, yes or no where that is asked, and a rating if one is asked for."""
        opening = opened(item, answer, "answers", "plays", *(("quality",) if self.quality else ()))
        types = {each["question"]: each["type"] for each in item.shown["questions"]}
        for name, reply in opening.table("answers", tuple(types)).items():
            if reply is not None and not isinstance(reply, str):
                raise opening.wrong(f"has the answer {str(reply)[:40]!r} to question {name}; expected text")
            if reply and types[name] == "yes-no" and reply not in ("yes", "no"):
                raise opening.wrong(f"has the answer {reply[:40]!r} to question {name}; expected yes or no")
        if self.quality:
            opening.number("quality", 1, 5, whole=True)
        opening.number("plays", 0, self.max_plays or None, whole=True, required=False)

    def record(self, assignment: Assignment, item: Item, answer: Mapping[str, Any]) -> list[dict[str, Value]]:
        """A row for each question, and one for the rating. What is not answered is not right."""
        self.check(item, answer)
        common = {
            "annotator": assignment.annotator,
            "excerpt": str(item.segment),
            "condition": item.system,
            "seconds": answer.get("seconds"),
        }
        rows: list[dict[str, Value]] = []
        for number, each in enumerate(item.shown["questions"], start=1):
            reply = answer["answers"].get(each["question"]) or None
            rows.append(
                common
                | {
                    "item": f"{item.id}.{number}",
                    "question": each["question"],
                    "type": each["type"],
                    "answer": reply,
                    "is_correct": self._is_right(item.segment, each["question"], reply),
                }
            )
        if self.quality:
            rows.append(common | {"item": f"{item.id}.0", "quality": answer["quality"]})
        return [self.schema.check(row) for row in rows]

    def _is_right(self, segment: int, question: str, reply: str | None) -> bool | None:
        """Whether an answer is one of the key's, words compared; not known where a validator marks."""
        if self.marking == "validator":
            return None
        return reply is not None and _words(reply) in [_words(answer) for answer in self._key(segment, question)]

    def _key(self, segment: int, question: str) -> Sequence[str]:
        for each in self.questions:
            if (each["segment"], each["question"]) == (segment, question):
                return list(each.get("answers", []))
        return []

    def marks(self, item: Item, answer: Mapping[str, Any]) -> dict[str, float]:
        """The share of questions answered right, where the key marks."""
        asked = [each["question"] for each in item.shown["questions"]]
        right = [self._is_right(item.segment, name, answer["answers"].get(name) or None) for name in asked]
        return {} if None in right else {"text": sum(bool(each) for each in right) / len(right)}

    def simulate(self, item: Item, draws: Draws, care: float) -> dict[str, Any]:
        """Right answers as often as the passage deserves; the careless write something."""
        careful = is_careful(draws, care)
        quality = deserved(item.system, item.segment)
        replies: dict[str, str] = {}
        for each in item.shown["questions"]:
            key = self._key(item.segment, each["question"])
            knows = careful and 100 * draws.share() < quality
            if knows and key:
                replies[each["question"]] = key[0].lower() if each["type"] == "yes-no" else key[0]
            elif each["type"] == "yes-no":
                replies[each["question"]] = draws.one_of(("yes", "no"))
            else:
                replies[each["question"]] = "" if careful else "something"
        rating = 1 + min(4, int(quality / 20)) if careful else 1 + draws.below(5)
        answer = {"answers": replies, "plays": 1, "seconds": seconds_of(draws, careful, typical=120)}
        return answer | ({"quality": rating} if self.quality else {})


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
