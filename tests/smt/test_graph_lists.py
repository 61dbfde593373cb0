"""Search graphs as candidate lists for rescoring."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import DataError
from dragoman.rescoring.graphs import graph_lists, opened_lists
from dragoman.smt import Engine
from tests.smt.test_hypergraph import LINE


def test_the_lists_are_the_best_paths(engine: Engine, tmp_path: Path) -> None:
    [graph] = engine.graphs([LINE])
    graph.save(tmp_path / "1.graph")
    lists = graph_lists(tmp_path, [LINE], n_best=7)
    best = graph.n_best(7)
    assert lists.texts == tuple(path.text for path in best)
    assert lists.column("score").tolist() == pytest.approx([path.score for path in best])
    assert len(opened_lists(tmp_path, [LINE]).texts) > len(best)
    with pytest.raises(DataError, match=r"lacks 2\.graph: there are 2 sources, and each has a graph"):
        graph_lists(tmp_path, [LINE, LINE])
