"""Direct assessments as arrays: who gave what to which output, and which control belongs to which original."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.data.judgements import DIRECT_ASSESSMENT, Judgements
from dragoman.errors import DataError
from dragoman.text.languages import pair_among

__all__ = ["TYPES", "Assessments", "ControlPairs"]

TYPES = ("TGT", "CHK", "BAD", "REF")  # Appraise's; the number of a type is its place here
TGT, CHK, BAD, REF = range(4)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ControlPairs:
    """Controls with their originals, as row numbers. `control` was shown to the same annotator as `original`."""

    control: Ints
    original: Ints

    def __len__(self) -> int:
        return len(self.control)


@dataclass(frozen=True)
class Assessments:
    """Direct assessments, arrays of one length in the order they were made."""

    annotators: tuple[str, ...]
    systems: tuple[str, ...]
    segments: tuple[tuple[str | None, int], ...]  # document, where known, and number
    annotator: Ints
    system: Ints
    segment: Ints
    type: Ints
    score: Floats
    seconds: Floats  # NaN where not recorded
    task: Ints  # which task the item belongs to, as far as the judgements say
    start: Floats  # when item or task was opened and submitted, s since 1970; NaN where not recorded
    end: Floats
    is_rejected: NDArray[np.bool_]  # the organiser refused the task
    provenance: Mapping[str, Any]

    def __len__(self) -> int:
        return len(self.score)

    @classmethod
    def of(cls, judgements: Judgements, *, pair: str | None = None, attribute: str | None = None) -> Assessments:
        """The last word of each annotator on each item; items without a score are left out, and counted.

        Judgements of several language pairs or attributes are different campaigns: name the one that is meant.
        """
        if judgements.schema.kind != DIRECT_ASSESSMENT.kind:
            raise DataError(f"These are judgements of the kind {judgements.schema.kind}, not {DIRECT_ASSESSMENT.kind}.")
        return cls.of_field(judgements, "score", pair=pair, attribute=attribute)

    @classmethod
    def of_field(
        cls, judgements: Judgements, field: str, *, pair: str | None = None, attribute: str | None = None
    ) -> Assessments:
        """The same from any judgements of single outputs, with the scores of one field."""
        latest = judgements.latest()
        table = _Columns(latest)
        wanted = np.ones(len(latest), dtype=bool)
        wanted &= _chosen(table.joined("source_lang", "target_lang"), wanted, pair, "language pair", "pair")
        wanted &= _chosen(table.coded("attribute"), wanted, attribute, "attribute", "attribute")
        documents = wanted & table.equals("is_document", True)
        scores = latest.numbers(field)
        rows = wanted & ~documents & ~np.isnan(scores)
        annotators, annotator = _dense(table.coded("annotator"), rows)
        systems, system = _dense(table.coded("system"), rows)
        segments, segment = _dense(table.joined("doc", "segment"), rows)
        return cls(
            annotators=annotators,
            systems=systems,
            segments=segments,
            annotator=annotator,
            system=system,
            segment=segment,
            type=_types(table.coded("type"), rows),
            score=scores[rows],
            seconds=table.numbers("seconds")[rows],
            start=table.numbers("start")[rows],
            end=table.numbers("end")[rows],
            is_rejected=table.equals("status", "Rejected")[rows],
            task=_dense(table.coded("task"), rows)[1],
            provenance={
                "files": ", ".join(file.path for file in judgements.files) or None,
                "dropped": judgements.n_dropped,
                "judgements": len(judgements),
                "replaced": len(judgements) - len(latest),
                "of_others": int(np.count_nonzero(~wanted)),
                "of_documents": int(np.count_nonzero(documents)),
                "without_score": int(np.count_nonzero(wanted & ~documents & np.isnan(scores))),
                "pair": _only(table.joined("source_lang", "target_lang"), wanted),
                "attribute": attribute or _only(table.coded("attribute"), wanted),
            },
        )

    @property
    def is_genuine(self) -> NDArray[np.bool_]:
        """Outputs as the systems gave them: shown for the first time or again."""
        genuine: NDArray[np.bool_] = (self.type == TGT) | (self.type == CHK)
        return genuine

    def take(self, keep: NDArray[np.bool_]) -> Assessments:
        """The rows where `keep` is true; names stay as they are."""
        arrays = {name: getattr(self, name)[keep] for name in _ARRAYS}
        return replace(self, **arrays)

    def pairs(self, kind: int) -> ControlPairs:
        """The controls of a type with the original that the same annotator saw nearest to them.

        A control without an original is in no pair. An original may come before or after its control.
        """
        n = len(self)
        seen = np.unique(self.annotator * (int(self.task.max(initial=0)) + 1) + self.task, return_inverse=True)[1]
        outputs = np.unique(self.system * len(self.segments) + self.segment, return_inverse=True)[1]
        # What was shown to whom in which task, then the row: sorted, an original's neighbours are the nearest showings.
        places = (seen * (int(outputs.max(initial=0)) + 1) + outputs) * n + np.arange(n)
        originals = np.sort(places[self.type == TGT])
        controls = places[self.type == kind]
        after = np.searchsorted(originals, controls)
        best = np.full(len(controls), -1, dtype=np.int64)
        distance = np.full(len(controls), n, dtype=np.int64)
        for candidate in (after - 1, after):  # the earlier one where both are as near
            inside = (candidate >= 0) & (candidate < len(originals))
            match = originals[np.clip(candidate, 0, max(0, len(originals) - 1))] if len(originals) else controls
            same = inside & (match // max(1, n) == controls // max(1, n))
            away = np.abs(match - controls)
            nearer = same & (away < distance)
            best[nearer], distance[nearer] = match[nearer] % max(1, n), away[nearer]
        paired = best >= 0
        return ControlPairs(controls[paired] % max(1, n), best[paired])


_ARRAYS = ("annotator", "system", "segment", "type", "score", "seconds", "task", "start", "end", "is_rejected")

_Coded = tuple[NDArray[np.int32] | Ints, tuple[Any, ...]]  # the number of each row's value, and the different values


class _Columns:
    """The columns of judgements; one that the schema does not have is empty."""

    def __init__(self, judgements: Judgements) -> None:
        self.judgements = judgements
        self._present = {each.name for each in judgements.schema.fields}

    def coded(self, name: str) -> _Coded:
        """A column as numbers of its different values."""
        if name not in self._present:
            return np.zeros(len(self.judgements), dtype=np.int64), (None,)
        return self.judgements.coded(name)

    def joined(self, first: str, second: str) -> _Coded:
        """Two columns as one: values are pairs."""
        (a, names), (b, others) = self.coded(first), self.coded(second)
        width = max(1, len(others))
        numbers, which = np.unique(a.astype(np.int64) * width + b, return_inverse=True)
        return which, tuple((names[n // width], others[n % width]) for n in numbers.tolist())

    def numbers(self, name: str) -> Floats:
        """A column of numbers, NaN where there is none."""
        return self.judgements.numbers(name) if name in self._present else np.full(len(self.judgements), np.nan)

    def equals(self, name: str, value: object) -> NDArray[np.bool_]:
        """Where the column has this value."""
        codes, values = self.coded(name)
        return np.array([each == value for each in values], dtype=bool)[codes]


def _name(value: Any) -> str | None:
    """A value as the user writes it; a language pair is known when both languages are."""
    if isinstance(value, tuple):
        return "-".join(map(str, value)) if all(value) else None
    return None if value is None else str(value)


def _only(coded: _Coded, rows: NDArray[np.bool_]) -> str | None:
    """The value that is recorded in these rows, where there is one."""
    codes, values = coded
    return next((_name(values[n]) for n in np.unique(codes[rows]).tolist() if _name(values[n]) is not None), None)


def _chosen(coded: _Coded, rows: NDArray[np.bool_], wanted: str | None, what: str, option: str) -> NDArray[np.bool_]:
    """Where the value is the wanted one.

    Several values in these rows and none wanted is refused, and so is one that is not there.
    """
    codes, values = coded
    names = [_name(value) for value in values]
    choices = sorted({name for n in np.unique(codes[rows]).tolist() if (name := names[n]) is not None})
    if wanted is None:
        if len(choices) > 1:
            raise DataError(f"The judgements have more than one {what}: {', '.join(choices)}. Name one with {option}.")
        return np.ones(len(codes), dtype=bool)
    wanted_name = pair_among(wanted, choices) if option == "pair" else wanted
    if wanted_name not in choices:
        raise DataError(f"No judgement has the {what} {wanted!r}. Known: {', '.join(choices) or 'none is recorded'}.")
    return np.array([name == wanted_name for name in names], dtype=bool)[codes]


def _dense(coded: _Coded, rows: NDArray[np.bool_]) -> tuple[tuple[Any, ...], Ints]:
    """The values that occur in these rows, in the order of their first appearance, and the number of each row's."""
    codes, values = coded
    numbers, first, which = np.unique(codes[rows], return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    number = np.empty(len(numbers), dtype=np.int64)
    number[order] = np.arange(len(numbers))
    return tuple(values[n] for n in numbers[order].tolist()), number[which]


def _types(coded: _Coded, rows: NDArray[np.bool_]) -> Ints:
    """The numbers of the item types; an item without one is a system's output."""
    codes, values = coded
    for n in np.unique(codes[rows]).tolist():
        if values[n] is not None and values[n] not in TYPES:
            row = int(np.flatnonzero(rows & (codes == n))[0]) + 1
            raise DataError(f"Judgement {row} has the type {values[n]!r}; expected {', '.join(TYPES)}.")
    numbers = {name: number for number, name in enumerate(TYPES)}
    return np.array([numbers.get(value, TGT) for value in values], dtype=np.int64)[codes[rows]]
