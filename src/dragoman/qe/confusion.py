"""Measures of labelled words from counts: F1 by class, weighted F1, MCC and accuracy (Bojar et al., WMT 2014, §4.3).

All are functions of the summed confusion counts of sentences, so the house's bootstrap over sentences applies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.stats.arrays import Floats, Values

__all__ = ["OK", "confusion_rows", "label_classes", "word_measures"]

OK = "OK"  # the label of words with nothing wrong


def label_classes(*streams: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """All labels of these sentences, OK first, the others sorted."""
    labels_there = {label for sentences in streams for labels in sentences for label in labels}
    return (*([OK] if OK in labels_there else []), *sorted(labels_there - {OK}))


def confusion_rows(
    gold: Sequence[Sequence[str]],
    predicted: Sequence[Sequence[str]],
    classes: Sequence[str],
    *,
    name: str = "predicted",
) -> Floats:
    """Counts (predicted, gold) of each sentence, flattened: float64 (sentences, k²)."""
    check_parallel({"gold": gold, name: predicted})
    number = {label: index for index, label in enumerate(classes)}
    k = len(classes)
    rows = np.zeros((len(gold), k * k))
    for line, (right, own) in enumerate(zip(gold, predicted, strict=True)):
        if len(right) != len(own):
            raise DataError(f"{name}, sentence {line + 1}: {len(own)} labels for {len(right)} of the gold standard.")
        unknown = sorted({*right, *own} - number.keys())
        if unknown:
            raise DataError(f"{name}, sentence {line + 1}: unknown label {unknown[0]!r}. Known: {', '.join(classes)}.")
        for s, r in zip(own, right, strict=True):
            rows[line, number[s] * k + number[r]] += 1
    return rows


def word_measures(classes: Sequence[str]) -> dict[str, Values]:
    """The measures by name, each from sums of confusion rows (m, k²) to scores (m,).

    Weights are the classes' gold counts; `-errors` leaves OK out. What a division by 0 would define is 0.
    """
    if len(classes) < 2:
        only = ", ".join(classes) or "none"
        raise DataError(f"Labels of one class only ({only}) tell nothing apart; at least two classes are needed.")
    k = len(classes)
    errors = np.array([label != OK for label in classes])

    def parts(totals: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        table = totals.reshape(-1, k, k)
        hits = np.einsum("mii->mi", table)
        predicted, right = table.sum(axis=2), table.sum(axis=1)
        return hits, predicted, right, table.sum(axis=(1, 2))[:, np.newaxis]

    def f1(totals: Floats) -> Floats:
        hits, predicted, right, _ = parts(totals)
        return _ratio(2 * hits, predicted + right)

    def mcc(totals: Floats) -> Floats:
        hits, predicted, right, n = parts(totals)
        return _ratio(n * hits - predicted * right, np.sqrt(predicted * right * (n - predicted) * (n - right)))

    def weighted(by_class: Callable[[Floats], Floats], counted: np.ndarray) -> Values:
        def value(totals: Floats) -> Floats:
            right = parts(totals)[2] * counted
            return _ratio((by_class(totals) * right).sum(axis=1), right.sum(axis=1))

        return value

    def accuracy(totals: Floats) -> Floats:
        hits, _, _, n = parts(totals)
        return _ratio(hits.sum(axis=1), n[:, 0])

    every = np.ones(k, dtype=bool)
    measures: dict[str, Values] = {"f1-weighted": weighted(f1, every)}
    if not errors.all():
        measures["f1-errors"] = weighted(f1, errors)
    measures["mcc"] = weighted(mcc, every)
    if not errors.all() and k > 2:
        measures["mcc-errors"] = weighted(mcc, errors)
    measures["accuracy"] = accuracy
    for index, label in enumerate(classes):
        measures[f"f1-{label}"] = lambda totals, index=index: f1(totals)[:, index]  # type: ignore[misc]
    return measures


def _ratio(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros(np.broadcast(above, below).shape), where=below > 0)
