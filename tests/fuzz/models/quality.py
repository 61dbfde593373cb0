"""Quality estimation: of sentences, words, trees and classes, and what its features look things up in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from dragoman.data.traces import Trace
from dragoman.learn import LEARNERS
from dragoman.metrics import hter
from dragoman.qe import FEATURES, FeatureTable, QEModel, Resources, extract_features, learn_scores
from dragoman.qe.classes import ClassModel, ClassRecipe
from dragoman.qe.entailment import DIRECTIONS, EntailmentModel, EntailmentRecipe
from dragoman.qe.features.base import make_feature
from dragoman.qe.features.sets import FEATURE_SETS
from dragoman.qe.recipes import FeatureRecipe
from dragoman.qe.resources import EXTRAS, RESOURCES, IndicatorRecipe, TraceIndex, load_resources
from dragoman.qe.resources.dictionaries import SpellingDictionary
from dragoman.qe.resources.folder import describe_folder, part_folder, save_resources
from dragoman.qe.resources.groups import build_groups
from dragoman.qe.resources.material import Material
from dragoman.qe.resources.quartiles import CRITERIA, WEIGHTINGS, QuartileRecipe
from dragoman.qe.selection import METHODS, Selector, SelectorRecipe
from dragoman.qe.trees import TreeModel
from dragoman.qe.words import WORD_FEATURES, WORD_SET, WordModel, WordRecipe, extract_words, make_word_features
from dragoman.syntax import Parser
from dragoman.testing.learners import quality_data
from tests.contract.test_learners import small
from tests.contract.test_resources import EDITS, OUTPUTS, SOURCES
from tests.fuzz.models.base import Seed, seed_of
from tests.qe.parsed import tiny_parser
from tests.qe.test_classes import planted
from tests.qe.test_selection import planted as systems
from tests.qe.test_tree_models import SMALL, problem
from tests.text.hunspell_files import write_dictionary

__all__ = ["seeds"]

NIGHTLY = {
    "aso",
    "boosting",
    "classes",
    "consistent",
    "ensemble",
    "extra-trees",
    "nets",
    "polynomial-svr",
    "ranking-svm",
}


def seeds() -> Iterator[Seed]:
    """Every learner, labeller and method, and one of each kind of resource."""
    for name in LEARNERS.names():
        yield seed_of(
            f"quality-{name}",
            lambda name=name: _learnt(name),
            _predict,
            nightly=name in NIGHTLY,  # type: ignore[misc]
        )
    for learner in ("perceptron", "crf", "blstm"):
        for unit in ("word", "gap"):
            yield seed_of(
                f"words-{learner}-{unit}",
                lambda learner=learner, unit=unit: _words(learner, unit),  # type: ignore[misc]
                lambda path: WordModel.load(path).predict(SOURCES[:2], ["el gato", ""]).tables(),
                nightly=learner == "blstm" or unit == "gap",
            )
    yield seed_of("quality-trees", _trees, _predict_trees)
    yield seed_of("sentence-classes", lambda: ClassRecipe(n_folds=2).train(*planted(40, 1)), _classify)
    yield seed_of("entailment", _entailment, lambda path: EntailmentModel.load(path).predict(_sides()))
    for method in METHODS:
        yield seed_of(f"selector-{method}", lambda method=method: _selector(method), _select)  # type: ignore[misc]
    yield Seed("resources", _save_resources, lambda path: load_resources(path).fingerprint)
    for name in _resources():
        yield seed_of(f"resource-{name}", lambda name=name: _built()[name], _consult(name))  # type: ignore[misc]


def _learnt(name: str) -> QEModel:
    features, scores = quality_data(30)
    return learn_scores(small(name), features, scores, task="hter", seed=5)


def _predict(path: Path) -> object:
    return QEModel.load(path).predict(quality_data(30)[0])


def _words(learner: str, unit: str) -> WordModel:
    recipe = WordRecipe(
        learner=learner, unit=unit, features=("word", "word:at=-1", "shape", "position"), epochs=2, n_folds=2, n_nets=2,
        units=4,
    )  # fmt: skip
    outputs = [output.replace(" en ", " ") if n % 2 else output for n, output in enumerate(OUTPUTS)]
    tags = hter(outputs, EDITS).tags
    labels = [list(each.words if unit == "word" else each.gaps) for each in tags]
    return recipe.train(SOURCES, outputs, labels)


@cache
def _tree_data() -> Any:
    return problem(30)


def _trees() -> TreeModel:
    features, trees, scores = _tree_data()
    return SMALL.train(features, {"target": trees}, scores)


def _predict_trees(path: Path) -> object:
    features, trees, _ = _tree_data()
    return TreeModel.load(path).predict(features, {"target": trees})


def _classify(path: Path) -> object:
    model = ClassModel.load(path)
    return model.predict(planted(5, 2)[0]), model.training.render()


def _sides() -> FeatureTable:
    chance = np.random.default_rng(1)
    return FeatureTable.of(
        ["replaced-words", "unaligned-content", "unaligned-content:on=source"], chance.normal(size=(40, 3))
    )


def _entailment() -> EntailmentModel:
    return EntailmentRecipe().train(_sides(), [list(DIRECTIONS)[n % 4] for n in range(40)])


def _selector(method: str) -> Selector:
    recipe = SelectorRecipe(method=method, learner="ridge", examples=4 if method == METHODS[0] else 0)
    return recipe.train(systems(40, 1))


def _select(path: Path) -> object:
    return Selector.load(path).select(systems(4, 2))


@cache
def _built() -> dict[str, Any]:
    """All resources that text, post-edits and a parser give."""
    found = hter(OUTPUTS, EDITS)
    with TemporaryDirectory() as folder:
        parser = Parser.load(tiny_parser(Path(folder) / "parser"))
        speller = SpellingDictionary.load(
            write_dictionary(Path(folder), "SFX S Y 1\nSFX S 0 s .\n", "the\ncat/S", name="en")
        )
    text = Material(
        SOURCES,
        EDITS,
        judged=(SOURCES, OUTPUTS),
        tags=found.tags,
        scores=found.values,
        phrases=IndicatorRecipe().rows(SOURCES, OUTPUTS),
    )
    built = build_groups(text.with_parses({"source": parser, "target": parser}), list(EXTRAS))
    agreement = np.random.default_rng(1).uniform(size=(20, len(CRITERIA), len(WEIGHTINGS), 4))
    pairs = zip(SOURCES, OUTPUTS, strict=True)
    return {
        **built,
        "source_dictionary": speller,
        "quartiles": QuartileRecipe().fit(agreement),
        "trace": TraceIndex(Trace(source, (output, output[3:]), (0.0, -1.0)) for source, output in pairs),
    }


def _save_resources(folder: Path) -> None:
    """A folder of them, which is no model itself."""
    save_resources({name: _built()[name] for name in ("ngrams", "quartiles", "source_corpus")}, folder)
    describe_folder(folder, "en-es", [[b"ab", b"cd"], [b"ef"]])
    for number in (1, 2):
        save_resources({"quartiles": _built()["quartiles"]}, folder / part_folder(number))


def _resources() -> list[str]:
    """A resource of each kind that nothing else trains."""
    firsts: dict[str, str] = {}
    for name, resource in RESOURCES.items():
        if resource.kind is not None and resource.kind.__module__.startswith("dragoman.qe.resources"):
            firsts.setdefault(resource.kind.kind, name)
    return list(firsts.values())


def _consult(name: str) -> Callable[[Path], object]:
    """Loads a resource and computes every feature that asks it and finds what else it needs."""

    def use(path: Path) -> object:
        kind = RESOURCES[name].kind
        assert kind is not None
        have = Resources({**_built(), name: kind.load(path)})
        ours, words = _asking(name)
        recipe = FeatureRecipe(features=ours, check_languages=False)
        return (
            extract_features(SOURCES[:2], OUTPUTS[:2], recipe, resources=have) if ours else None,
            extract_words(SOURCES[:2], OUTPUTS[:2], words, have) if words else None,
        )

    return use


@cache
def _asking(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The features, of sentences and of words, that ask a resource and need nothing that is not there."""
    have = Resources(_built())
    specs = sorted({*FEATURES.names(), *(spec for each in FEATURE_SETS.values() for spec in each)})
    needs = {spec: make_feature(spec).needed() for spec in specs}
    of_words = {spec: make_word_features([spec])[0].needed() for spec in sorted({*WORD_FEATURES.names(), *WORD_SET})}
    ours, words = (
        tuple(spec for spec, needed in each.items() if name in needed and not have.missing(needed))
        for each in (needs, of_words)
    )
    return ours[:6], words[:6]
