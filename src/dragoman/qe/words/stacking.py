"""What other levels say of a word: the score predicted of its sentence, and whether it is wrong at all.

A level that was trained on the same sentences must speak of each by a model that has not seen it: predictions of a
model's own training sentences are far too good, and what is trained on them trusts them on new ones (FBK-UPV-UEdin,
WMT 2014, whose stacked runs have 82.9 in cross-validation and 38.5 on the test set).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.qe.confusion import OK
from dragoman.qe.words.encoding import Columns
from dragoman.qe.words.features import Symbols
from dragoman.qe.words.predictions import WordPredictions
from dragoman.stats.arrays import Floats

__all__ = ["BELOW", "SENTENCE", "having_below", "having_sentence_scores", "two_classes"]

SENTENCE = "sentence-score"
BELOW = ("below label", "below p_error")


def two_classes(labels: Sequence[Sequence[str]]) -> list[list[str]]:
    """OK and BAD in place of classes of errors."""
    return [[label if label == OK else "BAD" for label in line] for line in labels]


def having_sentence_scores(columns: Columns, scores: Sequence[float] | Floats) -> Columns:
    """Columns of words with the score of their sentence."""
    check_parallel({"sentences": range(len(columns.offsets) - 1), "sentence scores": scores})
    each = np.asarray(scores, dtype=np.float64)
    if not np.isfinite(each).all():
        place = int(np.flatnonzero(~np.isfinite(each))[0]) + 1
        raise DataError(f"The score of sentence {place} is {each[place - 1]}; each must be a number.")
    return _with(columns, {SENTENCE: np.repeat(each, np.diff(columns.offsets))})


def having_below(columns: Columns, below: WordPredictions) -> Columns:
    """Columns of words with what a word model of fewer classes says of each."""
    label, p_error = BELOW
    return _with(
        columns,
        {
            label: [each for line in below.labels for each in line],
            p_error: np.array([each for line in below.p_error for each in line], dtype=np.float64),
        },
    )


def _with(columns: Columns, more: dict[str, Symbols | Floats]) -> Columns:
    return Columns({**columns.values, **more}, columns.offsets)
