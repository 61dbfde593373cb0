"""Direct assessment as a protocol: what is asked, of whom, and what an answer must be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dragoman.data.judgements import DIRECT_ASSESSMENT, Schema, Value
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.answers import Answer, opened
from dragoman.human.direct_assessment.degraders import DEGRADERS
from dragoman.human.direct_assessment.documents import document_tasks
from dragoman.human.direct_assessment.tasks import CONTROLS, N_SECTIONS, TaskMaker, system_order
from dragoman.human.draws import Draws
from dragoman.human.known import known_output
from dragoman.human.material import Material, check_neighbours
from dragoman.human.placing import check_shares
from dragoman.human.protocol import Assignment, Item, Protocol, Task
from dragoman.human.simulated import deserved, is_careful, known_quality, seconds_of
from dragoman.options import option

__all__ = ["SQM_LABELS", "DirectAssessment"]

# Kocmi et al. (WMT 2022), DA+SQM: seven tick marks on the slider, of which four are labelled.
SQM_LABELS: tuple[Mapping[str, Any], ...] = (
    {"at": 0, "name": "sqm-0", "text": "No meaning preserved"},
    {"at": 33, "name": "sqm-2", "text": "Some meaning preserved"},
    {"at": 66, "name": "sqm-4", "text": "Most meaning preserved and few grammar mistakes"},
    {"at": 100, "name": "sqm-6", "text": "Perfect meaning and grammar"},
)

_ATTRIBUTES = {"adequacy": "delete", "fluency": "duplicate"}  # → the degrader that lowers it
_AGAINST = ("reference", "source", "nothing")
_RESTS = ("fill", "leave")


@dataclass(frozen=True)
class DirectAssessment(Protocol):
    """Direct assessment: one output at a time on a scale from 0 to 100, in tasks of 100 with 30 controls.

    Adequacy is judged against the reference (or the source), fluency on the output alone, in campaigns of their own.
    """

    name: ClassVar[str] = "da"
    screen: ClassVar[str] = "da"
    schema: ClassVar[Schema] = DIRECT_ASSESSMENT
    recorded: ClassVar[tuple[str, ...]] = ("TGT", "CHK", "BAD", "REF")  # its analysis looks at the controls itself

    attribute: str = option("adequacy", text="what is judged: adequacy or fluency")
    against: str = option("", text="what is shown beside: reference, source or nothing; by default the attribute's")
    controls: Mapping[str, float] = field(
        default_factory=lambda: {"bad": 0.1, "repeat": 0.1, "reference": 0.1},
        metadata={"text": "share of a task that is a degraded copy, a repeat, a reference"},
    )
    section_size: int = option(10, text="items in each of a task's ten sections")
    degrader: str = option("", text="how outputs are made worse; by default the attribute's")
    rest: str = option("fill", text="outputs after the last whole task: fill a task up with others, or leave them")
    level: str = option("segment", text="what is scored: a segment, or a document with its segments")
    labels: str = option("none", text="words beside the scale: none or sqm")
    context: int = option(0, text="neighbouring segments shown on either side of a segment")
    neighbours: str = option("beside", text="whose neighbours: of what stands beside, outputs of the system, or both")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, value, choices in (
            ("attribute", self.attribute, tuple(_ATTRIBUTES)),
            ("against", self.against or "reference", _AGAINST),
            ("rest", self.rest, _RESTS),
            ("level", self.level, ("segment", "document")),
            ("labels", self.labels, ("none", "sqm")),
        ):
            if value not in choices:
                raise DataError(f"{name} is {value!r}; expected {', '.join(choices[:-1])} or {choices[-1]}.")
        if self.attribute == "fluency" and self.against not in ("", "nothing"):
            raise DataError(f"Fluency is judged on the output alone; against is {self.against!r}. Leave it out.")
        if self.context < 0:
            raise DataError(f"context is {self.context}; expected 0 or more neighbouring segments.")
        check_neighbours(self.neighbours, self.context)
        DEGRADERS.get(self.degrader_name)
        if self.level == "document":
            check_shares(**{name: share for name, share in self.controls.items() if name != "reference"})
            return
        n_controls = sum(self.counts().values())
        if self.section_size < 2 or n_controls > self.section_size - n_controls:
            raise DataError(
                f"A section of {self.section_size} items has {n_controls} controls and only "
                f"{self.section_size - n_controls} outputs to make them from. Lower the shares of the controls."
            )

    @property
    def degrader_name(self) -> str:
        """The degrader in use."""
        return self.degrader or _ATTRIBUTES[self.attribute]

    @property
    def shown_beside(self) -> str:
        """What stands beside the output: reference, source or nothing."""
        return self.against or {"adequacy": "reference", "fluency": "nothing"}[self.attribute]

    def counts(self) -> dict[str, int]:
        """How many controls of each type are in a section."""
        counts = {}
        for name, share in self.controls.items():
            if name not in CONTROLS:
                raise DataError(f"There is no control {name!r}. Known: {', '.join(CONTROLS)}.")
            exact = share * self.section_size
            if not 0 <= share < 1 or abs(exact - round(exact)) > 1e-9:
                raise DataError(
                    f"The control {name!r} has the share {share:g}, which is no whole number of items of a section of "
                    f"{self.section_size}; use multiples of {1 / self.section_size:g}."
                )
            counts[CONTROLS[name]] = round(exact)
        return {kind: count for kind, count in counts.items() if count}

    def tasks(self, test_set: TestSet, *, seed: int) -> list[Task]:
        """Tasks of ten sections.

        What is left after the last whole task is filled up with outputs from the beginning (`rest="fill"`); these
        further showings are marked as fillers. With `rest="leave"` that many outputs are not judged at all.
        """
        if self.level == "document":
            material = Material(test_set, self.shown_beside, degrader=self.degrader_name)
            return document_tasks(material, self.controls, self.task_size, seed=seed)
        counts = self.counts()
        reference = next(iter(test_set.refs.values()), None)
        method = DEGRADERS.get(self.degrader_name)()
        if reference is None and (self.shown_beside == "reference" or "REF" in counts or method.needs_pool):
            raise DataError("The test set has no reference, which this plan shows or needs for its controls.")
        material = Material(test_set, self.shown_beside, self.context, neighbours=self.neighbours)
        maker = TaskMaker(material, reference, method, counts, self.section_size, seed)
        order = system_order(test_set, Draws(seed, "order"))
        return maker.tasks(order, rest=self.rest)

    @property
    def task_size(self) -> int:
        """Items in a task."""
        return self.section_size * N_SECTIONS

    def ask(self) -> dict[str, Any]:
        """What is judged, the scale, and what stands beside the output."""
        return {
            "attribute": self.attribute,
            "beside": self.shown_beside,
            "level": self.level,
            "low": 0,
            "high": 100,
            "question": self.question,
            "labels": [dict(label) for label in SQM_LABELS] if self.labels == "sqm" else [],
            "label_set": "sqm" if self.labels == "sqm" else "",
        }

    def special(self, test_set: TestSet, kind: str, entry: Mapping[str, Any], draws: Draws) -> Item:
        """An output with a known range: `segment`, `system`, `low`, `high`; a `text` of its own; a `hint`."""
        if self.level == "document":
            raise DataError("Gold and tutorials are segments; with level = document there are none.")
        material = Material(test_set, self.shown_beside, self.context, self.degrader_name, self.neighbours)
        return known_output(material, kind, entry, draws, scale=(0, 100))

    def check(self, item: Item, answer: Mapping[str, Any]) -> None:
        """A `score` from 0 to 100; for a document `scores` of its segments and of the whole, `document`."""
        if self.level == "segment":
            opening = opened(item, answer, "score")
            if opening.get("score") is None:
                raise opening.wrong("has no score; move the slider first")
            opening.number("score", 0, 100)
            return
        opening = opened(item, answer, "scores", "document")
        scores = opening.get("scores")
        if not isinstance(scores, list | tuple) or len(scores) != item.segments:
            raise opening.wrong(f"has the wrong scores; expected {item.segments}, one for each segment")
        for number, score in enumerate(scores, start=1):
            Answer(item, {"score": score}, f" (segment {number})").number("score", 0, 100)
        opening.number("document", 0, 100)

    def marks(self, item: Item, answer: Mapping[str, Any]) -> dict[str, float]:  # noqa: ARG002 - the contract
        """The score; of a document the mean of its segments'."""
        if self.level == "document":
            return {"text": sum(answer["scores"]) / len(answer["scores"])}
        return {"text": float(answer["score"])}

    def record(self, assignment: Assignment, item: Item, answer: Mapping[str, Any]) -> list[dict[str, Value]]:
        """The judgement that an answer is; of a document one for each segment, and one for the whole."""
        self.check(item, answer)
        if item.type not in self.recorded:
            return []
        source_lang, target_lang = item.langs
        row: dict[str, Value] = {
            "annotator": assignment.annotator,
            "item": item.id,
            "type": item.type,
            "doc": item.doc,
            "segment": item.segment,
            "system": item.system,
            "seconds": answer.get("seconds"),
            "task": assignment.task.name,
            "source_lang": source_lang,
            "target_lang": target_lang,
            "attribute": self.attribute,
        }
        if self.level == "segment":
            return [self.schema.check(each) for each in self.spread(item, [row | {"score": answer["score"]}])]
        seconds = answer.get("seconds")
        spent = {"seconds": None if seconds is None else seconds / item.segments}
        types = item.types or (item.type,) * item.segments
        rows = [
            row | spent | {"item": f"{item.id}.{n}", "type": kind, "segment": item.segment + n - 1, "score": score}
            for n, (kind, score) in enumerate(zip(types, answer["scores"], strict=True), start=1)
        ]
        rows.append(row | {"item": f"{item.id}.0", "score": answer["document"], "is_document": True})
        return [self.schema.check(each) for each in self.spread(item, rows)]

    def simulate(self, item: Item, draws: Draws, care: float) -> dict[str, Any]:
        """Scores near what the outputs deserve, or anywhere."""
        careful = is_careful(draws, care)
        scores = []
        for segment in range(item.segment, item.segment + item.segments):
            quality = known_quality(item, (0, 100))
            true = deserved(item.system, segment, item.type) if quality is None else quality
            score = true + 8 * draws.normal() if careful else 100 * draws.share()
            scores.append(round(min(100.0, max(0.0, score))))
        seconds = seconds_of(draws, careful, typical=15 * item.segments)
        if self.level == "segment":
            return {"score": scores[0], "seconds": seconds}
        return {"scores": scores, "document": round(sum(scores) / len(scores)), "seconds": seconds}
