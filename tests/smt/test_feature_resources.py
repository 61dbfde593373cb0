"""Decoder features that are made from tables and look at annotated source words."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman import _core
from dragoman.errors import DataError
from dragoman.smt import Engine, SearchLimits
from dragoman.smt.sparse import DECODER_FEATURES, SparseNames

LINE = "where is the station ?"


def tagging(engine: Engine, classes: list[int]) -> _core.phrase.Engine:
    """The core of an engine with its table and language model, and `tag-pairs`."""
    table, lm = engine.models.table, engine.models.lm
    assert table is not None
    numbers = [lm.core.find(word) for word in engine.models.target.words()]
    return _core.phrase.Engine.make(
        [(table.core, 4)],
        [("lm", lm.core, numbers)],
        _core.phrase.Orientation.none,
        features=[("tag-pairs", {"target": classes})],
    )


def test_tags_of_source_words_meet_classes_of_target_words(engine: Engine) -> None:
    words = engine.models.target.words()
    core = tagging(engine, [len(word) for word in words])
    ids = np.array([engine.models.source.get(word) for word in LINE.split()], np.int32)
    weights = np.full(core.n_features, 0.2, np.float32)
    tags = np.array([3, -1, 4, 5, 6], np.int32)
    found = core.decode(
        ids,
        np.array([0, len(ids)], np.int64),
        weights,
        SearchLimits().core(),
        n_best=5,
        distinct=True,
        features=True,
        n_threads=1,
        layer=tags,
    )
    names = SparseNames(["tag-pairs"], engine.models)
    ends = found.sparse_offsets.tolist()
    for path in range(len(found.scores)):
        target = found.words[found.word_offsets[path] : found.word_offsets[path + 1]].tolist()
        expected: dict[str, float] = {}
        for s, t in found.links[found.link_offsets[path] : found.link_offsets[path + 1]].tolist():
            if tags[s] >= 0 and target[t] >= 0:
                name = f"tag-pairs {tags[s]} {len(words[target[t]])}"
                expected[name] = expected.get(name, 0.0) + 1.0
        own = range(ends[path], ends[path + 1])
        assert {names.name(int(found.sparse_keys[i])): float(found.sparse_values[i]) for i in own} == expected
        assert expected


def test_what_is_missing_is_named(engine: Engine) -> None:
    assert "tag-pairs" not in DECODER_FEATURES  # a recipe has no tables to give
    with pytest.raises(DataError, match="'tag-pairs' needs a table 'target'"):
        engine.with_features("tag-pairs")
    core = tagging(engine, [0])
    ids, offsets = np.zeros(1, np.int32), np.array([0, 1], np.int64)
    weights = np.zeros(core.n_features, np.float32)
    with pytest.raises(DataError, match="asks for the annotation of the source words"):
        core.decode(ids, offsets, weights, SearchLimits().core(), n_best=1, distinct=True, features=False, n_threads=1)
    with pytest.raises(DataError, match="a value for each of 1 source words, got 2"):
        core.decode(
            ids,
            offsets,
            weights,
            SearchLimits().core(),
            n_best=1,
            distinct=True,
            features=False,
            n_threads=1,
            layer=np.zeros(2, np.int32),
        )
