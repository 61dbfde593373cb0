"""What post-editing took: time, keystrokes and edits, by system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any, ClassVar

from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.human.analysing import Analysis
from dragoman.human.parts import PartsAnalysis
from dragoman.human.scales import analyse_scales
from dragoman.report import Column, Sentence, Table
from dragoman.report.result import Result
from dragoman.text.languages import pair_among

__all__ = ["EditedSystem", "PostEdits", "analyse_effort", "analyse_post_edits"]


@dataclass(frozen=True)
class EditedSystem:
    """A system's outputs as they were edited; None where time or keystrokes were not recorded."""

    system: str
    n: int
    hter: float  # edits by words of the post-edits, in per cent
    untouched: float  # share of outputs that were left as they were
    seconds_per_word: float | None  # the median over outputs
    keystrokes_per_word: float | None


@dataclass(frozen=True)
class PostEdits(Result):
    """What post-editing took, the least edited system first."""

    kind: ClassVar[str] = "post-edits"

    systems: tuple[EditedSystem, ...]
    provenance: Mapping[str, Any]

    def tables(self) -> list[Table]:
        """One row a system."""
        columns = [
            Column("system"),
            Column("n"),
            Column("hter", "HTER", 1),
            Column("untouched", digits=3),
            Column("seconds_per_word", "seconds per word", 2),
            Column("keystrokes_per_word", "keystrokes per word", 2),
        ]
        rows = [tuple(vars(each).values()) for each in self.systems]
        note = Sentence(
            "HTER: TER of the outputs against their own post-edits. Times and keystrokes are medians over outputs, by "
            "words of the output."
        )
        return [Table.of("Post-editing", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """Which judgements."""
        return dict(self.provenance)


def analyse_post_edits(judgements: Judgements) -> PostEdits | None:
    """What post-editing took; None where nothing was edited."""
    from dragoman.metrics.hter import hter

    rows = [row for row in judgements.latest().rows() if row["post_edit"] is not None and row["output"] is not None]
    if not rows:
        return None
    systems = []
    for system in dict.fromkeys(str(row["system"]) for row in rows):
        own = [row for row in rows if row["system"] == system]
        outputs, edited = [str(row["output"]) for row in own], [str(row["post_edit"]) for row in own]
        systems.append(
            EditedSystem(
                system=system,
                n=len(own),
                hter=100 * hter(outputs, edited).corpus,
                untouched=sum(a == b for a, b in zip(outputs, edited, strict=True)) / len(own),
                seconds_per_word=_per_word(own, "seconds"),
                keystrokes_per_word=_per_word(own, "keystrokes"),
            )
        )
    files = ", ".join(file.path for file in judgements.files) or None
    return PostEdits(tuple(sorted(systems, key=lambda each: each.hter)), {"files": files, "post_edits": len(rows)})


def _per_word(rows: list[dict[str, Any]], name: str) -> float | None:
    rates = [row[name] / max(1, len(row["output"].split())) for row in rows if row[name] is not None]
    return median(rates) if rates else None


def analyse_effort(
    judgements: Judgements, *, pair: str | None = None, attribute: str | None = None, alpha: float = 0.05, seed: int = 1
) -> Analysis:
    """The effort that was estimated and what post-editing took, as far as the judgements have either."""
    parts: dict[str, Analysis | PostEdits] = {}
    if any(each is not None for each in judgements["effort"]):
        parts["Effort"] = scales = analyse_scales(judgements, pair=pair, attribute=attribute, alpha=alpha, seed=seed)
    if pair is not None:
        own = [row for row in judgements.rows() if pair_among(pair, [f"{row['source_lang']}-{row['target_lang']}"])]
        judgements = Judgements.of(judgements.schema, own)
    edited = analyse_post_edits(judgements)
    if edited is not None:
        return PartsAnalysis("post-editing-effort", {**parts, "Post-editing": edited})
    if not parts:
        raise DataError("There is neither an effort nor a post-edit to analyse.")
    return scales
