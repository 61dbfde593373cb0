"""How coherent a text is: its discourse roles weighed by a ranking machine (Lin, Liu, Ng & Kan, ACL 2012).

LIN looks at how roles follow each other, DICOMER also at roles that share a cell (`cells`) and at whether a connective
says the relation (`explicit`). It learns from ratings of texts about one topic, or from texts and their sentences in
other orders, which are taken to be worse.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from dragoman.artifact import Artifact, Manifest
from dragoman.cache import digest_of
from dragoman.errors import DataError
from dragoman.learn.ranking import sparse_squared_hinge
from dragoman.metrics.coherence.discourse import Relation, SenseGuesser, find_relations
from dragoman.metrics.coherence.matrix import role_matrix
from dragoman.notation import count_of, finite_numbers
from dragoman.options import Recipe, option
from dragoman.report import Column, Result, Table
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats
from dragoman.text.annotate.function_words import FUNCTION_WORD_LANGUAGES
from dragoman.text.languages import base_language
from dragoman.text.layers import make_annotator
from dragoman.text.sentences import SentenceSplitter
from dragoman.text.surface import Tokeniser13a

__all__ = ["CoherenceModel", "CoherenceRecipe", "CoherenceScores", "cut_text"]

_FILE = "coherence.json"
_FEWEST = 10  # pairs of texts below which nothing is learnt
_RARE = 5  # features of fewer texts are left out
_LEAST_SENTENCES = 3  # of a text that is put into other orders

Text = Sequence[Sequence[str]]  # the words of its sentences
Features = Mapping[str, float]


def cut_text(lines: Sequence[str], lang: str) -> list[list[list[str]]]:
    """The words of the sentences of each text, given as a line each."""
    tokeniser = Tokeniser13a()
    sentences = SentenceSplitter(lang).split(list(lines))
    return [[line.split() for line in tokeniser.tokenise(text)] for text in sentences]


@dataclass(frozen=True)
class CoherenceRecipe(Recipe):
    """How to learn coherence."""

    lang: str = option("en", choices=("en",), text="language of the texts; connectives are known of English")
    explicit: bool = option(True, text="tell roles of explicit relations from others (E of DICOMER)")
    cells: bool = option(True, text="look at roles that share a cell (C of DICOMER)")
    orders: int = option(20, low=1, high=1000, text="other orders of its sentences that a text is compared with")
    c: float = option(1e5, low=1e-6, high=1e9, text="cost of a pair out of order")

    def train(
        self,
        texts: Sequence[Text],
        ratings: Sequence[float] | None = None,
        topics: Sequence[str] | None = None,
        *,
        seed: int = 1,
    ) -> CoherenceModel:
        """Learn from ratings of texts, those of one topic compared, or else from other orders of their sentences."""
        self.check()
        guesser = SenseGuesser.learn(texts)
        empty = CoherenceModel(self, guesser, {}, 0, seed, {"texts": _digest(texts)})
        pairs = empty._orders(texts, seed) if ratings is None else _rated(texts, ratings, topics)
        if len(pairs) < _FEWEST:
            raise DataError(
                f"Coherence is learnt from at least {_FEWEST} pairs of texts of which one is better; there are "
                f"{len(pairs)}. Texts need {_LEAST_SENTENCES} sentences or ratings that differ within a topic."
            )
        known: dict[int, Features] = {}  # a text is the better one of many pairs
        better = [known.setdefault(id(up), known.get(id(up)) or empty.features(up)) for up, _ in pairs]
        worse = [known.get(id(down)) or empty.features(down) for _, down in pairs]
        counts = Counter(name for features in (*better, *worse) for name in features)
        names = sorted(name for name, count in counts.items() if count >= _RARE)
        weights = sparse_squared_hinge(_differences(better, worse, names), self.c)
        kept = {name: round(float(w), 9) for name, w in zip(names, weights, strict=True) if abs(w) > 1e-9}
        return CoherenceModel(self, guesser, kept, len(pairs), seed, empty.data)


@dataclass(frozen=True, eq=False)
class CoherenceModel(Artifact):
    """Weights of transitions between discourse roles, and what senses are guessed by."""

    kind: ClassVar[str] = "coherence model"
    format: ClassVar[int] = 1

    recipe: CoherenceRecipe
    guesser: SenseGuesser
    weights: Mapping[str, float]
    n_pairs: int
    seed: int | None = None
    data: Mapping[str, str] = field(default_factory=dict)

    def score(self, texts: Sequence[Text]) -> Floats:
        """How coherent each text is; only differences mean something. A text of one sentence scores 0."""
        return np.array([self._value(self.features(text)) for text in texts])

    def features(self, text: Text) -> dict[str, float]:
        """The shares of transitions, and of pairs of roles."""
        matrix = role_matrix(_terms(text, self.recipe.lang), self.relations(text), explicit=self.recipe.explicit)
        return matrix.features(cells=self.recipe.cells)

    def relations(self, text: Text) -> list[Relation]:
        """The discourse relations of a text."""
        return find_relations(text, self.guesser)

    def report(self, texts: Sequence[Text]) -> CoherenceScores:
        """Scores of texts, with what they rest on."""
        found = [self.relations(text) for text in texts]
        return CoherenceScores(
            tuple(self.score(texts).tolist()),
            tuple(map(len, texts)),
            tuple(sum(each.explicit for each in relations) for relations in found),
            tuple(map(len, found)),
        )

    def _value(self, features: Features) -> float:
        return sum(self.weights.get(name, 0.0) * value for name, value in features.items())

    def _orders(self, texts: Sequence[Text], seed: int) -> list[tuple[Text, Text]]:
        """Texts beside themselves in other orders, drawn at random."""
        pairs: list[tuple[Text, Text]] = []
        for number, text in enumerate(texts):
            if len(text) >= _LEAST_SENTENCES:
                drawn = {
                    tuple(Stream(seed, f"order {number} {draw}").permutation(len(text)).tolist())
                    for draw in range(self.recipe.orders)
                }
                pairs += [(text, [text[i] for i in order]) for order in sorted(drawn) if list(order) != sorted(order)]
        return pairs

    def _write(self, folder: Path) -> None:
        values = {"senses": self.guesser.counts, "weights": dict(self.weights), "n_pairs": self.n_pairs}
        (folder / _FILE).write_text(json.dumps(values, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        values = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        recipe = CoherenceRecipe.from_dict(manifest.recipe)
        senses = {sense: {word: count_of(n) for word, n in words.items()} for sense, words in values["senses"].items()}
        weights, n_pairs = finite_numbers(values["weights"]), count_of(values["n_pairs"])
        return cls(recipe, SenseGuesser(senses), weights, n_pairs, manifest.seed, manifest.data)


@dataclass(frozen=True)
class CoherenceScores(Result):
    """How coherent texts are."""

    kind: ClassVar[str] = "coherence"

    scores: tuple[float, ...]
    n_sentences: tuple[int, ...]
    n_explicit: tuple[int, ...]
    n_relations: tuple[int, ...]

    def tables(self) -> list[Table]:
        """One row for each text."""
        columns = [Column("text"), Column("coherence", digits=4), *map(Column, ("sentences", "relations", "explicit"))]
        facts = zip(self.scores, self.n_sentences, self.n_relations, self.n_explicit, strict=True)
        rows = [(number, *each) for number, each in enumerate(facts, start=1)]
        note = "Higher is more coherent; only differences between texts mean something."
        return [Table.of("Coherence", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """How many texts."""
        return {"texts": len(self.scores)}


def _rated(texts: Sequence[Text], ratings: Sequence[float], topics: Sequence[str] | None) -> list[tuple[Text, Text]]:
    """Pairs of texts of one topic, the better rated one first."""
    topics = [""] * len(texts) if topics is None else topics
    if not len(texts) == len(ratings) == len(topics):
        raise DataError(f"Each text has a rating and a topic, got texts={len(texts)}, ratings={len(ratings)}.")
    groups: dict[str, list[int]] = defaultdict(list)
    for place, topic in enumerate(topics):
        groups[topic].append(place)
    return [(texts[a], texts[b]) for group in groups.values() for a in group for b in group if ratings[a] > ratings[b]]


def _terms(text: Text, lang: str) -> list[list[str | None]]:
    """Stems of open-class words, None for others."""
    stems = make_annotator(f"snowball+lang={lang}", ("stem",)).annotate(text)
    closed = _closed(text, lang)
    return [
        [stem if word[0].isalpha() and not is_closed else None for word, stem, is_closed in zip(*line, strict=True)]
        for line in zip(text, stems, closed, strict=True)
    ]


def _closed(text: Text, lang: str) -> list[list[bool]]:
    if base_language(lang) not in FUNCTION_WORD_LANGUAGES:
        return [[False] * len(line) for line in text]
    return make_annotator(f"function-words+lang={lang}", ("function_word",)).annotate(text)


def _differences(better: Sequence[Features], worse: Sequence[Features], names: Sequence[str]) -> Any:
    """Features of the better less those of the worse, a sparse row for each pair."""
    from scipy.sparse import csr_matrix

    column = {name: number for number, name in enumerate(names)}
    rows, columns, values = [], [], []
    for row, (up, down) in enumerate(zip(better, worse, strict=True)):
        for sign, features in ((1.0, up), (-1.0, down)):
            there = [(column[name], sign * value) for name, value in features.items() if name in column]
            rows += [row] * len(there)
            columns += [number for number, _ in there]
            values += [value for _, value in there]
    return csr_matrix((values, (rows, columns)), shape=(len(better), len(names)))


def _digest(texts: Sequence[Text]) -> str:
    return digest_of("\n\n".join("\n".join(map(" ".join, text)) for text in texts).encode())
