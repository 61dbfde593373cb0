"""How far a translation agrees with other engines' translations of its source, and its way back with the source."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.metrics.bleu import Bleu
from dragoman.metrics.chrf import ChrfPlusPlus
from dragoman.metrics.ter import Ter
from dragoman.qe.features.table import FeatureTable
from dragoman.stats.arrays import Floats

__all__ = ["agreement_features", "join_features"]

_ORDERS = 4
_HALF = 0.5  # added to matches, 1 to n-grams: a sentence without a match still differs from a longer one
_MEASURES = (
    *(f"{what}{n}" for n in range(1, _ORDERS + 1) for what in ("precision", "recall")),
    "precisions",
    "recalls",
    "ter",
    "chrf",
    "length",
)


def agreement_features(
    outputs: Sequence[str], others: Sequence[Sequence[str]], *, name: str = "agreement", n_threads: int = 1
) -> FeatureTable:
    """How far tokenised outputs agree with other texts, line by line.

    The others are translations of the same sources by other engines, pseudo-references (SDL, WMT 2012, LF10; Soricut &
    Narsale, WMT 2012), or, of sources, the outputs translated back (DCU, WMT 2012). Lower-cased: precision and recall
    of 1- to 4-grams and the means of their logarithms, TER, chrF++, and the length of the other text in lengths of the
    output. With several others there is the mean over them, then the most and the least.
    """
    if not others:
        raise DataError("There is no other translation to agree with. Give at least one.")
    for number, lines in enumerate(others, start=1):
        if isinstance(lines, str):
            raise DataError(f"Other translation {number} is one str. Pass a sequence of lines.")
        check_parallel({"outputs": outputs, f"other translation {number}": lines})
    agreement = np.stack([_agreement(list(outputs), list(lines), n_threads) for lines in others])
    names = [f"{name}-{measure}" for measure in _MEASURES]
    if len(others) == 1:
        return FeatureTable.of(names, agreement[0])
    parts = {"": agreement.mean(axis=0), "-most": agreement.max(axis=0), "-least": agreement.min(axis=0)}
    return FeatureTable.of(
        [each + part for part in parts for each in names], np.concatenate(list(parts.values()), axis=1)
    )


def join_features(*tables: FeatureTable) -> FeatureTable:
    """The columns of several tables of the same sentences."""
    check_parallel({f"table {number}": table for number, table in enumerate(tables, start=1)})
    how = {key: value for table in tables for key, value in table.how.items()}
    return FeatureTable.of(
        [name for table in tables for name in table.names],
        np.concatenate([table.values for table in tables], axis=1),
        **how,
    )


def _agreement(outputs: list[str], other: list[str], n_threads: int) -> Floats:
    """(sentences, measures)."""
    bleu = Bleu(tokeniser="none", lowercase=True)
    rows = bleu.stats(outputs, [other], n_threads=n_threads)
    length, other_length = rows[:, 0], rows[:, 1]
    matches, counts = rows[:, 2 : 2 + _ORDERS], rows[:, 2 + _ORDERS :]
    other_counts = np.maximum(0.0, other_length[:, np.newaxis] - np.arange(_ORDERS))
    precision, recall = (matches + _HALF) / (counts + 1), (matches + _HALF) / (other_counts + 1)
    columns = [each[:, n] for n in range(_ORDERS) for each in (precision, recall)]
    columns += [np.log(precision).mean(axis=1), np.log(recall).mean(axis=1)]
    edits = Ter().stats(outputs, [other], n_threads=n_threads)
    columns.append(edits[:, 0] / np.maximum(1.0, edits[:, 1]))
    columns.append(ChrfPlusPlus().segments(outputs, [other], n_threads=n_threads) / 100)
    columns.append(other_length / np.maximum(1.0, length))
    return np.column_stack(columns)
