"""Models that label words, or the gaps between them, of translations: OK and BAD, or classes of errors."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.artifact import Artifact, Manifest
from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.learn.chain import TokenVectors
from dragoman.notation import finite_number, list_of_texts
from dragoman.options import option
from dragoman.qe.confusion import OK, label_classes
from dragoman.qe.resources import Resources
from dragoman.qe.words.decision import best_weight, deal_sentences, decide
from dragoman.qe.words.encoding import Columns, Encoder, at_gaps
from dragoman.qe.words.extract import extract_words
from dragoman.qe.words.features import NET_SET, WORD_SET
from dragoman.qe.words.labellers import Labeller, LabellerRecipe, gains, read_labeller, write_labeller
from dragoman.qe.words.predictions import WordPredictions
from dragoman.qe.words.stacking import SENTENCE, having_below, having_sentence_scores, two_classes
from dragoman.report import Column, Result, Table
from dragoman.stats.arrays import Floats
from dragoman.text import TOKENISERS

__all__ = ["WordModel", "WordPredictions", "WordRecipe", "WordTraining"]

_CRITERIA = ("mcc", "f1-errors", "f1-weighted", "none")


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
class WordRecipe(LabellerRecipe):
    """How to learn labels of words: features, learner, and which measure the decision is set for.

    Nets read the sentence themselves: without other features asked for they are given none of neighbours.
    """

    unit: str = option("word", choices=("word", "gap"), text="what is labelled")
    features: tuple[str, ...] = option(WORD_SET, text="what is known of each word")
    least: int = option(2, low=1, text="how often a symbol must be there to be known")
    n_ranges: int = option(12, low=2, high=100, text="ranges that numbers are cut into")
    criterion: str = option("mcc", choices=_CRITERIA, text="the measure that the decision between OK and errors is for")
    n_folds: int = option(5, low=2, high=20, text="parts of the cross-validation that sets it")
    stacked: bool = option(False, text="several classes of errors: learn OK and BAD first, and build on what that says")

    def train(
        self,
        sources: Sequence[str],
        outputs: Sequence[str],
        labels: Sequence[Sequence[str]],
        resources: Resources | None = None,
        *,
        sentence_scores: Sequence[float] | None = None,
        seed: int = 1,
        n_threads: int = 1,
    ) -> WordModel:
        """Learn from labelled outputs. Outputs of one source stay together in the folds of the cross-validation.

        `sentence_scores` are what a model of sentences says of each, and must be of models that have not seen it.
        """
        self.check()
        self.ready()
        check_parallel({"sources": sources, "outputs": outputs, "labels": labels})
        classes = label_classes(labels)
        if len(classes) < 2:
            raise DataError(f"All labels are {classes[0] if classes else 'missing'}; at least two classes are needed.")
        below = None
        if self.stacked:
            below = self._below(classes).train(
                sources,
                outputs,
                two_classes(labels),
                resources,
                sentence_scores=sentence_scores,
                seed=seed,
                n_threads=n_threads,
            )
        said = below.held_out if below is not None else None
        columns = self._columns(sources, outputs, resources, sentence_scores, said, n_threads)
        _check_lengths(columns, labels, self.unit)
        numbers = {label: number for number, label in enumerate(classes)}
        gold = np.array([numbers[label] for each in labels for label in each], dtype=np.int32)
        encoder = Encoder.fit(columns, least=self.least, n_ranges=self.n_ranges)
        vectors = encoder.vectors(columns)
        weight, folds, held_out = 1.0, np.zeros(0, dtype=np.int64), None
        curve: dict[str, float] = {}
        if self.criterion != "none" and OK in classes:
            folds = deal_sentences(sources, self.n_folds, seed)
            held = self._held_out(vectors, gold, len(classes), folds, seed, n_threads)
            weight, curve = best_weight(held, labels, classes, self.criterion)
            held_out = self._said(held, classes, weight, outputs, columns)
        labeller = self.fit(vectors, gold, len(classes), seed)
        report = {
            "n_sentences": len(outputs),
            "n_labels": {label: int((gold == number).sum()) for label, number in numbers.items()},
            "n_features": encoder.n_features,
            "held_out": curve,
            "folds": folds.tolist(),
            "seed": seed,
        }
        mark = resources.fingerprint if resources is not None else ""
        return WordModel(self, classes, encoder, labeller, weight, mark, report, below=below, held_out=held_out)

    def _below(self, classes: Sequence[str]) -> WordRecipe:
        """The recipe of the model that this one builds on."""
        if OK not in classes or len(classes) < 3:
            raise DataError(
                f"Labels are stacked where errors have classes besides {OK}; these are {', '.join(classes)}. "
                "Leave stacked out."
            )
        if self.criterion == "none" or self.unit != "word":
            raise DataError("Stacked labels are of words, and need a criterion: what they build on is cross-validated.")
        return replace(self, stacked=False)

    def _columns(
        self,
        sources: Sequence[str],
        outputs: Sequence[str],
        resources: Resources | None,
        sentence_scores: Sequence[float] | None,
        below: WordPredictions | None,
        n_threads: int,
    ) -> Columns:
        features = NET_SET if self.learner == "blstm" and self.features == WORD_SET else self.features
        columns = extract_words(sources, outputs, features, resources, self.tokenisers, n_threads=n_threads)
        if sentence_scores is not None:
            columns = having_sentence_scores(columns, sentence_scores)
        if below is not None:
            columns = having_below(columns, below)
        return at_gaps(columns) if self.unit == "gap" else columns

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
            labeller = self.fit(inside, np.ascontiguousarray(gold[fold_of_token != fold]), n_labels, seed)
            outside = vectors.take(np.flatnonzero(folds == fold).tolist())
            p[fold_of_token == fold] = self.probabilities(labeller, outside, n_threads)
        return p

    def _said(
        self, p: Floats, classes: tuple[str, ...], ok_weight: float, outputs: Sequence[str], columns: Columns
    ) -> WordPredictions:
        """Labels of probabilities, sentence by sentence."""
        numbers = decide(p, classes, ok_weight)
        p_error = 1 - p[:, classes.index(OK)] if OK in classes else np.ones(len(p))
        lines = TOKENISERS.make(self.target_tokeniser).tokenise(list(outputs))
        cut = [slice(int(a), int(b)) for a, b in zip(columns.offsets[:-1], columns.offsets[1:], strict=True)]
        return WordPredictions(
            self.unit,
            tuple(tuple(classes[number] for number in numbers[place].tolist()) for place in cut),
            tuple(tuple(float(value) for value in p_error[place].tolist()) for place in cut),
            tuple(tuple(line.split()) for line in lines),
        )


class WordModel(Artifact):
    """Labels of words or gaps, from features of sources and outputs."""

    kind: ClassVar[str] = "word quality model"
    format: ClassVar[int] = 2

    def __init__(
        self,
        recipe: WordRecipe,
        classes: tuple[str, ...],
        encoder: Encoder,
        labeller: Labeller,
        ok_weight: float,
        resources: str,
        report: Mapping[str, Any],
        *,
        below: WordModel | None = None,
        held_out: WordPredictions | None = None,
    ) -> None:
        self.recipe: WordRecipe = recipe
        self.classes = classes
        self.encoder = encoder
        self.labeller = labeller
        self.ok_weight = ok_weight  # what P(OK) is multiplied with before the most probable label is taken
        self.resources = resources  # fingerprint of those it was trained with
        self.report = dict(report)
        self.below = below  # the model of OK and BAD that it builds on
        self.held_out = held_out  # of its training sentences, by models that have not seen them; not saved

    def predict(
        self,
        sources: Sequence[str],
        outputs: Sequence[str],
        resources: Resources | None = None,
        *,
        sentence_scores: Sequence[float] | None = None,
        n_threads: int = 1,
    ) -> WordPredictions:
        """The labels of outputs that nobody has looked at."""
        check_parallel({"sources": sources, "outputs": outputs})
        if self.resources and resources is not None and resources.fingerprint != self.resources:
            raise DataError(
                "The word model was trained with other resources; their features would mean something else. "
                "Give the same folder, or train again."
            )
        self._check_scores(sentence_scores)
        below = None
        if self.below is not None:
            below = self.below.predict(
                sources, outputs, resources, sentence_scores=sentence_scores, n_threads=n_threads
            )
        columns = self.recipe._columns(sources, outputs, resources, sentence_scores, below, n_threads)
        p = self.recipe.probabilities(self.labeller, self.encoder.vectors(columns), n_threads)
        return self.recipe._said(p, self.classes, self.ok_weight, outputs, columns)

    def _check_scores(self, scores: Sequence[float] | None) -> None:
        asked = any(name.endswith(SENTENCE) for name in self.encoder.cuts)
        if asked and scores is None:
            raise DataError("The word model was trained with scores of sentences: give those of these sentences, too.")
        if scores is not None and not asked:
            raise DataError("The word model was trained without scores of sentences; give none, or train again.")

    def summary(self) -> WordTraining:
        """What it was trained on."""
        return WordTraining(self.recipe, self.report, self.ok_weight)

    def weights(self, n: int = 20) -> Table:
        """The features that speak most for each label; of nets, what a feature does alone."""
        names = self.encoder.names()
        by_label = gains(self.labeller)
        rows = []
        for number, label in enumerate(self.classes):
            gain = by_label[:, number]
            order = np.argsort(-gain, kind="stable")[:n]
            rows += [(label, names[place], float(gain[place])) for place in order.tolist()]
        return Table.of(
            "What speaks for a label", [Column("label"), Column("feature"), Column("weight", digits=3)], rows
        )

    def _write(self, folder: Path) -> None:
        write_labeller(self.labeller, folder)
        about = {
            "classes": list(self.classes),
            "ok_weight": self.ok_weight,
            "resources": self.resources,
            "report": self.report,
        }
        for name, values in (("model.json", about), ("features.json", self.encoder.to_dict())):
            (folder / name).write_text(json.dumps(values, ensure_ascii=False) + "\n", encoding="utf-8")
        if self.below is not None:
            self.below.save(folder / "below")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        about, features = (json.loads((folder / f"{name}.json").read_text("utf-8")) for name in ("model", "features"))
        recipe = WordRecipe.from_dict(manifest.recipe)
        encoder, classes = Encoder.from_dict(features), list_of_texts(about["classes"])
        return cls(
            recipe,
            classes,
            encoder,
            read_labeller(folder, recipe.learner, encoder.n_features, len(classes)),
            float(finite_number(about["ok_weight"])),
            str(about["resources"]),
            about["report"],
            below=WordModel.load(folder / "below") if recipe.stacked else None,
        )


def _check_lengths(columns: Columns, labels: Sequence[Sequence[str]], unit: str) -> None:
    lengths = np.diff(columns.offsets).tolist()
    for number, (expected, own) in enumerate(zip(lengths, labels, strict=True), start=1):
        if expected != len(own):
            hint = "" if unit == "word" else " (one more than there are words)"
            raise DataError(
                f"Sentence {number} has {expected} {unit}s{hint} but {len(own)} labels. Is it tokenised as labelled?"
            )
