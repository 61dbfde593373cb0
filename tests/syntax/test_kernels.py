"""What the kernels refuse: wrong arrays are our own fault or a damaged model's, and must not be read past their end."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman._core import syntax as core
from dragoman.errors import DataError
from dragoman.syntax import ParserRecipe, treebank
from tests.syntax.toy import toy_treebank

OFFSETS = np.array([0, 2, 3], dtype=np.int64)
ZEROS = np.zeros(3, dtype=np.uint16)
NONE = np.zeros(0, dtype=np.uint16)
HEADS = np.array([2, 0, 0], dtype=np.int32)
MORPHOLOGY = np.zeros((1, 1), dtype=np.uint8)


@pytest.fixture
def looks() -> core.TokenLooks:
    return core.TokenLooks(["a", "b", "c"], OFFSETS)


@pytest.mark.parametrize("offsets", [[], [0, 2], [1, 3], [0, 3, 2, 3]])
def test_offsets_must_fit(offsets: list[int]) -> None:
    with pytest.raises(DataError, match="The offsets of the lines do not fit their tokens"):
        core.TokenLooks(["a", "b", "c"], np.array(offsets, dtype=np.int64))
    with pytest.raises(DataError, match="The offsets of the lines do not fit their tokens"):
        core.projectivise(HEADS, np.array(offsets, dtype=np.int64))


def test_labels_must_fit(looks: core.TokenLooks) -> None:
    allowed = np.ones((1, 2), dtype=np.uint8)
    with pytest.raises(DataError, match="There must be one label for each token"):
        core.learn_tags(looks, NONE, ZEROS[:2], allowed, epochs=1, key=1)
    with pytest.raises(DataError, match="A label is larger than the number of labels"):
        core.learn_tags(looks, NONE, ZEROS + np.uint16(2), allowed, epochs=1, key=1)
    with pytest.raises(DataError, match="A label is larger than the number of labels"):
        core.learn_tags(looks, ZEROS + np.uint16(1), ZEROS, allowed, epochs=1, key=1)
    layer = core.TagLayer(*core.learn_tags(looks, NONE, ZEROS, allowed, epochs=1, key=1), allowed)
    with pytest.raises(DataError, match="There must be one label for each token"):
        layer.tag(looks, ZEROS[:1])


def test_trees_must_fit(looks: core.TokenLooks) -> None:
    def learn(
        heads: np.ndarray[tuple[int], np.dtype[np.int32]], feats: np.ndarray[tuple[int], np.dtype[np.uint16]]
    ) -> None:
        core.learn_arcs(
            looks, ZEROS, feats, MORPHOLOGY, heads, ZEROS, n_relations=2, root=0, epochs=1, explore=0.9, key=1
        )

    learn(HEADS, ZEROS)
    with pytest.raises(DataError, match="Line 2 has a head outside the line"):
        learn(np.array([2, 0, 2], dtype=np.int32), ZEROS)
    with pytest.raises(DataError, match="A token has morphological features that the table does not know"):
        learn(HEADS, ZEROS + np.uint16(1))
    with pytest.raises(DataError, match="The heads of a line form no tree"):
        core.projectivise(np.array([2, 1, 0], dtype=np.int32), OFFSETS)


def test_weights_must_fit() -> None:
    keys, counts = np.array([1, 2], dtype=np.uint64), np.array([1, 1], dtype=np.uint32)
    classes, weights = np.array([0, 4], dtype=np.uint16), np.ones(2, dtype=np.float32)
    core.ArcModel(keys, counts, classes, weights, MORPHOLOGY, n_relations=2, root=0)
    with pytest.raises(DataError, match="The weights' arrays do not fit each other"):
        core.ArcModel(keys, counts, classes, weights[:1], MORPHOLOGY, n_relations=2, root=0)
    with pytest.raises(DataError, match="The weights name a class that the model does not have"):
        core.ArcModel(keys, counts, classes + np.uint16(1), weights, MORPHOLOGY, n_relations=2, root=0)
    with pytest.raises(DataError, match="The parser's weights do not fit its relations"):
        core.ArcModel(keys, counts, classes, weights, MORPHOLOGY, n_relations=2, root=2)
    with pytest.raises(DataError, match="The table of morphological attributes is none"):
        core.ArcModel(keys, counts, classes, weights, np.zeros((1, 9), dtype=np.uint8), n_relations=2, root=0)
    with pytest.raises(DataError, match="The weights' arrays do not fit each other"):
        core.mean_weights([(keys[::-1].copy(), counts, classes, weights)], smallest=0)


def test_too_many_labels_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(treebank, "_MOST_LABELS", 3)
    with pytest.raises(DataError, match="The treebank has 6 different values of upos; at most 3 are learnt"):
        ParserRecipe().train(toy_treebank(30))
