"""Rules that only reorder: how two labelled neighbours of the source stand in the target (Li et al., WMT 2012)."""

from __future__ import annotations

from collections.abc import Iterator
from math import e

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.files import StrPath, iter_lines, write_lines
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.grammar.extraction import SpanLabels
from dragoman.smt.grammar.labels import DEFAULT
from dragoman.smt.grammar.rule_lines import in_order, merged, n_scores_of, with_scores

__all__ = ["add_reorderings", "count_reorderings", "reordering_rules"]

_MONOTONE, _SWAP = 0, 2  # columns of counts; the others are of translations that stand apart


def count_reorderings(text: AlignedText, labels: SpanLabels, *, longest: int, n_threads: int = 1) -> NDArray[np.int64]:
    """Rows of three labels (of both phrases together, of the first, of the second) and four counts.

    These say how often the translations stood side by side, apart, swapped, and swapped and apart.
    """
    return _core.grammar.count_reorderings(
        text.source.ids,
        text.source.offsets,
        text.target.ids,
        text.target.offsets,
        text.links,
        text.link_offsets,
        labels.spans,
        labels.offsets,
        longest,
        n_threads=n_threads,
    )


def reordering_rules(counts: NDArray[np.int64], names: tuple[str, ...], n_scores: int) -> Iterator[str]:
    """Lines of a rule table for what stands side by side, in order or swapped, sorted.

    P(way | three labels) counts all four ways. Scores are `n_scores` ones, the probability and 1 / e, the penalty.
    """
    ones = " ".join(["1"] * n_scores)
    lines = []
    for whole, first, second, *ways in counts.tolist():
        gaps = [f"[{names[label]}][{DEFAULT}]" for label in (first, second)]
        source = f"{' '.join(gaps)} [{names[whole]}]"
        for way, target, links in ((_MONOTONE, gaps, "0-0 1-1"), (_SWAP, gaps[::-1], "0-1 1-0")):
            if ways[way]:
                scores = f"{ones} {ways[way] / sum(ways):.6g} {1 / e:.6g}"
                numbers = f"{ways[way]} {sum(ways)} {ways[way]}"
                lines.append(f"{source} ||| {' '.join(target)} [{DEFAULT}] ||| {scores} ||| {links} ||| {numbers}")
    return iter(in_order(lines))


def add_reorderings(path: StrPath, counts: NDArray[np.int64], names: tuple[str, ...]) -> int:
    """Put rules that only reorder into a table, whose own rules get two more scores, both 1; returns how many."""
    rules = list(reordering_rules(counts, names, n_scores_of(path)))
    write_lines(path, merged(with_scores(iter_lines(path), "1", "1"), rules))
    return len(rules)
