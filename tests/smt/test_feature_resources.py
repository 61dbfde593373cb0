"""Decoder features that are made from tables and look at annotated source words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dragoman import _core
from dragoman.errors import DataError
from dragoman.lm import WordClasses
from dragoman.smt import Engine, SearchLimits
from dragoman.smt.inspection import inspect_engine
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
    assert "tag-pairs" not in DECODER_FEATURES  # its name alone is not enough
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


@pytest.fixture(scope="module")
def tags(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class for some target words: whether they are long; others have none."""
    words = [word for word in engine.models.target.words()[1:] if word.isalpha()]
    file = tmp_path_factory.mktemp("tags") / "tags.tsv"
    WordClasses({word: "long" if len(word) > 5 else "short" for word in words}).write(file)
    return file


def test_a_table_is_named_in_a_recipe_and_saved_with_the_engine(engine: Engine, tags: Path, tmp_path: Path) -> None:
    tagging = engine.with_features(f"tag-pairs:target={tags}")
    name = "tag-pairs long long"
    weighted = tagging.with_weights({**tagging.weights, name: 0.5})
    moved = tmp_path / "tags.tsv"
    weighted.save(tmp_path / "engine")
    tags.rename(moved)
    loaded = Engine.load(tmp_path / "engine")
    moved.rename(tags)
    assert loaded.weights[name] == 0.5
    layer = [["short", "short", "nothing known", "long", "<unk>"]]
    for each in (weighted, loaded):
        decoded = each.decode([LINE], layer=layer, features=True)
        assert decoded.texts == ["Wo ist der Bahnhof ?"]
        keys = decoded.sparse.keys[decoded.sparse.offsets[0] : decoded.sparse.offsets[1]].tolist()
        assert {each.sparse_names.name(key) for key in keys if each.sparse_names.name(key).startswith("tag-pairs")} == {
            "tag-pairs short short",
            name,
            "tag-pairs <unk> <unk>",
        }
        graph = each.graphs([LINE], layer=layer)[0]
        assert graph.n_best(1)[0].score == pytest.approx(float(decoded.scores[0]), abs=1e-4)
    shown = dict(inspect_engine(tmp_path / "engine").tables()[0].rows)
    assert shown["table of tag-pairs.target"].endswith(" words")


def test_what_a_layer_lacks_is_named(engine: Engine, tags: Path) -> None:
    tagging = engine.with_features(f"tag-pairs:target={tags}")
    with pytest.raises(DataError, match="asks for the annotation of the source words"):
        tagging.decode([LINE])
    with pytest.raises(DataError, match=r"there are 2 lines and 2 annotated ones, and line 2 differs"):
        tagging.decode([LINE, "a"], layer=[["short"] * 5, ["short"] * 2])
    with pytest.raises(DataError, match=r"there are 1 lines and 0 annotated ones"):
        tagging.decode([LINE], layer=[])
    with pytest.raises(DataError, match=r"names the class 'huge'. Known: long, short, <unk>"):
        tagging.with_weights({**tagging.weights, "tag-pairs huge long": 1.0}).decode([LINE], layer=[["short"] * 5])


def test_the_recipe_says_who_annotates_raw_text(engine: Engine, tmp_path: Path) -> None:
    WordClasses({"Bahnhof": "station"}).write(tmp_path / "stems.tsv")
    tagging = engine.with_features(f"tag-pairs:target={tmp_path / 'stems.tsv'}")
    tagging.recipe = replace(tagging.recipe, layers=("source.stem=snowball",))
    weighted = tagging.with_weights({**tagging.weights, "tag-pairs station station": 3.0})
    assert weighted.translate(["Where are the stations?"])[0].count("Bahnhof") >= 1
    plain, better = (each.decode([LINE], layer=None) for each in (tagging, weighted))
    assert better.scores[0] - plain.scores[0] == pytest.approx(3.0, abs=1e-3)
