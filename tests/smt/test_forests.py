"""Hypergraphs with many tails from Python: lists, posteriors and envelopes against looking at every derivation."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman._core import graph as core
from dragoman._core import tune
from dragoman.errors import DataError


@dataclass(frozen=True)
class Arc:
    """An arc to a node: tails, what it says (a negative number is a gap), features."""

    tails: tuple[int, ...]
    words: tuple[int, ...]
    features: tuple[float, float]


@st.composite
def forests(draw: st.DrawFn) -> list[list[Arc]]:
    """The arcs to each node, from node 1 on."""
    nodes: list[list[Arc]] = []
    for node in range(1, draw(st.integers(2, 5))):
        arcs = []
        for _ in range(draw(st.integers(1, 2))):
            tails = tuple(draw(st.lists(st.integers(1, node - 1), max_size=2))) if node > 1 else ()
            words = draw(
                st.permutations([*draw(st.lists(st.integers(0, 3), max_size=2)), *(-1 - k for k in range(len(tails)))])
            )
            values = [draw(st.integers(-8, 8)) / 4 for _ in range(2)]
            arcs.append(Arc(tails, tuple(words), (values[0], values[1])))
        nodes.append(arcs)
    return nodes


def built(nodes: list[list[Arc]]) -> core.Hypergraph:
    builder = core.HypergraphBuilder(1, 2)
    for arcs in nodes:
        builder.add_node()
        for arc in arcs:
            words = [core.gap(-1 - word) if word < 0 else word for word in arc.words]
            builder.add_arc(list(arc.tails), builder.add_phrase(0, 1, words), arc.features[0], list(arc.features))
    return builder.finish()


def derivations(nodes: list[list[Arc]], node: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All derivations of a node: numbers of their arcs, and their words."""
    first = sum(len(arcs) for arcs in nodes[: node - 1])
    found = []
    for number, arc in enumerate(nodes[node - 1], start=first):
        for parts in product(*(derivations(nodes, tail) for tail in arc.tails)):
            said = [parts[-1 - word][1] if word < 0 else (word,) for word in arc.words]
            arcs = (*(each for part in parts for each in part[0]), number)
            found.append((arcs, tuple(word for piece in said for word in piece)))
    return found


@given(forests())
def test_a_list_has_every_derivation_best_first(nodes: list[list[Arc]]) -> None:
    graph, all_of = built(nodes), dict(derivations(nodes, len(nodes)))
    scores = graph.arc_scores
    found = graph.n_best(len(all_of) + 1, False)
    assert {tuple(arcs) for _, arcs in found} == set(all_of)
    assert len(found) == len(all_of)
    expected = sorted((float(scores[list(arcs)].sum()) for arcs in all_of), reverse=True)
    np.testing.assert_allclose([score for score, _ in found], expected, atol=1e-6)
    for _, arcs in found:
        assert tuple(graph.words_of(arcs)) == all_of[tuple(arcs)]


@given(forests())
def test_posteriors_are_shares(nodes: list[list[Arc]]) -> None:
    graph, all_of = built(nodes), derivations(nodes, len(nodes))
    shares = np.exp([0.5 * float(graph.arc_scores[list(arcs)].sum()) for arcs, _ in all_of])
    mass = np.zeros(len(graph.arc_scores))
    for (arcs, _), share in zip(all_of, shares / shares.sum(), strict=True):
        np.add.at(mass, list(arcs), share)
    posteriors, log_total = graph.posteriors(0.5)
    np.testing.assert_allclose(posteriors, mass, atol=1e-9)
    assert log_total == pytest.approx(np.log(shares.sum()))


@given(forests(), st.integers(-8, 8))
def test_an_envelope_is_as_high_as_the_best(nodes: list[list[Arc]], eighths: int) -> None:
    graph, t = built(nodes), eighths / 2
    lines = tune.envelope(graph, np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    values = graph.arc_features @ np.array([1.0, t])
    best = max(float(values[list(arcs)].sum()) for arcs, _ in derivations(nodes, len(nodes)))
    assert max(score + t * slope for score, slope, _ in lines) == pytest.approx(best)


@given(forests())
def test_tails_and_files_come_back(nodes: list[list[Arc]]) -> None:
    graph = core.Hypergraph.loaded(built(nodes).serialised())
    arcs = [arc for arcs in nodes for arc in arcs]
    ends = graph.tail_offsets.tolist()
    own = [tuple(graph.arc_tails[a:b].tolist()) for a, b in pairwise(ends)]
    # Where every arc has one tail at most, those without one come from the beginning.
    assert [tuple(tail for tail in tails if tail) for tails in own] == [arc.tails for arc in arcs]


def test_what_is_no_forest_is_refused() -> None:
    builder = core.HypergraphBuilder(1)
    builder.add_node()
    with pytest.raises(DataError, match="do not fit each other"):
        builder.finish()
    with pytest.raises(DataError, match="at most 256 gaps"):
        core.gap(256)
