"""What a comparison found, in a few sentences: one for each pair while they are few, one for each metric beyond."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dragoman.report.sentence import isolated
from dragoman.report.table import shown_number

if TYPE_CHECKING:
    from dragoman.metrics.comparison import Comparison, SystemPair, SystemScore

__all__ = ["by_score", "findings"]

_MOST_PAIRS = 4  # of a metric that are told one by one
_MOST_NAMES = 4  # in a list


def findings(comparison: Comparison) -> list[str]:
    """The sentences that a report opens with; their names are isolated: one from right to left turns nothing round."""
    if len(comparison.pairs) <= _MOST_PAIRS * len(comparison.metrics):
        return [pair.isolated_sentence for pair in comparison.pairs]
    told = [_leader(comparison, metric) for metric in comparison.metrics]
    leaders = {by_score(comparison, metric)[0].system for metric in comparison.metrics}
    return told if len(leaders) == 1 else [*told, "The metrics do not agree which system is best."]


def by_score(comparison: Comparison, metric: str) -> list[SystemScore]:
    """The systems by one metric, the best first."""
    higher = comparison.higher_is_better[comparison.metrics.index(metric)]
    own = [each for each in comparison.scores if each.metric == metric]
    return sorted(own, key=lambda each: each.score, reverse=higher)


def _leader(comparison: Comparison, metric: str) -> str:
    best = by_score(comparison, metric)[0]
    pairs = [pair for pair in comparison.all_pairs if pair.metric == metric]
    close = [_other(pair, best.system) for pair in pairs if _is_open(pair, best.system)]
    against = f"not separated from {_names(close)}" if close else "better than each of the others"
    apart = sum(pair.better is not None for pair in pairs)
    return (
        f"By {metric}, {isolated(best.system)} scores best ({_shown(best.score)}, interval {_shown(best.low)} to "
        f"{_shown(best.high)}): {against}. The test separates {apart} of {len(pairs)} pairs."
    )


def _shown(score: float) -> str:
    return shown_number(score, 2, 3)


def _is_open(pair: SystemPair, system: str) -> bool:
    return pair.better is None and system in (pair.system, pair.baseline)


def _other(pair: SystemPair, system: str) -> str:
    return pair.baseline if pair.system == system else pair.system


def _names(names: Sequence[str]) -> str:
    shown = [isolated(name) for name in names[:_MOST_NAMES]]
    if len(names) > _MOST_NAMES:
        return f"{', '.join(shown)} and {len(names) - _MOST_NAMES} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]
