"""What an engine did with a sentence: the translations it thought of, its phrases, its search in a few numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from dragoman.errors import DataError

__all__ = ["Forced", "GraphSummary", "PhraseUse", "Spread", "Trace", "Traces"]

PhraseUse = tuple[int, int, int, int]  # source begin, source end, target begin, target end; ends are not counted
Scores = Mapping[str, tuple[float, ...]]


@dataclass(frozen=True)
class Spread:
    """A score over the steps of a search."""

    mean: float
    variance: float  # of all steps, not estimated from some
    least: float
    most: float

    @property
    def deviation(self) -> float:
        """The square root of the variance."""
        return math.sqrt(max(0.0, self.variance))


@dataclass(frozen=True)
class GraphSummary:
    """A search graph in a few numbers: nodes are partial translations, arcs the phrases between them."""

    nodes: int
    dead: int  # of the nodes: none of their continuations reached the end
    arcs: int
    options: int | None = None  # translations of source phrases that were at hand
    option_words: int | None = None  # source words of all of them together
    spreads: Mapping[str, Spread] = field(default_factory=dict)  # by score

    def __post_init__(self) -> None:
        object.__setattr__(self, "spreads", MappingProxyType(dict(self.spreads)))
        if not 0 <= self.dead <= self.nodes:
            raise DataError(f"A graph of {self.nodes} nodes cannot have {self.dead} dead ones.")


@dataclass(frozen=True)
class Forced:
    """A given output, said again by an engine with its own phrases and, where these do not help, word by word."""

    output: str  # the line as it was given
    score: float  # of the engine's features but for those words
    artificial: int  # words that were copied, inserted or left out without a phrase


@dataclass(frozen=True)
class Trace:
    """One sentence's trace. Translations are tokens between spaces, the best first; scores are logarithms.

    `features` are the scores by name that make up the score of each of the first translations, at least of the best if
    any are known; `phrases` and `links` are of the best translation.
    """

    source: str  # the line as it was given to the engine
    texts: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    features: tuple[Scores, ...] = ()
    phrases: tuple[PhraseUse, ...] = ()  # in the order of the target
    links: tuple[tuple[int, int], ...] = ()  # source word, target word, from 0
    tokens: str = ""  # the source as the engine reads it
    graph: GraphSummary | None = None
    forced: Forced | None = None

    def __post_init__(self) -> None:
        if len(self.texts) != len(self.scores):
            raise DataError(f"{len(self.texts)} translations have {len(self.scores)} scores.")
        if len(self.features) > len(self.texts):
            raise DataError(f"{len(self.texts)} translations have the features of {len(self.features)}.")
        if not all(math.isfinite(score) for score in self.scores):
            raise DataError("Scores of translations must be finite numbers.")
        broken = [each for each in self.phrases if not (0 <= each[0] <= each[1] and 0 <= each[2] <= each[3])]
        if broken:
            raise DataError(f"A phrase begins before it ends, got {broken[0]}.")

    @property
    def best(self) -> str:
        """The best translation; empty if the engine found none."""
        return self.texts[0] if self.texts else ""


@dataclass(frozen=True)
class Traces:
    """The traces of a text, a sentence each; those of a file are read when iterated, one at a time."""

    items: Iterable[Trace]

    def __iter__(self) -> Iterator[Trace]:
        return iter(self.items)
