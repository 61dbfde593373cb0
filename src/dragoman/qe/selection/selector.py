"""Choosing, sentence by sentence, among the outputs of several systems (Soricut & Narsale, WMT 2012)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from dragoman.arrays import read_array
from dragoman.artifact import Artifact, Manifest
from dragoman.data import TestSet
from dragoman.errors import DataError, ModelError
from dragoman.files import StrPath
from dragoman.learn.base import LEARNERS
from dragoman.learn.ranking import squared_hinge
from dragoman.notation import list_of_texts
from dragoman.options import option
from dragoman.qe.features.agreement import agreement_features, join_features
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.reading import Reading
from dragoman.qe.recipes import TextRecipe
from dragoman.qe.selection.components import ORDERS, Components, gold_components, sentence_bleu
from dragoman.qe.selection.examples import SystemExamples
from dragoman.qe.selection.result import Selection, single_reference
from dragoman.qe.sentences.learning import learn_scores
from dragoman.qe.sentences.model import QEModel
from dragoman.stats.arrays import Floats

__all__ = ["METHODS", "Selector", "SelectorRecipe"]

METHODS = ("regression", "rank", "classify")
COMPONENTS = (*(f"precision-{n}" for n in range(1, ORDERS + 1)), "penalty")


@dataclass(frozen=True)
class SelectorRecipe(TextRecipe):
    """How to learn which output to take.

    `regression` predicts the five components of each system's sentence BLEU and takes the highest BLEU; `rank` learns
    one weighted sum that puts the outputs of a source in order, by ranking support vectors; `classify` learns for each
    two systems which is better, from the difference of their features, and lets them vote. Ties go to the first system.
    With `examples`, sentences are held out of learning, and how far source and output look like those that the system
    translated well and badly are four more features; those of the source differ between systems, too.
    """

    method: str = option("regression", choices=METHODS, text="what is learnt")
    learner: str = option("m5p", of=LEARNERS, text="of the regressions")
    features: tuple[str, ...] = option(("surface",), text="a set or a feature of each output")
    agreement: bool = option(True, choices=(False, True), text="also how far the outputs agree with each other")
    examples: int = option(0, low=0, text="every so many sentences are examples of good and bad; 0: none")
    c: float = option(1.0, low=1e-6, text="cost of an error, of rank and classify")

    def train(self, text: TestSet, *, resources: StrPath | None = None, seed: int = 1, n_threads: int = 1) -> Selector:
        """Learn from translations of the same sources by two or more systems, and their reference."""
        self.check()
        _check_systems(text)
        reading = Reading(*self.tokenisers, None if resources is None else Path(resources))
        examples: tuple[SystemExamples, ...] = ()
        if self.examples:
            examples, text = self._hold_out(text, reading, n_threads)
        tables = _tables(self, reading, text, examples, n_threads)
        reference = reading.cut_outputs(single_reference(text), n_threads=n_threads)
        gold = [
            gold_components(reading.cut_outputs(lines, n_threads=n_threads), reference, n_threads=n_threads)
            for lines in text.systems.values()
        ]
        selector = Selector(self, tuple(text.systems), tables[0].names, reading, examples, seed=seed)
        if self.method == "regression":
            learner = LEARNERS.make(self.learner)
            selector.models = tuple(
                tuple(
                    None if np.ptp(column) == 0 else learn_scores(learner, table, column, task="score", seed=seed)
                    for column in components.columns.T
                )
                for table, components in zip(tables, gold, strict=True)
            )
            selector.means = np.array([components.columns.mean(axis=0) for components in gold])
            return selector
        values = np.stack([table.values for table in tables])  # (systems, sentences, features)
        selector.spreads = np.where(np.ptp(values, axis=(0, 1)) > 0, values.std(axis=(0, 1)), 1.0)
        scores = np.stack([sentence_bleu(components) for components in gold])
        selector.weights = self._separate(values / selector.spreads, scores)
        return selector

    def _hold_out(self, text: TestSet, reading: Reading, n_threads: int) -> tuple[tuple[SystemExamples, ...], TestSet]:
        """Examples of each system, and the rest of the text: a sentence would be like itself."""
        held = np.arange(len(text)) % self.examples == 0
        if not 2 <= held.sum() <= len(text) - 2:
            raise DataError(
                f"Every {self.examples} of {len(text)} sentences as examples are {int(held.sum())}, and leave "
                f"{int((~held).sum())} to learn from; two of each are the least."
            )
        examples, rest = (_part(text, np.flatnonzero(which).tolist()) for which in (held, ~held))
        sources = reading.cut_sources(examples.srcs or (), n_threads=n_threads)
        reference = reading.cut_outputs(single_reference(examples), n_threads=n_threads)
        every = []
        for lines in examples.systems.values():
            outputs = reading.cut_outputs(lines, n_threads=n_threads)
            quality = sentence_bleu(gold_components(outputs, reference, n_threads=n_threads))
            every.append(SystemExamples.of(sources, outputs, quality))
        return tuple(every), rest

    def _separate(self, z: Floats, scores: Floats) -> Floats:
        """rank: one weighted sum (1, features); classify: one for each two systems, the last weight a constant."""
        pairs = list(combinations(range(len(z)), 2))
        apart = [(z[b] - z[a]) * np.sign(scores[b] - scores[a])[:, np.newaxis] for a, b in pairs]
        differ = [scores[b] != scores[a] for a, b in pairs]
        if self.method == "rank":
            return squared_hinge(np.concatenate([d[keep] for d, keep in zip(apart, differ, strict=True)]), self.c)[
                np.newaxis
            ]
        signs = [np.sign(scores[b] - scores[a])[:, np.newaxis] for a, b in pairs]
        return np.stack(
            [
                squared_hinge(np.hstack([d, sign])[keep], self.c)
                for d, sign, keep in zip(apart, signs, differ, strict=True)
            ]
        )


class Selector(Artifact):
    """Which of several systems' outputs to take of each source."""

    kind: ClassVar[str] = "output selector"
    format: ClassVar[int] = 1

    def __init__(
        self,
        recipe: SelectorRecipe,
        systems: tuple[str, ...],
        names: tuple[str, ...],
        reading: Reading,
        examples: tuple[SystemExamples, ...] = (),
        *,
        seed: int | None,
    ) -> None:
        self.recipe: SelectorRecipe = recipe
        self.systems = systems
        self.names = names  # of the features
        self.reading = reading
        self.examples = examples  # of each system
        self.seed = seed
        self.data: dict[str, str] = {}
        self.models: tuple[tuple[QEModel | None, ...], ...] = ()  # of each system and component; None: always the mean
        self.means: Floats = np.zeros((0, ORDERS + 1))
        self.weights: Floats = np.zeros((0, 0))
        self.spreads: Floats = np.zeros(0)

    def __repr__(self) -> str:
        return f"<Selector among {', '.join(self.systems)} by {self.recipe.method}>"

    def select(self, text: TestSet, *, n_threads: int = 1) -> Selection:
        """Choose an output for each source."""
        text = self._in_order(text)
        if not len(text):
            return Selection(self.systems, (), (), (), self.recipe.method)
        tables = self._tables(text, n_threads)
        scores = self._scores(tables, text, n_threads)
        chosen = scores.argmax(axis=1)  # the first of equals
        texts = list(text.systems.values())
        return Selection(
            self.systems,
            tuple(chosen.tolist()),
            tuple(map(tuple, scores.tolist())),
            tuple(texts[system][place] for place, system in enumerate(chosen.tolist())),
            self.recipe.method,
        )

    def _in_order(self, text: TestSet) -> TestSet:
        """The test set with its systems as they stood in training."""
        _check_systems(text)
        if set(text.systems) != set(self.systems):
            raise DataError(
                f"The selector knows the systems {', '.join(self.systems)}; got {', '.join(text.systems)}. "
                "Name the outputs as in training."
            )
        return replace(text, systems={name: text.systems[name] for name in self.systems})

    def components(self, text: TestSet, *, n_threads: int = 1) -> dict[str, Components]:
        """The predicted components of each system's sentences; `document_bleu` makes documents of them."""
        if self.recipe.method != "regression":
            raise DataError(f"A selector by {self.recipe.method} predicts no components; train one by regression.")
        text = self._in_order(text)
        tables = self._tables(text, n_threads)
        return dict(zip(self.systems, self._components(tables, text, n_threads), strict=True))

    def _tables(self, text: TestSet, n_threads: int) -> list[FeatureTable]:
        tables = _tables(self.recipe, self.reading, text, self.examples, n_threads)
        if any(table.names != self.names for table in tables):
            raise ModelError(f"The selector was trained on the features {', '.join(self.names)}. Train it again.")
        return tables

    def _components(self, tables: Sequence[FeatureTable], text: TestSet, n_threads: int) -> list[Components]:
        components = []
        for table, lines, models, means in zip(tables, text.systems.values(), self.models, self.means, strict=True):
            lengths = [len(line.split()) for line in self.reading.cut_outputs(lines, n_threads=n_threads)]
            columns = [
                np.full(len(table), mean) if model is None else np.array(model.predict(table).scores)
                for model, mean in zip(models, means.tolist(), strict=True)
            ]
            components.append(Components.of(np.column_stack(columns), lengths))
        return components

    def _scores(self, tables: Sequence[FeatureTable], text: TestSet, n_threads: int) -> Floats:
        """(sentences, systems): the more, the rather it is taken."""
        if self.recipe.method == "regression":
            return np.column_stack([sentence_bleu(each) for each in self._components(tables, text, n_threads)])
        z = np.stack([table.values for table in tables]) / self.spreads
        if self.recipe.method == "rank":
            ranked: Floats = (z @ self.weights[0]).T
            return ranked
        votes = np.zeros((z.shape[1], len(z)))
        for weights, (a, b) in zip(self.weights, combinations(range(len(z)), 2), strict=True):
            second = (z[b] - z[a]) @ weights[:-1] + weights[-1] > 0
            votes[:, b] += second
            votes[:, a] += ~second
        return votes

    def _write(self, folder: Path) -> None:
        facts: dict[str, Any] = {"systems": list(self.systems), "names": list(self.names)}
        facts["examples"] = [each.to_json() for each in self.examples]
        (folder / "selector.json").write_text(json.dumps(facts, ensure_ascii=False) + "\n", encoding="utf-8")
        for name, array in (("means", self.means), ("weights", self.weights), ("spreads", self.spreads)):
            np.save(folder / f"{name}.npy", array, allow_pickle=False)
        for number, models in enumerate(self.models, start=1):
            for component, model in zip(COMPONENTS, models, strict=True):
                if model is not None:
                    model.save(folder / f"system-{number}" / component)
        self.reading.write(folder)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        facts = json.loads((folder / "selector.json").read_text(encoding="utf-8"))
        reading = Reading.read(folder) or Reading()
        recipe = SelectorRecipe.from_dict(manifest.recipe)
        examples = tuple(map(SystemExamples.from_json, facts.get("examples", ())))
        systems, names = list_of_texts(facts["systems"]), list_of_texts(facts["names"])
        if len(set(systems)) < 2 or len(set(systems)) != len(systems) or len(examples) not in (0, len(systems)):
            raise ModelError(f"{folder / 'selector.json'} does not name systems to choose from. Train it again.")
        if bool(examples) != bool(recipe.examples):
            raise ModelError(f"{folder / 'selector.json'} has {len(examples)} systems' examples. Train it again.")
        selector = cls(recipe, systems, names, reading, examples, seed=manifest.seed)
        n, n_pairs = len(names), len(systems) * (len(systems) - 1) // 2
        sizes = {
            "regression": ((len(systems), len(COMPONENTS)), (0, 0), (0,)),
            "rank": ((0, len(COMPONENTS)), (1, n), (n,)),
            "classify": ((0, len(COMPONENTS)), (n_pairs, n + 1), (n,)),
        }
        selector.means, selector.weights, selector.spreads = (
            read_array(folder / f"{name}.npy", np.float64, *size)
            for name, size in zip(("means", "weights", "spreads"), sizes[recipe.method], strict=True)
        )
        if recipe.method == "regression":
            selector.models = tuple(
                tuple(
                    QEModel.load(path) if (path := folder / f"system-{number}" / component).is_dir() else None
                    for component in COMPONENTS
                )
                for number in range(1, len(selector.systems) + 1)
            )
        return selector


def _check_systems(text: TestSet) -> None:
    if len(text.systems) < 2:
        raise DataError(f"There is nothing to choose from: {len(text.systems)} systems; at least two are needed.")


def _part(text: TestSet, places: Sequence[int]) -> TestSet:
    """Some sentences."""
    return TestSet(
        srcs=[(text.srcs or ())[place] for place in places],
        refs={name: [lines[place] for place in places] for name, lines in text.refs.items()},
        systems={name: [lines[place] for place in places] for name, lines in text.systems.items()},
    )


def _tables(
    recipe: SelectorRecipe, reading: Reading, text: TestSet, examples: Sequence[SystemExamples], n_threads: int
) -> list[FeatureTable]:
    """The features of each system's outputs; the other systems' are its pseudo-references."""
    lines = [reading.cut_outputs(each, n_threads=n_threads) for each in text.systems.values()]
    tables = []
    for number, each in enumerate(text.systems.values()):
        table = reading.features(recipe.features, text.srcs or (), each, n_threads=n_threads)
        if recipe.agreement:
            others = lines[:number] + lines[number + 1 :]
            table = join_features(table, agreement_features(lines[number], others, n_threads=n_threads))
        if examples:
            sources = reading.cut_sources(text.srcs or (), n_threads=n_threads)
            table = join_features(table, examples[number].features(sources, lines[number]))
        tables.append(table)
    return tables
