"""Morphological features taken apart, so that a parser sees whether two words agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["attribute_table"]

_MOST_ATTRIBUTES = 8  # kMostAttributes of the core


def attribute_table(feats: Sequence[str]) -> NDArray[np.uint8]:
    """The values of the commonest attributes (Number, Gender, Case …) by FEATS label, counted from 1; 0 is none.

    An attribute with one value cannot agree or disagree, and one with more than 255 is none of grammar's.
    """
    pairs = [dict(pair.split("=", 1) for pair in label.split("|") if "=" in pair) for label in feats]
    values = {
        name: sorted({each[name] for each in pairs if name in each}) for name in {n for each in pairs for n in each}
    }
    counts = Counter(name for each in pairs for name in each if 1 < len(values[name]) < 256)
    names = sorted(counts, key=lambda name: (-counts[name], name))[:_MOST_ATTRIBUTES]
    table = np.zeros((len(feats), len(names)), dtype=np.uint8)
    for row, each in zip(table, pairs, strict=True):
        row[:] = [values[name].index(each[name]) + 1 if name in each else 0 for name in names]
    return table
