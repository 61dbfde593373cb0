"""Direct assessments as arrays: who gave what to which output, and which control belongs to which original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.data.judgements import DIRECT_ASSESSMENT, Judgements
from dragoman.errors import DataError

__all__ = ["TYPES", "Assessments", "Pairs"]

TYPES = ("TGT", "CHK", "BAD", "REF")  # Appraise's; the number of a type is its place here
TGT, CHK, BAD, REF = range(4)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pairs:
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
        present = {each.name for each in judgements.schema.fields}
        columns = {name: latest[name] if name in present else (None,) * len(latest) for name in _COLUMNS}
        columns["score"] = latest[field]
        pairs = [_pair(*langs) for langs in zip(columns["source_lang"], columns["target_lang"], strict=True)]
        wanted = [
            a and b
            for a, b in zip(
                _chosen(pairs, pair, "language pair", "pair"),
                _chosen(columns["attribute"], attribute, "attribute", "attribute"),
                strict=True,
            )
        ]
        documents = [ours and bool(whole) for whole, ours in zip(columns["is_document"], wanted, strict=True)]
        kept = [n for n, score in enumerate(columns["score"]) if score is not None and wanted[n] and not documents[n]]
        types = []
        for n in kept:
            kind = columns["type"][n] or "TGT"
            if kind not in TYPES:
                raise DataError(f"Judgement {n + 1} has the type {kind!r}; expected {', '.join(TYPES)}.")
            types.append(TYPES.index(str(kind)))
        annotators, annotator = _numbered([columns["annotator"][n] for n in kept])
        systems, system = _numbered([columns["system"][n] for n in kept])
        segments, segment = _numbered([(columns["doc"][n], columns["segment"][n]) for n in kept])
        return cls(
            annotators=annotators,
            systems=systems,
            segments=segments,
            annotator=annotator,
            system=system,
            segment=segment,
            type=np.array(types, dtype=np.int64),
            score=_numbers([columns["score"][n] for n in kept]),
            seconds=_numbers([columns["seconds"][n] for n in kept]),
            start=_numbers([columns["start"][n] for n in kept]),
            end=_numbers([columns["end"][n] for n in kept]),
            is_rejected=np.array([columns["status"][n] == "Rejected" for n in kept], dtype=bool),
            task=_numbered([columns["task"][n] for n in kept])[1],
            provenance={
                "files": ", ".join(file.path for file in judgements.files) or None,
                "dropped": judgements.n_dropped,
                "judgements": len(judgements),
                "replaced": len(judgements) - len(latest),
                "of_others": wanted.count(False),
                "of_documents": documents.count(True),
                "without_score": sum(
                    score is None and ours for score, ours in zip(columns["score"], wanted, strict=True)
                ),
                "pair": pair or _only(pairs),
                "attribute": attribute or _only(columns["attribute"]),
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

    def pairs(self, kind: int) -> Pairs:
        """The controls of a type with the original that the same annotator saw nearest to them.

        A control without an original is in no pair. An original may come before or after its control.
        """
        originals: dict[tuple[int, ...], list[int]] = {}
        for row in np.flatnonzero(self.type == TGT).tolist():
            originals.setdefault(self._key(row), []).append(row)
        found = [
            (row, min(places, key=lambda place, row=row: abs(place - row)))  # type: ignore[misc]
            for row in np.flatnonzero(self.type == kind).tolist()
            if (places := originals.get(self._key(row)))
        ]
        array = np.array(found, dtype=np.int64).reshape(-1, 2)
        return Pairs(array[:, 0], array[:, 1])

    def _key(self, row: int) -> tuple[int, ...]:
        return int(self.annotator[row]), int(self.task[row]), int(self.system[row]), int(self.segment[row])


_ARRAYS = ("annotator", "system", "segment", "type", "score", "seconds", "task", "start", "end", "is_rejected")
_COLUMNS = (
    "annotator", "type", "doc", "segment", "system", "score", "seconds", "task",
    "source_lang", "target_lang", "attribute", "start", "end", "status", "is_document",
)  # fmt: skip


def _pair(source: object, target: object) -> str | None:
    return f"{source}-{target}" if source and target else None


def _only(values: Sequence[object]) -> str | None:
    """The value that is recorded, where there is one."""
    return next((str(value) for value in values if value is not None), None)


def _chosen(values: Sequence[object], wanted: str | None, what: str, option: str) -> list[bool]:
    """Which rows have the wanted value; several values and none wanted is refused, and so is one that is not there."""
    known = sorted({str(value) for value in values if value is not None})
    if wanted is None:
        if len(known) > 1:
            raise DataError(f"The judgements have more than one {what}: {', '.join(known)}. Name one with {option}.")
        return [True] * len(values)
    if wanted not in known:
        raise DataError(f"No judgement has the {what} {wanted!r}. Known: {', '.join(known) or 'none is recorded'}.")
    return [value == wanted for value in values]


def _numbers(values: Sequence[Any]) -> Floats:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _numbered(values: list[Any]) -> tuple[tuple[Any, ...], Ints]:
    """The different values in the order of their first appearance, and the number of each entry."""
    places: dict[Any, int] = {}
    numbers = [places.setdefault(value, len(places)) for value in values]
    return tuple(places), np.array(numbers, dtype=np.int64)
