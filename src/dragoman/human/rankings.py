"""Relative rankings analysed: the order of systems, who beat whom, how far annotators agree, who clicks at random."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.comparisons import compare_pairwise, judged_pairs
from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.human.agreement import Agreement, AgreementRecipe, agree
from dragoman.human.analysing import Analysis
from dragoman.human.reliability import Reliability, spot_random
from dragoman.ranking.duels import HeadToHead, head_to_head
from dragoman.ranking.ranked_systems import Ranking
from dragoman.ranking.ranker import RankingRecipe, rank
from dragoman.report import Figure, Section, Table, page
from dragoman.report.result import Result
from dragoman.stats.arrays import check_level

__all__ = ["RankingAnalysis", "analyse_rankings"]


@dataclass(frozen=True)
class RankingAnalysis(Analysis):
    """A ranking with what it rests on."""

    kind: ClassVar[str] = "ranking-analysis"

    ranking: Ranking
    duels: HeadToHead
    agreement: Agreement | None  # None where nobody judged what another or they themselves did
    reliability: Reliability | None  # None where nobody judged what another did

    @property
    def _parts(self) -> dict[str, Result]:
        parts = {
            "Ranking": self.ranking,
            "Head to head": self.duels,
            "Agreement": self.agreement,
            "Annotators": self.reliability,
        }
        return {name: part for name, part in parts.items() if part is not None}

    def tables(self) -> list[Table]:
        """The tables of all parts, the ranking first."""
        return [table for part in self._parts.values() for table in part.tables()]

    def figures(self) -> list[Figure]:
        """The figures of all parts."""
        return [figure for part in self._parts.values() for figure in part.figures()]

    def meta(self) -> dict[str, Any]:
        """How the ranking was made, and how the other parts were."""
        own = self.ranking.meta()
        return {**own, **{name.lower().replace(" ", "_"): part.meta() for name, part in self._parts.items()}}

    def html(self, *, title: str = "") -> str:
        """The whole analysis as one page."""
        return page(
            title or f"Ranking of {self.ranking.pair or 'systems'}",
            [Section.of(name, part) for name, part in self._parts.items()],
        )


def analyse_rankings(
    judgements: Judgements,
    *,
    pair: str | None = None,
    method: str = "expected-wins",
    alpha: float = 0.05,
    level: float = 0.95,
    trials: int = 1000,
    seed: int = 1,
) -> RankingAnalysis:
    """Rank the systems of one language pair with clusters, and look at the judgements behind it.

    Random clickers are named, not left out: whoever leaves them out says so by ranking the rest. Where nobody judged
    what another did there is a ranking all the same, but nothing to compare people by.
    """
    check_level(alpha, "alpha")
    check_level(level)
    pairs = judged_pairs(judgements)
    if pair is None and len(pairs) != 1:
        raise DataError(
            f"The judgements have more than one language pair: {', '.join(pairs)}. Name one with pair."
            if pairs
            else "There are no judgements to analyse."
        )
    chosen = pair or pairs[0]
    recipe = RankingRecipe(method=method, clusters=True, replicates=trials, level=level, seed=seed)
    ranked = rank(judgements, recipe, pair=chosen)
    duels = head_to_head(compare_pairwise(judgements, pair=chosen))
    agreement = reliability = None
    with suppress(DataError):  # there is a ranking, so nothing but shared screens can be missing
        agreement = agree(judgements, AgreementRecipe(trials=trials, level=level, seed=seed), pair=chosen)
        reliability = spot_random(judgements, pair=chosen, alpha=alpha)
    return RankingAnalysis(ranked, duels, agreement, reliability)
