"""Sentence pairs out of comparable texts: candidates of a miner, those above a threshold that planted pairs set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.mining.base import Candidates, Miner, Numbers
from dragoman.mining.planting import PlantedPairs, Point
from dragoman.report import Column, Figure, Result, Table

__all__ = ["MinedPair", "Mining", "mine"]

_SHOWN = 10  # pairs that people see


@dataclass(frozen=True)
class MinedPair:
    """Two lines that were found to translate each other, counted from 1."""

    score: float
    source_line: int
    target_line: int
    source: str
    target: str


@dataclass(frozen=True)
class Mining(Result):
    """The pairs, best first, and how far they can be trusted."""

    kind: ClassVar[str] = "mining"

    pairs: tuple[MinedPair, ...] = field(repr=False)
    n_sources: int
    n_targets: int
    n_candidates: int  # before the threshold
    threshold: float | None
    estimate: Point | None  # at the threshold
    curve: tuple[Point, ...]
    signature: str
    languages: tuple[str | None, str | None] = (None, None)

    @property
    def bitext(self) -> Bitext:
        """The pairs as training text."""
        return Bitext.from_lines(
            [pair.source for pair in self.pairs],
            [pair.target for pair in self.pairs],
            source_lang=self.languages[0],
            target_lang=self.languages[1],
        )

    def answer(self) -> str:
        """How many, and what share of them is right by the planted pairs."""
        count = f"{len(self.pairs):,} pairs of {self.n_sources:,} and {self.n_targets:,} lines"
        if self.threshold is None:
            return f"{count}; without planted pairs or a threshold, all that were found."
        limit = f"{count} score at least {self.threshold:.3f}"
        if self.estimate is None:
            return f"{limit}."
        return (
            f"{limit}. Of planted pairs, half of them without a mate, {self.estimate.precision:.1%} of those found are "
            f"right, and {self.estimate.recall:.1%} of the mates are found."
        )

    def tables(self) -> list[Table]:
        """The pairs, then what thresholds let through of planted pairs."""
        return [self._pairs(len(self.pairs)), *self._curve()]

    def shown_tables(self) -> list[Table]:
        """What thresholds let through, and the first pairs."""
        return [*self._curve(), self._pairs(_SHOWN)]

    def figures(self) -> list[Figure]:
        """Precision over recall of planted pairs."""
        return [Figure("Planted pairs", "line", table, x="recall", y="precision") for table in self._curve()]

    def _pairs(self, n: int) -> Table:
        columns: list[str | Column] = [
            Column("score", digits=4),
            "source_line",
            "target_line",
            Column("source", is_text=True),
            Column("target", is_text=True),
        ]
        rows = [(p.score, p.source_line, p.target_line, p.source, p.target) for p in self.pairs[:n]]
        more = len(self.pairs) - len(rows)
        return Table.of("Mined pairs", columns, rows, note=f"{more:,} more." if more else self.signature)

    def _curve(self) -> list[Table]:
        columns: list[str | Column] = [
            Column("threshold", digits=3),
            "accepted",
            "right",
            Column("precision", digits=3),
            Column("recall", digits=3),
        ]
        rows = [(p.threshold, p.accepted, p.right, p.precision, p.recall) for p in self.curve]
        return [Table.of("Planted pairs", columns, rows)] if rows else []

    def meta(self) -> dict[str, Any]:
        """How pairs were found, the threshold and what it promises."""
        estimate = self.estimate
        return {
            "signature": self.signature,
            "n_sources": self.n_sources,
            "n_targets": self.n_targets,
            "n_candidates": self.n_candidates,
            "threshold": self.threshold,
            "precision": estimate and estimate.precision,
            "recall": estimate and estimate.recall,
            "n_planted": estimate and 2 * estimate.n_mates,
        }


def mine(
    srcs: Sequence[str],
    tgts: Sequence[str],
    miner: Miner,
    *,
    planted: Bitext | None = None,
    precision: float = 0.9,
    threshold: float | None = None,
    numbers: Numbers | None = None,
    languages: tuple[str | None, str | None] = (None, None),
    n_threads: int = 1,
) -> Mining:
    """Find pairs of lines that translate each other in two texts, a sentence a line.

    `planted` are pairs of the same kind of text that the miner's model has not learnt from. They are hidden among the
    lines, every second one without its target, and the threshold is the lowest at which `precision` of what is found
    for them is right; a `threshold` of your own goes before. `numbers` limit pairs to lines that belong to the same day
    or document, or nearly; planted pairs have none, so set the threshold without them.
    """
    if not 0 < precision <= 1:
        raise DataError(f"The precision asked for is a share above 0, got {precision}.")
    for name, lines in (("source", srcs), ("target", tgts)):
        if not any(map(str.strip, lines)):
            raise DataError(f"The {name} text has no words; there is nothing to mine.")
    hidden = None if planted is None else PlantedPairs.of(planted)
    if hidden is not None and numbers is not None:
        raise DataError("Planted pairs have no numbers. Set the threshold on texts without, then pass it.")
    limits = None if numbers is None else numbers.check(srcs, tgts)
    sources = [*srcs, *(hidden.sources if hidden else ())]
    targets = [*tgts, *(hidden.targets if hidden else ())]
    found = miner.candidates(sources, targets, numbers=limits, n_threads=n_threads)
    trust = hidden.trust(found, len(srcs), len(tgts)) if hidden else None
    estimate: Point | None = None
    if trust is not None:
        estimate = trust.threshold(precision) if threshold is None else trust.at(threshold)
        threshold = estimate.threshold if threshold is None and estimate else threshold
    own = (found.sources < len(srcs)) & (found.targets < len(tgts))
    kept = own if threshold is None else own & (found.scores >= threshold)
    return Mining(
        pairs=_pairs(found, kept, srcs, tgts),
        n_sources=len(srcs),
        n_targets=len(tgts),
        n_candidates=int(own.sum()),
        threshold=threshold,
        estimate=estimate,
        curve=tuple(trust.curve()) if trust else (),
        signature=miner.signature(),
        languages=languages,
    )


def _pairs(
    found: Candidates, kept: np.ndarray[Any, Any], srcs: Sequence[str], tgts: Sequence[str]
) -> tuple[MinedPair, ...]:
    """The pairs that are kept, best first."""
    places = np.flatnonzero(kept)
    places = places[np.argsort(-found.scores[places], kind="stable")]
    rows = zip(
        found.scores[places].tolist(), found.sources[places].tolist(), found.targets[places].tolist(), strict=True
    )
    return tuple(MinedPair(score, s + 1, t + 1, srcs[s], tgts[t]) for score, s, t in rows)
