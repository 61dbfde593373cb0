"""Whose judgements count: the one decision that rankings, standings, quality and headlines share."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from dragoman.data.judgements import Judgements
from dragoman.data.judgements.direct_assessment import DIRECT_ASSESSMENT
from dragoman.errors import DoubtfulInput
from dragoman.files import StrPath
from dragoman.human.direct_assessment.analysis import not_kept
from dragoman.human.protocol import Assignment, Protocol

__all__ = ["not_counted", "not_counted_answers", "warn_of_not_counted", "warn_of_not_counted_in"]


def not_counted(judgements: Judgements) -> dict[str, str]:
    """The annotators whose judgements the analysis of their kind leaves aside, each with the reason."""
    if judgements.kind != DIRECT_ASSESSMENT.kind or not len(judgements):
        return {}
    return not_kept(judgements)


def warn_of_not_counted_in(paths: Iterable[StrPath]) -> None:
    """Warn of judgements in these files that the analysis of their kind leaves aside; tables of scores have none."""
    from dragoman.metrics.meta.reading import read_judged  # a room of its own, which takes time to enter

    for judgements in filter(None, map(read_judged, paths)):
        warn_of_not_counted(judgements)


def warn_of_not_counted(judgements: Judgements) -> None:
    """Warn where judgements are used whose annotators the analysis of their kind leaves aside."""
    people: set[object] = set()
    n_rows = 0
    for part in _analysed_apart(judgements):
        out = not_counted(part)
        people |= set(out)
        n_rows += sum(name in out for name in part["annotator"]) if out else 0
    if people:
        warnings.warn(
            f"{n_rows:,} of {len(judgements):,} judgements count here although "
            f"'dragoman campaign analyse' leaves them out: its quality control does not keep {len(people)} of "
            f"{len(set(judgements['annotator']))} annotators.",
            DoubtfulInput,
            stacklevel=2,
        )


def _analysed_apart(judgements: Judgements) -> list[Judgements]:
    """Return what the analysis takes one at a time: the judgements of each language pair and attribute."""
    if judgements.kind != DIRECT_ASSESSMENT.kind:
        return [judgements]
    keys = list(zip(*(judgements[name] for name in ("source_lang", "target_lang", "attribute")), strict=True))
    parts = dict.fromkeys(keys)
    if len(parts) < 2:
        return [judgements]
    return [judgements.take([n for n, key in enumerate(keys) if key == part]) for part in parts]


def not_counted_answers(
    protocol: Protocol, assignments: Iterable[Assignment], answers: Mapping[tuple[str, str], Mapping[str, Any]]
) -> dict[str, str]:
    """The same by the answers so far of a campaign."""
    if protocol.schema.kind != DIRECT_ASSESSMENT.kind:
        return {}
    rows = [
        row
        for each in assignments
        for item in each.task.items
        if (each.annotator, item.id) in answers
        for row in protocol.record(each, item, answers[each.annotator, item.id])
    ]
    return not_counted(Judgements.of(protocol.schema, rows))
