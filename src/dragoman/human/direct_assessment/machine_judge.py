"""A chat model in the place of annotators: a plan of direct assessment filled by GEMBA-DA, and called simulated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.judgements import DIRECT_ASSESSMENT, Judgements
from dragoman.engines.gemba import GembaDA
from dragoman.errors import DataError
from dragoman.human.protocol import Assignment
from dragoman.report import Result, Table

__all__ = ["MachineJudgements", "judge_plan"]


@dataclass(frozen=True)
class MachineJudgements(Result):
    """What a chat model answered in the place of all annotators of a plan."""

    kind: ClassVar[str] = "simulated-campaign"

    judgements: Judgements
    annotator: str
    bill: str

    def tables(self) -> list[Table]:
        """The model, and what it was asked."""
        note = f"SIMULATED: a chat model, no person, made these {len(self.judgements):,} judgements. {self.bill}."
        rows = [(self.annotator, len(self.judgements))]
        return [Table.of("A chat model as annotator", ["annotator", "judgements"], rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """That no person judged."""
        return {"simulated": True, "annotator": self.annotator}


def judge_plan(assignments: Sequence[Assignment], metric: GembaDA) -> MachineJudgements:
    """Let a chat model score every item of a plan once, whoever was to judge it; the annotator is `simulated:MODEL`.

    The plan must show the source beside each output (`against=source`), which the model is asked about.
    """
    annotator = f"simulated:{metric.model().model}"
    rows = []
    items = [(each.task.name, item) for each in assignments for item in each.task.items]
    for place, (task, item) in enumerate(items):
        if not {"source", "text"} <= item.shown.keys() or item.places:
            raise DataError(f"Item {place + 1} of the plan shows no source and output; plan it with against=source.")
        score = metric.judged(place, item.shown["source"], item.shown["text"], item.shown.get("reference"))
        rows.append(
            {
                "annotator": annotator,
                "item": item.id,
                "type": item.type,
                "doc": item.doc,
                "segment": item.segment,
                "system": item.system,
                "score": score,
                "task": task,
            }
        )
    return MachineJudgements(Judgements.of(DIRECT_ASSESSMENT, rows), annotator, str(metric.model().bill))
