"""Why a translation is what it is: its phrases in the order of the target, and what each feature adds with each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dragoman.engines.results import Explanation, Part
from dragoman.smt.constraints import Constraints
from dragoman.smt.decoder import Decoder
from dragoman.smt.derivation import derivation_of
from dragoman.smt.hypergraph import GraphPath, SearchGraph

__all__ = ["explain"]


def explain(decoder: Decoder, source: str, target: str | None = None) -> Explanation | None:
    """The phrases of the best translation of a raw line, or of a given one; `None` if there is no way to it.

    A given translation may need words that no phrase brings: they are inserted or left out, and counted.
    """
    asked = None
    if target is not None:
        asked = [Constraints(target=decoder.target.cased([target])[0], artificial=True)]
    graph = decoder.graphs(decoder.source.prepare([source]), constraints=asked, features=True)[0]
    paths = graph.n_best(1)
    if not paths:
        return None
    path = paths[0]
    features = np.asarray(graph.core.arc_features)
    # Sparse features come as their weighted sum.
    weights = np.array([decoder.weights.get(name, 1.0) for name in graph.feature_names])
    unknown = graph.feature_names.index("unknown")
    count = -float(features[list(path.arcs), unknown].sum())
    tokens, n_unknown = tuple(path.text.split()), round(count)
    if graph.core.is_many_tailed:
        derivation = derivation_of(graph, path)
        rows = [_named(graph, row) for row in features * weights]
        steps = derivation.steps(graph.source, [sum(value for _, value in row) for row in rows])
        return Explanation(graph.source, tokens, tuple(derivation.parts(rows)), path.score, n_unknown, tuple(steps))
    return Explanation(graph.source, tokens, tuple(_phrases(graph, path, features * weights)), path.score, n_unknown)


def _phrases(graph: SearchGraph, path: GraphPath, values: NDArray[np.float64]) -> list[Part]:
    """The phrases of a path, and its end."""
    phrases = graph.alignment(path)
    n_source, at = len(graph.source), 0
    parts = []
    for number, arc in enumerate(path.arcs):
        begin, end, text = phrases[number] if number < len(phrases) else (n_source, n_source, "")
        size = len(text.split())
        parts.append(Part((begin, end), (at, at + size), _named(graph, values[arc])))
        at += size
    return parts


def _named(graph: SearchGraph, row: NDArray[np.float64]) -> tuple[tuple[str, float], ...]:
    """What each feature adds, where it adds anything."""
    return tuple((name, value) for name, value in zip(graph.feature_names, row.tolist(), strict=True) if value)
