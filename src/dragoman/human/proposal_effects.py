"""What people did with a model's proposals, and how far the proposals did it to people.

Accepted, changed, removed and added spans are counted where proposals were shown. Automation bias is the difference
that showing makes: the share of the proposed characters that people marked with the proposals before them, less the
share that others marked, unaided, of what the model would have proposed to them (the control part).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.judgements import Judgements, Row
from dragoman.data.judgements.spans import ERROR_SPANS
from dragoman.errors import DataError
from dragoman.human.protocol import item_of
from dragoman.human.provenance import files_of
from dragoman.notation import parse_json
from dragoman.report import Column, Result, Sentence, Table
from dragoman.rng import Stream
from dragoman.stats.arrays import check_level, check_trials

__all__ = ["Measure", "ProposalEffects", "Treatment", "proposal_effects"]

_NAMES = ("proposed characters marked, %", "marked characters proposed, %", "errors", "score", "seconds")


@dataclass(frozen=True)
class _Output:
    """An output that somebody judged."""

    annotator: str
    system: str
    is_assisted: bool
    proposed: int  # spans
    origins: Mapping[str, int]
    errors: int
    n_proposed: int  # characters
    n_marked: int
    n_both: int
    score: float | None
    seconds: float | None


@dataclass(frozen=True)
class Treatment:
    """What became of the proposals that were shown: of a system, an annotator, or all."""

    name: str
    outputs: int
    proposed: int
    accepted: int
    changed: int
    added: int

    @property
    def removed(self) -> int:
        """Proposals of which nothing is left."""
        return self.proposed - self.accepted - self.changed


@dataclass(frozen=True)
class Measure:
    """Something about outputs with proposals and without; None where there is nothing to measure."""

    name: str
    assisted: float | None
    control: float | None
    difference: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class ProposalEffects(Result):
    """What became of proposals, and what they did."""

    kind: ClassVar[str] = "proposal-effects"

    systems: tuple[Treatment, ...]
    annotators: tuple[Treatment, ...]
    measures: tuple[Measure, ...]
    n_assisted: int
    n_control: int
    n_faultless: int  # outputs without any proposal that were judged
    n_missed: int  # of which people found an error in so many
    level: float
    trials: int
    seed: int
    files: tuple[str, ...] = ()

    @property
    def bias(self) -> Measure:
        """Automation bias: how much more of what is proposed is marked because it is proposed."""
        return self.measures[0]

    def tables(self) -> list[Table]:
        """With and without proposals, then what became of them."""
        digits = [Column(name, digits=2, figures=1) for name in ("assisted", "control", "difference", "low", "high")]
        rows = [(m.name, m.assisted, m.control, m.difference, m.low, m.high) for m in self.measures]
        note = Sentence(
            "{assisted} outputs judged with proposals, {control} without. The first line is automation bias. {level} "
            "intervals by the bootstrap over outputs, {trials} samples, seed {seed}. Of {faultless} judged outputs "
            "that the model holds for faultless, people found errors in {missed}.",
            assisted=self.n_assisted,
            control=self.n_control,
            level=f"{self.level:.0%}",
            trials=self.trials,
            seed=self.seed,
            faultless=self.n_faultless,
            missed=self.n_missed,
        )
        names = ("outputs", "proposed", "accepted", "changed", "removed", "added")
        return [
            Table.of("With and without proposals", ["measure", *digits], rows, note=note),
            *(
                Table.of(title, [head, *names], [(each.name, *(getattr(each, n) for n in names)) for each in treated])
                for title, head, treated in (
                    ("What became of proposals", "system", self.systems),
                    ("By annotator", "annotator", self.annotators),
                )
            ),
        ]

    def meta(self) -> dict[str, Any]:
        """How it was measured."""
        return {
            "files": list(self.files),
            "n_assisted": self.n_assisted,
            "n_control": self.n_control,
            "n_faultless": self.n_faultless,
            "n_missed": self.n_missed,
            "automation_bias": self.bias.difference,
            "level": self.level,
            "trials": self.trials,
            "seed": self.seed,
        }


def proposal_effects(
    judgements: Judgements, *, level: float = 0.95, trials: int = 1000, seed: int = 1
) -> ProposalEffects:
    """Count what became of proposals and measure what they did; first showings of outputs alone."""
    check_level(level)
    check_trials(trials)
    if judgements.schema.kind != ERROR_SPANS.kind:
        raise DataError(f"These are judgements of the kind {judgements.schema.kind}, not {ERROR_SPANS.kind}.")
    outputs = _outputs(judgements)
    if not outputs:
        raise DataError("No judgement says what a model had proposed; the protocol esa-ai gives such judgements.")
    shown = [each for each in outputs if each.is_assisted]
    hidden = [each for each in outputs if not each.is_assisted]
    faultless = [each for each in outputs if not each.proposed]
    return ProposalEffects(
        (_treatment("all", shown), *_grouped(shown, "system")),
        tuple(_grouped(shown, "annotator")),
        tuple(_measures(shown, hidden, level, trials, seed)),
        len(shown),
        len(hidden),
        len(faultless),
        sum(each.errors > 0 for each in faultless),
        level,
        trials,
        seed,
        tuple(files_of(judgements)),
    )


def _outputs(judgements: Judgements) -> list[_Output]:
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in judgements.latest().rows():
        if row["assisted"] is not None and row["type"] in (None, "TGT"):
            key = str(row["annotator"]), item_of(str(row["item"])), str(row["system"])
            groups.setdefault(key, []).append(row)
    return [_output(*key, rows) for key, rows in groups.items()]


def _output(annotator: str, item: str, system: str, rows: Sequence[Row]) -> _Output:
    first = rows[0]
    try:
        spans = parse_json(str(first["proposals"]))
        proposed = {n for span in spans for n in range(int(span["start"]), int(span["end"]))}
    except (ValueError, TypeError, KeyError):
        raise DataError(f"The proposals of item {item} are {str(first['proposals'])[:60]!r}; expected spans.") from None
    errors = [row for row in rows if row["severity"] is not None]
    marked: set[int] = set()
    for row in errors:
        if row["start"] is not None and row["end"] is not None:
            marked.update(range(int(row["start"]), int(row["end"])))
    origins = [str(row["origin"]) for row in errors]
    score, seconds = (None if first[name] is None else float(str(first[name])) for name in ("score", "seconds"))
    return _Output(
        annotator,
        system,
        bool(first["assisted"]),
        len(spans),
        {name: origins.count(name) for name in ("accepted", "changed", "added")},
        len(errors),
        len(proposed),
        len(marked),
        len(proposed & marked),
        score,
        seconds,
    )


def _treatment(name: str, outputs: Sequence[_Output]) -> Treatment:
    counts = [sum(each.origins[origin] for each in outputs) for origin in ("accepted", "changed", "added")]
    return Treatment(name, len(outputs), sum(each.proposed for each in outputs), *counts)


def _grouped(outputs: Sequence[_Output], by: str) -> list[Treatment]:
    names = sorted({getattr(each, by) for each in outputs})
    return [_treatment(name, [each for each in outputs if getattr(each, by) == name]) for name in names]


def _measures(
    shown: Sequence[_Output], hidden: Sequence[_Output], level: float, trials: int, seed: int
) -> list[Measure]:
    """Ratios of sums over outputs, resampled within each part."""
    parts = [_rows(part) for part in (shown, hidden)]
    points = [_ratios(part.sum(axis=0)[None])[0] if len(part) else np.full(len(_NAMES), np.nan) for part in parts]
    drawn = [
        _resampled(part, trials, Stream(seed, label))
        for part, label in zip(parts, ("assisted", "control"), strict=True)
    ]
    differences = drawn[0] - drawn[1]
    cut = (1 - level) / 2
    measures = []
    for n, name in enumerate(_NAMES):
        values = differences[:, n][~np.isnan(differences[:, n])]
        low, high = np.quantile(values, [cut, 1 - cut]) if len(values) else (np.nan, np.nan)
        numbers = (points[0][n], points[1][n], points[0][n] - points[1][n], low, high)
        measures.append(Measure(name, *(None if np.isnan(number) else float(number) for number in numbers)))
    return measures


def _rows(outputs: Sequence[_Output]) -> NDArray[np.float64]:
    """For each measure what is summed above the line and below."""
    rows = [
        (
            100.0 * each.n_both,
            each.n_proposed,
            100.0 * each.n_both,
            each.n_marked,
            each.errors,
            1,
            each.score or 0,
            each.score is not None,
            each.seconds or 0,
            each.seconds is not None,
        )
        for each in outputs
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 2 * len(_NAMES))


def _ratios(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    above, below = totals[:, ::2], totals[:, 1::2]
    ratios: NDArray[np.float64] = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    return ratios


def _resampled(rows: NDArray[np.float64], trials: int, stream: Stream) -> NDArray[np.float64]:
    from dragoman._core import resample

    if not len(rows):
        return np.full((trials, len(_NAMES)), np.nan)
    return _ratios(resample.bootstrap_totals(rows, trials, stream.key))
