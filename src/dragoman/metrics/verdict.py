"""The answer of a comparison in a sentence: who is better than whom by which metric, and where nothing can be shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dragoman.report.table import shown_number, shown_p

if TYPE_CHECKING:
    from dragoman.metrics.comparison import SystemPair

__all__ = ["p_in_words", "verdict"]

_MOST_PAIRS = 6  # said one by one


def verdict(pairs: Sequence[SystemPair], labels: Mapping[str, str]) -> list[str]:
    """What the paired tests say, a sentence a pair; nothing where they are too many. Metrics are called by `labels`."""
    groups: dict[tuple[str, str], list[SystemPair]] = {}
    for pair in pairs:
        groups.setdefault((pair.baseline, pair.system), []).append(pair)
    return [_pair_sentence(group, labels) for group in groups.values()] if len(groups) <= _MOST_PAIRS else []


def p_in_words(p: float) -> str:
    """`p = .012` or `p < .001`."""
    text = shown_p(p)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def _pair_sentence(group: Sequence[SystemPair], labels: Mapping[str, str]) -> str:
    """One pair by all metrics."""
    baseline, system = group[0].baseline, group[0].system
    said = []
    for better, worse in ((system, baseline), (baseline, system)):
        shown = [each for each in group if each.better == better]
        if shown:
            by = ", ".join(
                f"{labels[each.metric]} by {shown_number(abs(each.delta), 1)} ({_p(each)})" for each in shown
            )
            said.append(f"{better} is better than {worse}: {by}")
    open_ones = [each for each in group if each.better is None]
    if not open_ones:
        return "; but ".join(said) + "."
    by = ", ".join(
        f"{labels[each.metric]} " + shown_number(each.delta, 1, sign="+").replace("-", "−") + f" ({_p(each)})"
        for each in open_ones
    )
    if not said:
        return f"No difference can be shown between {system} and {baseline}: {by}."
    return "; but ".join(said) + f"; no difference can be shown: {by}."


def _p(pair: SystemPair) -> str:
    return p_in_words(pair.p_adjusted)
