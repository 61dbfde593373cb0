"""Outputs side by side, each with a score of its own: contrastive direct assessment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.judgements import DIRECT_ASSESSMENT, Schema, Value
from dragoman.human.answers import Answer, opened
from dragoman.human.direct_assessment.protocol import SQM_LABELS
from dragoman.human.draws import Draws
from dragoman.human.material import check_choice
from dragoman.human.protocol import Assignment, Item
from dragoman.human.side_by_side import SideBySide
from dragoman.human.simulated import seconds_of
from dragoman.options import option

__all__ = ["ContrastiveAssessment"]


@dataclass(frozen=True)
class ContrastiveAssessment(SideBySide):
    """Contrastive direct assessment: outputs of a segment on one screen, each on a scale from 0 to 100.

    Seeing both makes small differences plain; the scores are direct assessments and analysed as such. On control
    screens a degraded copy stands beside its original, whose score there is that of a repeat.
    """

    name: ClassVar[str] = "contrastive-da"
    screen: ClassVar[str] = "da"
    schema: ClassVar[Schema] = DIRECT_ASSESSMENT
    recorded: ClassVar[tuple[str, ...]] = ("TGT", "CHK", "BAD", "REF")  # its analysis looks at the controls itself

    outputs: int = option(2, text="outputs on a screen; fewer where there are fewer systems")
    consecutive: int = option(1, text="segments that follow each other, of one document")
    runs: int = option(20, text="such runs of segments in a task; controls come on top")
    labels: str = option("none", text="words beside the scale: none or sqm")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("labels", self.labels, ("none", "sqm"))

    def ask(self) -> dict[str, Any]:
        """The scale, and what stands beside the outputs."""
        return {
            "attribute": "adequacy",
            "beside": self.against,
            "level": "outputs",
            "low": 0,
            "high": 100,
            "question": self.question,
            "labels": [dict(label) for label in SQM_LABELS] if self.labels == "sqm" else [],
            "label_set": "sqm" if self.labels == "sqm" else "",
        }

    def check(self, item: Item, answer: Mapping[str, Any]) -> None:
        """An answer has `scores`: for every place of the screen a number from 0 to 100."""
        scores = opened(item, answer, "scores").table("scores", tuple(item.places))
        for place in item.places:
            Answer(item, {"score": scores.get(place)}, f" (output {place})").number("score", 0, 100)

    def record(self, assignment: Assignment, item: Item, answer: Mapping[str, Any]) -> list[dict[str, Value]]:
        """A judgement for each output; of a control screen the degraded copy, and repeats of the others."""
        self.check(item, answer)
        if item.type not in self.recorded:
            return []
        copies = {worse for _, worse in (item.expected or {}).get("order", ())} if item.type == "BAD" else set()
        seconds = answer.get("seconds")
        source_lang, target_lang = item.langs
        row: dict[str, Value] = {
            "annotator": assignment.annotator,
            "doc": item.doc,
            "segment": item.segment,
            "seconds": None if seconds is None else seconds / len(item.places),
            "task": assignment.task.name,
            "source_lang": source_lang,
            "target_lang": target_lang,
            "attribute": "adequacy",
        }
        rows = []
        for place, system in item.places.items():
            kind = "CHK" if copies and place not in copies else item.type
            rows += [
                row | {"system": name, "type": kind, "score": answer["scores"][place]}
                for name in item.joint.get(place, (system,))
            ]
        return [self.schema.check(each | {"item": f"{item.id}.{n}"}) for n, each in enumerate(rows, start=1)]

    def marks(self, item: Item, answer: Mapping[str, Any]) -> dict[str, float]:
        """The scores."""
        return {place: float(answer["scores"][place]) for place in item.places}

    def simulate(self, item: Item, draws: Draws, care: float) -> dict[str, Any]:
        """Scores near what the outputs deserve, or anywhere."""
        qualities, careful = self.opinion(item, draws, care)
        scores = {place: round(min(100.0, max(0.0, quality))) for place, quality in qualities.items()}
        return {"scores": scores, "seconds": seconds_of(draws, careful, typical=25)}
