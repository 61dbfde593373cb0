"""Whether a text looks like those that were translated well or badly (Soricut & Narsale, WMT 2012, features 6–9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from dragoman.notation import list_of_texts
from dragoman.qe.features.table import FeatureTable
from dragoman.stats.arrays import Floats

__all__ = ["EXAMPLE_NAMES", "Examples", "SystemExamples"]

_ORDERS = 4
EXAMPLE_NAMES = ("example-good-source", "example-good-target", "example-bad-source", "example-bad-target")


@dataclass(frozen=True)
class Examples:
    """Texts that were good and such that were bad, tokenised: an n-gram counts as often as one of them has it."""

    good: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()

    @classmethod
    def of(cls, lines: Sequence[str], quality: Floats) -> Examples:
        """The better and the worse half."""
        order = np.argsort(-quality, kind="stable").tolist()
        half = len(order) // 2
        return cls(tuple(lines[i] for i in order[:half]), tuple(lines[i] for i in order[len(order) - half :]))

    def likeness(self, lines: Sequence[str]) -> Floats:
        """Geometric means of the clipped precisions of 1- to 4-grams against good and against bad ones: (lines, 2)."""
        return np.column_stack([_likeness(lines, examples) for examples in (self.good, self.bad)])


@dataclass(frozen=True)
class SystemExamples:
    """What one system translated well and badly: the sources and its outputs of them, both tokenised."""

    sources: Examples
    outputs: Examples

    @classmethod
    def of(cls, sources: Sequence[str], outputs: Sequence[str], quality: Floats) -> SystemExamples:
        """The halves by the quality of the outputs."""
        return cls(Examples.of(sources, quality), Examples.of(outputs, quality))

    def features(self, sources: Sequence[str], outputs: Sequence[str]) -> FeatureTable:
        """Four columns."""
        good_source, bad_source = self.sources.likeness(sources).T
        good_target, bad_target = self.outputs.likeness(outputs).T
        return FeatureTable.of(EXAMPLE_NAMES, np.column_stack([good_source, good_target, bad_source, bad_target]))

    def to_json(self) -> dict[str, Any]:
        """For the selector's folder."""
        return {
            side: {"good": list(own.good), "bad": list(own.bad)}
            for side, own in (("sources", self.sources), ("outputs", self.outputs))
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """What `to_json` gave."""
        return cls(
            *(
                Examples(*(list_of_texts(values[side][name]) for name in ("good", "bad")))
                for side in ("sources", "outputs")
            )
        )


def _ngrams(line: str) -> Iterator[tuple[str, ...]]:
    words = line.split()
    for n in range(1, _ORDERS + 1):
        yield from zip(*(words[k:] for k in range(n)), strict=False)


def _likeness(lines: Iterable[str], examples: Sequence[str]) -> Floats:
    most: Counter[tuple[str, ...]] = Counter()
    for line in examples:
        most |= Counter(_ngrams(line))
    means = []
    for line in lines:
        matches, counts = np.zeros(_ORDERS), np.zeros(_ORDERS)
        for ngram, count in Counter(_ngrams(line)).items():
            counts[len(ngram) - 1] += count
            matches[len(ngram) - 1] += min(count, most[ngram])
        means.append(np.exp(np.log((matches + 0.5) / (counts + 1)).mean()))  # a half: no match is not minus infinity
    return np.array(means)
