"""What must hold before systems can be ranked: two of them, judged, and linked by judgements."""

from __future__ import annotations

import re

import numpy as np

from dragoman.data.comparisons import Comparisons
from dragoman.errors import DataError
from dragoman.stats.pairwise import comparable_groups

__all__ = ["check_comparable", "check_systems", "reference_names"]

# WMT's files call the human reference `_ref`; other tools write ref, reference, ref-A, refB.
_REFERENCE = re.compile(r"_?ref(?:erence)?[-_. ]?[a-z0-9]?", re.IGNORECASE)


def reference_names(systems: tuple[str, ...]) -> list[str]:
    """The names among the systems that stand for a human reference."""
    return [name for name in systems if _REFERENCE.fullmatch(name)]


def check_systems(systems: tuple[str, ...], n_judgements: int) -> None:
    """Refuse to rank fewer than two systems, or without judgements."""
    if len(systems) == 1:
        raise DataError(f"Only one system was judged, {systems[0]}; a ranking needs at least two.")
    if n_judgements == 0:
        raise DataError("There are no judgements to rank by.")


def check_comparable(comparisons: Comparisons, *, counts_ties: bool, label: str) -> None:
    """Refuse systems that no chain of judgements links; the message says which cannot be compared with which."""
    check_systems(comparisons.systems, len(comparisons))
    wins = comparisons.wins()
    counts = wins + comparisons.ties() if counts_ties else wins
    groups = comparable_groups(counts)
    if len(groups) == 1:
        return
    if not counts.any():
        raise DataError(
            f"All {len(comparisons):,} comparisons are ties, which {label} does not count: nothing tells the systems "
            "apart. Methods that count ties: hopkins-may, gaussian-skill, bradley-terry."
        )
    linked = "links" if counts_ties or not (wins + comparisons.ties()).any() else "that is no tie links"
    shown = " | ".join(", ".join(comparisons.systems[system] for system in group) for group in groups)
    raise DataError(
        f"The systems fall into {len(groups)} groups that cannot be compared, because no judgement {linked} them: "
        f"{shown}. Rank one group by itself, or collect judgements across."
    )


def check_scores(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]], systems: tuple[str, ...]) -> None:
    """Refuse scores that are missing."""
    missing = [name for name, value in zip(systems, values, strict=True) if not np.isfinite(value)]
    if missing:
        raise DataError(f"There is no score for {', '.join(missing)}: they were never judged. Leave them out.")
