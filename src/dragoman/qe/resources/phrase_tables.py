"""Which phrases of one language are translations of which of the other, at four levels (Mehdad et al., WMT 2012).

As they stand, as lemmas, as stems; and with names, dates and numbers replaced by what they are, a run of one kind by
one label, so that longer phrases are met again. Links are those of the words as they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.align.base import Aligner
from dragoman.arrays import check_array
from dragoman.data import check_parallel
from dragoman.errors import DataError, ModelError
from dragoman.options import Recipe, option
from dragoman.qe.resources.phrase_levels import LEVELS, Lines, Names, Units, check_units, level_lines, units_of
from dragoman.qe.resources.stored import StoredArtifact
from dragoman.qe.resources.words import lines_digest
from dragoman.stats.arrays import Floats
from dragoman.text.vocabulary import Vocabulary

__all__ = ["LEVELS", "LONGEST", "Matches", "PhraseTables", "PhraseTablesRecipe"]

_SIDES = ("source", "target")
LONGEST = 5  # words of a phrase, on either side
_P_TARGET, _P_SOURCE = 2, 0  # places of p(target | source) and p(source | target) among a table's scores


@dataclass(frozen=True)
class PhraseTablesRecipe(Recipe):
    """How to extract the phrases of a bitext at each level."""

    join: str = option(
        "grow-diag-final-and", choices=("intersection", "grow-diag-final-and"), text="how both directions are joined"
    )

    def train(
        self,
        aligner: Aligner,
        sources: Sequence[str],
        targets: Sequence[str],
        *,
        languages: Mapping[str, str] | None = None,
        names: Mapping[str, Names] | None = None,
        n_threads: int = 1,
    ) -> PhraseTables:
        """Align a tokenised bitext and extract. `languages` and `names`, taggers, by side as far as there are any."""
        self.check()
        check_parallel({"sources": sources, "targets": targets})
        alignment = aligner.align(list(sources), list(targets), symmetrisation=self.join, n_threads=n_threads)
        sides = {side: [line.split() for line in lines] for side, lines in zip(_SIDES, (sources, targets), strict=True)}
        vocabularies, tables = {}, {}
        units = {side: units_of((languages or {}).get(side, ""), side in (names or {})) for side in _SIDES}
        for level in LEVELS:
            cut = [level_lines(sides[side], level, units[side], (names or {}).get(side)) for side in _SIDES]
            links, offsets = _moved(alignment.links, alignment.offsets, cut)
            text: list[NDArray[Any]] = []
            for side, lines in zip(_SIDES, cut, strict=True):
                words = Vocabulary(unk=" ")
                text += words.core.encode([" ".join(each) for each in lines.tokens], _whitespace())
                vocabularies[f"{level} {side}"] = words.freeze()
            source, source_offsets, target, target_offsets = text
            table, *_ = _core.phrase.extract(
                source, source_offsets, target, target_offsets, links, offsets, _options(n_threads)
            )
            tables[level] = np.frombuffer(table.serialised(), dtype=np.uint8)
        return PhraseTables(self, units, vocabularies, tables, data=lines_digest(sources, targets))


@dataclass(frozen=True, eq=False)
class Matches:
    """Phrases of each sentence by their length, from 1 to `LONGEST`: how many have a translation in the other side."""

    matched: Mapping[str, Floats]  # side → (sentences, lengths)
    total: Mapping[str, Floats]


@dataclass(eq=False, repr=False)
class PhraseTables(StoredArtifact):
    """Phrases and their translations at each level."""

    kind: ClassVar[str] = "phrase tables of levels"
    format: ClassVar[int] = 1

    recipe: PhraseTablesRecipe
    units: dict[str, Units]  # side → level → what makes its units
    vocabularies: dict[str, Vocabulary]  # "token source", …
    tables: dict[str, NDArray[np.uint8]]  # level → content of a table file

    @property
    def sizes(self) -> tuple[int, ...]:
        """Pairs of phrases, by level."""
        return tuple(len(self._opened[level]) for level in LEVELS)

    @cached_property
    def _opened(self) -> dict[str, _core.phrase.PhraseTable]:
        return {
            level: _core.phrase.PhraseTable.on_file(content, len(self.vocabularies[f"{level} target"]))  # type: ignore[arg-type]
            for level, content in self.tables.items()
        }

    def _check(self) -> None:
        for side in _SIDES:
            check_units(self.units[side])
        for level in LEVELS:
            check_array(f"tables.{level}.npy", self.tables[level], np.uint8, None)
            try:
                n_scores = self._opened[level].n_scores
            except DataError as error:
                raise ModelError(f"tables.{level}.npy: {error}") from None
            if n_scores <= _P_TARGET:
                raise ModelError(f"tables.{level}.npy has {n_scores} scores of a pair. Build it again.")

    def match(
        self,
        level: str,
        sources: Sequence[Sequence[str]],
        targets: Sequence[Sequence[str]],
        names: Mapping[str, Names] | None = None,
        *,
        least: float = 0.0,
    ) -> Matches:
        """Which phrases of tokenised sentence pairs have a translation in the other side; all count, also overlapping.

        `least` is the probability that a translation must have, given the phrase that is looked for.
        """
        lines = {
            side: level_lines(tokens, level, self.units[side], (names or {}).get(side)).tokens
            for side, tokens in zip(_SIDES, (sources, targets), strict=True)
        }
        matched, total = ({side: np.zeros((len(sources), LONGEST)) for side in _SIDES} for _ in range(2))
        for number, pair in enumerate(zip(lines["source"], lines["target"], strict=True)):
            found = self._pairs(level, *pair, least)
            for side, tokens, spans in zip(_SIDES, pair, found, strict=True):
                for n in range(1, LONGEST + 1):
                    total[side][number, n - 1] = max(0, len(tokens) - n + 1)
                for start, end in spans:
                    matched[side][number, end - start - 1] += 1
        return Matches(matched, total)

    def _pairs(
        self, level: str, source: Sequence[str], target: Sequence[str], least: float
    ) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
        """The spans of either side that have a translation in the other."""
        table = self._opened[level]
        ids = [
            self.vocabularies[f"{level} {side}"].ids(words).tolist() if words else []
            for side, words in zip(_SIDES, (source, target), strict=True)
        ]
        where: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        for start, end in _spans(len(ids[1])):
            where.setdefault(tuple(ids[1][start:end]), []).append((start, end))
        spans: tuple[set[tuple[int, int]], set[tuple[int, int]]] = (set(), set())
        known: dict[tuple[int, ...], list[tuple[tuple[int, ...], bool, bool]]] = {}
        for start, end in _spans(len(ids[0])):
            phrase = tuple(ids[0][start:end])
            if phrase not in known:
                known[phrase] = [
                    (tuple(words), np.exp(scores[_P_TARGET]) >= least, np.exp(scores[_P_SOURCE]) >= least)
                    for words, _, scores in table.find(np.array(phrase, dtype=np.int32))
                    if tuple(words) in where
                ]
            for words, there, back in known[phrase]:
                if there:
                    spans[0].add((start, end))
                if back:
                    spans[1].update(where[words])
        return spans


def _spans(n: int) -> Iterator[tuple[int, int]]:
    for start in range(n):
        for end in range(start + 1, min(n, start + LONGEST) + 1):
            yield start, end


def _moved(
    links: NDArray[np.uint16], offsets: NDArray[np.int64], cut: Sequence[Lines]
) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """The links of words as links of a level's units, each once."""
    if all(lines.places is None for lines in cut):
        return links, offsets
    rows, lengths = [], [0]
    for number, (start, end) in enumerate(pairwise(offsets.tolist())):
        own = [
            links[start:end, side] if lines.places is None else np.asarray(lines.places[number])[links[start:end, side]]
            for side, lines in enumerate(cut)
        ]
        unique = np.unique(np.column_stack(own).reshape(-1, 2), axis=0)
        rows.append(unique.astype(np.uint16))
        lengths.append(len(unique))
    joined = np.concatenate(rows) if rows else np.zeros((0, 2), dtype=np.uint16)
    return np.ascontiguousarray(joined), np.cumsum(lengths, dtype=np.int64)


def _options(n_threads: int) -> _core.phrase.ExtractOptions:
    options = _core.phrase.ExtractOptions()
    options.longest, options.translations_per_phrase, options.n_threads = LONGEST, 0, n_threads
    options.orientation, options.keep_counts = _core.phrase.Orientation.none, False
    return options


def _whitespace() -> _core.text.Tokeniser:
    return _core.text.surface_tokeniser("none")
