"""Labels of the source that are scored, not demanded: gaps with names beside gaps without.

What a span of the source is called is known from its parse before anything is translated. So every phrase is called X,
whatever its words are, and a gap with a name takes what stands over a span of that name. Rules are those without labels
and, beside them, those with names for their gaps, whose probabilities know more and lean on those of the rules without.
No rule is lost because a label is rare or a parse wrong, and a cell of the chart has one list, since one of another
name is the same items again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import e

import numpy as np
from numpy.typing import NDArray

from dragoman.files import StrPath, iter_lines, write_lines
from dragoman.smt.grammar.labels import DEFAULT
from dragoman.smt.grammar.rule_lines import in_order, merged, n_scores_of, with_scores

__all__ = ["AddedRules", "add_named_gaps", "naming_rules", "without_wholes"]

# A source side that was met once with its names has one translation. So the probabilities of rules without names count
# as much as this many further phrases would (a prior; the counts beside them are shares of phrases).
_LEANING = 2.0
# Both sides without names, and which gap is which.
Unnamed = tuple[str, str, str]


@dataclass(frozen=True)
class AddedRules:
    """How many lines a table has got."""

    n_rules: int
    n_sources: int  # different source sides of them


def add_named_gaps(path: StrPath, named: StrPath, names: Iterable[str]) -> AddedRules:
    """Put rules with names for their gaps into a table of rules without labels.

    With them go those by which an X over a span of that name is what the gap asks for. All get one more score: 1, and
    1 / e for each gap with a name, which is its penalty.
    """
    naming = in_order(naming_rules(names, n_scores_of(path)))
    n_rules = n_sources = len(naming)
    last = ""
    plain = _plain_probabilities(path, {_unnamed(line) for line in _with_gaps(named)})

    def with_gaps() -> Iterator[str]:
        nonlocal n_rules, n_sources, last
        for line in _with_gaps(named):
            source = line.partition(" ||| ")[0]
            n_rules += 1
            n_sources += source != last
            last = source
            yield _leaning(line, *plain.get(_unnamed(line), (0.0, 0.0)))

    write_lines(path, merged(with_scores(iter_lines(path), "1"), with_scores(with_gaps(), "1"), naming))
    return AddedRules(n_rules, n_sources)


def naming_rules(names: Iterable[str], n_scores: int) -> Iterator[str]:
    """Lines of a table by which an X is also called by a name of its span."""
    scores = " ".join(["1"] * n_scores + [f"{1 / e:.6g}"])
    gap = f"[{DEFAULT}][{DEFAULT}]"
    for name in names:
        if name != DEFAULT:
            yield f"{gap} [{name}] ||| {gap} [{DEFAULT}] ||| {scores} ||| 0-0 ||| 1 1 1"


def without_wholes(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Counts of reorderings (see `count_reorderings`) whatever the two phrases are called together: X."""
    pairs, places = np.unique(counts[:, 1:3], axis=0, return_inverse=True)
    ways = np.zeros((len(pairs), counts.shape[1] - 3), dtype=np.int64)
    np.add.at(ways, places.reshape(-1), counts[:, 3:])
    return np.hstack([np.zeros((len(pairs), 1), dtype=np.int64), pairs, ways])


def _with_gaps(path: StrPath) -> Iterator[str]:
    """The lines of a table whose rules have gaps."""
    return (line for line in iter_lines(path) if any(map(_is_gap, line.partition(" ||| ")[0].split(" ")[:-1])))


def _is_gap(symbol: str) -> bool:
    """True of a symbol `[NAME][X]`; words that look like one are escaped."""
    return symbol.startswith("[") and symbol.endswith("]")


def _unnamed(line: str) -> Unnamed:
    """The rule without the names of its gaps."""
    source, target, _, links, _ = line.split(" ||| ", 4)
    gaps = {str(i) for i, symbol in enumerate(source.split(" ")[:-1]) if _is_gap(symbol)}
    of_gaps = sorted(link for link in links.split(" ") if link.partition("-")[0] in gaps)
    return _without_names(source), _without_names(target), " ".join(of_gaps)


def _without_names(side: str) -> str:
    *symbols, whole = side.split(" ")
    return " ".join([*(f"[{DEFAULT}][{DEFAULT}]" if _is_gap(each) else each for each in symbols), whole])


def _plain_probabilities(path: StrPath, rules: set[Unnamed]) -> dict[Unnamed, tuple[float, float]]:
    """p(source | target) and p(target | source) of those of the rules that a table without labels has."""
    sources = {source for source, _, _ in rules}
    probabilities = {}
    for line in iter_lines(path):
        source, _, scores, _ = line.split(" ||| ", 3)
        if source in sources and (rule := _unnamed(line)) in rules:
            own = scores.split(" ")
            probabilities[rule] = float(own[0]), float(own[2])
    return probabilities


def _leaning(line: str, of_source: float, of_target: float) -> str:
    """The line with probabilities between its own and those of the rule without names."""
    source, target, scores, links, counts = line.split(" ||| ", 4)
    own = scores.split(" ")
    n_target, n_source, n_both = map(float, counts.split(" ")[:3])
    own[0] = f"{(n_both + _LEANING * of_source) / (n_target + _LEANING):.6g}"
    own[2] = f"{(n_both + _LEANING * of_target) / (n_source + _LEANING):.6g}"
    return f"{source} ||| {target} ||| {' '.join(own)} ||| {links} ||| {counts}"
