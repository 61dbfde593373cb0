"""All that a search found: a graph of phrases in which translations are ranked, weighed, completed and compared."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import DataError, ModelError
from dragoman.files import StrPath
from dragoman.notation import parse_json

__all__ = ["FIRST_GAP", "NO_PHRASE", "Completion", "GraphPath", "SearchGraph", "is_gap", "numbers_in"]

_KIND, _FORMAT = "search graph", 1
NO_PHRASE = 2**32 - 1  # of an arc that adds no words: to the end, or one that glues parts

FIRST_GAP = _core.graph.gap(0)  # among the words of a phrase: here stands what fills its first gap
_MOST_GAPS = 256


def is_gap(number: int) -> bool:
    """True if what stands among the words of a phrase is a gap."""
    return number < FIRST_GAP + _MOST_GAPS


def numbers_in(core: _core.graph.Hypergraph) -> list[int]:
    """The numbers of all words of a graph, rising."""
    return [number for number in np.unique(core.words).tolist() if not is_gap(number)]


@dataclass(frozen=True)
class GraphPath:
    """One translation in a graph."""

    text: str  # tokens joined by spaces
    score: float
    arcs: tuple[int, ...]


@dataclass(frozen=True)
class Completion:
    """How a graph goes on behind a prefix: `path` begins like it, but for `edits` words; `suffix` is what follows."""

    path: GraphPath
    suffix: str
    edits: int


class SearchGraph:
    """The graph of one sentence's search (see `Engine.graphs`). It needs no engine: it is saved and loaded by itself.

    `core` has its arrays: arcs (`arc_tails`, `arc_to`, `arc_phrases`, `arc_scores`, `arc_features`) sorted by where
    they lead, nodes counted from the beginning, 0, to the end. `vocabulary` names the words that its numbers stand for.
    """

    def __init__(
        self,
        core: _core.graph.Hypergraph,
        source: tuple[str, ...],
        vocabulary: Mapping[int, str],
        feature_names: tuple[str, ...] = (),
        places: tuple[int, ...] | None = None,
    ) -> None:
        self.core = core
        self.places = places  # of the source's words in the text as it stands, where they were read in another order
        self.source = source
        self.feature_names = feature_names
        self.vocabulary = dict(vocabulary)
        self._ids = {word: number for number, word in self.vocabulary.items()}

    def __len__(self) -> int:
        """The number of nodes; 0 if the search found no translation."""
        return self.core.n_nodes

    def n_best(self, n: int, *, distinct: bool = True) -> list[GraphPath]:
        """The best translations, `n` if there are so many."""
        if n < 1:
            raise DataError(f"A list has one translation or more, got n={n}.")
        return [self._path(score, arcs) for score, arcs in self.core.n_best(n, distinct)]

    def posteriors(self, *, scale: float = 1.0) -> NDArray[np.float64]:
        """The probability of each arc when a translation's is in proportion to exp(scale · score)."""
        return self.core.posteriors(scale)[0]

    def confidence(self, path: GraphPath, *, scale: float = 1.0) -> list[float]:
        """For each word of a translation, the share of probability that agrees with it, from 0 to 1.

        Of all translations each covers that source word once; counted are those whose phrase there has the same word.
        """
        return self.core.confidence(list(path.arcs), scale)

    def complete(self, prefix: str, *, begun: str = "", edit_cost: float = 1000.0) -> Completion:
        """The best way on from a translator's words (tokens), and `begun`, first letters of the next.

        Where no translation begins so, the nearest does: each word changed, added or left out costs `edit_cost`.
        """
        if not len(self):
            raise DataError("The search found no translation that could be completed.")
        words = [self._ids.get(word, -1) for word in prefix.split()]
        following = [number for word, number in self._ids.items() if word.startswith(begun)] if begun else []
        score, arcs, n_words, edits = self.core.complete(words, following or ([-1] if begun else []), edit_cost)
        path = self._path(score, arcs)
        tokens = path.text.split()
        if begun and n_words and tokens[n_words - 1].startswith(begun):
            n_words -= 1  # the begun word is part of what follows, whole
        return Completion(path, " ".join(tokens[n_words:]), edits)

    def oracle(self, target: str) -> tuple[GraphPath, int]:
        """The translation nearest to a given one by word edits, and how many: what the search could have said."""
        if not len(self):
            raise DataError("The search found no translation to choose from.")
        words = [self._ids.get(word, -1) for word in target.split()]
        score, arcs, _, edits = self.core.closest(words)
        return self._path(score, arcs), edits

    def linear_oracle(self, references: Sequence[str], *, word: float, match: Sequence[float]) -> GraphPath:
        """The translation with the largest sum: `word` for each word, `match[n - 1]` for each n-gram of a reference.

        N-grams have up to four words and count as often as they come up. See `best_of_graphs`, which asks for BLEU.
        """
        if not len(self):
            raise DataError("The search found no translation to choose from.")
        if len(match) != 4:
            raise DataError(f"Matches have four values, for n-grams of one to four words; got {len(match)}.")
        first: dict[str, int] = {}
        same = [(n, first[w]) for n, w in self.vocabulary.items() if first.setdefault(w, n) != n]
        ids = [[first.get(token, -1) for token in line.split()] for line in references]
        score, arcs = self.core.oracle(ids, same, word, list(match))
        return self._path(score, arcs)

    def pruned(self, most_arcs: int) -> SearchGraph:
        """The graph with its best arcs alone: as good as the best translation with it; the best translations stay."""
        if most_arcs < 1:
            raise DataError(f"A graph has one arc or more, got most_arcs={most_arcs}.")
        return SearchGraph(self.core.pruned(most_arcs), self.source, self.vocabulary, self.feature_names, self.places)

    def alignment(self, path: GraphPath) -> list[tuple[int, int, str]]:
        """The phrases of a translation in its order: source tokens [begin, end) and their translation."""
        table, numbers, words = self.core.phrases, self.core.arc_phrases, self.core.words
        ends = [*table[:, 2].tolist()[1:], len(words)]
        phrases = [int(numbers[arc]) for arc in path.arcs if int(numbers[arc]) != NO_PHRASE]
        return [
            (int(table[p, 0]), int(table[p, 1]), self._text(words[int(table[p, 2]) : ends[p]].tolist()))
            for p in phrases
        ]

    def links(self, path: GraphPath) -> list[tuple[int, int]]:
        """The word alignment of a translation: places in the text and in the translation, from 0, in this order."""
        links = self.core.links_of(list(path.arcs))
        return sorted(links if self.places is None else [(self.places[source], target) for source, target in links])

    def save(self, path: StrPath) -> None:
        """Write the graph to a file."""
        head = {
            "kind": _KIND,
            "format": _FORMAT,
            "source": self.source,
            "features": self.feature_names,
            "places": self.places,
            "ids": list(self.vocabulary),
            "words": list(self.vocabulary.values()),
        }
        line = json.dumps(head, ensure_ascii=False).encode()
        Path(path).write_bytes(line + b"\n" + self.core.serialised())

    @classmethod
    def load(cls, path: StrPath) -> SearchGraph:
        """Read a graph that `save` wrote."""
        line, _, rest = Path(path).read_bytes().partition(b"\n")
        try:
            head = parse_json(line)
            kind, form = head["kind"], head["format"]
        except (ValueError, KeyError, TypeError):
            kind, form = None, None
        if kind != _KIND:
            raise ModelError(f"{path} is no search graph. Save one with SearchGraph.save.")
        if form != _FORMAT:
            raise ModelError(f"{path} has format {form}; this version reads format {_FORMAT}. Translate again.")
        try:
            core = _core.graph.Hypergraph.loaded(rest)
        except DataError as error:
            raise ModelError(f"{path}: {error}") from error
        vocabulary = dict(zip(head["ids"], head["words"], strict=True))
        if not set(numbers_in(core)) <= set(vocabulary):
            raise ModelError(f"{path} has words without a name. Translate again.")
        places = head.get("places")
        return cls(core, tuple(head["source"]), vocabulary, tuple(head["features"]), tuple(places) if places else None)

    def _path(self, score: float, arcs: list[int]) -> GraphPath:
        return GraphPath(self._text(self.core.words_of(arcs)), score, tuple(arcs))

    def _text(self, ids: Sequence[int]) -> str:
        return " ".join(self.vocabulary[number] for number in ids if not is_gap(number))
