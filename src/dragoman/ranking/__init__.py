"""From who beat whom to an order of systems that can be defended."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dragoman.ranking.auditing import Audit, audit
    from dragoman.ranking.base import RANKINGS, RankingMethod, Scores, make_ranking
    from dragoman.ranking.contradictions import Consistency, consistency
    from dragoman.ranking.duels import HeadToHead, head_to_head
    from dragoman.ranking.power_curve import PowerCurve, power
    from dragoman.ranking.ranker import comparisons_of, rank, rank_pairs
    from dragoman.ranking.rankings_compared import RankingComparison, compare_rankings
    from dragoman.ranking.results import RankedSystem, Ranking, Rankings
    from dragoman.ranking.selection import MethodChoice, choose_method

# name → module below this room; imported on first use, so that a command pays for what it needs.
_HOMES = {
    "RANKINGS": "base",
    "Audit": "auditing",
    "Consistency": "contradictions",
    "HeadToHead": "duels",
    "MethodChoice": "selection",
    "PowerCurve": "power_curve",
    "RankedSystem": "results",
    "Ranking": "results",
    "RankingComparison": "rankings_compared",
    "RankingMethod": "base",
    "Rankings": "results",
    "Scores": "base",
    "audit": "auditing",
    "choose_method": "selection",
    "compare_rankings": "rankings_compared",
    "comparisons_of": "ranker",
    "consistency": "contradictions",
    "head_to_head": "duels",
    "make_ranking": "base",
    "power": "power_curve",
    "rank": "ranker",
    "rank_pairs": "ranker",
}

__all__ = [
    "RANKINGS",
    "Audit",
    "Consistency",
    "HeadToHead",
    "MethodChoice",
    "PowerCurve",
    "RankedSystem",
    "Ranking",
    "RankingComparison",
    "RankingMethod",
    "Rankings",
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
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"dragoman.ranking.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'dragoman.ranking' has no attribute {name!r}")
