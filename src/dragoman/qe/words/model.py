"""Models that label words, or the gaps between them, of translations: OK and BAD, or classes of errors."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.artifact import Artifact, Manifest
from dragoman.data import check_parallel
from dragoman.errors import DataError, ModelError
from dragoman.learn.chain import Chain, TokenVectors, fit_crf, fit_perceptron
from dragoman.options import option
from dragoman.qe.confusion import OK, confusion_rows, label_classes, word_measures
from dragoman.qe.recipes import TextRecipe
from dragoman.qe.resources import Resources
from dragoman.qe.words.encoding import Columns, Encoder, at_gaps
from dragoman.qe.words.extract import extract_words
from dragoman.qe.words.features import WORD_SET
from dragoman.report import Column, Result, Table
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats
from dragoman.text import TOKENISERS

__all__ = ["WordModel", "WordPredictions", "WordRecipe", "WordTraining"]

_CRITERIA = ("mcc", "f1-errors", "f1-weighted", "none")


@dataclass(frozen=True)
class WordPredictions(Result):
    """A label for each word or gap, and how probable it is that something is wrong there."""

    kind: ClassVar[str] = "word quality"

    unit: str
    labels: tuple[tuple[str, ...], ...]
    p_error: tuple[tuple[float, ...], ...]  # 1 − P(OK)
    words: tuple[tuple[str, ...], ...]  # of the outputs

    def tables(self) -> list[Table]:
        """A row a word or gap; sentences count from 1, words from 1, gaps from 0, before the first word."""
        first = 1 if self.unit == "word" else 0
        rows = [
            (number, place, words[place - 1] if 0 < place <= len(words) else None, label, p)
            for number, (labels, ps, words) in enumerate(zip(self.labels, self.p_error, self.words, strict=True), 1)
            for place, (label, p) in enumerate(zip(labels, ps, strict=True), first)
        ]
        columns = [
            Column("segment"),
            Column(self.unit),
            Column("word" if self.unit == "gap" else "token", is_text=True),
            Column("label"),
            Column("p_error", digits=4),
        ]
        return [Table.of(f"Quality of {self.unit}s", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """Counts."""
        flat = [label for labels in self.labels for label in labels]
        return {"unit": self.unit, "n_segments": len(self.labels), "n_labels": len(flat), "n_ok": flat.count(OK)}


@dataclass(frozen=True)
class WordTraining(Result):
    """What a word model was trained on, and how it did on sentences that it had not seen."""

    kind: ClassVar[str] = "word quality model"

    recipe: WordRecipe
    report: Mapping[str, Any]
    ok_weight: float

    def tables(self) -> list[Table]:
        """Measures of the cross-validation; then the labels with their numbers."""
        held = Table.of(
            "Held-out sentences",
            [Column("measure"), Column("value", digits=4)],
            list(self.report["held_out"].items()),
            note=f"The decision is the best for {self.recipe.criterion}, which makes these a little optimistic.",
        )
        labels = Table.of("Labels", [Column("label"), Column("n")], list(self.report["n_labels"].items()))
        return [held, labels]

    def meta(self) -> dict[str, Any]:
        """How it was trained."""
        return {
            "unit": self.recipe.unit,
            "learner": self.recipe.learner,
            "criterion": self.recipe.criterion,
            "ok_weight": self.ok_weight,
            **{name: self.report[name] for name in ("n_sentences", "n_features", "seed")},
        }


@dataclass(frozen=True)
class WordRecipe(TextRecipe):
    """How to learn labels of words: features, learner, and which measure the decision is set for."""

    learner: str = option(
        "perceptron", choices=("crf", "perceptron"), text="averaged perceptron or conditional random field"
    )
    unit: str = option("word", choices=("word", "gap"), text="what is labelled")
    features: tuple[str, ...] = option(WORD_SET, text="what is known of each word")
    least: int = option(2, low=1, text="how often a symbol must be there to be known")
    n_ranges: int = option(12, low=2, high=100, text="ranges that numbers are cut into")
    criterion: str = option("mcc", choices=_CRITERIA, text="the measure that the decision between OK and errors is for")
    n_folds: int = option(5, low=2, high=20, text="parts of the cross-validation that sets it")
    epochs: int = option(10, low=1, high=500, text="passes over the data")
    rate: float = option(0.02, low=1e-6, text="crf: size of the steps; small ones stop early, which guards best")
    penalty: float = option(1e-3, low=0.0, text="crf: of half the squared weights, per sentence")

    def train(
        self,
        sources: Sequence[str],
        outputs: Sequence[str],
        labels: Sequence[Sequence[str]],
        resources: Resources | None = None,
        *,
        seed: int = 1,
        n_threads: int = 1,
    ) -> WordModel:
        """Learn from labelled outputs. Outputs of one source stay together in the folds of the cross-validation."""
        self.check()
        check_parallel({"sources": sources, "outputs": outputs, "labels": labels})
        classes = label_classes(labels)
        if len(classes) < 2:
            raise DataError(f"All labels are {classes[0] if classes else 'missing'}; at least two classes are needed.")
        columns = self._columns(sources, outputs, resources, n_threads)
        _check_lengths(columns, labels, self.unit)
        numbers = {label: number for number, label in enumerate(classes)}
        gold = np.array([numbers[label] for each in labels for label in each], dtype=np.int32)
        encoder = Encoder.fit(columns, least=self.least, n_ranges=self.n_ranges)
        vectors = encoder.vectors(columns)
        weight, folds = 1.0, np.zeros(0, dtype=np.int64)
        curve: dict[str, float] = {}
        if self.criterion != "none" and OK in classes:
            folds = _folds(sources, self.n_folds, seed)
            held = self._held_out(vectors, gold, len(classes), folds, seed, n_threads)
            weight, curve = _best_weight(held, labels, classes, self.criterion)
        chain = self._fit(vectors, gold, len(classes), seed)
        report = {
            "n_sentences": len(outputs),
            "n_labels": {label: int((gold == number).sum()) for label, number in numbers.items()},
            "n_features": encoder.n_features,
            "held_out": curve,
            "folds": folds.tolist(),
            "seed": seed,
        }
        mark = resources.fingerprint if resources is not None else ""
        return WordModel(self, classes, encoder, chain, weight, mark, report)

    def _columns(
        self, sources: Sequence[str], outputs: Sequence[str], resources: Resources | None, n_threads: int
    ) -> Columns:
        columns = extract_words(sources, outputs, self.features, resources, self.tokenisers, n_threads=n_threads)
        return at_gaps(columns) if self.unit == "gap" else columns

    def _fit(self, vectors: TokenVectors, gold: NDArray[np.int32], n_labels: int, seed: int) -> Chain:
        if self.learner == "perceptron":
            return fit_perceptron(vectors, gold, n_labels, epochs=self.epochs, seed=seed)
        return fit_crf(vectors, gold, n_labels, epochs=self.epochs, rate=self.rate, penalty=self.penalty, seed=seed)

    def _held_out(
        self,
        vectors: TokenVectors,
        gold: NDArray[np.int32],
        n_labels: int,
        folds: NDArray[np.int64],
        seed: int,
        n_threads: int,
    ) -> Floats:
        """The probabilities of each token's labels by models that have not seen its sentence."""
        p = np.zeros((len(gold), n_labels))
        lengths = np.diff(vectors.sentences)
        fold_of_token = np.repeat(folds, lengths)
        for fold in np.unique(folds).tolist():
            inside = vectors.take(np.flatnonzero(folds != fold).tolist())
            chain = self._fit(inside, np.ascontiguousarray(gold[fold_of_token != fold]), n_labels, seed)
            outside = vectors.take(np.flatnonzero(folds == fold).tolist())
            p[fold_of_token == fold] = self._probabilities(chain, outside, n_threads)
        return p

    def _probabilities(self, chain: Chain, vectors: TokenVectors, n_threads: int) -> Floats:
        if self.learner == "crf":
            return chain.probabilities(vectors, n_threads=n_threads)
        margins = chain.margins(vectors, n_threads=n_threads)
        # A perceptron's scores are no probabilities; exponentials of their differences order words as well.
        raised = np.exp(np.maximum(margins - margins.max(axis=1, keepdims=True), -50)) if len(margins) else margins
        return np.asarray(raised / raised.sum(axis=1, keepdims=True)) if len(margins) else margins


class WordModel(Artifact):
    """Labels of words or gaps, from features of sources and outputs."""

    kind: ClassVar[str] = "word quality model"
    format: ClassVar[int] = 2

    def __init__(
        self,
        recipe: WordRecipe,
        classes: tuple[str, ...],
        encoder: Encoder,
        chain: Chain,
        ok_weight: float,
        resources: str,
        report: Mapping[str, Any],
    ) -> None:
        self.recipe: WordRecipe = recipe
        self.classes = classes
        self.encoder = encoder
        self.chain = chain
        self.ok_weight = ok_weight  # what P(OK) is multiplied with before the most probable label is taken
        self.resources = resources  # fingerprint of those it was trained with
        self.report = dict(report)

    def predict(
        self, sources: Sequence[str], outputs: Sequence[str], resources: Resources | None = None, *, n_threads: int = 1
    ) -> WordPredictions:
        """The labels of outputs that nobody has looked at."""
        check_parallel({"sources": sources, "outputs": outputs})
        if self.resources and resources is not None and resources.fingerprint != self.resources:
            raise DataError(
                "The word model was trained with other resources; their features would mean something else. "
                "Give the same folder, or train again."
            )
        columns = self.recipe._columns(sources, outputs, resources, n_threads)
        p = self.recipe._probabilities(self.chain, self.encoder.vectors(columns), n_threads)
        numbers = _decide(p, self.classes, self.ok_weight)
        p_error = 1 - p[:, self.classes.index(OK)] if OK in self.classes else np.ones(len(p))
        lines = TOKENISERS.make(self.recipe.target_tokeniser).tokenise(list(outputs))
        cut = [slice(int(a), int(b)) for a, b in zip(columns.offsets[:-1], columns.offsets[1:], strict=True)]
        return WordPredictions(
            self.recipe.unit,
            tuple(tuple(self.classes[number] for number in numbers[place].tolist()) for place in cut),
            tuple(tuple(float(value) for value in p_error[place].tolist()) for place in cut),
            tuple(tuple(line.split()) for line in lines),
        )

    def summary(self) -> WordTraining:
        """What it was trained on."""
        return WordTraining(self.recipe, self.report, self.ok_weight)

    def weights(self, n: int = 20) -> Table:
        """The features that speak most for and against each label."""
        names = self.encoder.names()
        rows = []
        for number, label in enumerate(self.classes):
            against = np.delete(self.chain.emissions, number, axis=1).max(axis=1)
            gain = self.chain.emissions[:, number] - against
            order = np.argsort(-gain, kind="stable")[:n]
            rows += [(label, names[place], float(gain[place])) for place in order.tolist()]
        return Table.of(
            "What speaks for a label", [Column("label"), Column("feature"), Column("weight", digits=3)], rows
        )

    def _write(self, folder: Path) -> None:
        np.save(folder / "emissions.npy", self.chain.emissions, allow_pickle=False)
        np.save(folder / "transitions.npy", self.chain.transitions, allow_pickle=False)
        about = {
            "classes": list(self.classes),
            "ok_weight": self.ok_weight,
            "resources": self.resources,
            "report": self.report,
        }
        for name, values in (("model.json", about), ("features.json", self.encoder.to_dict())):
            (folder / name).write_text(json.dumps(values, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        about, features = (json.loads((folder / f"{name}.json").read_text("utf-8")) for name in ("model", "features"))
        weights = (np.load(folder / f"{name}.npy", allow_pickle=False) for name in ("emissions", "transitions"))
        chain, encoder = Chain(*weights), Encoder.from_dict(features)
        if chain.emissions.shape != (encoder.n_features, len(about["classes"])):
            raise ModelError(f"{folder}: the word model is damaged: weights and features differ in number.")
        return cls(
            WordRecipe.from_dict(manifest.recipe),
            tuple(about["classes"]),
            encoder,
            chain,
            float(about["ok_weight"]),
            about["resources"],
            about["report"],
        )


def _check_lengths(columns: Columns, labels: Sequence[Sequence[str]], unit: str) -> None:
    lengths = np.diff(columns.offsets).tolist()
    for number, (expected, own) in enumerate(zip(lengths, labels, strict=True), start=1):
        if expected != len(own):
            hint = "" if unit == "word" else " (one more than there are words)"
            raise DataError(
                f"Sentence {number} has {expected} {unit}s{hint} but {len(own)} labels. Is it tokenised as labelled?"
            )


def _folds(sources: Sequence[str], n_folds: int, seed: int) -> NDArray[np.int64]:
    """A part for each sentence; sentences of one source are in one part."""
    different = list(dict.fromkeys(sources))
    if len(different) < n_folds:
        raise DataError(f"{len(different)} different sources cannot be dealt into {n_folds} parts. Lower n_folds.")
    order = Stream(seed, "word folds").permutation(len(different))
    part = {different[place]: number % n_folds for number, place in enumerate(order.tolist())}
    return np.array([part[source] for source in sources], dtype=np.int64)


def _decide(p: Floats, classes: Sequence[str], ok_weight: float) -> NDArray[np.int64]:
    weighed = p * np.array([ok_weight if label == OK else 1.0 for label in classes])
    return np.asarray(np.argmax(weighed, axis=1), dtype=np.int64) if len(p) else np.zeros(0, dtype=np.int64)


def _best_weight(
    p: Floats, labels: Sequence[Sequence[str]], classes: tuple[str, ...], criterion: str
) -> tuple[float, dict[str, float]]:
    """The weight of OK under which held-out decisions are best, and what is measured there."""
    measure = word_measures(classes)[criterion]
    ok = classes.index(OK)
    other = np.delete(p, ok, axis=1).max(axis=1)
    ratio = np.log(np.maximum(other, 1e-20)) - np.log(np.maximum(p[:, ok], 1e-20))
    best, value = 1.0, -np.inf
    # Decisions change where a token's ratio is passed: quantiles of the ratios are all that is worth trying.
    # Errors may be rare (of gaps, one in forty), so the upper end is looked at closely.
    shares = np.concatenate([np.linspace(0.02, 0.9, 60), 1 - np.geomspace(0.1, 0.001, 60)])
    for weight in np.exp(np.unique(np.quantile(ratio, shares))).tolist():
        decided = _decide(p, classes, weight)
        reached = float(measure(_counts(decided, labels, classes))[0])
        if reached > value + 1e-12:
            best, value = weight, reached
    decided = _decide(p, classes, best)
    rows = _counts(decided, labels, classes)
    return best, {name: float(each(rows)[0]) for name, each in word_measures(classes).items()}


def _counts(numbers: NDArray[np.int64], labels: Sequence[Sequence[str]], classes: tuple[str, ...]) -> Floats:
    flat = [[label for each in labels for label in each]]
    return confusion_rows(flat, [[classes[number] for number in numbers.tolist()]], classes)
