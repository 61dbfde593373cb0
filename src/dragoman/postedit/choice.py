"""Which of the changes that fit a line are made: those that do not overlap and are worth most together."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from dragoman.postedit.gain import Edit

__all__ = ["best_set"]


def best_set(edits: Sequence[Edit], worth: Sequence[float]) -> tuple[list[int], float]:
    """The places of the changes to make, and what they are worth; only such that are worth something."""
    order = sorted((n for n, value in enumerate(worth) if value > 0), key=lambda n: (edits[n][1], edits[n][0], n))
    ends, sums, last = [0], [0.0], [-1]  # by number of changes looked at: the last end, the best sum, who ends it
    for n in order:
        begin, end, _ = edits[n]
        total = sums[bisect_right(ends, begin) - 1] + worth[n]
        better = total > sums[-1]
        ends.append(end)
        sums.append(total if better else sums[-1])
        last.append(n if better else -1)
    chosen, at = [], len(last) - 1
    while at > 0:
        if last[at] < 0:
            at -= 1
        else:
            chosen.append(last[at])
            at = bisect_right(ends, edits[last[at]][0]) - 1
    return sorted(chosen, key=lambda n: edits[n]), sums[-1]
