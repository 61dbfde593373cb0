"""Blind edits: what editors did with each system's outputs, and which of them had met a sentence before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.judgements import Judgements, Row, read_judgements
from dragoman.data.judgements.blind_edits import BLIND_EDITS
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.human.analysing import Analysis
from dragoman.human.blind_editing.scores import understandability
from dragoman.human.parts import PartsAnalysis
from dragoman.human.provenance import files_of
from dragoman.report import Column, Result, Sentence, Table

__all__ = ["BlindEdit", "EditedSystems", "analyse_edits", "analyse_reviews", "read_edits"]


@dataclass(frozen=True)
class BlindEdit:
    """One edit, ready to be reviewed."""

    editor: str
    system: str
    segment: int
    output: str | None  # what was edited, if it is known
    edit: str  # empty if the editor gave up
    seen: bool  # whether the editor had met the sentence before, in another system's words


@dataclass(frozen=True)
class EditedSystems(Result):
    """What editors did, by system. It says how hard outputs were, not how right the edits are: reviews say that."""

    kind: ClassVar[str] = "blind-edits"

    rows: tuple[tuple[Any, ...], ...]  # system, outputs, given up, left as they were, seconds
    n_seen: int
    files: tuple[str, ...] = ()

    def tables(self) -> list[Table]:
        """One row per system."""
        columns: list[Column | str] = ["system", "outputs", *(Column(n, digits=1) for n in ("given_up", "unchanged"))]
        note = Sentence(
            "given_up and unchanged: per cent. Edits whose editor had met the sentence before: {n}.", n=self.n_seen
        )
        return [Table.of("Blind edits", [*columns, Column("seconds", digits=1)], self.rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """Where they come from."""
        return {"files": list(self.files), "n": sum(row[1] for row in self.rows), "n_seen": self.n_seen}


def analyse_edits(judgements: Judgements) -> Analysis:
    """How often editors gave up or changed nothing, by system."""
    edits = _edits(judgements)
    by_system: dict[str, list[Row]] = {}
    for row in judgements.latest().rows():
        by_system.setdefault(str(row["system"]), []).append(row)
    rows = []
    for system, own in sorted(by_system.items()):
        times = [float(str(row["seconds"])) for row in own if row["seconds"] is not None]
        rows.append(
            (
                system,
                len(own),
                100 * sum(row["edit"] is None for row in own) / len(own),
                100 * sum(row["edit"] is not None and row["edit"] == row["output"] for row in own) / len(own),
                sum(times) / len(times) if times else None,
            )
        )
    result = EditedSystems(tuple(rows), sum(edit.seen for edit in edits), tuple(files_of(judgements)))
    return PartsAnalysis(BLIND_EDITS.kind, {"Edits": result})


def analyse_reviews(judgements: Judgements, *, level: float = 0.95, trials: int = 1000, seed: int = 1) -> Analysis:
    """The share of outputs that were understood, by system."""
    result = understandability(judgements, level=level, trials=trials, seed=seed)
    return PartsAnalysis(judgements.schema.kind, {"Understandability": result})


def read_edits(edits: StrPath | Sequence[Mapping[str, Any]]) -> list[BlindEdit]:
    """The last edit of each editor and output, from a file of judgements or from rows, in the order made."""
    if isinstance(edits, list | tuple):
        table = Judgements.of(BLIND_EDITS, [BLIND_EDITS.check(dict(row)) for row in edits])
    else:
        table = read_judgements(edits, kind=BLIND_EDITS.kind)  # type: ignore[arg-type]
    return _edits(table)


def _edits(table: Judgements) -> list[BlindEdit]:
    if table.schema.kind != BLIND_EDITS.kind:
        raise DataError(f"These are judgements of the kind {table.schema.kind}, not {BLIND_EDITS.kind}.")
    met: set[tuple[str, int]] = set()
    edits = []
    for row in table.latest().rows():
        editor, segment = str(row["annotator"]), int(row["segment"] or 0)
        text = "" if row["edit"] is None else str(row["edit"])
        output = None if row["output"] is None else str(row["output"])
        edits.append(BlindEdit(editor, str(row["system"]), segment, output, text, (editor, segment) in met))
        met.add((editor, segment))
    return edits
