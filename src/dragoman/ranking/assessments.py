"""Scores that people gave to outputs, as arrays: what rankings of direct assessments start from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from dragoman.data.judgements import Judgements, Value
from dragoman.errors import DataError
from dragoman.text.languages import pair_among

__all__ = ["Assessments", "assessed_pairs", "collect_assessments"]

_SYSTEM_OUTPUT = "TGT"  # the item type of real outputs; references, degraded and repeated items are controls


@dataclass(frozen=True)
class Assessments:
    """Direct assessments in the order they were made, as arrays of one length."""

    systems: tuple[str, ...]  # sorted by name
    annotators: tuple[str, ...]  # sorted by name
    system: NDArray[np.int32]  # index into systems
    annotator: NDArray[np.int32]  # index into annotators
    segment: NDArray[np.int32]  # dense from 0
    score: NDArray[np.float64]
    provenance: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        lengths = {len(each) for each in (self.system, self.annotator, self.segment, self.score)}
        if len(lengths) > 1:
            raise DataError(f"The arrays of assessments must be equally long, got {sorted(lengths)}.")
        if not np.isfinite(self.score).all():
            raise DataError("Assessments are finite numbers; leave out what was not judged.")
        object.__setattr__(self, "provenance", MappingProxyType(dict(self.provenance)))

    def __len__(self) -> int:
        return len(self.score)

    def without(self, *systems: str) -> Assessments:
        """The assessments of the other systems."""
        others = [name for name in self.systems if name not in systems]
        new = np.full(len(self.systems), -1, dtype=np.int32)
        new[[self.systems.index(name) for name in others]] = np.arange(len(others), dtype=np.int32)
        keep = new[self.system] >= 0
        return replace(
            self,
            systems=tuple(others),
            system=new[self.system[keep]],
            annotator=self.annotator[keep],
            segment=self.segment[keep],
            score=self.score[keep],
        )


def assessed_pairs(judgements: Judgements) -> tuple[str, ...]:
    """The language pairs of direct assessments in the order they come up; none where the file does not say."""
    spoken = dict.fromkeys(zip(judgements["source_lang"], judgements["target_lang"], strict=True))
    return tuple(f"{source}-{target}" for source, target in spoken if source and target)


def collect_assessments(judgements: Judgements, *, pair: str | None = None) -> Assessments:
    """The assessments of system outputs; control items (references, degraded and repeated outputs) are left out."""
    if judgements.schema.kind != "direct-assessment":
        raise DataError(f"Assessments come from direct assessment; these are {judgements.schema.kind} judgements.")
    pairs = assessed_pairs(judgements)
    judged = pair_among(pair, pairs) if pair is not None else None
    if pair is not None and judged is None:
        raise DataError(f"No judgement is of the language pair {pair!r}. Judged: {', '.join(pairs) or 'not said'}.")
    if pair is None and len(pairs) > 1:
        raise DataError(f"The judgements are of several language pairs; name one of {', '.join(pairs)}.")
    if judged is not None:
        spoken = zip(judgements["source_lang"], judgements["target_lang"], strict=True)
        source, target = next(each for each in spoken if f"{each[0]}-{each[1]}" == judged)
        judgements = judgements.where(source_lang=source, target_lang=target)
    attributes = [str(name) for name in dict.fromkeys(judgements["attribute"]) if name is not None]
    if len(attributes) > 1:
        raise DataError(f"The judgements are of {' and '.join(attributes)}, which do not add up; rank by one of them.")
    rows = [
        (str(system), str(annotator), segment, float(score))
        for system, annotator, segment, score, kind in zip(
            judgements["system"],
            judgements["annotator"],
            judgements["segment"],
            judgements["score"],
            judgements["type"],
            strict=True,
        )
        if score is not None and kind in (None, _SYSTEM_OUTPUT)
    ]
    systems = sorted({row[0] for row in rows})
    annotators = sorted({row[1] for row in rows})
    segments = {segment: number for number, segment in enumerate(dict.fromkeys(row[2] for row in rows))}
    system_number = {name: number for number, name in enumerate(systems)}
    annotator_number = {name: number for number, name in enumerate(annotators)}
    return Assessments(
        systems=tuple(systems),
        annotators=tuple(annotators),
        system=np.array([system_number[row[0]] for row in rows], dtype=np.int32),
        annotator=np.array([annotator_number[row[1]] for row in rows], dtype=np.int32),
        segment=np.array([segments[row[2]] for row in rows], dtype=np.int32),
        score=np.array([row[3] for row in rows], dtype=np.float64),
        provenance={
            "files": ", ".join(dict.fromkeys(file.path for file in judgements.files)) or None,
            "pair": judged or next(iter(pairs), None),
            "judgements": len(judgements),
            "assessments": len(rows),
            "controls": len(judgements) - len(rows),
        },
    )
