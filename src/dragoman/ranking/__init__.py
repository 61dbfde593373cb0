"""From who beat whom to an order of systems that can be defended."""

from importlib import import_module
from typing import Any

# name → module below this room; imported on first use, so that a command pays for what it needs.
_HOMES = {
    "Consistency": "contradictions",
    "HeadToHead": "duels",
    "RankingComparison": "rankings_compared",
    "compare_rankings": "rankings_compared",
    "consistency": "contradictions",
    "head_to_head": "duels",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"dragoman.ranking.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'dragoman.ranking' has no attribute {name!r}")
