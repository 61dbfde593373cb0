"""How alike translations by different people are: each against the others, by BLEU or any metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError
from dragoman.metrics.base import Metric
from dragoman.metrics.specs import make_metric
from dragoman.report import Column, Figure, Result, Table

__all__ = ["HumanBar", "human_bar"]


@dataclass(frozen=True)
class HumanBar(Result):
    """What a translator scores against the others: the mark that a system would have to reach."""

    kind: ClassVar[str] = "human-bar"

    translators: tuple[str, ...]
    scores: tuple[float, ...]
    n: tuple[int, ...]  # segments that the translator did not leave empty
    metric: str
    signature: str

    @property
    def mean(self) -> float:
        """The mean of the translators."""
        return sum(self.scores) / len(self.scores)

    def tables(self) -> list[Table]:
        """One row per translator."""
        rows = list(zip(self.translators, self.scores, self.n, strict=True))
        note = f"Each against all others, empty lines left out. Mean: {self.mean:.1f}. {self.signature}"
        return [Table.of("Human bar", ["translator", Column("score", self.metric, digits=1), "n"], rows, note=note)]

    def figures(self) -> list[Figure]:
        """The scores."""
        return [Figure("Human bar", "bar", self.tables()[0], x="translator", y="score")]

    def meta(self) -> dict[str, Any]:
        """Metric and mean."""
        return {"metric": self.metric, "signature": self.signature, "mean": self.mean}


def human_bar(
    translations: Mapping[str, Sequence[str]], *, metric: Metric | str = "bleu:lowercase=yes", n_threads: int = 1
) -> HumanBar:
    """Score each translator's lines, where they are not empty, against all others'."""
    if len(translations) < 2:
        raise DataError(f"A translator is compared with others; got {len(translations)} translations.")
    check_parallel(dict(translations))
    chosen = make_metric(metric)
    scores, counts = [], []
    for name, lines in translations.items():
        places = [n for n, line in enumerate(lines) if line.strip()]
        if not places:
            raise DataError(f"All lines of {name!r} are empty.")
        others = [[other[n] for n in places] for who, other in translations.items() if who != name]
        rows = chosen.stats([lines[n] for n in places], others, n_threads=n_threads)
        scores.append(float(chosen.value(rows.sum(axis=0))))
        counts.append(len(places))
    signature = chosen.signature(len(translations) - 1)
    return HumanBar(tuple(translations), tuple(scores), tuple(counts), chosen.label, signature)
