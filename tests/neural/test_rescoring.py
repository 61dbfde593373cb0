"""A neural engine as a rescoring feature."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.neural import NeuralEngine, NeuralTraining
from dragoman.rescoring import CandidateLists, add_features
from dragoman.testing import check_rescoring_feature
from tests.neural.conftest import sentences


def test_it_keeps_the_contract(training: NeuralTraining) -> None:
    check_rescoring_feature(f"neural:{training.model}")
    check_rescoring_feature(f"neural:{training.model},reverse=yes")


def test_it_is_the_sum_and_the_mean_of_the_log_probabilities_of_pieces(training: NeuralTraining) -> None:
    engine = NeuralEngine.load(str(training.model))
    source, other = sentences()[:2]
    lists = add_features(CandidateLists((source,), (source, other), np.array([0, 2])), [f"neural:{training.model}"])
    for place, text in enumerate((source, other)):
        logs = engine.log_probabilities(*engine.pieces.encode([source, text]))
        np.testing.assert_allclose(lists.features[place], [sum(logs), sum(logs) / len(logs)], atol=1e-3)
    assert lists.column("neural")[0] > lists.column("neural")[1]  # it has learnt to copy


def test_the_reverse_scores_the_source(training: NeuralTraining) -> None:
    source, other = sentences()[:2]
    there = CandidateLists((source,), (other,), np.array([0, 1]))
    back = CandidateLists((other,), (source,), np.array([0, 1]))
    reverse = add_features(there, [f"neural:{training.model},reverse=yes"])
    assert reverse.names == ("neural.reverse",)
    np.testing.assert_allclose(
        reverse.column("neural.reverse"), add_features(back, [f"neural:{training.model}"]).column("neural"), atol=1e-3
    )


def test_without_an_engine_it_says_how_to_name_one() -> None:
    with pytest.raises(DataError, match="'neural' needs an engine: neural:FOLDER"):
        add_features(CandidateLists(("a",), ("b",), np.array([0, 1])), ["neural"])


def test_an_engine_that_is_no_net_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragoman.rescoring.forced.load_engine", lambda _: object())
    with pytest.raises(DataError, match="table is no neural engine that can be asked for the probability"):
        add_features(CandidateLists(("a",), ("b",), np.array([0, 1])), ["neural:table"])
