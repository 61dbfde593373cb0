"""What a label becomes in its context: a maximum-entropy model for each label of the source (Mareček et al. 2010).

A conditional random field over a chain of one token is such a model, so the learner is the one of chains. Labels that
were seen too seldom, or with one translation alone, have none: their shares are the counts'.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.deep.synthesis import Abstract
from dragoman.learn.chain import Chain, TokenVectors, fit_crf

__all__ = ["ContextModels", "Example", "context_of", "learn_context"]

_LEAST = 5  # times that a label must have been seen to have a model
_VALUES = 8  # translations that a model tells apart, the commonest
_EPOCHS, _PENALTY = 20, 1e-2


class Example(NamedTuple):
    """A label of the source, what stood around it, and what it became."""

    label: Hashable
    context: tuple[str, ...]
    value: Hashable


@dataclass(frozen=True, eq=False)
class _Model:
    features: Mapping[str, int]
    values: tuple[Any, ...]
    chain: Chain

    def shares(self, context: Sequence[str]) -> list[tuple[Any, float]]:
        p = self.chain.probabilities(_vectors([context], self.features))[0].tolist()
        return sorted(zip(self.values, p, strict=True), key=lambda each: -each[1])


@dataclass(frozen=True, eq=False)
class ContextModels:
    """A model for each label that was seen often enough."""

    models: Mapping[Hashable, _Model]

    def shares(self, label: Hashable, context: Sequence[str]) -> dict[Any, float]:
        """P(value | label, context), the likeliest first; empty for a label without a model."""
        model = self.models.get(label)
        return {} if model is None else dict(model.shares(context))


def context_of(nodes: Sequence[Abstract], place: int) -> tuple[str, ...]:
    """What a node, its parent and its children tell of how it is to be translated."""
    node = nodes[place]
    parent = nodes[node.parent] if node.parent >= 0 else None
    features = ["", f"lemma={node.lemma.lower()}", f"formeme={node.formeme}", f"upos={node.upos}"]
    features += [f"{name}={value}" for name, value in sorted(node.grammatemes.items())]
    features += [f"definite={node.definite}", f"denied={node.is_denied}", f"conjunct={node.is_conjunct}"]
    if parent is None:
        features.append("top")
    else:
        features += [f"parent={parent.lemma.lower()}", f"parent:{parent.formeme}", f"parent:{parent.upos}"]
        features.append(f"side={place < node.parent}")
    for child in nodes:
        if child.parent == place:
            features += [f"child={child.lemma.lower()}", f"child:{child.formeme}"]
    return tuple(dict.fromkeys(features))


def learn_context(examples: Iterable[Example], *, seed: int = 1) -> ContextModels:
    """A model for each label with enough examples and more than one translation."""
    by_label: dict[Hashable, list[Example]] = defaultdict(list)
    for each in examples:
        by_label[each.label].append(each)
    models = {}
    for label, group in by_label.items():
        values = tuple(value for value, _ in Counter(each.value for each in group).most_common(_VALUES))
        if len(group) >= _LEAST and len(values) > 1:
            models[label] = _fit([each for each in group if each.value in values], values, seed)
    return ContextModels(models)


def _fit(examples: Sequence[Example], values: tuple[Any, ...], seed: int) -> _Model:
    names = dict.fromkeys(name for each in examples for name in each.context)
    features = {name: number for number, name in enumerate(names)}
    numbers = {value: number for number, value in enumerate(values)}
    labels: NDArray[np.int32] = np.array([numbers[each.value] for each in examples], dtype=np.int32)
    vectors = _vectors([each.context for each in examples], features)
    chain = fit_crf(vectors, labels, len(values), epochs=_EPOCHS, penalty=_PENALTY, seed=seed)
    return _Model(features, values, chain)


def _vectors(contexts: Sequence[Sequence[str]], features: Mapping[str, int]) -> TokenVectors:
    """Each context as a sentence of one token; features that were never met are left out."""
    rows = [sorted(features[name] for name in context if name in features) for context in contexts]
    tokens = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in rows], out=tokens[1:])
    ids = np.array([number for row in rows for number in row], dtype=np.int32)
    sentences = np.arange(len(rows) + 1, dtype=np.int64)
    return TokenVectors(sentences, tokens, ids, np.ones(len(ids), dtype=np.float32), len(features))
