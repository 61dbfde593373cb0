"""Aligned sentence pairs, as arrays, with what is needed to judge and repeat them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.align.directions import Round
from dragoman.align.evaluation import AlignmentError
from dragoman.data.alignments import Alignment, Alignments
from dragoman.errors import DataError
from dragoman.report import Column, Result, Table
from dragoman.text.tokens import TokenIds

__all__ = ["SYMMETRISATIONS", "AlignmentResult"]

# Och & Ney 2003; Koehn et al. 2005; posteriors multiplied: Liang et al. 2006.
SYMMETRISATIONS = ("intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and", "posterior")


@dataclass(frozen=True, eq=False)
class AlignmentResult(Result):
    """The links of sentence pairs; those of pair i are [offsets[i], offsets[i + 1]), by source, then target word."""

    kind: ClassVar[str] = "alignment"

    links: NDArray[np.uint16]  # (n, 2): source word, target word, from 0 on
    offsets: NDArray[np.int64]
    source: TokenIds  # as ids of the aligner's vocabularies
    target: TokenIds
    forward: NDArray[np.int32]  # by target word, its source word or -1, before both directions were joined
    backward: NDArray[np.int32]
    log_p_forward: NDArray[np.float64]  # by pair, base e, of the target given the source
    log_p_backward: NDArray[np.float64]
    posteriors: NDArray[np.float32] | None  # if asked for: by pair, source and target word, the directions' mean
    recipe: dict[str, Any] = field(default_factory=dict)
    symmetrisation: str = ""
    threshold: float | None = None
    seed: int | None = None
    rounds: tuple[tuple[Round, ...], tuple[Round, ...]] = ((), ())
    evaluation: AlignmentError | None = None

    def __len__(self) -> int:
        """The number of sentence pairs."""
        return len(self.offsets) - 1

    @property
    def alignments(self) -> Alignments:
        """The links as the data room knows them, made as they are iterated."""
        return Alignments(_Items(self))

    def lines(self) -> Iterator[str]:
        """The links as Pharaoh writes them, `0-0 1-2`, one line a pair."""
        shown = [f"{s}-{t}" for s, t in self.links.tolist()]
        offsets = self.offsets.tolist()
        return (" ".join(shown[begin:end]) for begin, end in pairwise(offsets))

    def posterior(self, pair: int) -> NDArray[np.float32]:
        """The posteriors of a pair, (source words, target words); `posteriors=True` must have been asked for."""
        return self._posterior(pair, self._cells())

    def posterior_lines(self, *, least: float = 0.01) -> Iterator[str]:
        """All pairs of words with a posterior of at least `least`, as `0-0:0.9871`, one line a sentence pair."""
        cells = self._cells()
        for pair in range(len(self)):
            p = self._posterior(pair, cells)
            places = np.argwhere(p >= least).tolist()
            yield " ".join(f"{s}-{t}:{p[s, t]:.4f}" for s, t in places)

    def _cells(self) -> NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(self.source.lengths() * self.target.lengths())])

    def _posterior(self, pair: int, cells: NDArray[np.int64]) -> NDArray[np.float32]:
        if self.posteriors is None:
            raise DataError("There are no posteriors; align with posteriors=True.")
        shape = int(self.source.lengths()[pair]), int(self.target.lengths()[pair])
        return self.posteriors[cells[pair] : cells[pair + 1]].reshape(shape)

    def tables(self) -> list[Table]:
        """A row of counts and measures, the rounds of training, and the comparison with reference links."""
        n_source, n_target = len(self.source.ids), len(self.target.ids)
        linked = [
            len(np.unique(starts + self.links[:, side]))
            for side, starts in ((0, self._starts(self.source)), (1, self._starts(self.target)))
        ]
        columns: list[Column | str] = [
            "pairs",
            "source_words",
            "target_words",
            "links",
            Column("source_unlinked", "source unlinked %", 1),
            Column("target_unlinked", "target unlinked %", 1),
            Column("forward_bits", "bits a word →", 3),
            Column("backward_bits", "bits a word ←", 3),
        ]
        row = (
            len(self),
            n_source,
            n_target,
            len(self.links),
            _missing(linked[0], n_source),
            _missing(linked[1], n_target),
            _bits(self.log_p_forward, n_target),
            _bits(self.log_p_backward, n_source),
        )
        tables = [Table.of("Alignment", columns, [row])]
        if self.evaluation is not None:
            tables += self.evaluation.tables()
        if any(self.rounds):
            heads: list[Column | str] = [
                "round",
                Column("forward_log_p", "log p →", 1),
                Column("backward_log_p", "log p ←", 1),
                Column("forward_tension", "tension →", 3),
                Column("backward_tension", "tension ←", 3),
            ]
            rows = [
                (number, there.log_p, back.log_p, there.tension or None, back.tension or None)
                for number, (there, back) in enumerate(zip(*self.rounds, strict=True), start=1)
            ]
            tables.append(Table.of("Rounds of training", heads, rows))
        return tables

    def _starts(self, side: TokenIds) -> NDArray[np.int64]:
        return np.repeat(side.offsets[:-1], np.diff(self.offsets))

    def meta(self) -> dict[str, Any]:
        """The recipe, how directions were joined, the seed, and the measures against reference links."""
        meta: dict[str, Any] = {"recipe": self.recipe, "symmetrisation": self.symmetrisation, "seed": self.seed}
        if self.threshold is not None:
            meta["threshold"] = self.threshold
        if self.evaluation is not None:
            measures = self.evaluation
            meta |= {"aer": measures.error_rate, "precision": measures.precision, "recall": measures.recall}
        return meta


def _missing(linked: int, n: int) -> float | None:
    return 100 * (n - linked) / n if n else None


def _bits(log_p: NDArray[np.float64], n: int) -> float | None:
    return float(-log_p.sum() / n / np.log(2)) if n else None


@dataclass(frozen=True, eq=False)
class _Items:
    result: AlignmentResult

    def __iter__(self) -> Iterator[Alignment]:
        links = [(s, t) for s, t in self.result.links.tolist()]
        offsets = self.result.offsets.tolist()
        return (Alignment(tuple(links[begin:end])) for begin, end in pairwise(offsets))
