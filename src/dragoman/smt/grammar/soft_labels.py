"""Labels of the source that are scored, not demanded: gaps with names beside gaps without.

What a span of the source is called is known from its parse before anything is translated. So every phrase is called X,
whatever its words are, and a gap with a name takes what stands over a span of that name. Rules are those without labels
and, beside them, those with names for their gaps, whose probabilities know more. No rule is lost because a label is
rare or a parse wrong, and a cell of the chart has one list, since one of another name is the same items again.
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

    def with_gaps() -> Iterator[str]:
        nonlocal n_rules, n_sources, last
        for line in iter_lines(named):
            source = line.partition(" ||| ")[0]
            if _has_gaps(source):
                n_rules += 1
                n_sources += source != last
                last = source
                yield line

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


def _has_gaps(source: str) -> bool:
    """True if there is a symbol `[NAME][X]` before the label of the whole; words that look like one are escaped."""
    return any(symbol.startswith("[") and symbol.endswith("]") for symbol in source.split(" ")[:-1])
