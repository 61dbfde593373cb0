"""Why a translation is what it is: its phrases in the order of the target, and what each feature adds with each."""

from __future__ import annotations

import numpy as np

from dragoman.engines.results import Explanation, Part
from dragoman.smt.constraints import Constraints
from dragoman.smt.decoder import Decoder

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
    values = np.asarray(graph.core.arc_features)[list(path.arcs)]
    # Sparse features come as their weighted sum.
    weights = np.array([decoder.weights.get(name, 1.0) for name in graph.feature_names])
    phrases = graph.alignment(path)
    n_source, at = len(graph.source), 0
    parts = []
    for number, row in enumerate((values * weights).tolist()):
        begin, end, text = phrases[number] if number < len(phrases) else (n_source, n_source, "")
        size = len(text.split())
        scores = tuple((name, value) for name, value in zip(graph.feature_names, row, strict=True) if value)
        parts.append(Part((begin, end), (at, at + size), scores))
        at += size
    unknown = graph.feature_names.index("unknown")
    count = -float(values[:, unknown].sum())
    return Explanation(graph.source, tuple(path.text.split()), tuple(parts), path.score, round(count))
