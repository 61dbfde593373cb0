"""What sentence pairs count when phrases are extracted: one number for a text, or a file with one for each pair."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines

__all__ = ["PairWeights", "read_pair_weights"]


@dataclass(frozen=True)
class PairWeights:
    """Weights of the pairs of one text; `path` has those of each, which the weight of the text multiplies."""

    weight: float = 1.0
    path: str = ""

    def read(self, n_pairs: int, label: str) -> NDArray[np.float32]:
        """A weight for each of a text's pairs, the text being called so in messages."""
        if not self.path:
            return np.full(n_pairs, self.weight, dtype=np.float32)
        weights = read_pair_weights(self.path)
        if len(weights) != n_pairs:
            raise DataError(
                f"{self.path} has {len(weights)} weights, {label} has {n_pairs} sentence pairs: one weight a line is "
                "needed for each."
            )
        return weights * np.float32(self.weight)


def read_pair_weights(path: StrPath) -> NDArray[np.float32]:
    """Weights, one a line, each a number from 0 on."""
    weights = []
    for number, line in enumerate(iter_lines(path), start=1):
        try:
            weight = float(line)
        except ValueError:
            weight = -1.0
        if not (isfinite(weight) and weight >= 0):
            raise FormatError(
                f"the weight of a sentence pair is a number from 0 on, got {line[:40]!r}.", path=path, line=number
            )
        weights.append(weight)
    if weights and not any(weights):
        raise FormatError("all weights are 0: there is nothing to extract.", path=path)
    return np.array(weights, dtype=np.float32)
