"""Quality estimation on MLQE-PE, English–German and Romanian–English: what `qe train` does of itself, and additions.

    python bench/estimates.py --work FOLDER [--data DATA] [--pair en-de] [--words] [--test]
                              [-f SET … -l LEARNER … -t LEARNER …]

DATA (`$DRAGOMAN_DATA`, else ../shared/data) holds `mlqe-pe`. Resources come from the 7,000 post-edits of the training
set alone. Everything is measured on the 1,000 sentences of the development set; the test set is scored only with
--test, so that nothing need be chosen by it. The first row is the default, and every other is held against it:
Pearson's correlation with HTER (of words: Matthews' correlation), its 95% bootstrap interval, what it gains, and the
probability of such a gain by chance. Learners behind -t learn from both pairs at once, which the column `pair` numbers.
Features lie in FOLDER and are computed once.
"""

from __future__ import annotations

import argparse
import tarfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from needs import real_data, skip

from dragoman.learn import LEARNERS
from dragoman.qe import (
    FeatureTable,
    QEData,
    QERecipe,
    ResourceRecipe,
    build_training_resources,
    evaluate,
    learn_scores,
    read_qe,
)
from dragoman.qe.features.base import feature_set
from dragoman.qe.reading import Reading
from dragoman.qe.resources import load_resources
from dragoman.qe.words import WordRecipe
from dragoman.stats.arrays import Floats

PAIRS = ("en-de", "ro-en")
PARTS = {"train": "train", "dev": "dev", "test": "test20"}
DEFAULT = ("black-box", "ridge")
TASK = "pair"  # the column of tasks in the table of both pairs
LARGE = "learn_most=1000,inducing=2000,n_folds=2,search_most=200"  # settings are learnt without folds, which are short
SENTENCES = (
    ("baseline17", "svr"),
    ("baseline17", f"gp:{LARGE}"),
    ("black-box", "glm"),
    ("black-box", "ensemble:members=ridge+glm"),
    ("black-box", "svr:c=1,gamma=0.001,epsilon=0.25"),
)
TOGETHER = (("baseline17", f"multitask-gp:tasks={TASK},{LARGE}"),)  # learnt from both pairs at once
WORDS = ("crf",)


def main() -> None:
    """Read, build, learn, measure."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--work", type=Path)
    options.add_argument("--data", type=Path)
    options.add_argument("--pair", choices=PAIRS, action="append")
    options.add_argument("-f", "--features", action="append", default=[])
    options.add_argument("-l", "--learner", action="append", default=[])
    options.add_argument("-t", "--together", action="append", default=[])
    options.add_argument("--words", action="store_true", help="labels of words in place of scores of sentences")
    options.add_argument("--test", action="store_true", help="measure on the test set, too")
    given = options.parse_args()
    if given.work is None:
        skip("an experiment of hours; name a folder that keeps what it trains (--work)")
    chosen = given.learner or given.together
    asked = tuple((each, spec) for each in given.features for spec in given.learner) if chosen else SENTENCES
    joint = tuple((each, spec) for each in given.features for spec in given.together) if chosen else TOGETHER
    pairs = tuple(given.pair or PAIRS)
    tables = {pair: Pair(pair, real_data(given.data), given.work / pair) for pair in pairs}
    parts = ("dev", "test") if given.test else ("dev",)
    for pair in tables.values():
        if given.words:
            pair.measure_words(parts)
        else:
            pair.measure(asked, parts, [(*each, list(tables.values())) for each in joint])


class Pair:
    """The three parts of one pair, and their features."""

    def __init__(self, name: str, data: Path, work: Path) -> None:
        self.name, self.work = name, work
        work.mkdir(parents=True, exist_ok=True)
        self.parts: dict[str, QEData] = {}
        for part, stem in PARTS.items():
            with tarfile.open(data / "mlqe-pe" / f"post-editing.{name}-{part}.tar.gz") as archive:
                archive.extractall(work, filter="data")
            self.parts[part] = read_qe(work / f"{name}-{stem}" / stem)

    def scores(self, part: str) -> Floats:
        """HTER as released."""
        return np.array(self.parts[part].scores)

    def resources(self, features: str) -> Path:
        """The resources that features ask for, from the training set; those of the default serve smaller sets."""
        wide = "associations" in features
        folder = self.work / ("resources-wide" if wide else "resources")
        if not folder.is_dir():
            begin = time.process_time()
            recipe = QERecipe("none", "none", features=tuple(features.split("+")) if wide else ())
            build_training_resources(self.parts["train"], folder, recipe, ResourceRecipe(), n_threads=2)
            print(f"{self.name}: {folder.name} in {time.process_time() - begin:.0f} s of processors", flush=True)
        return folder

    def table(self, features: str, part: str) -> FeatureTable:
        """The features of a part; those of the training set from resources that have not seen the sentence."""
        names = [feature.spec() for feature in feature_set(tuple(features.split("+")))]
        kept = self.work / f"{features}.{part}.npy"
        if not kept.is_file():
            reading = Reading(folder=self.resources(features))
            data = self.parts[part]
            made = reading.features(features.split("+"), data.sources, data.outputs, n_threads=2)
            assert list(made.names) == names
            np.save(kept, made.values)
        return FeatureTable.of(names, np.load(kept))

    def measure(
        self,
        asked: Sequence[tuple[str, str]],
        parts: Sequence[str],
        together: Sequence[tuple[str, str, Sequence[Pair]]] = (),
    ) -> None:
        """Learn each and print a row."""
        predicted: dict[str, dict[str, Floats]] = {part: {} for part in parts}
        seconds = {}
        for features, spec in (DEFAULT, *asked):
            begin, name = time.process_time(), f"{features}, {spec}"
            model = learn_scores(
                LEARNERS.make(spec), self.table(features, "train"), self.scores("train"), task="hter", n_threads=2
            )
            seconds[name] = time.process_time() - begin
            for part in parts:
                predicted[part][name] = np.array(model.predict(self.table(features, part)).scores)
        for features, spec, pairs in together:
            begin, name = time.process_time(), f"{features}, {spec}, both pairs"
            joined = [pair.numbered(features, "train", number) for number, pair in enumerate(pairs)]
            whole = FeatureTable.of(joined[0].names, np.concatenate([each.values for each in joined]))
            gold = np.concatenate([pair.scores("train") for pair in pairs])
            learner = replace(LEARNERS.make(spec), layout="shuffled")
            model = learn_scores(learner, whole, gold, task="hter", n_threads=2)
            seconds[name] = time.process_time() - begin
            for part in parts:
                own = self.numbered(features, part, list(pairs).index(self))
                predicted[part][name] = np.array(model.predict(own).scores)
        for part in parts:
            evaluated = evaluate(self.scores(part), predicted[part], task="hter")
            gains = {each.system: each for each in evaluated.against if each.measure == "pearson"}
            for name in predicted[part]:
                value = evaluated["pearson", name]
                gain = gains.get(name)
                beside = f"{gain.gain:+.3f} (p {gain.p:.3f})" if gain else "–"
                print(
                    f"| {self.name} {part} | {name} | {value.value:.3f} [{value.low:.3f}, {value.high:.3f}] | {beside} "
                    f"| {evaluated.value('mae', name):.4f} | {seconds[name]:.0f} s |",
                    flush=True,
                )

    def numbered(self, features: str, part: str, number: int) -> FeatureTable:
        """The features with one more column, which says the pair."""
        table = self.table(features, part)
        return FeatureTable.of(
            [*table.names, TASK], np.column_stack([table.values, np.full(len(table), float(number))])
        )

    def measure_words(self, parts: Sequence[str]) -> None:
        """Labels of words, by the default and the others."""
        resources = load_resources(self.resources(DEFAULT[0]))
        train = self.parts["train"]
        labels = {part: [list(tags.words) for tags in self.parts[part].tags or ()] for part in ("train", *parts)}
        predicted: dict[str, dict[str, list[tuple[str, ...]]]] = {part: {} for part in parts}
        seconds = {}
        for learner in (WordRecipe().learner, *WORDS):
            begin = time.process_time()
            model = WordRecipe(learner=learner).train(
                train.sources, train.outputs, labels["train"], resources, n_threads=2
            )
            seconds[learner] = time.process_time() - begin
            for part in parts:
                data = self.parts[part]
                made = model.predict(data.sources, data.outputs, resources, n_threads=2)
                predicted[part][learner] = list(made.labels)
        for part in parts:
            evaluated = evaluate(labels[part], predicted[part], task="words")
            first = WordRecipe().learner
            gains = {each.system: each for each in evaluated.against if (each.measure, each.other) == ("mcc", first)}
            for name in predicted[part]:
                value = evaluated["mcc", name]
                gain = gains.get(name)
                beside = f"{gain.gain:+.3f} (p {gain.p:.3f})" if gain else "–"
                print(
                    f"| {self.name} {part} | words, {name} | {value.value:.3f} [{value.low:.3f}, {value.high:.3f}] "
                    f"| {beside} | {evaluated.value('f1-errors', name):.3f} | {seconds[name]:.0f} s |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
