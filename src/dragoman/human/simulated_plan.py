"""A plan in a folder, of any protocol, filled by invented judges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.human.planning import read_plan, read_protocol
from dragoman.human.simulated import simulate_judges
from dragoman.report import Column, Result, Table

__all__ = ["SimulatedJudges", "simulate_plan"]


@dataclass(frozen=True)
class SimulatedJudges(Result):
    """What invented judges said about a plan. No judgement of anything."""

    kind: ClassVar[str] = "simulated-judges"

    protocol: str
    judges: tuple[tuple[str, float, int, int], ...]  # name, care, answers, judgements
    judgements: Judgements
    seed: int

    def tables(self) -> list[Table]:
        """One row per judge."""
        columns = [Column("annotator"), Column("care", digits=2), Column("answers"), Column("judgements")]
        return [Table.of("Simulated judges", columns, self.judges, note="Invented: no judgement of anything.")]

    def meta(self) -> dict[str, Any]:
        """How it came about."""
        return {"protocol": self.protocol, "judged": self.judgements.kind, "seed": self.seed, "simulated": True}


def simulate_plan(folder: StrPath, care: Mapping[str, float] | None = None, *, seed: int = 1) -> SimulatedJudges:
    """Let invented judges fill the plan in a folder, of any protocol. Whom `care` does not name takes all care."""
    protocol, assignments = read_protocol(folder), read_plan(folder)
    names = list(dict.fromkeys(each.annotator for each in assignments))
    strange = sorted(set(care or {}) - set(names))
    if strange:
        raise DataError(f"Nobody in the plan is called {strange[0]!r}. Known: {', '.join(names[:20])}.")
    own = dict.fromkeys(names, 1.0) | dict(care or {})
    judgements = simulate_judges(protocol, assignments, own, seed=seed)
    answers: Counter[str] = Counter()
    for each in assignments:
        answers[each.annotator] += len(each.task.items)
    judged = Counter(judgements["annotator"])
    rows = tuple((name, own[name], answers[name], judged[name]) for name in names)
    return SimulatedJudges(protocol.name, rows, judgements, seed)
