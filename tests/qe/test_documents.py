"""Documents from sentences."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.qe import FeatureTable
from dragoman.qe.documents import document_features, document_scores, runs_as_documents


def test_means_by_length_in_the_order_of_first_sentences() -> None:
    found = document_scores([0.1, 0.5, 0.3, 0.9], ["b", "a", "b", "a"], weights=[1, 1, 3, 3])
    assert list(found) == ["b", "a"]
    assert found == pytest.approx({"b": 0.25, "a": 0.8})
    assert document_scores([0.1, 0.3], [1, 1]) == pytest.approx({1: 0.2})
    assert document_scores([0.1, 0.3], [1, 1], weights=[0, 0]) == pytest.approx({1: 0.2})
    assert document_scores([], []) == {}


def test_document_hter_is_the_mean_weighted_by_reference_length() -> None:
    edits, lengths = np.array([2, 0, 5]), np.array([4, 10, 6])
    assert document_scores(edits / lengths, [0, 0, 0], weights=lengths)[0] == pytest.approx(7 / 20)


def test_features_of_documents() -> None:
    table = FeatureTable.of(["x"], [[1.0], [3.0], [5.0]])
    found = document_features(table, ["a", "a", "b"], weights=[3, 1, 1])
    assert found.names == ("x-mean", "x-spread", "sentences")
    assert found.values.tolist() == [[1.5, 1.0, 2.0], [5.0, 0.0, 1.0]]


def test_runs() -> None:
    assert runs_as_documents(5, 2) == [0, 0, 1, 1, 2]
    with pytest.raises(DataError, match="at least one sentence"):
        runs_as_documents(5, 0)


def test_wrong_input_is_named() -> None:
    with pytest.raises(DataError, match="documents"):
        document_scores([1.0], [])
    with pytest.raises(DataError, match="finite"):
        document_scores([float("nan")], [1])
    with pytest.raises(DataError, match="from 0 on"):
        document_scores([1.0], [1], weights=[-1.0])
