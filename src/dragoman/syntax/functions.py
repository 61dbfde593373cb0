"""Grammatical functions by naive Bayes: which relation a word has to its head, where a tree does not say.

(Bryl, van Genabith & Graham, IWPT 2009.) A dependent is known by its attributes, present or absent, not by its words:

    φ = argmax p(φ) · M(φ) · Π p(ψ = x | φ)                                                          (1)

with M(φ) the share of heads that have φ more than once among those that have it, where the head has φ already, else 1
(2). Of a dependency tree, the attributes are morphological features, the part of speech and the relations of the word's
own dependents.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal, Self

import numpy as np

from dragoman.artifact import Artifact, Manifest
from dragoman.cache import digest_of
from dragoman.errors import DataError, ModelError, UnknownName
from dragoman.options import Recipe, option
from dragoman.stats.arrays import Floats
from dragoman.text.conllu import NOTHING, Sentence, Word

__all__ = ["ATTRIBUTES", "Dependent", "FunctionLabeller", "FunctionRecipe", "Guesser", "Siblings", "siblings_of"]

_FILE = "functions.json"
UNKNOWN = frozenset({NOTHING, "dep"})  # what a tree says that does not say
ATTRIBUTES = ("none", "case", "names", "names+values", "names+values+head")
# The paper's MF, NB-CASE, NB-N, NB-N&V; the last is our own. Relations of Universal Dependencies tell heads apart that
# functions of LFG do not (nmod below nouns, obl below verbs), so it also knows the head's part of speech and its side.
Together = Literal["sequential", "joint"]


@dataclass(frozen=True, slots=True)
class Dependent:
    """A word below a head: its place in the sentence from 1, its function, its attributes and those of its head."""

    id: int
    function: str
    names: frozenset[str]
    values: frozenset[str]
    head: frozenset[str] = frozenset()

    def attributes(self, which: str) -> frozenset[str]:
        """The attributes of a set of `ATTRIBUTES`."""
        if which == "none":
            return frozenset()
        if which == "case":
            return frozenset(value for value in self.values if value.startswith("Case="))
        if which == "names":
            return self.names
        return self.names | self.values | (self.head if which.endswith("+head") else frozenset())


Siblings = tuple[Dependent, ...]  # the dependents of one head, from left to right


@dataclass(frozen=True)
class FunctionRecipe(Recipe):
    """What to count while learning grammatical functions."""

    subtypes: bool = option(False, choices=(False, True), text="tell nmod:poss from nmod")
    drop: tuple[str, ...] = option(("punct",), text="relations that are no functions: neither learnt nor guessed")
    smoothing: float = option(1.0, low=1e-9, high=100, text="added to every count")

    def train(self, sentences: Iterable[Sentence]) -> FunctionLabeller:
        """Count functions, their attributes, and which of them a head has more than once."""
        self.check()
        functions: Counter[str] = Counter()
        attributes: dict[str, Counter[str]] = defaultdict(Counter)
        heads: Counter[str] = Counter()
        repeated: Counter[str] = Counter()
        digest: list[str] = []
        for siblings in siblings_of(sentences, self):
            here = Counter(each.function for each in siblings)
            heads.update(here.keys())
            repeated.update(function for function, count in here.items() if count > 1)
            for each in siblings:
                functions[each.function] += 1
                for attribute in each.names | each.values | each.head:
                    attributes[attribute][each.function] += 1
            digest.append(" ".join(f"{each.function} {sorted(each.values)}" for each in siblings))
        if not functions:
            raise DataError("There are no labelled dependents to learn grammatical functions from.")
        labels = tuple(sorted(functions))
        counts = Counts(
            labels,
            tuple(functions[label] for label in labels),
            tuple(heads[label] for label in labels),
            tuple(repeated[label] for label in labels),
            {name: tuple(row[label] for label in labels) for name, row in sorted(attributes.items())},
        )
        return FunctionLabeller(self, counts, {"dependents": digest_of("\n".join(digest).encode())})


@dataclass(frozen=True)
class Counts:
    """What was counted; a row has a number for each label."""

    labels: tuple[str, ...]
    functions: tuple[int, ...]  # dependents of each
    heads: tuple[int, ...]  # words that have a dependent of each
    repeated: tuple[int, ...]  # words that have several
    attributes: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class FunctionLabeller(Artifact):
    """Counts, from which functions are guessed by any set of attributes."""

    kind: ClassVar[str] = "function labeller"
    format: ClassVar[int] = 1

    recipe: FunctionRecipe
    counts: Counts
    data: Mapping[str, str] = field(default_factory=dict)

    def guesser(self, attributes: str = ATTRIBUTES[-1]) -> Guesser:
        """What guesses by one of the sets of attributes of `ATTRIBUTES`."""
        if attributes not in ATTRIBUTES:
            raise UnknownName(f"No set of attributes is called {attributes!r}. Known: {', '.join(ATTRIBUTES)}.")
        return Guesser(self.counts, self.recipe.smoothing, attributes)

    def label(self, sentence: Sentence, *, everything: bool = False, together: Together = "joint") -> Sentence:
        """The tree with functions where it has `_` or `dep`, or everywhere; the root and what is dropped stay."""
        sentence.check_tree()
        guesser, found = self.guesser(), {}
        for siblings in siblings_of([sentence], self.recipe, unlabelled=True):
            unknown = [everything or each.function in UNKNOWN for each in siblings]
            given = [each.function for each, is_unknown in zip(siblings, unknown, strict=True) if not is_unknown]
            asked = [each for each, is_unknown in zip(siblings, unknown, strict=True) if is_unknown]
            functions = guesser.several(asked, given, together)
            found.update({each.id: function for each, function in zip(asked, functions, strict=True)})
        rows = tuple(
            replace(row, deprel=found[row.id]) if isinstance(row, Word) and row.id in found else row
            for row in sentence.rows
        )
        return replace(sentence, rows=rows)

    def _write(self, folder: Path) -> None:
        counts = self.counts
        values = {
            "labels": counts.labels,
            "functions": counts.functions,
            "heads": counts.heads,
            "repeated": counts.repeated,
            "attributes": counts.attributes,
        }
        (folder / _FILE).write_text(json.dumps(values, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        values = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        attributes = {name: tuple(row) for name, row in values["attributes"].items()}
        labels, *columns = (tuple(values[name]) for name in ("labels", "functions", "heads", "repeated"))
        rows = [*columns, *attributes.values()]
        if not all(isinstance(label, str) for label in labels) or any(len(row) != len(labels) for row in rows):
            raise ModelError(f"{folder}: the counts do not fit the labels. Train the labeller again.")
        totals = columns[0]
        if not all(
            isinstance(n, int) and 0 <= n <= total for row in rows for n, total in zip(row, totals, strict=True)
        ):
            raise ModelError(f"{folder}: a count is no number up to its label's. Train the labeller again.")
        functions, heads, repeated = columns
        counts = Counts(labels, functions, heads, repeated, attributes)
        return cls(FunctionRecipe.from_dict(manifest.recipe), counts, manifest.data)


@dataclass(frozen=True, eq=False)
class Guesser:
    """Equation (1) with one set of attributes."""

    counts: Counts
    smoothing: float
    which: str

    def one(self, dependent: Dependent, given: Iterable[str]) -> str:
        """The function of one dependent beside siblings with given functions."""
        scores = self.scores(dependent) + np.where(self._mask(given), self._penalty, 0.0)
        return self.counts.labels[int(np.argmax(scores))]

    def several(self, dependents: Sequence[Dependent], given: Iterable[str], together: Together) -> list[str]:
        """The functions of several dependents of one head, one after the other or the best assignment of all."""
        if together == "joint":
            return self._jointly(dependents, given)
        present, functions = set(given), []
        for each in dependents:
            functions.append(self.one(each, present))
            present.add(functions[-1])
        return functions

    def scores(self, dependent: Dependent) -> Floats:
        """The sum log p(φ) + Σ log p(ψ = x | φ) for each label; attributes that were never seen say nothing."""
        seen = [self._rows[name] for name in dependent.attributes(self.which) if name in self._rows]
        present: Floats = self._present[seen].sum(axis=0)
        return self._absent + present

    def _jointly(self, dependents: Sequence[Dependent], given: Iterable[str]) -> list[str]:
        # The first use of a label costs nothing, each further one log M, whichever dependent it is. So every dependent
        # takes the one free place of a label or, in a column of its own, the best label at its price: an assignment
        # problem, solved exactly, where the paper enumerates.
        from scipy.optimize import linear_sum_assignment

        if not dependents:
            return []
        plain = np.stack([self.scores(each) for each in dependents])
        priced = plain + self._penalty
        free = np.where(self._mask(given), priced, plain)
        n, n_labels = plain.shape
        worst = min(free.min(), priced.min()) - 1e6
        own = np.full((n, n), worst)
        np.fill_diagonal(own, priced.max(axis=1))
        rows, columns = linear_sum_assignment(np.hstack([free, own]), maximize=True)
        labels = np.where(columns < n_labels, columns, priced.argmax(axis=1)[rows])
        return [self.counts.labels[label] for label in labels.tolist()]

    def _mask(self, given: Iterable[str]) -> Floats:
        present = set(given)
        return np.array([label in present for label in self.counts.labels], dtype=bool)

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self._names)}

    @cached_property
    def _names(self) -> list[str]:
        names = self.counts.attributes
        if self.which == "none":
            return []
        if self.which == "case":
            return [name for name in names if name.startswith("Case=")]
        if self.which == "names":
            return [name for name in names if "=" not in name]
        return [name for name in names if self.which.endswith("+head") or not name.startswith("head:")]

    @cached_property
    def _shares(self) -> Floats:
        table = np.array([self.counts.attributes[name] for name in self._names], dtype=np.float64)
        totals = np.array(self.counts.functions, dtype=np.float64)
        shares: Floats = (table.reshape(-1, len(totals)) + self.smoothing) / (totals + 2 * self.smoothing)
        return shares

    @cached_property
    def _present(self) -> Floats:
        odds: Floats = np.log(self._shares) - np.log1p(-self._shares)
        return odds

    @cached_property
    def _absent(self) -> Floats:
        totals = np.array(self.counts.functions, dtype=np.float64)
        prior = np.log(totals + self.smoothing) - np.log(totals.sum() + self.smoothing * len(totals))
        scores: Floats = prior + np.log1p(-self._shares).sum(axis=0)
        return scores

    @cached_property
    def _penalty(self) -> Floats:
        heads = np.array(self.counts.heads, dtype=np.float64)
        repeated = np.array(self.counts.repeated, dtype=np.float64)
        penalty: Floats = np.log((repeated + self.smoothing) / (heads + 2 * self.smoothing))
        return penalty


def siblings_of(
    sentences: Iterable[Sentence], recipe: FunctionRecipe, *, unlabelled: bool = False
) -> Iterator[Siblings]:
    """The dependents of each head that has any, sentence by sentence.

    What has no label is left out unless it is asked for.
    """
    for sentence in sentences:
        words = sentence.words
        below: dict[int, list[Word]] = defaultdict(list)
        for word in words:
            if word.head:  # neither the root nor a word without a tree
                below[word.head].append(word)
        for head in sorted(below):
            siblings = tuple(
                _dependent(word, words[head - 1], below[word.id], recipe)
                for word in below[head]
                if _plain(word) not in recipe.drop and (unlabelled or word.deprel not in UNKNOWN)
            )
            if siblings:
                yield siblings


def _plain(word: Word) -> str:
    return word.deprel.partition(":")[0]


def _dependent(word: Word, head: Word, children: Sequence[Word], recipe: FunctionRecipe) -> Dependent:
    features = word.features
    relations = {f"below:{_plain(child)}" for child in children if child.deprel not in UNKNOWN}
    values = {f"{name}={value}" for name, value in features.items()} | {f"UPOS={word.upos}", f"XPOS={word.xpos}"}
    side = "right" if head.id > word.id else "left"
    above = {f"head:UPOS={head.upos}", f"head:side={side}", f"head:UPOS+side={head.upos} {side}"}
    function = word.deprel if recipe.subtypes else _plain(word)
    return Dependent(word.id, function, frozenset(features) | relations, frozenset(values), frozenset(above))
