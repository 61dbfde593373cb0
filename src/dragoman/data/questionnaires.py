"""Comprehension questionnaires: what listeners or readers of a translation could answer, and where answers were lost.

A folder has `questions.tsv` and `answers.tsv`, and may have `ratings.tsv` (what people thought of the quality) and
`presence.tsv` (whether the answer to a question was there after each stage of the system: in its transcript, in its
translation, in what was finally heard). CSV will do as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dragoman.data.judgements import Field, Judgements, Schema, read_judgements
from dragoman.data.judgements.comprehension import COMPREHENSION
from dragoman.data.judgements.rules import QUESTION_TYPES
from dragoman.errors import DataError
from dragoman.files import StrPath

__all__ = ["ANSWERS", "PRESENCE", "QUESTIONS", "RATINGS", "Questionnaire", "questionnaire_of", "read_questionnaire"]

_STAGES = {"asr": "asr", "slt": "slt", "fair": "audio"}  # what a table of comprehension calls them, and we

QUESTIONS = Schema(
    "question",
    (
        Field("passage"),
        Field("question", meaning="its number or name within the passage"),
        Field("type", required=False, meaning="factual, yes-no or list"),
        Field("text", required=False),
        Field("answer", required=False, meaning="the key"),
    ),
    key=("passage", "question"),
)
ANSWERS = Schema(
    "comprehension-answer",
    (
        Field("annotator", meaning="who listened and answered"),
        Field("passage"),
        Field("condition", meaning="what was heard: a system, an interpreter"),
        Field("question"),
        Field("answer", required=False, meaning="as given"),
        Field("correct", "truth", meaning="the validator's mark; no answer is not correct"),
    ),
    key=("annotator", "passage", "condition", "question"),
)
RATINGS = Schema(
    "comprehension-quality",
    (
        Field("annotator"),
        Field("passage"),
        Field("condition"),
        Field("quality", "whole", low=1, high=5, meaning="1 very bad, unusable … 5 very useful"),
    ),
    key=("annotator", "passage", "condition"),
)
PRESENCE = Schema(
    "answer-presence",
    (
        Field("passage"),
        Field("condition"),
        Field("question"),
        Field("stage", meaning="after which stage of the system: asr, slt, audio"),
        Field("present", "truth", meaning="whether the answer can be had from what the stage gave out"),
    ),
    key=("passage", "condition", "question", "stage"),
)


@dataclass(frozen=True)
class Questionnaire:
    """Questions, answers and, where there are any, ratings and marks of presence; all name known questions."""

    questions: Judgements
    answers: Judgements
    ratings: Judgements = field(default_factory=lambda: Judgements.of(RATINGS))
    presence: Judgements = field(default_factory=lambda: Judgements.of(PRESENCE))
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # What was said last holds; earlier rows are history.
        for name in ("questions", "answers", "ratings", "presence"):
            object.__setattr__(self, name, getattr(self, name).latest())
        object.__setattr__(self, "provenance", MappingProxyType(dict(self.provenance)))
        self._check_types()
        questions_asked = set(zip(self.questions["passage"], self.questions["question"], strict=True))
        for name, table in (("answers", self.answers), ("presence", self.presence)):
            for number, asked in enumerate(zip(table["passage"], table["question"], strict=True), start=1):
                if asked not in questions_asked:
                    self._refuse(name, number, *asked)
        passages = set(self.questions["passage"])
        for passage in self.ratings["passage"]:
            if passage not in passages:
                raise DataError(f"The passage {passage!r} was rated but has no questions.")
        self._check_hearers()

    def _check_types(self) -> None:
        for number, kind in enumerate(self.questions["type"], start=1):
            if kind is not None and kind not in QUESTION_TYPES:
                raise DataError(f"Question {number} has the type {kind!r}; expected {', '.join(QUESTION_TYPES)}.")
        if not len(self.questions):
            raise DataError("The questionnaire has no questions.")

    def _refuse(self, name: str, number: int, passage: object, question: object) -> None:
        if passage not in set(self.questions["passage"]):
            raise DataError(f"Row {number} of the {name}: the passage {passage!r} has no questions.")
        raise DataError(f"Row {number} of the {name}: the passage {passage!r} has no question {question!r}.")

    def _check_hearers(self) -> None:
        """Whoever knows a passage from one condition cannot be asked about it in another."""
        heard: dict[tuple[Any, Any], Any] = {}
        for table in (self.answers, self.ratings):
            columns = (table["annotator"], table["passage"], table["condition"])
            for annotator, passage, condition in zip(*columns, strict=True):
                if heard.setdefault((annotator, passage), condition) != condition:
                    raise DataError(
                        f"{annotator} heard the passage {passage!r} twice, as {heard[annotator, passage]} and as "
                        f"{condition}: the second answers know the first. Leave one out."
                    )

    @property
    def passages(self) -> tuple[str, ...]:
        """The passages in the order of their first question."""
        return tuple(dict.fromkeys(str(passage) for passage in self.questions["passage"]))

    @property
    def conditions(self) -> tuple[str, ...]:
        """What was heard, in the order of the first answers."""
        return tuple(dict.fromkeys(str(condition) for condition in self.answers["condition"]))


def questionnaire_of(judgements: Judgements, *, system: str = "system", name: str = "") -> Questionnaire:
    """The questionnaire that rows of the kind `comprehension` make up.

    There one table holds everything: a row without a question rates an excerpt, and rows of the conditions `asr`, `slt`
    and `fair` say what could be answered from the transcript, the translation and the audio of `system`. Answers that
    nobody has marked yet are left out.
    """
    if judgements.schema.kind != COMPREHENSION.kind:
        raise DataError(f"These are judgements of kind {judgements.schema.kind!r}; expected {COMPREHENSION.kind!r}.")
    rows: dict[str, list[dict[str, Any]]] = {"answers": [], "ratings": [], "presence": []}
    types: dict[tuple[Any, Any], Any] = {}
    for row in judgements.latest().rows():
        where = {"passage": row["excerpt"], "condition": row["condition"]}
        asked = {"passage": row["excerpt"], "question": row["question"]}
        if row["quality"] is not None:
            rows["ratings"].append({"annotator": row["annotator"], "quality": row["quality"], **where})
        if row["question"] is None:
            continue
        key = (row["excerpt"], row["question"])
        types[key] = types.get(key) or row["type"]  # it need not stand in every row
        if row["is_correct"] is None:
            continue
        if row["condition"] in _STAGES:
            stage = {"condition": system, "stage": _STAGES[str(row["condition"])], "present": row["is_correct"]}
            rows["presence"].append(asked | stage)
        else:
            values = {"annotator": row["annotator"], "answer": row["answer"], "correct": row["is_correct"]}
            rows["answers"].append({**where, **asked, **values})
    rows["questions"] = [{"passage": p, "question": q, "type": kind} for (p, q), kind in types.items()]
    schemas = {"questions": QUESTIONS, "answers": ANSWERS, "ratings": RATINGS, "presence": PRESENCE}
    tables = {each: Judgements.of(schema, rows[each]) for each, schema in schemas.items()}
    return Questionnaire(**tables, provenance={"file": name, "n_rows": len(judgements)})


def read_questionnaire(path: StrPath) -> Questionnaire:
    """The questionnaire in a folder of tables, or in one table of the kind `comprehension`."""
    if Path(path).is_file():
        return questionnaire_of(read_judgements(path, kind="comprehension"), name=Path(path).name)
    folder = Path(path)
    tables = {}
    for name, schema in (("questions", QUESTIONS), ("answers", ANSWERS), ("ratings", RATINGS), ("presence", PRESENCE)):
        files = [folder / f"{name}{end}" for end in (".tsv", ".csv", ".tsv.gz", ".csv.gz")]
        table = next((each for each in files if each.is_file()), None)
        if table is not None:
            tables[name] = read_judgements(table, schema)
        elif name in ("questions", "answers"):
            raise DataError(f"{folder} has no {name}.tsv or {name}.csv: a questionnaire needs it.")
    counts = {f"n_{name}": len(table) for name, table in tables.items()}
    return Questionnaire(**tables, provenance={"folder": folder.name, **counts})
