"""How much of a line is written in a script that its language does not use."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman._core import text as core
from dragoman.text.languages import expected_scripts
from dragoman.text.unicode import SCRIPTS

__all__ = ["foreign_letters", "foreign_share"]


def foreign_letters(
    lines: Sequence[str], lang: str, *, n_threads: int = 1
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each line: letters of scripts that `lang` is not written in, and letters in all.

    Letters outside the scripts that the core tells apart (the long-vowel mark of Japanese, the micro sign) belong to
    every language.
    """
    counts = core.count_scripts(lines, n_threads=n_threads)
    expected = expected_scripts(lang)
    foreign = [n for n, script in enumerate(SCRIPTS) if script != "Other" and script not in expected]
    letters = counts.sum(axis=1, dtype=np.int64)
    if not expected:
        return np.zeros(len(letters), dtype=np.int64), letters
    return counts[:, foreign].sum(axis=1, dtype=np.int64), letters


def foreign_share(lines: Sequence[str], lang: str, *, n_threads: int = 1) -> NDArray[np.float64]:
    """The share of foreign letters among the letters of each line; 0 where there are none."""
    foreign, letters = foreign_letters(lines, lang, n_threads=n_threads)
    share: NDArray[np.float64] = foreign / np.maximum(letters, 1)
    return share
