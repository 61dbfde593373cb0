"""Verbs without person and number, translated so, and inflected again (TALP-UPC at WMT 2012).

*puede* becomes `VERB|Mood=Ind|Tense=Pres|VerbForm=Fin[poder]`: engines are trained on and translate into text of such
verbs, which has fewer forms to know. Person and number are then guessed from the words around, by a decision graph of
binary classifiers (Platt et al. 2000): each decision takes one class away. An inflection model makes the forms.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import ClassVar, NamedTuple, Self

from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError, FormatError
from dragoman.options import Recipe, option
from dragoman.report import Column, Result, Table
from dragoman.rng import Stream
from dragoman.syntax.inflection import InflectionRecipe, Inflector, Slot
from dragoman.text.conllu import NOTHING, Sentence, Word

__all__ = [
    "DecisionGraph",
    "VerbEvaluation",
    "VerbModel",
    "VerbRecipe",
    "evaluate_verbs",
    "simplified_verbs",
    "simplify_eagles",
]

_ATTRIBUTES = ("Number", "Person")
_VERBS = ("VERB", "AUX")
_VERB = re.compile(r"(VERB|AUX)((?:\|[^\[\]|]+=[^\[\]|]+)*)\[(.+)\]")
_WINDOW = 3
_CLAUSE = 10  # words that are looked at to either side
_GRAPH, _INFLECTION = "graph.json", "inflection"


def simplify_eagles(tag: str) -> str:
    """An EAGLES tag of a verb without person and number: `VMIP3S0` becomes `VMIPpn0`; other tags stay."""
    return f"{tag[:4]}pn{tag[6:]}" if len(tag) == 7 and tag[0] == "V" and tag[4:6] != "00" else tag


class Agreement(NamedTuple):
    """Person and number of a verb."""

    number: str
    person: str


def agreement(word: Word) -> Agreement | None:
    """The person and number of a finite verb; None of any other word."""
    features = word.features
    if word.upos not in _VERBS or word.lemma == NOTHING or not all(name in features for name in _ATTRIBUTES):
        return None
    return Agreement(features["Number"], features["Person"])


def simplified_verbs(sentence: Sentence) -> list[str]:
    """The tokens of a sentence, finite verbs as their tag without person and number and their lemma."""
    return [_simplified(word) if agreement(word) else word.form for word in sentence.words]


def _simplified(word: Word) -> str:
    rest = [f"{name}={value}" for name, value in word.features.items() if name not in _ATTRIBUTES]
    lemma = re.sub(r"\s", "_", word.lemma)
    return "|".join([word.upos, *rest]) + f"[{lemma}]"


def _slot(token: str, chosen: Agreement) -> Slot | None:
    """What is to be inflected for a simplified verb; None if the token is none."""
    match = _VERB.fullmatch(token)
    if match is None:
        return None
    features = [*filter(None, match[2].split("|")), f"Number={chosen.number}", f"Person={chosen.person}"]
    return Slot(match[3], match[1], "|".join(sorted(features, key=str.lower)))


def _features(tokens: Sequence[str], place: int) -> list[str]:
    """What a classifier sees of a verb: itself, the words around with their endings, and what stands in its clause."""
    seen = ["bias", f"verb {tokens[place]}"]
    for offset in range(-_WINDOW, _WINDOW + 1):
        if offset:
            word = _at(tokens, place + offset)
            seen += [f"{offset} {word}", f"{offset} ..{word[-2:]}", f"{offset} ..{word[-1:]}"]
    left, right = _clause(tokens[:place][::-1]), _clause(tokens[place + 1 :])
    seen += [f"left {word}" for word in set(left)] + [f"right {word}" for word in set(right)]
    # The words that begin a clause are its subject more often than those next to the verb, behind prepositions.
    first = left[::-1][:3]
    seen += [f"begins {i} ..{word[-1:]}" for i, word in enumerate(first)]
    seen.append("begins " + " ".join(word[-1:] for word in first))
    seen.append("left " + " ".join(word[-1:] for word in left[:4]))
    return seen


def _clause(tokens: Sequence[str]) -> list[str]:
    """The words up to a mark or another verb, in small letters, at most so many."""
    words = []
    for token in tokens[:_CLAUSE]:
        if _VERB.fullmatch(token) or not token[:1].isalnum():
            break
        words.append(token.lower())
    return words


def _at(tokens: Sequence[str], place: int) -> str:
    return tokens[place].lower() if 0 <= place < len(tokens) else "<>"


class DecisionGraph:
    """A directed graph of binary classifiers: of K classes, K − 1 decisions leave one."""

    def __init__(self, classes: Sequence[Agreement], weights: Mapping[tuple[int, int], Mapping[str, float]]) -> None:
        self.classes = tuple(classes)
        self.weights = weights  # by two classes: above zero is for the first

    @classmethod
    def learn(cls, examples: Sequence[tuple[Sequence[str], Agreement]], *, epochs: int, seed: int) -> DecisionGraph:
        """A classifier for each two classes, by averaged perceptron."""
        classes = [each for each, _ in Counter(label for _, label in examples).most_common()]
        by_class: dict[Agreement, list[Sequence[str]]] = defaultdict(list)
        for features, label in examples:
            by_class[label].append(features)
        weights = {}
        for a, b in combinations(range(len(classes)), 2):
            pairs = [(features, 1) for features in by_class[classes[a]]]
            pairs += [(features, -1) for features in by_class[classes[b]]]
            weights[a, b] = _perceptron(pairs, epochs, Stream(seed, f"verbs {a} {b}"))
        return cls(classes, weights)

    def decide(self, features: Sequence[str]) -> tuple[Agreement, int]:
        """The class that is left, and how many decisions were taken."""
        left = list(range(len(self.classes)))
        n_decisions = 0
        while len(left) > 1:
            weights = self.weights[left[0], left[-1]]
            n_decisions += 1
            left.pop(-1 if sum(weights.get(name, 0.0) for name in features) >= 0 else 0)
        return self.classes[left[0]], n_decisions


def _perceptron(pairs: Sequence[tuple[Sequence[str], int]], epochs: int, chance: Stream) -> dict[str, float]:
    """Averaged weights: what a weight has been over all steps."""
    weights: dict[str, float] = defaultdict(float)
    sums: dict[str, float] = defaultdict(float)
    step = 1
    for _ in range(epochs):
        for i in chance.permutation(len(pairs)).tolist():
            features, side = pairs[i]
            if side * sum(weights[name] for name in features) <= 0:
                for name in features:
                    weights[name] += side
                    sums[name] += side * step
            step += 1
    return {name: weight - sums[name] / step for name, weight in weights.items() if weight - sums[name] / step}


@dataclass(frozen=True)
class VerbRecipe(Recipe):
    """How to learn which person and number verbs have, and how they are inflected."""

    epochs: int = option(10, low=1, high=1000, text="rounds over the verbs for each classifier")

    def train(self, sentences: Iterable[Sentence], *, seed: int = 1) -> VerbModel:
        """Learn from treebanks with lemmas."""
        self.check()
        text = list(sentences)
        examples = [(features, label) for features, label, _ in _examples(text)]
        if len({label for _, label in examples}) < 2:
            raise DataError("The treebank has no verbs of two persons or numbers, with lemmas, to learn from.")
        graph = DecisionGraph.learn(examples, epochs=self.epochs, seed=seed)
        inflector = InflectionRecipe().train(text, seed=seed)
        digest = sha256("\n".join(" ".join(simplified_verbs(each)) for each in text).encode("utf-8", "surrogatepass"))
        return VerbModel(self, graph, inflector, seed=seed, data={"treebank": digest.hexdigest()})


def _examples(sentences: Iterable[Sentence]) -> Iterator[tuple[list[str], Agreement, Word]]:
    for sentence in sentences:
        tokens = simplified_verbs(sentence)
        for place, word in enumerate(sentence.words):
            label = agreement(word)
            if label is not None:
                yield _features(tokens, place), label, word


class VerbModel(Artifact):
    """Gives simplified verbs person and number, and their forms."""

    kind: ClassVar[str] = "verb model"
    format: ClassVar[int] = 1

    recipe: VerbRecipe

    def __init__(
        self, recipe: VerbRecipe, graph: DecisionGraph, inflector: Inflector, *, seed: int, data: Mapping[str, str]
    ) -> None:
        self.recipe = recipe
        self.graph = graph
        self.inflector = inflector
        self.seed = seed
        self.data = dict(data)

    def restore(self, lines: Sequence[str]) -> list[str]:
        """Tokenised lines with forms in the place of simplified verbs, whoever wrote these."""
        restored = []
        for line in lines:
            tokens = line.split(" ")
            slots = {}
            for place, token in enumerate(tokens):
                if _VERB.fullmatch(token):
                    slot = _slot(token, self.graph.decide(_features(tokens, place))[0])
                    slots.update({place: slot} if slot else {})
            forms = dict(zip(slots, self.inflector.inflect(list(slots.values())), strict=True))
            restored.append(" ".join(forms[i].form if i in forms else token for i, token in enumerate(tokens)))
        return restored

    def _write(self, folder: Path) -> None:
        graph = {
            "classes": [list(each) for each in self.graph.classes],
            "weights": [[a, b, dict(weights)] for (a, b), weights in self.graph.weights.items()],
        }
        (folder / _GRAPH).write_text(json.dumps(graph, ensure_ascii=False) + "\n", encoding="utf-8")
        self.inflector.save(folder / _INFLECTION)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        graph = json.loads((folder / _GRAPH).read_text(encoding="utf-8"))
        classes = [Agreement(*each) for each in graph["classes"]]
        weights = {(a, b): {str(k): float(v) for k, v in own.items()} for a, b, own in graph["weights"]}
        if not classes or set(weights) != set(combinations(range(len(classes)), 2)):
            raise FormatError("the classifiers do not fit the classes.", path=folder / _GRAPH)
        inflector = Inflector.read_part(folder / _INFLECTION)
        recipe = VerbRecipe.from_dict(manifest.recipe)
        return cls(
            recipe, DecisionGraph(classes, weights), inflector, seed=manifest.seed or 0, data=dict(manifest.data)
        )


@dataclass(frozen=True)
class VerbEvaluation(Result):
    """Verbs of a treebank that get their person and number, and their form."""

    kind: ClassVar[str] = "verbs"

    n_verbs: int
    agreeing: int  # got their person and number
    majority: int  # would, if all had the most frequent one
    forms: int  # got their form
    oracle: int  # get it if person and number are given

    def tables(self) -> list[Table]:
        """A row for each count."""
        rows = [
            ("person and number, guessed", self.agreeing),
            ("person and number, the most frequent", self.majority),
            ("forms, guessed", self.forms),
            ("forms, with true person and number", self.oracle),
        ]
        table = [(what, count, 100 * count / self.n_verbs) for what, count in rows]
        return [Table.of(f"{self.n_verbs} verbs", ["right", "count", Column("percent", digits=1)], table)]


def evaluate_verbs(model: VerbModel, sentences: Iterable[Sentence]) -> VerbEvaluation:
    """Simplify the verbs of a treebank, restore them, and count what is right."""
    counts = Counter[str]()
    for features, label, word in _examples(sentences):
        guess = model.graph.decide(features)[0]
        slots = [_slot(_simplified(word), each) for each in (guess, label)]
        forms = [each.form for each in model.inflector.inflect([slot for slot in slots if slot])]
        right = word.form.lower()
        counts["all"] += 1
        counts["agreeing"] += guess == label
        counts["majority"] += label == model.graph.classes[0]
        counts["forms"] += bool(forms) and forms[0].lower() == right
        counts["oracle"] += bool(forms) and forms[-1].lower() == right
    if not counts["all"]:
        raise DataError("There is no verb with person, number and lemma to count.")
    return VerbEvaluation(*(counts[name] for name in ("all", "agreeing", "majority", "forms", "oracle")))
