"""Oracles: never worse than what the model says, and in the graph never worse than in its lists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.smt import Constraints, Engine, SearchLimits, best_of_graphs, best_of_lists, measure_oracles


def test_oracles_rise_with_what_they_choose_from(engine: Engine, book: dict[str, list[str]]) -> None:
    test = TestSet(srcs=book["en"][540:], refs={"ref": book["de"][540:]})
    found = measure_oracles(engine, test, sizes=(10, 100), limits=SearchLimits(pop_limit=100))
    names = [name for name, _, _ in found.values]
    values = [value for _, value, _ in found.values]
    assert names == ["the model's best", "10-best list", "100-best list", "search graph"]
    assert values == sorted(values)
    assert values[0] + 3 < values[2] < values[3]
    assert found.tables()[0].records()[0]["chosen_from"] == "the model's best"
    other = measure_oracles(engine, test, sizes=(10,), graph=False, metric="chrf", n_threads=7)
    assert [name for name, _, _ in other.values] == names[:2]


def test_a_reference_that_the_graph_has_is_found(engine: Engine, book: dict[str, list[str]]) -> None:
    lines = engine.source.prepare(book["en"][550:560])
    graphs = engine.graphs(lines)
    wanted = [graph.n_best(200)[-1].text for graph in graphs]
    assert best_of_graphs(graphs, [wanted]) == wanted
    assert best_of_lists(engine.decode(lines, n_best=200), [wanted]) == wanted


def test_what_has_no_oracle_is_named(engine: Engine) -> None:
    impossible = engine.graphs(["a"], constraints=[Constraints(target="Xylophonbude")])
    assert best_of_graphs(impossible, [["a"]]) == [""]
    with pytest.raises(DataError, match="no translation to choose from"):
        impossible[0].linear_oracle(["a"], word=-1, match=[1, 1, 1, 1])
    with pytest.raises(DataError, match="have four values"):
        engine.graphs(["a"])[0].linear_oracle(["a"], word=-1, match=[1])
    with pytest.raises(DataError, match="There are 1 sentences and references for 2"):
        best_of_lists(engine.decode(["a"]), [["a", "b"]])
    with pytest.raises(DataError, match="Sentence 1 has no translation to choose from"):
        best_of_lists(engine.decode(["a"], constraints=[Constraints(target="Xylophonbude")]), [["a"]])
    with pytest.raises(DataError, match="one translation or more, got sizes"):
        measure_oracles(engine, TestSet(srcs=["a"], refs={"ref": ["a"]}), sizes=(0,))
    with pytest.raises(DataError, match="most_arcs=0"):
        engine.graphs(["a"])[0].pruned(0)


def test_the_command_shows_them(model: Path, book: dict[str, list[str]], tmp_path: Path) -> None:
    for name in ("en", "de"):
        (tmp_path / name).write_text("\n".join(book[name][540:550]) + "\n", encoding="utf-8")
    done = CliRunner().invoke(
        group,
        ["smt", "oracle", "-m", str(model), "--src", str(tmp_path / "en"), "--ref", str(tmp_path / "de"), "--json"],
    )
    assert done.exit_code == 0, done.output
    assert [row["chosen_from"] for row in json.loads(done.output)["rows"]][-1] == "search graph"


def test_a_pruned_graph_keeps_its_best(engine: Engine, book: dict[str, list[str]]) -> None:
    graph = engine.graphs(engine.source.prepare(book["en"][560:561]))[0]
    small = graph.pruned(30)
    assert 0 < len(small.core.arc_scores) < len(graph.core.arc_scores)
    assert small.n_best(1)[0].text == graph.n_best(1)[0].text
    assert graph.pruned(10**9).n_best(5) == graph.n_best(5)
