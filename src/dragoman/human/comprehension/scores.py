"""What could be understood: comprehension scores per passage, the losses of each stage, and agreement.

After Hamon et al., "End-to-End Evaluation in Simultaneous Translation" (EACL 2009), §6. All scores are percentages:

- *subjective*: of the answers that the annotators gave, those that are correct;
- of the questions, those whose answer is objectively there after a stage: `asr` in the transcript, `slt` in the
  translated text, `audio` in what is heard ("fair": the most that listening could give).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.judgements import Judgements
from dragoman.data.questionnaires import Questionnaire, questionnaire_of
from dragoman.errors import DataError, UnknownName
from dragoman.human.analysing import Analysis
from dragoman.human.comprehension.listeners import Listener, QuestionAgreement, agreements, listeners
from dragoman.human.parts import PartsAnalysis
from dragoman.report import Column, Figure, Result, Sentence, Table

__all__ = [
    "STAGES",
    "Comprehension",
    "Loss",
    "PassageScore",
    "analyse_comprehension",
    "loss_waterfall",
    "score_comprehension",
]

# The stages in the order in which an answer passes them, and what is lost at each.
STAGES = {"asr": "recognition", "slt": "translation", "audio": "speaking"}
_LISTENING = "listening"


@dataclass(frozen=True)
class PassageScore:
    """One passage in one condition; None where nothing was marked. A mean over passages has the passage None."""

    condition: str
    passage: str | None
    subjective: float | None
    stages: Mapping[str, float]  # by stage, only those that were marked
    quality: float | None  # 1–5
    n_questions: int
    n_annotators: int
    n_missing: int  # questions that somebody heard the passage for and has no row about; in no percentage

    def value(self, name: str) -> float | None:
        """A percentage by its name: subjective or a stage."""
        return self.subjective if name == "subjective" else self.stages.get(name)


@dataclass(frozen=True)
class Loss:
    """Points of 100 lost at one stage; negative where a later stage had answers that an earlier one had not."""

    condition: str
    stage: str
    lost: float
    left: float


def loss_waterfall(scores: PassageScore) -> tuple[Loss, ...]:
    """Where the answers were lost: 100 − asr, asr − slt, slt − audio, audio − subjective. They sum to what is lost.

    Stages that were not marked are skipped, and their loss falls to the next.
    """
    values = {**{STAGES[stage]: scores.stages[stage] for stage in STAGES if stage in scores.stages}}
    if scores.subjective is not None:
        values[_LISTENING] = scores.subjective
    losses, left = [], 100.0
    for stage, value in values.items():
        losses.append(Loss(scores.condition, stage, left - value, value))
        left = value
    return tuple(losses)


@dataclass(frozen=True)
class Comprehension(Result):
    """Scores, losses and agreement of a comprehension test."""

    kind: ClassVar[str] = "comprehension"

    scores: tuple[PassageScore, ...]  # all passages of a condition, then their mean
    restricted: tuple[PassageScore, ...]  # over questions whose answer the named condition let be heard
    restrict_to: str | None
    losses: tuple[Loss, ...]
    agreement: tuple[QuestionAgreement, ...]
    listeners: tuple[Listener, ...]
    question_types: Mapping[str, float]  # shares in per cent
    provenance: Mapping[str, Any]

    def mean(self, condition: str, *, restricted: bool = False) -> PassageScore:
        """A condition's mean over its passages."""
        for each in self.restricted if restricted else self.scores:
            if each.condition == condition and each.passage is None:
                return each
        names = ", ".join(dict.fromkeys(each.condition for each in self.scores))
        raise UnknownName(f"No condition is called {condition!r}. Known: {names}.")

    def tables(self) -> list[Table]:
        """Scores, restricted scores, losses, agreement, listeners."""
        tables = [_table("Comprehension", self.scores, Sentence("Percentages; the mean is that of the passages."))]
        if self.restrict_to is not None:
            note = Sentence("Only questions whose answer was there to be heard as {what}.", what=self.restrict_to)
            tables.append(_table("Comprehension, restricted", self.restricted, note))
        lost = [(each.condition, each.stage, each.lost, each.left) for each in self.losses]
        columns: list[Column | str] = ["condition", "stage", Column("lost", digits=1), Column("left", digits=1)]
        points = Sentence("Points of 100, means over passages.")
        tables.append(Table.of("Where answers were lost", columns, lost, note=points))
        agreed = [
            (a.condition, a.judged, a.statistic, a.value, a.reading, a.n_items, a.n_right_by_all, a.n_wrong_by_all)
            for a in self.agreement
        ]
        counts = ["n_items", "right_by_all", "wrong_by_all"]
        heads: list[Column | str] = ["condition", "judged", "statistic", Column("value", digits=3), "reading", *counts]
        heard = [
            (each.annotator, each.condition, each.n, each.correct, each.kappa, each.n_peers) for each in self.listeners
        ]
        who: list[Column | str] = [
            "annotator",
            "condition",
            "n",
            Column("correct", digits=1),
            Column("kappa", digits=3),
            "n_peers",
        ]
        note = Sentence(
            "kappa: the mean of Cohen's κ with everybody who answered the same questions; look into the lowest."
        )
        return [*tables, Table.of("Agreement", heads, agreed), Table.of("Annotators", who, heard, note=note)]

    def figures(self) -> list[Figure]:
        """What is left after each stage."""
        rows = [(each.stage, each.condition, each.left) for each in self.losses]
        table = Table.of("Answers left", ["stage", "condition", Column("left", digits=1)], rows)
        return [Figure("Answers left after each stage", "bar", table, x="stage", y="left", series="condition")]

    def meta(self) -> dict[str, Any]:
        """Which questionnaire, and how it was read."""
        return {
            **self.provenance,
            "restrict_to": self.restrict_to,
            "question_types": dict(self.question_types),
            "n_missing": sum(each.n_missing for each in self.scores if each.passage is not None),
            "losses": self.tables()[1 + (self.restrict_to is not None)].records(),
        }


def _table(title: str, scores: Sequence[PassageScore], note: str) -> Table:
    stages = [stage for stage in STAGES if any(stage in each.stages for each in scores)]
    columns: list[Column | str] = ["condition", "passage", Column("subjective", digits=1)]
    columns += [Column(stage, digits=1) for stage in reversed(stages)]
    columns += [Column("quality", digits=2), "n_questions", "n_annotators"]
    rows = [
        (
            s.condition,
            s.passage or "mean",
            s.subjective,
            *map(s.stages.get, reversed(stages)),
            s.quality,
            s.n_questions,
            s.n_annotators,
        )
        for s in scores
    ]
    return Table.of(title, columns, rows, note=note)


def score_comprehension(questionnaire: Questionnaire, *, restrict_to: str | None = None) -> Comprehension:
    """Score a comprehension test.

    `restrict_to` names a condition whose audio decides which questions count in a second table: with an interpreter
    it leaves out what the interpreter left out, as unimportant.
    """
    unknown = sorted({str(stage) for stage in questionnaire.presence["stage"]} - set(STAGES))
    if unknown:
        raise DataError(f"No stage is called {', '.join(unknown)}. Known: {', '.join(STAGES)}.")
    if not len(questionnaire.answers):
        raise DataError("The questionnaire has no answers.")
    everything = _asked(questionnaire)
    scores = _scores(questionnaire, everything)
    restricted: list[PassageScore] = []
    if restrict_to is not None:
        rows = questionnaire.presence.where(condition=restrict_to, stage="audio", present=True)
        heard = set(zip(rows["passage"], rows["question"], strict=True))
        if not heard:
            raise DataError(
                f"No question is marked as answerable from the audio of {restrict_to!r} (stage audio, present true): "
                "there is nothing to restrict to."
            )
        restricted = _scores(
            questionnaire, {p: [q for q in asked if (p, q) in heard] for p, asked in everything.items()}
        )
    kinds = [kind for kind in questionnaire.questions["type"] if kind is not None]
    return Comprehension(
        scores=tuple(scores),
        restricted=tuple(restricted),
        restrict_to=restrict_to,
        losses=tuple(loss for each in scores if each.passage is None for loss in loss_waterfall(each)),
        agreement=tuple(agreements(questionnaire)),
        listeners=tuple(listeners(questionnaire)),
        question_types={str(kind): 100 * kinds.count(kind) / len(kinds) for kind in dict.fromkeys(kinds)},
        provenance=questionnaire.provenance,
    )


def _asked(questionnaire: Questionnaire) -> dict[str, list[str]]:
    asked: dict[str, list[str]] = {passage: [] for passage in questionnaire.passages}
    for row in questionnaire.questions.rows():
        asked[str(row["passage"])].append(str(row["question"]))
    return asked


def _scores(questionnaire: Questionnaire, asked: Mapping[str, Collection[str]]) -> list[PassageScore]:
    marks: dict[tuple[Any, Any], list[tuple[Any, Any, bool]]] = {}
    for row in questionnaire.answers.rows():
        if row["question"] in asked[str(row["passage"])]:
            cell = marks.setdefault((row["condition"], row["passage"]), [])
            cell.append((row["annotator"], row["question"], bool(row["correct"])))
    ratings: dict[tuple[Any, Any], list[int]] = {}
    for row in questionnaire.ratings.rows():
        ratings.setdefault((row["condition"], row["passage"]), []).append(int(str(row["quality"])))
    marks_by_listener: dict[tuple[Any, Any], dict[str, list[bool]]] = {}
    for row in questionnaire.presence.rows():
        if row["question"] in asked[str(row["passage"])]:
            cells = marks_by_listener.setdefault((row["condition"], row["passage"]), {})
            cells.setdefault(str(row["stage"]), []).append(bool(row["present"]))
    scores = []
    for condition in questionnaire.conditions:
        mine = []
        for passage, questions in asked.items():
            own = marks.get((condition, passage), [])
            hearers = {annotator for annotator, _, _ in own}
            stages = marks_by_listener.get((condition, passage), {})
            for stage, present in stages.items():
                if len(present) != len(questions):
                    raise DataError(
                        f"Stage {stage} of {condition} is marked for {len(present)} of the {len(questions)} questions "
                        f"of the passage {passage!r}; mark all or none."
                    )
            mine.append(
                PassageScore(
                    condition=condition,
                    passage=passage,
                    subjective=_percent([correct for _, _, correct in own]),
                    stages={s: 100 * sum(stages[s]) / len(stages[s]) for s in STAGES if s in stages},
                    quality=_mean(ratings.get((condition, passage), [])),
                    n_questions=len(questions),
                    n_annotators=len(hearers),
                    n_missing=len(hearers) * len(questions) - len(own),
                )
            )
        scores += [*mine, _mean_score(condition, mine)]
    return scores


def _mean_score(condition: str, scores: Sequence[PassageScore]) -> PassageScore:
    """The mean of the passages; a stage has one only if it was marked for every passage that has questions left."""
    left = [each for each in scores if each.n_questions]
    stages = [stage for stage in STAGES if all(stage in each.stages for each in left)]
    subjective = [each.subjective for each in left if each.subjective is not None]
    return PassageScore(
        condition=condition,
        passage=None,
        subjective=_mean(subjective),
        stages={s: sum(each.stages[s] for each in left) / len(left) for s in stages if left},
        quality=_mean([each.quality for each in scores if each.quality is not None]),
        n_questions=sum(each.n_questions for each in scores),
        n_annotators=max((each.n_annotators for each in scores), default=0),
        n_missing=sum(each.n_missing for each in scores),
    )


def _percent(marks: Sequence[bool]) -> float | None:
    return 100 * sum(marks) / len(marks) if marks else None


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def analyse_comprehension(judgements: Judgements) -> Analysis:
    """A comprehension test from the rows of its answers, ratings and validations."""
    return PartsAnalysis("comprehension", {"Comprehension": score_comprehension(questionnaire_of(judgements))})
