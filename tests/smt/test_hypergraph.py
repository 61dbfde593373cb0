"""Search graphs: what they rank, weigh and complete agrees with the decoder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import DataError, ModelError
from dragoman.smt import Constraints, Engine, SearchGraph, minimum_risk

LINE = "where is the station ?"


@pytest.fixture(scope="module")
def graph(engine: Engine) -> SearchGraph:
    return engine.graphs([LINE], features=True)[0]


def test_n_best_lists_are_the_decoders(engine: Engine, graph: SearchGraph) -> None:
    found = engine.decode([LINE], n_best=20)
    paths = graph.n_best(20)
    assert [path.text for path in paths] == found.texts
    np.testing.assert_allclose([path.score for path in paths], found.scores)


def test_features_of_arcs_add_up(engine: Engine, graph: SearchGraph) -> None:
    best = graph.n_best(1)[0]
    sums = graph.core.arc_features[list(best.arcs)].sum(axis=0)
    np.testing.assert_allclose(sums[:-1], engine.decode([LINE], features=True).features[0], atol=1e-3)
    assert graph.feature_names == (*engine.feature_names, "sparse")


def test_confidence_is_the_decoders_and_a_probability(engine: Engine, graph: SearchGraph) -> None:
    found = engine.decode([LINE], confidence=True, scale=0.5)
    best = graph.n_best(1)[0]
    mine = graph.confidence(best, scale=0.5)
    np.testing.assert_allclose(mine, found.confidence_of(0), atol=1e-5)
    assert len(mine) == len(best.text.split())
    assert all(0 < each <= 1 for each in mine)
    with pytest.raises(DataError, match="Decode with confidence=True"):
        engine.decode([LINE]).confidence_of(0)


def test_posteriors_of_what_covers_a_word_sum_to_one(graph: SearchGraph) -> None:
    posteriors, phrases = graph.posteriors(scale=0.7), graph.core.arc_phrases
    table = graph.core.phrases
    for place in range(len(graph.source)):
        covering = {p for p, row in enumerate(table.tolist()) if row[0] <= place < row[1]}
        mass = sum(float(each) for each, p in zip(posteriors, phrases.tolist(), strict=True) if p in covering)
        assert mass == pytest.approx(1)


def test_a_prefix_is_completed(engine: Engine, graph: SearchGraph) -> None:
    paths = graph.n_best(30)
    for path in paths[::5]:
        words = path.text.split()
        done = graph.complete(" ".join(words[:2]))
        assert done.edits == 0
        assert done.path.text.split()[:2] == words[:2]
        assert done.path.text == " ".join([*words[:2], *done.suffix.split()])
    assert graph.complete("").path.text == paths[0].text
    begun = graph.complete("", begun=paths[0].text[0])
    assert begun.suffix == begun.path.text
    far = graph.complete("Xylophonbude")
    assert far.edits == 1


def test_the_oracle_is_at_least_as_near_as_any_of_the_list(graph: SearchGraph) -> None:
    target = graph.n_best(50)[-1].text
    path, edits = graph.oracle(target)
    assert edits == 0
    assert path.text == target
    assert graph.oracle("etwas ganz anderes")[1] > 0


def test_phrases_of_a_path_make_its_text(graph: SearchGraph) -> None:
    path = graph.n_best(1)[0]
    parts = graph.alignment(path)
    assert " ".join(text for _, _, text in parts if text) == path.text
    assert sorted(i for begin, end, _ in parts for i in range(begin, end)) == list(range(len(graph.source)))


def test_a_graph_is_saved_and_loaded(graph: SearchGraph, tmp_path: Path) -> None:
    file = tmp_path / "graph"
    graph.save(file)
    again = SearchGraph.load(file)
    assert again.n_best(9) == graph.n_best(9)
    assert (again.source, again.feature_names) == (graph.source, graph.feature_names)
    content = file.read_bytes()
    file.write_bytes(content[:-3])
    with pytest.raises(ModelError, match="should have"):
        SearchGraph.load(file)
    file.write_bytes(content.replace(b'"format": 1', b'"format": 7', 1))
    with pytest.raises(ModelError, match="has format 7; this version reads format 1"):
        SearchGraph.load(file)
    file.write_bytes(b"{}\n")
    with pytest.raises(ModelError, match="is no search graph"):
        SearchGraph.load(file)


def test_graphs_of_nothing(engine: Engine) -> None:
    empty, impossible = engine.graphs(["", LINE], constraints=[None, Constraints(target="Xylophonbude")])
    assert [path.text for path in empty.n_best(3)] == [""]
    assert len(impossible) == 0
    assert impossible.n_best(3) == []
    with pytest.raises(DataError, match="no translation that could be completed"):
        impossible.complete("a")
    with pytest.raises(DataError, match="no translation to choose from"):
        impossible.oracle("a")
    with pytest.raises(DataError, match="got n=0"):
        empty.n_best(0)


@pytest.mark.parametrize("document", [False, True])
def test_minimum_risk_chooses_among_the_translations(
    engine: Engine, book: dict[str, list[str]], document: bool
) -> None:
    srcs = engine.source.prepare(book["en"][540:560])
    found = engine.decode(srcs, n_best=30)
    chosen = minimum_risk(found, scale=0.5, document=document)
    assert all(text in [found.texts[p] for p in found.paths(i)] for i, text in enumerate(chosen))
    assert minimum_risk(found, scale=1e4, document=document) == found.best()
    assert minimum_risk(found, scale=0.5, document=document, n_threads=7) == chosen
    with pytest.raises(DataError, match="must be above 0, got 0"):
        minimum_risk(found, scale=0)
