"""Decoder features beyond those that every engine has: sparse ones, given ones, and weights of estimates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.smt import Constraints, Engine, EngineRecipe, Lattice, SearchLimits, Term
from dragoman.smt.sparse import DECODER_FEATURES

LINES = ["where is the station ?", "the train is late .", "Xylophonbude"]


@pytest.fixture(scope="module")
def sparse(engine: Engine) -> Engine:
    return engine.with_features(*(name for name in DECODER_FEATURES if name not in engine.recipe.features))


@pytest.fixture(scope="module")
def weighed(sparse: Engine) -> Engine:
    """Random weights for all sparse features that come up."""
    found = sparse.decode(LINES, n_best=20, features=True).sparse
    rng = np.random.default_rng(1)
    names = [sparse.sparse_names.name(key) for key in sorted(set(found.keys.tolist()))]
    return sparse.with_weights({**sparse.weights, **dict(zip(names, rng.normal(size=len(names)), strict=True))})


def test_features_without_weights_change_nothing(engine: Engine, sparse: Engine) -> None:
    assert sparse.decode(LINES).best() == engine.decode(LINES).best()
    assert sparse.feature_names == engine.feature_names
    assert sorted(sparse.recipe.features) == sorted(DECODER_FEATURES)


def test_sparse_features_have_names(sparse: Engine) -> None:
    found = sparse.decode(["the train is late ."], features=True).sparse
    names = [sparse.sparse_names.name(key) for key in found.keys.tolist()]
    assert {name.split(" ")[0] for name in names} >= {"word-pairs", "target-bigrams", "phrase-lengths"}
    assert "target-bigrams . </s>" in names
    assert [sparse.sparse_names.key(name) for name in names] == found.keys.tolist()


@pytest.mark.parametrize("n_threads", [1, 2, 7])
def test_weighted_parts_are_the_score(weighed: Engine, n_threads: int) -> None:
    found = weighed.decode(LINES, n_best=10, features=True, n_threads=n_threads)
    dense = np.array([weighed.weights[name] for name in weighed.feature_names])
    rows = found.sparse
    for path in range(len(found.scores)):
        own = slice(int(rows.offsets[path]), int(rows.offsets[path + 1]))
        names = [weighed.sparse_names.name(key) for key in rows.keys[own].tolist()]
        more = sum(
            weighed.weights.get(name, 0.0) * value for name, value in zip(names, rows.values[own].tolist(), strict=True)
        )
        assert found.features[path] @ dense + more == pytest.approx(found.scores[path], abs=1e-3)
    assert found.texts == weighed.decode(LINES, n_best=10).texts


def test_a_sparse_weight_forbids_a_word(sparse: Engine) -> None:
    best = sparse.decode(LINES[:1], features=True)
    name = next(n for n in map(sparse.sparse_names.name, best.sparse.keys.tolist()) if n.startswith("word-pairs the "))
    other = sparse.with_weights({**sparse.weights, name: -50.0})
    assert other.decode(LINES[:1]).best() != best.best()
    assert (name, -50.0) in other.shown_weights()


def test_graphs_have_the_sparse_part_as_one_feature(weighed: Engine) -> None:
    graph = weighed.graphs(LINES[:1], features=True)[0]
    assert graph.feature_names == (*weighed.feature_names, "sparse")
    weights = np.array([*weighed.dense_weights.values(), 1.0])
    np.testing.assert_allclose(graph.core.arc_features @ weights, graph.core.arc_scores, atol=1e-3)


def test_an_engine_keeps_its_sparse_weights(weighed: Engine, tmp_path: Path) -> None:
    weighed.save(tmp_path / "engine")
    again = Engine.load(tmp_path / "engine")
    assert again.weights == weighed.weights
    assert again.recipe.features == weighed.recipe.features
    assert again.decode(LINES, n_best=5).texts == weighed.decode(LINES, n_best=5).texts


def test_features_and_weights_that_cannot_be_are_named(engine: Engine, sparse: Engine) -> None:
    with pytest.raises(DataError, match=r"no decoder feature 'magic'\. Known: word-pairs, insertions"):
        engine.with_features("magic")
    with pytest.raises(DataError, match="'word-pairs' is asked for twice"):
        engine.with_features("word-pairs", "word-pairs")
    with pytest.raises(DataError, match="no feature word-pairs the der"):
        engine.with_weights({**engine.weights, "word-pairs the der": 1.0})
    for name, message in {
        "word-pairs the Xylophonbude": "the target word 'Xylophonbude', which the engine does not know",
        "phrase-lengths a 1": "Expected a number in the name of a sparse feature, got 'a'",
    }.items():
        with pytest.raises(DataError, match=message):
            sparse.with_weights({**sparse.weights, name: 1.0}).decode(LINES)
    with pytest.raises(DataError, match="names no sparse feature"):
        sparse.sparse_names.key("lm")


def test_a_soft_term_is_weighed_by_what_it_brings(engine: Engine) -> None:
    other = engine.with_features(given=["glossary"])
    assert other.weights["glossary"] == 1.0

    def translated(value: float) -> str:
        term = Term(3, 4, "Xylophonbude", exclusive=False, values={"glossary": value})
        found = other.decode(LINES[:1], constraints=[Constraints(terms=(term,))], features=True)
        weights = np.array(list(other.dense_weights.values()))
        assert found.features[0] @ weights == pytest.approx(found.scores[0], abs=1e-3)
        return found.best()[0]

    assert "Xylophonbude" in translated(100.0)
    assert "Xylophonbude" not in translated(-100.0)
    with pytest.raises(DataError, match="has a value of magic; the engine's given features are: glossary"):
        other.decode(LINES[:1], constraints=[Constraints(terms=(Term(0, 1, "a", values={"magic": 1.0}),))])
    with pytest.raises(DataError, match="the engine's given features are: none"):
        engine.decode(LINES[:1], constraints=[Constraints(terms=(Term(0, 1, "a", values={"magic": 1.0}),))])


def test_scores_of_a_lattice_decide_where_an_engine_has_a_feature_for_them(engine: Engine) -> None:
    def asked(first: float, second: float) -> list[Constraints | None]:
        columns = [
            [("where", 0.0)],
            [("is", 0.0)],
            [("the", 0.0)],
            [("station", first), ("train", second)],
            [("?", 0.0)],
        ]
        return [Constraints(lattice=Lattice.of_confusions(columns))]

    other = engine.with_features(given=["glossary", "lattice"])
    assert other.feature_names[-2:] == ("lattice", "glossary")  # the core's first given feature is that of arcs
    low, high = (other.decode([""], constraints=asked(*scores)).best()[0] for scores in ((-90.0, 0.0), (0.0, -90.0)))
    assert low == other.decode(["where is the train ?"]).best()[0]
    assert high == other.decode(["where is the station ?"]).best()[0]
    plain = [engine.decode([""], constraints=asked(*scores)).best() for scores in ((-90.0, 0.0), (0.0, -90.0))]
    assert plain[0] == plain[1]


def test_estimates_may_weigh_features_otherwise(engine: Engine, book: dict[str, list[str]]) -> None:
    lines = engine.source.prepare(book["en"][540:580])
    narrow = SearchLimits(pop_limit=2)
    same = engine.decode(lines, limits=replace(narrow, future=("lm=1",)))
    assert same.texts == engine.decode(lines, limits=narrow).texts
    other = engine.decode(lines, limits=replace(narrow, future=("lm=0", "table.1=0")))
    assert other.texts != same.texts  # estimates steer a narrow search
    wide = [engine.decode(lines, limits=SearchLimits(pop_limit=5000, future=f)).scores for f in ((), ("lm=0.5",))]
    assert (wide[0] == wide[1]).mean() > 0.8  # and are no part of a score
    with pytest.raises(DataError, match="No feature is called magic"):
        engine.decode(lines, limits=SearchLimits(future=("magic=1",)))
    with pytest.raises(DataError, match="grow"):
        engine.decode(lines, limits=SearchLimits(grow=True))
    with pytest.raises(DataError, match="'lm' is no weight for estimates; write feature=factor"):
        engine.decode(lines, limits=SearchLimits(future=("lm",)))


def test_features_are_part_of_a_recipe() -> None:
    recipe = EngineRecipe(features=("word-pairs",), given=("lattice",))
    assert EngineRecipe.from_dict(recipe.to_dict()) == recipe
