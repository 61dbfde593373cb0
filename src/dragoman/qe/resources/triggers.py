"""Which words stand together: mutual information within languages and across them (Langlois et al. 2012)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.arrays import check_array, check_rows
from dragoman.data import check_parallel
from dragoman.options import Recipe, option
from dragoman.qe.resources.stored import StoredArtifact
from dragoman.qe.resources.words import Ids, encode_words, lines_digest
from dragoman.stats.arrays import Floats
from dragoman.text.vocabulary import Vocabulary

__all__ = ["TriggerRecipe", "Triggers"]

Rows = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]

_SIDES = ("source", "target")
_TABLES = ("source", "target", "across")
_ROWS = ("offsets", "words", "information")


@dataclass(frozen=True)
class TriggerRecipe(Recipe):
    """How to count which words stand together in sentences and in sentence pairs.

    I(v, w) = P(v, w) · ln(P(v, w) / (P(v) · P(w))), with P the shares of sentences (pairs) that have a word, or both;
    0 of words that never meet.
    """

    least: int = option(2, low=1, text="sentences in which two words must meet to be kept; 1 is exact and large")

    def train(self, sources: Sequence[str], targets: Sequence[str], *, n_threads: int = 1) -> Triggers:
        """Count in a tokenised bitext."""
        self.check()
        check_parallel({"sources": sources, "targets": targets})
        sides = {"source": encode_words(sources), "target": encode_words(targets)}
        tables = {}
        for name, first, second in (
            ("source", "source", "source"),
            ("target", "target", "target"),
            ("across", "target", "source"),
        ):
            ids, offsets, words = sides[first]
            others, ends, their = sides[second]
            tables[name] = _core.lexical.mutual_information(
                ids,
                offsets,
                others,
                ends,
                n_first_words=len(words) - 1,
                n_second_words=len(their) - 1,
                same=name != "across",
                least=self.least,
                n_threads=n_threads,
            )
        vocabularies = {side: words for side, (_, _, words) in sides.items()}
        return Triggers(self, vocabularies, tables, data=lines_digest(sources, targets))


@dataclass(eq=False, repr=False)
class Triggers(StoredArtifact):
    """Mutual information of words; `across` has a row a target word and a column a source word."""

    kind: ClassVar[str] = "triggers"
    format: ClassVar[int] = 2

    recipe: TriggerRecipe
    vocabularies: dict[str, Vocabulary]
    tables: dict[str, Rows]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Pairs of words of the source, of the target and across."""
        return tuple(len(self.tables[name][1]) for name in _TABLES)

    def _check(self) -> None:
        for name in _TABLES:
            offsets, words, information = self.tables[name]
            check_array(f"tables.{name}.1.npy", words, np.int32, None)
            check_array(f"tables.{name}.2.npy", information, np.float32, len(words))
            side = "target" if name == "across" else name
            check_rows(f"tables.{name}.0.npy", offsets, len(self.vocabularies[side]) - 1, len(words))

    def means(self, table: str, first: Ids, second: Ids, *, n_threads: int = 1) -> Floats:
        """The mean information of each token of the first sentences with the others, or with the second ones'."""
        return _core.lexical.mean_information(
            *self.tables[table], *first, *second, same=table != "across", n_threads=n_threads
        )

    def information(self, table: str, word: str, other: str) -> float:
        """I of two words, 0 if they are not known to meet; of `across`, a target word and a source word."""
        sides = ("target", "source") if table == "across" else (table, table)
        row, column = (
            (self.vocabularies[side].get(each) or 0) - 1 for side, each in zip(sides, (word, other), strict=True)
        )
        if row < 0 or column < 0:
            return 0.0
        offsets, words, values = self.tables[table]
        begin, end = offsets[row : row + 2]
        at = begin + int(np.searchsorted(words[begin:end], column))
        return float(values[at]) if at < end and words[at] == column else 0.0
