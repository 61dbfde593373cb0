"""From who beat whom to an order of systems that can be defended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.ranking.auditing import Audit, audit
    from dragoman.ranking.base import RANKINGS, RankingMethod, Scores, make_ranking
    from dragoman.ranking.contradictions import Consistency, consistency
    from dragoman.ranking.duels import DuelRecipe, HeadToHead, head_to_head
    from dragoman.ranking.power_curve import PowerCurve, power
    from dragoman.ranking.ranked_systems import RankedSystem, Ranking, Rankings
    from dragoman.ranking.ranker import RankingRecipe, comparisons_of, rank, rank_pairs
    from dragoman.ranking.rankings_compared import RankingComparison, compare_rankings
    from dragoman.ranking.scale_ranges import ScaleRange, ScaleRanges, scale_ranges
    from dragoman.ranking.selection import MethodChoice, choose_method
else:
    offer(__name__)

__all__ = [
    "RANKINGS",
    "Audit",
    "Consistency",
    "DuelRecipe",
    "HeadToHead",
    "MethodChoice",
    "PowerCurve",
    "RankedSystem",
    "Ranking",
    "RankingComparison",
    "RankingMethod",
    "RankingRecipe",
    "Rankings",
    "ScaleRange",
    "ScaleRanges",
    "Scores",
    "audit",
    "choose_method",
    "compare_rankings",
    "comparisons_of",
    "consistency",
    "head_to_head",
    "make_ranking",
    "power",
    "rank",
    "rank_pairs",
    "scale_ranges",
]
