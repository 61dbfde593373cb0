"""How far a campaign has come: what was assigned, what was judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from dragoman.data.judgement_log import JudgementLog
from dragoman.data.judgements import Judgements
from dragoman.errors import FormatError
from dragoman.files import StrPath, read_text
from dragoman.human.planning import read_plan
from dragoman.human.protocol import PROTOCOLS, Assignment, item_of
from dragoman.notation import parse_json
from dragoman.report import Column, Table
from dragoman.report.result import Result

__all__ = ["CampaignProgress", "progress", "progress_of"]


@dataclass(frozen=True)
class CampaignProgress(Result):
    """Each annotator's items, assigned and judged."""

    kind: ClassVar[str] = "campaign-status"

    name: str
    annotators: tuple[tuple[str, int, int, int, int], ...]  # name, tasks, tasks finished, items, items judged
    strange: int  # judgements of items that nobody was assigned
    corrections: int  # later answers to an item that had one

    def tables(self) -> list[Table]:
        """One row per annotator, then all together."""
        rows: list[tuple[Any, ...]] = [(*row, _share(row[4], row[3])) for row in self.annotators]
        totals = [sum(column) for column in zip(*(row[1:] for row in self.annotators), strict=True)] or [0] * 4
        rows.append(("all", *totals, _share(totals[3], totals[2])))
        columns = [
            Column("annotator"),
            Column("tasks"),
            Column("finished"),
            Column("items"),
            Column("judged"),
            Column("percent", digits=1),
        ]
        note = f"{self.corrections} answers were corrected."
        if self.strange:
            note += f" {self.strange} judgements are of items that were not assigned to their annotator."
        return [Table.of(f"Status of {self.name}", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """What was counted apart."""
        return {"campaign": self.name, "corrections": self.corrections, "not_assigned": self.strange}


def _share(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


def progress(folder: StrPath) -> CampaignProgress:
    """The progress of the campaign in a folder that `new_campaign` made."""
    source = Path(folder)
    try:
        about = parse_json(read_text(source / "plan.json"))
        name, protocol = about["campaign"], PROTOCOLS.get(about["protocol"])
    except (ValueError, KeyError, TypeError):
        raise FormatError("this is no plan of a campaign.", path=source / "plan.json") from None
    judgements = JudgementLog(source / "judgements.jsonl", protocol.schema).judgements()
    return progress_of(read_plan(source), judgements, name=name, recorded=protocol.recorded)


def progress_of(
    assignments: list[Assignment],
    judgements: Judgements,
    *,
    name: str = "campaign",
    recorded: Collection[str] | None = None,
) -> CampaignProgress:
    """The progress of assignments by the judgements that came in; an item counts once, however often corrected.

    Items of types that are not `recorded` give no judgements, so they are not counted.
    """
    latest = judgements.latest()
    answered = {(who, item_of(str(item))) for who, item in zip(latest["annotator"], latest["item"], strict=True)}
    counts: dict[str, Counter[str]] = {}
    assigned = set()
    for each in assignments:
        own = counts.setdefault(each.annotator, Counter())
        items = [item for item in each.task.items if recorded is None or item.type in recorded]
        keys = {(each.annotator, item.id) for item in items}
        assigned |= keys
        own.update(tasks=1, items=len(keys), judged=len(keys & answered), finished=int(keys <= answered))
    rows = [
        (annotator, own["tasks"], own["finished"], own["items"], own["judged"]) for annotator, own in counts.items()
    ]
    return CampaignProgress(name, tuple(rows), len(answered - assigned), len(judgements) - len(latest))
