"""What one pass of the core over a batch of lines counts, by name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman._core import corpus as core

__all__ = ["Profiles"]

_FIELDS = {name: number for number, name in enumerate(core.profile_fields())}


class Profiles:
    """The profiles of a batch of lines: `profiles["tokens"]` is an int32 array with a number for each line.

    The fields are tokens, characters, longest_token, letters, digits, punctuation, controls, invalid, mojibake,
    mixed_words, detached_marks, attached_marks, unbalanced and outer_space (cpp/include/dragoman/corpus/profile.hpp).
    """

    def __init__(self, table: NDArray[np.int32]) -> None:
        self.table = table

    @classmethod
    def of(cls, lines: Sequence[str], *, n_threads: int = 1) -> Profiles:
        """The profiles of these lines."""
        return cls(core.profile_lines(lines, n_threads=n_threads))

    def take(self, places: NDArray[np.intp]) -> Profiles:
        """The profiles of some of the lines."""
        return Profiles(self.table[places])

    def __getitem__(self, field: str) -> NDArray[np.int32]:
        return self.table[:, _FIELDS[field]]

    def __len__(self) -> int:
        return len(self.table)
