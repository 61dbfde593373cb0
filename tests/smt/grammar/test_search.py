"""Charts: rules translate, their features add up, and what is asked of a sentence holds."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.lm import KneserNey
from dragoman.smt.constraints import Constraints, Lattice, Term
from dragoman.smt.decoded import Decoded
from dragoman.smt.derivation import derivation_of
from dragoman.smt.feature_tables import FeatureTables
from dragoman.smt.grammar import RuleTable
from dragoman.smt.grammar.kernel import ChartKernel, word_labels
from dragoman.smt.hypergraph import SearchGraph, numbers_in
from dragoman.smt.search import SearchLimits

LINES = [
    "ne [X][X] pas [X] ||| does not [X][X] [X] ||| 0.5 ||| 0-1 1-2 2-1",
    "ne [X][X] pas [X] ||| not [X][X] [X] ||| 0.25 ||| 1-1 2-0",
    "la [X][X] [X][X] [X] ||| the [X][X] [X][X] [X] ||| 0.125 ||| 0-0 1-1 2-2",
    "maison [X] ||| house [X] ||| 0.5 ||| 0-0",
    "bleue [X] ||| blue [X] ||| 0.5 ||| 0-0",
    "[X][X] bleue [X] ||| blue [X][X] [X] ||| 0.5 ||| 0-1 1-0",
    "la [X] ||| the [X] ||| 0.5 ||| 0-0",
    "dort [X] ||| sleep [X] ||| 0.5 ||| 0-0",
    "pas [X] ||| not [X] ||| 0.25 ||| 0-0",
]
TEXT = ["the blue house does not sleep", "the house", "does not sleep", "blue house"]


def kernel_of(path: Path, lines: list[str] = LINES, **how: Any) -> ChartKernel:
    rules = path / "rules"
    rules.write_text("\n".join(lines) + "\n", encoding="utf-8")
    table = RuleTable.read_rules(rules)
    lm = KneserNey(order=3).train(TEXT)
    models = SimpleNamespace(
        grammar=table,
        phrases=table,
        source=table.source,
        target=table.target,
        index=None,
        paths=None,
        table=None,
        feature_tables=FeatureTables(),
        language_models={"lm": lm},
    )
    return ChartKernel(models, **{"features": (), "given": (), **how})


def decoded(
    kernel: ChartKernel,
    lines: list[str],
    constraints: list[Constraints | None] | None = None,
    limits: SearchLimits | None = None,
    **how: Any,
) -> Decoded:
    task = kernel.task(lines, constraints, None, n_threads=1)
    weights = np.ones(len(kernel.names), dtype=np.float32)
    asked = {"n_best": 1, "distinct": True, "features": True, "n_threads": 1, **how}
    paths = task.decode(weights, kernel.limits(limits or SearchLimits(), weights), **asked)
    return Decoded.of(paths, task.texts(paths), kernel.names)


@pytest.fixture
def kernel(tmp_path: Path) -> ChartKernel:
    return kernel_of(tmp_path)


def test_rules_with_gaps_translate_and_their_features_add_up(kernel: ChartKernel) -> None:
    assert kernel.names == ("table.1", "word-penalty", "phrase-penalty", "glue", "unknown", "lm")
    found = decoded(kernel, ["la maison bleue ne dort pas", "", "zut"], n_best=10)
    assert found.best() == ["the blue house does not sleep", "", "zut"]
    np.testing.assert_allclose(found.features.sum(axis=1), found.scores, rtol=1e-5)
    glue, unknown = (found.features[:, kernel.names.index(name)] for name in ("glue", "unknown"))
    assert glue[0] == -1
    assert [unknown[path] for path in found.paths(2)] == [-1]
    links = sorted(map(tuple, found.links_of(0).tolist()))
    assert links == [(0, 0), (1, 2), (2, 1), (3, 4), (4, 5), (5, 4)]
    phrases = found.phrases_of(0)
    assert phrases[:, 2].sum() == 6


def test_nothing_depends_on_the_number_of_threads(kernel: ChartKernel) -> None:
    lines = ["la maison bleue ne dort pas", "ne dort pas la maison", "bleue"] * 5
    one = decoded(kernel, lines, n_best=5)
    for n_threads in (2, 7):
        other = decoded(kernel, lines, n_best=5, n_threads=n_threads)
        assert (other.texts, other.scores.tolist()) == (one.texts, one.scores.tolist())


def test_a_limit_is_for_all_labels_of_a_span(tmp_path: Path) -> None:
    words = [f"a [X] ||| {word}{label} [{label}] ||| 0.5 ||| 0-0" for label in "ABCDEFGH" for word in "xyz"]
    kernel = kernel_of(tmp_path, words)
    weights = np.ones(len(kernel.names), dtype=np.float32)
    scored = {}
    for pop_limit in (2, 1000):
        task = kernel.task(["a"], None, None, n_threads=1)
        limits = kernel.limits(SearchLimits(pop_limit=pop_limit), weights)
        scored[pop_limit] = task.decode(
            weights, limits, n_best=1, distinct=True, features=False, n_threads=1
        ).hypotheses
    assert scored[1000] == 32  # every rule, and one of each label glued
    assert scored[2] <= 8  # a search for each label would score 16 and more


def test_grown_cubes_are_the_same_with_room_for_all(kernel: ChartKernel) -> None:
    lines = ["la maison bleue ne dort pas", "", "zut", "la maison dort"]
    task = kernel.task(lines, None, None, n_threads=2)
    weights = np.ones(len(kernel.names), dtype=np.float32)
    found = {
        grow: task.decode(
            weights,
            kernel.limits(SearchLimits(pop_limit=10_000, grow=grow), weights),
            n_best=10,
            distinct=True,
            features=True,
            n_threads=2,
        )
        for grow in (False, True)
    }
    np.testing.assert_allclose(found[True].scores, found[False].scores, atol=1e-5)
    assert found[True].words.tolist() == found[False].words.tolist()


def test_forests_hold_what_was_found(kernel: ChartKernel) -> None:
    lines = ["la maison bleue ne dort pas"]
    task = kernel.task(lines, None, None, n_threads=1)
    weights = np.ones(len(kernel.names), dtype=np.float32)
    [core] = task.graphs(weights, kernel.limits(SearchLimits(), weights), features=True, n_threads=1)
    graph = SearchGraph(core, tuple(task.tokens(0)), task.spelt(0, numbers_in(core)), kernel.names)
    [best] = graph.n_best(1)
    found = decoded(kernel, lines)
    assert (best.text, round(best.score, 4)) == (found.texts[0], round(float(found.scores[0]), 4))
    assert graph.links(best) == sorted(map(tuple, found.links_of(0).tolist()))
    tree = derivation_of(graph, best)
    assert any(each.rule(graph.source) == "ne [1] pas → does not [1]" for each in tree.every())
    assert all(0 < each <= 1 for each in graph.confidence(best))


def test_constraints_hold(kernel: ChartKernel) -> None:
    line = "la maison bleue ne dort pas"
    term = Constraints(terms=(Term(1, 2, "mansion"),))
    forced = Constraints(target="the house blue not sleep")
    prefix = Constraints(prefix="the house")
    walls = Constraints(walls=(2,))
    never = Constraints(target="nothing of this")
    artificial = Constraints(target="the tiny house", artificial=True)
    asked = [term, forced, prefix, walls, never, artificial]
    found = decoded(kernel, [line] * len(asked), asked).best()
    assert found[0].split()[1:3] == ["blue", "mansion"]
    assert found[1] == "the house blue not sleep"
    assert found[2].startswith("the house ")
    assert found[3].startswith("the house ")
    assert found[4:] == ["", "the tiny house"]


def test_lattices_are_translated(kernel: ChartKernel) -> None:
    lattice = Lattice(
        ((0, 1, "la", 0.0), (1, 2, "maison", 0.0), (1, 2, "bleue", 0.0), (2, 3, "bleue", 0.0), (2, 3, "", 0.0))
    )
    assert decoded(kernel, ["x"], [Constraints(lattice=lattice)]).best()[0].startswith("the")


def test_wide_spans_are_left_to_glue(tmp_path: Path) -> None:
    narrow = kernel_of(tmp_path, span=2)
    assert decoded(narrow, ["la maison bleue ne dort pas"]).features[0, narrow.names.index("glue")] < -1


def test_source_labels_ask_for_such_spans(tmp_path: Path) -> None:
    lines = ["ne [X][V] pas [X] ||| does not [X][V] [X] ||| 0.5 ||| 1-2", "dort [X] ||| sleep [V] ||| 0.5 ||| 0-0"]
    lines += ["ne [VP][X] pas [VP] ||| does not [VP][X] [X] ||| 0.5 ||| 1-2", "dort [VP] ||| sleep [X] ||| 1 ||| 0-0"]

    def parse(tokens: list[list[str]], *, n_threads: int) -> list[list[tuple[int, int, str]]]:
        return [[(1, 2, "VP")] if "ne" in line else [] for line in tokens]

    free = kernel_of(tmp_path, lines)
    bound = kernel_of(tmp_path, lines, parse=parse)
    assert word_labels(free.grammar)
    rules = {kernel: decoded(kernel, ["ne dort pas"], n_best=999, distinct=False) for kernel in (free, bound)}
    assert len(rules[bound].texts) < len(rules[free].texts)


def test_what_does_not_fit_is_named(kernel: ChartKernel, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no label NP/NP"):
        kernel_of(tmp_path, unknown_labels=[("NP", "NP")])
    with pytest.raises(DataError, match="cannot ask it"):
        kernel_of(tmp_path, features=("word-pairs",))
    with pytest.raises(DataError, match="future"):
        kernel.limits(SearchLimits(future=("lm=0.7",)), np.ones(len(kernel.names), dtype=np.float32))
    short = kernel_of(tmp_path, parse=lambda lines, n_threads: [])
    with pytest.raises(DataError, match="labels of spans for 0"):
        short.task(["la"], None, None, n_threads=1)


def test_a_thousand_tokens_come_to_an_end(kernel: ChartKernel) -> None:
    line = " ".join(["la maison bleue ne dort pas zut"] * 142)
    for grow in (False, True):
        [best] = decoded(kernel, [line], limits=SearchLimits(pop_limit=50, grow=grow)).best()
        assert len(best.split()) > 500
