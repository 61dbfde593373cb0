"""Understandability of systems: the share of outputs from which an editor without the source made a right translation.

Findings of WMT 2013, §4: good and almost good edits count; rows whose editor had met the sentence before do not; the
interval and the range of ranks come from resampled rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.judgements import Judgements
from dragoman.data.judgements.blind_edits import POLISHED, REVIEWS, STATUSES, Status, review_status
from dragoman.errors import DataError
from dragoman.human.provenance import files_of
from dragoman.report import Column, Figure, Result, Sentence, Table
from dragoman.rng import Stream
from dragoman.stats.agreement import count_pairs, kappa_of, landis_koch
from dragoman.stats.arrays import check_level, check_trials

__all__ = ["ReviewAgreement", "SystemUnderstandability", "Understandability", "new_references", "understandability"]

# How "almost" is read when reviewers are compared (Table 8).
_READINGS: dict[str, dict[str, str]] = {"separate": {}, "as bad": {"almost": "bad"}, "as good": {"almost": "good"}}


@dataclass(frozen=True)
class SystemUnderstandability:
    """One system; `system` is None for all together."""

    system: str | None
    n: int
    share: float  # per cent of good and almost
    low: float
    high: float
    rank_low: int | None
    rank_high: int | None


@dataclass(frozen=True)
class ReviewAgreement:
    """Agreement of reviews of the same edit."""

    who: str  # inter: different reviewers; intra: one with themselves
    almost: str  # separate, as bad, as good
    n_pairs: int
    agreement: float  # per cent
    kappa: float | None


@dataclass(frozen=True)
class Understandability(Result):
    """Systems, what became of their outputs, and how far reviewers agree."""

    kind: ClassVar[str] = "understandability"

    systems: tuple[SystemUnderstandability, ...]
    statuses: Mapping[str, Mapping[Status, int]]  # rows by occurrence: first, repeated
    agreement: tuple[ReviewAgreement, ...]
    n_references: int  # different new references that the reviews gave
    level: float
    trials: int
    seed: int
    n_repeated: int
    files: tuple[str, ...] = ()

    def tables(self) -> list[Table]:
        """Systems, statuses, agreement."""
        columns: list[Column | str] = ["system", "n", *(Column(c, digits=1) for c in ("share", "low", "high"))]
        rows = [(s.system or "all", s.n, s.share, s.low, s.high, s.rank_low, s.rank_high) for s in self.systems]
        note = Sentence(
            "share: per cent understood. {level} intervals and ranges of ranks by the bootstrap over rows, {trials} "
            "samples, seed {seed}. Rows left out, because the editor had met the sentence: {n}.",
            level=f"{self.level:.0%}",
            trials=f"{self.trials:,}",
            seed=self.seed,
            n=self.n_repeated,
        )
        occurrences = [
            (name, *(100 * counts[status] / max(1, sum(counts.values())) for status in STATUSES), sum(counts.values()))
            for name, counts in self.statuses.items()
        ]
        heads: list[Column | str] = ["occurrence", *(Column(status, digits=1) for status in STATUSES), "n"]
        agreed = [(a.who, a.almost, a.n_pairs, a.agreement, a.kappa, _word(a.kappa)) for a in self.agreement]
        last: list[Column | str] = ["who", "almost", "n_pairs", Column("agreement", digits=1)]
        return [
            Table.of("Understandability", [*columns, "rank_low", "rank_high"], rows, note=note),
            Table.of("What reviews said", heads, occurrences),
            Table.of("Agreement of reviewers", [*last, Column("kappa", digits=3), "reading"], agreed),
        ]

    def figures(self) -> list[Figure]:
        """Shares with their intervals."""
        title = "Understandability"
        return [Figure(title, "interval", self.tables()[0], x="system", y="share", low="low", high="high")]

    def meta(self) -> dict[str, Any]:
        """How it was made."""
        return {
            "files": list(self.files),
            "n": sum(sum(counts.values()) for counts in self.statuses.values()),
            "level": self.level,
            "trials": self.trials,
            "seed": self.seed,
            "resampled": "rows",
            "n_repeated": self.n_repeated,
            "n_references": self.n_references,
            "statuses": {name: dict(counts) for name, counts in self.statuses.items()},
        }


def _word(kappa: float | None) -> str:
    return "" if kappa is None else landis_koch(kappa)


def understandability(
    reviews: Judgements, *, level: float = 0.95, trials: int = 1000, seed: int = 12345
) -> Understandability:
    """Score the reviews of blind edits. Every row counts: a second review of an edit is a second opinion."""
    if reviews.schema.kind != REVIEWS.kind:
        raise DataError(f"These are judgements of kind {reviews.schema.kind!r}; expected {REVIEWS.kind!r}.")
    check_level(level)
    check_trials(trials)
    status = [review_status(_text(e), str(r)) for e, r in zip(reviews["edit"], reviews["review"], strict=True)]
    seen = [value is True for value in reviews["seen"]]
    fresh = [n for n, before in enumerate(seen) if not before]
    if not fresh:
        raise DataError("There is no review of an edit whose editor was new to the sentence: nothing is left to score.")
    names = list(dict.fromkeys(str(reviews["system"][n]) for n in fresh))
    place = {name: number for number, name in enumerate(names)}
    rows = np.zeros((len(fresh), 2 * len(names)))
    for row, n in enumerate(fresh):
        column = 2 * place[str(reviews["system"][n])]
        rows[row, column : column + 2] = status[n] in ("good", "almost"), 1
    return Understandability(
        systems=tuple(_systems(names, rows, level, trials, seed)),
        statuses={
            name: {s: sum(status[n] == s for n in range(len(status)) if seen[n] == before) for s in STATUSES}
            for name, before in (("first", False), ("repeated", True))
        },
        agreement=tuple(_agreement(reviews, status)),
        n_references=sum(len(texts) for texts in new_references(reviews).values()),
        level=level,
        trials=trials,
        seed=seed,
        n_repeated=len(status) - len(fresh),
        files=tuple(files_of(reviews)),
    )


def _systems(
    names: Sequence[str], rows: NDArray[np.float64], level: float, trials: int, seed: int
) -> list[SystemUnderstandability]:
    from dragoman._core import resample

    totals = resample.bootstrap_totals(rows, trials, Stream(seed, "bootstrap").key)
    right, n = totals[:, ::2], totals[:, 1::2]
    shares = 100 * np.divide(right, n, out=np.full(right.shape, np.nan), where=n > 0)
    # A system that is in no row of a resample stands last in it.
    placed = np.where(np.isnan(shares), -1.0, shares)
    ranks = 1 + (placed[:, None, :] > placed[:, :, None]).sum(axis=2)
    everything = 100 * right.sum(axis=1) / n.sum(axis=1)
    total = rows.sum(axis=0)
    low, high = _bounds(everything, level)
    share = 100 * total[::2].sum() / total[1::2].sum()
    systems = [SystemUnderstandability(None, len(rows), float(share), low, high, None, None)]
    for k, name in enumerate(names):
        low, high = _bounds(shares[:, k][~np.isnan(shares[:, k])], level)
        first, last = _bounds(ranks[:, k].astype(np.float64), level)
        share = 100 * total[2 * k] / total[2 * k + 1]
        systems.append(
            SystemUnderstandability(name, int(total[2 * k + 1]), float(share), low, high, int(first), int(last))
        )
    return [systems[0], *sorted(systems[1:], key=lambda each: -each.share)]


def _bounds(values: NDArray[np.float64], level: float) -> tuple[float, float]:
    """The order statistics that hold the middle `level` of the values."""
    ordered = np.sort(values)
    cut = int(len(ordered) * (1 - level) / 2 + 1e-9)
    return float(ordered[cut]), float(ordered[len(ordered) - cut - 1])


def _agreement(reviews: Judgements, status: Sequence[Status]) -> list[ReviewAgreement]:
    """Pairs of reviews of one edit string, repeated edits among them; chance by the labels that were given."""
    places = [n for n, each in enumerate(status) if each != "empty"]
    strings = [(reviews["segment"][n], _text(reviews["edit"][n])) for n in places]
    items, reviewers = _numbers(strings), _numbers([reviews["reviewer"][n] for n in places])
    lines = []
    for who, same in (("inter", False), ("intra", True)):
        for almost, read in _READINGS.items():
            labels = [read.get(status[n], status[n]) for n in places]
            counts = count_pairs(items, _numbers(labels), annotators=reviewers, same=same)
            pairs, agreeing = int(counts.pairs.sum()), int(counts.agreeing.sum())
            if pairs:
                chance = sum((count / len(labels)) ** 2 for count in Counter(labels).values())
                kappa = kappa_of(agreeing / pairs, min(1.0, chance))
                lines.append(ReviewAgreement(who, almost, pairs, 100 * agreeing / pairs, kappa))
    return lines


def _numbers(values: Sequence[Any]) -> NDArray[np.int64]:
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64)


def _text(value: object) -> str | None:
    return None if value is None else str(value).strip()


def new_references(reviews: Judgements) -> dict[str, tuple[str, ...]]:
    """The different translations that reviewers approved or made, by segment: each is a further reference."""
    edits: dict[str, dict[str, None]] = {}
    for segment, review in zip(reviews["segment"], reviews["review"], strict=True):
        text = str(review).strip().removeprefix(POLISHED).strip()
        if text:
            edits.setdefault(str(segment), {})[text] = None
    return {segment: tuple(texts) for segment, texts in edits.items()}
