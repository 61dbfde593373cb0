"""The answer of a comparison in a sentence: who is better than whom by which metric, and where nothing can be shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dragoman.report.table import shown_p

if TYPE_CHECKING:
    from dragoman.metrics.comparison import SystemPair

__all__ = ["p_in_words", "verdict"]

_MOST_PAIRS = 6  # said one by one; of more, how many are told apart


def verdict(pairs: Sequence[SystemPair], labels: Mapping[str, str]) -> str:
    """What the paired tests say; `labels` are how metrics are called, by name."""
    groups: dict[tuple[str, str], list[SystemPair]] = {}
    for pair in pairs:
        groups.setdefault((pair.baseline, pair.system), []).append(pair)
    if len(groups) <= _MOST_PAIRS:
        return "\n".join(_pair_sentence(group, labels) for group in groups.values())
    return _counts(pairs, labels, len(groups))


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
            by = ", ".join(f"{labels[each.metric]} by {abs(each.delta):.1f} ({_p(each)})" for each in shown)
            said.append(f"{better} is better than {worse}: {by}")
    open_ones = [each for each in group if each.better is None]
    if not open_ones:
        return "; but ".join(said) + "."
    by = ", ".join(
        f"{labels[each.metric]} {each.delta:+.1f}".replace("-", "−") + f" ({_p(each)})" for each in open_ones
    )
    if not said:
        return f"No difference can be shown between {system} and {baseline}: {by}."
    return "; but ".join(said) + f"; no difference can be shown: {by}."


def _counts(pairs: Sequence[SystemPair], labels: Mapping[str, str], n: int) -> str:
    """How many pairs each metric tells apart, and who is never worse and most often better."""
    said = []
    for metric, label in labels.items():
        own = [pair for pair in pairs if pair.metric == metric]
        wins: dict[str, int] = {}
        for pair in own:
            for name in (pair.baseline, pair.system):
                wins.setdefault(name, 0)
            if pair.better is not None:
                wins[pair.better] += 1
        first = max(wins, key=lambda name: wins[name])
        apart = sum(pair.better is not None for pair in own)
        said.append(f"{label} tells {apart} of {n} pairs apart; {first} is better than {wins[first]} others")
    return "\n".join(f"{each}." for each in said)


def _p(pair: SystemPair) -> str:
    return p_in_words(pair.p_adjusted)
