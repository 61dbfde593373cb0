"""How good links are: error rate, precision and recall against links that people made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, ClassVar

from dragoman.data.alignments import Alignment
from dragoman.errors import DataError
from dragoman.report import Column, Result, Table

__all__ = ["AlignmentError", "evaluate_alignments"]


@dataclass(frozen=True)
class AlignmentError(Result):
    """Alignment error rate, precision and recall (Och & Ney 2003); a measure without a link to count is None."""

    kind: ClassVar[str] = "alignment-error"

    n_pairs: int
    n_links: int
    n_sure: int
    n_right: int  # links that people made, sure or possible
    n_sure_right: int

    @property
    def precision(self) -> float | None:
        """The share of links found that are sure or possible."""
        return self.n_right / self.n_links if self.n_links else None

    @property
    def recall(self) -> float | None:
        """The share of sure links that were found."""
        return self.n_sure_right / self.n_sure if self.n_sure else None

    @property
    def error_rate(self) -> float | None:
        """1 − (sure found + right found) / (links found + sure links)."""
        total = self.n_links + self.n_sure
        return 1 - (self.n_sure_right + self.n_right) / total if total else None

    def tables(self) -> list[Table]:
        """One row."""
        columns: list[Column | str] = [
            "pairs",
            "links",
            "sure",
            Column("aer", "AER", 4),
            Column("precision", digits=4),
            Column("recall", digits=4),
        ]
        row = (self.n_pairs, self.n_links, self.n_sure, self.error_rate, self.precision, self.recall)
        return [Table.of("Against the reference links", columns, [row])]

    def meta(self) -> dict[str, Any]:
        """The counts behind the measures."""
        return {"right": self.n_right, "sure_right": self.n_sure_right}


def evaluate_alignments(alignments: Iterable[Alignment], gold: Iterable[Alignment]) -> AlignmentError:
    """Compare links with those that people made. There may be more pairs in `alignments`: the first ones are compared.

    Text with reference links is aligned together with other text of the languages; it comes first.
    """
    n_pairs = n_links = n_sure = n_right = n_sure_right = 0
    for mine, theirs in zip_longest(alignments, gold):
        if theirs is None:
            break
        if mine is None:
            raise DataError(
                f"There are reference links for more than {n_pairs} sentence pairs, but only {n_pairs} were aligned. "
                "Put the text that they belong to first, and align all of it."
            )
        links, sure = set(mine.links), set(theirs.sure)
        n_pairs += 1
        n_links += len(links)
        n_sure += len(sure)
        n_right += len(links & set(theirs.links))
        n_sure_right += len(links & sure)
    return AlignmentError(n_pairs, n_links, n_sure, n_right, n_sure_right)
