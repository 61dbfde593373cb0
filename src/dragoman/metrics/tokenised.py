"""A word about output that looks tokenised, which BLEU is not made for."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from dragoman.errors import DoubtfulInput
from dragoman.text.lines import TextLines

if TYPE_CHECKING:
    from dragoman.metrics.base import Metric

__all__ = ["warn_of_tokenised"]

_MOST = 100  # lines of a system that may end in a full stop by itself, as in sacreBLEU
_METRICS = frozenset({"bleu", "sentbleu"})
_LONE_STOP = re.compile(rb" \.[ \t\r]*(?:\n|\Z)")  # blanks at the end of a line count for nothing, as there


def warn_of_tokenised(metrics: Sequence[Metric], systems: Mapping[str, Sequence[str]]) -> None:
    """Warn where BLEU is asked about systems of which a hundred lines or more end in ` .`."""
    if not any(metric.name in _METRICS for metric in metrics):
        return
    found = [name for name, lines in systems.items() if _looks_tokenised(lines)]
    if found:
        warnings.warn(
            f"{_MOST} lines or more of {', '.join(found)} end in a full stop by itself (' .'): the text looks "
            "tokenised. BLEU cuts text into tokens by its own rules; detokenise the output first, or its scores are "
            "not comparable with others.",
            DoubtfulInput,
            stacklevel=3,
        )


def _looks_tokenised(lines: Sequence[str]) -> bool:
    if isinstance(lines, TextLines):  # a million lines in no time
        return sum(1 for _ in islice(_LONE_STOP.finditer(lines.core.utf8), _MOST)) == _MOST
    return sum(1 for _ in islice((line for line in lines if line.rstrip().endswith(" .")), _MOST)) == _MOST
