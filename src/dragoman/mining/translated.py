"""Mates by translating one side: each translation is looked up in the other text, and kept where few edits are left.

Schwenk et al., "LIUM's SMT machine translation systems for WMT 2012", §2.3, after Abdul-Rauf & Schwenk (EACL 2009).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from dragoman.corpus.retrieval import LineIndex, Retrieval
from dragoman.engines.roles import Translates
from dragoman.engines.translation import stream_translations
from dragoman.metrics.ter import Ter
from dragoman.mining.base import Candidates, Miner, Numbers
from dragoman.options import Recipe, option

__all__ = ["TranslatedMiner", "TranslatedMining"]


@dataclass(frozen=True)
class TranslatedMining(Recipe):
    """What is looked up for a translation, and what is good enough."""

    candidates: int = option(5, low=1, high=1000, text="lines looked at for each translation, by BM25")
    most_edits: float = option(0.75, low=0.0, text="edits a word (TER) that may be left")
    most_digits: float = option(0.5, low=0.0, high=1.0, text="words with digits that a line may have, as a share")
    ratio: float = option(2.0, low=1.0, text="how many times longer than the translation a line may be, or shorter")


class TranslatedMiner(Miner):
    """Finds mates by an engine's translations; a score is 1 − TER."""

    def __init__(self, engine: Translates, recipe: TranslatedMining | None = None) -> None:
        self.engine = engine
        self.recipe = (recipe or TranslatedMining()).check()

    def signature(self) -> str:
        """The options by name."""
        return "|".join(["translated", *(f"{f.name}:{getattr(self.recipe, f.name)}" for f in fields(self.recipe))])

    def candidates(
        self, srcs: Sequence[str], tgts: Sequence[str], *, numbers: Numbers | None = None, n_threads: int = 1
    ) -> Candidates:
        """The line with fewest edits to each source's translation; each line for the source that it fits best."""
        translations = [each.text for each in stream_translations(self.engine, srcs, n_threads=n_threads)]
        sources, targets = self._looked_up(translations, tgts, numbers, n_threads)
        allowed = self._allowed(sources, targets, translations, tgts)
        sources, targets = sources[allowed], targets[allowed]
        rows = Ter().stats(
            [translations[s] for s in sources], [[tgts[t] for t in targets.tolist()]], n_threads=n_threads
        )
        edits = rows[:, 0] / np.maximum(1.0, rows[:, 1])
        near = edits <= self.recipe.most_edits
        return _best(sources[near], targets[near], 1 - edits[near])

    def _looked_up(
        self, translations: Sequence[str], tgts: Sequence[str], numbers: Numbers | None, n_threads: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """What BM25 finds for each translation; with numbers, among the lines of its window alone."""
        if numbers is None:
            return self._hits(np.arange(len(translations)), np.arange(len(tgts)), translations, tgts, n_threads)
        days = np.asarray(numbers.sources, np.int64), np.asarray(numbers.targets, np.int64)
        found = [
            self._hits(
                np.flatnonzero(days[0] == day),
                np.flatnonzero(np.abs(days[1] - day) <= numbers.width),
                translations,
                tgts,
                n_threads,
            )
            for day in np.unique(days[0])
        ]
        nothing = np.zeros(0, np.int64)
        sources = np.concatenate([nothing, *(hits[0] for hits in found)])
        targets = np.concatenate([nothing, *(hits[1] for hits in found)])
        order = np.argsort(sources, kind="stable")
        return sources[order], targets[order]

    def _hits(
        self,
        queries: NDArray[np.int64],
        lines: NDArray[np.int64],
        translations: Sequence[str],
        tgts: Sequence[str],
        n_threads: int,
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The places of some translations, and of those of some lines that they find."""
        if not len(lines):
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        index = LineIndex.of([tgts[n] for n in lines.tolist()], Retrieval(), n_threads=n_threads)
        asked = [translations[n] for n in queries.tolist()]
        places = index.best(asked, self.recipe.candidates, n_threads=n_threads).places
        rows, ranks = np.nonzero(places >= 0)
        return queries[rows], lines[places[rows, ranks]]

    def _allowed(
        self, sources: NDArray[np.int64], targets: NDArray[np.int64], translations: Sequence[str], tgts: Sequence[str]
    ) -> NDArray[np.bool_]:
        lengths = [np.array([len(line.split()) for line in side], np.float64) for side in (translations, tgts)]
        digits = np.array([sum(any(map(str.isdigit, word)) for word in line.split()) for line in tgts], np.float64)
        first, second = lengths[0][sources], lengths[1][targets]
        alike: NDArray[np.bool_] = np.maximum(first, second) <= self.recipe.ratio * np.minimum(first, second)
        return alike & (digits[targets] <= self.recipe.most_digits * second)


def _best(sources: NDArray[np.int64], targets: NDArray[np.int64], scores: NDArray[np.float64]) -> Candidates:
    """Each source's best pair, if it is the target's best, too; of equals the earlier."""
    order = np.lexsort((targets, sources, -scores))
    first_of_source, first_of_target = (
        np.isin(np.arange(len(order)), np.unique(side[order], return_index=True)[1]) for side in (sources, targets)
    )
    kept = np.sort(order[first_of_source & first_of_target])
    return Candidates(sources[kept], targets[kept], scores[kept])
