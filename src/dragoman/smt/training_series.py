"""The steps of a training whose setup has several searches in series: an engine of each, tuned before the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import numpy as np

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.lm import ClassModel, LanguageModel
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.engine import Engine
from dragoman.smt.factor_paths import FactoredPhrases
from dragoman.smt.factors import FORM, FactorSection, FactorWords, compose, model_name
from dragoman.smt.held_out import held_out_sides
from dragoman.smt.language_models import MoreModel
from dragoman.smt.models import Models
from dragoman.smt.pairs import Linked, TokenisedPairs, clean_pairs, encode
from dragoman.smt.phrase_table import UNKNOWN, PhraseTable
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.training_factors import FactorSteps, shown_factors
from dragoman.smt.tune.base import TUNERS, Tuned
from dragoman.smt.tune.engine import EngineDecode
from dragoman.smt.weights import Weights
from dragoman.smt.word_alignment import repeated
from dragoman.smt.work import PlannedStep
from dragoman.text.vocabulary import Vocabulary

__all__ = ["SeriesSteps", "TargetModels", "series_steps"]


def series_steps(recipe: EngineRecipe, links: str, models: tuple[str, ...], dev: str) -> list[PlannedStep]:
    """The steps: phrases of each search, and weights of all but the last, which are tuned as any engine's."""
    steps: list[PlannedStep] = []
    options = recipe.to_dict()
    for section in recipe.factors.searches:
        told = {**options["phrases"], "setup": section.setup, "search": section.search}
        steps.append(PlannedStep(_phrases(section), "extract and score phrases", told, (links,), 8))
        if dev and recipe.tune.method != "none" and section.search < len(recipe.factors.searches):
            told = {"tune": options["tune"], "search": options["search"], "passed": section.passed}
            keys = (*models, *(step.key for step in steps), dev)
            steps.append(PlannedStep(_tuned(section), "tune the weights of this search", told, keys, 100))
    return steps


def _phrases(section: FactorSection) -> str:
    return f"search-{section.search}"


def _tuned(section: FactorSection) -> str:
    return f"tune-{section.search}"


@dataclass(frozen=True)
class TargetModels:
    """Language models of the target side: of forms, of their classes, and by name of all that is modelled beside."""

    lm: LanguageModel
    classes: ClassModel | None
    more: Mapping[str, MoreModel]


class SeriesSteps:
    """Makes the engines of searches in series, the last of which has the others before it."""

    def __init__(self, recipe: EngineRecipe, step: Callable[..., Any], target: TargetModels, n_threads: int) -> None:
        self.recipe = recipe
        self.target = target
        self.step = step
        self.n_threads = n_threads

    def make(self, linked: Linked, factored: TokenisedPairs, dev: TestSet | None, **sides: Any) -> Engine:
        """The engine of the last search; `sides` are what all engines are told of text and data."""
        text = _Whole(self.recipe, linked, clean_pairs(factored, self.recipe), self.n_threads)
        engine: Engine | None = None
        for section in self.recipe.factors.searches:
            recipe = self._recipe(section)
            phrases = self._phrases(recipe, text.linked(section))
            engine = Engine(recipe, self._models(section, phrases), before=engine, **sides)
            if dev is not None and section.search < len(self.recipe.factors.searches):
                weights = self._tune(engine, dev)
                engine = engine.with_weights(weights) if weights else engine
        if engine is None:
            raise DataError("A factored setup has at least one search.")
        return engine

    def _recipe(self, section: FactorSection) -> EngineRecipe:
        """A search behind another one goes on in its order."""
        search = replace(self.recipe.search, distortion_limit=0) if section.search > 1 else self.recipe.search
        return replace(self.recipe, factors=section, search=search)

    def _models(self, section: FactorSection, phrases: PhraseTable | FactoredPhrases) -> Models:
        lm, classes, more = self.target.lm, self.target.classes, self.target.more
        names = [model_name(factor) for factor in section.models if factor != section.main]
        if section.main == FORM:
            names += [model.name for model in self.recipe.models]
        else:
            lm, classes = cast("LanguageModel", more[model_name(section.main)]), None
        own = {name: more[name] for name in names}
        if isinstance(phrases, FactoredPhrases):
            return Models(lm, classes=classes, more=own, paths=phrases)
        return Models(lm, phrases, classes=classes, more=own)

    def _phrases(self, recipe: EngineRecipe, linked: Linked) -> PhraseTable | FactoredPhrases:
        section = recipe.factors
        kind: type[PhraseTable | FactoredPhrases] = FactoredPhrases if section.is_assembled else PhraseTable

        def make() -> PhraseTable | FactoredPhrases:
            if section.is_assembled:
                return FactorSteps(recipe, self.step, self.n_threads).assembled(linked)
            return recipe.phrases.extract(linked.text, linked.source, linked.target, n_threads=self.n_threads)

        phrases: PhraseTable | FactoredPhrases = self.step(
            _phrases(section),
            make=make,
            save=lambda phrases, folder: phrases.save(folder / "phrases"),
            load=lambda folder: kind.load(folder / "phrases", verify=True),
            outcome=lambda phrases: f"{len(phrases)} pairs",
        )
        return phrases

    def _tune(self, engine: Engine, dev: TestSet) -> Weights | None:
        """Weights by which the search gives the factors of the references."""
        if self.recipe.tune.method == "none":
            return None
        tuned: Tuned = self.step(
            _tuned(engine.recipe.factors),
            make=partial(self._tuned, engine, dev),
            save=lambda tuned, folder: tuned.save(folder / "tuned"),
            load=lambda folder: Tuned.load(folder / "tuned", verify=True),
            outcome=lambda tuned: f"{tuned.label} {tuned.value:.2f} in {len(tuned.rounds)} rounds",
        )
        return tuned.weights

    def _tuned(self, engine: Engine, dev: TestSet) -> Tuned:
        tuning, section = self.recipe.tune, engine.recipe.factors
        srcs, refs = held_out_sides(dev)
        limits = replace(engine.recipe.search, pop_limit=tuning.pop_limit)
        decode = EngineDecode(
            engine,
            engine.source.prepare(srcs, n_threads=self.n_threads),
            n_best=tuning.n_best,
            limits=limits,
            n_threads=self.n_threads,
        )
        return TUNERS.make(tuning.method).tune(
            decode,
            [self._simplified(engine, section, refs.streams[r], refs.lines(r)) for r in range(len(refs.streams))],
            start=engine.dense_weights,
            metric=tuning.metric,
            seed=tuning.seeds[0],
            frozen=["unknown"],
            n_threads=self.n_threads,
        )

    def _simplified(
        self, engine: Engine, section: FactorSection, stream: Sequence[str | None], lines: Sequence[str]
    ) -> list[str | None]:
        """References as words with the factors that the search gives; those that are missing stay so."""
        tokens = engine.target.prepare(lines, n_threads=self.n_threads)
        first, *others = section.given
        columns = section.values("target", tokens, [first, *others])
        if FORM in section.given:
            whole = compose(tokens, columns)
        else:
            whole = compose([" ".join(line) for line in columns[0]], columns[1:])
        return [None if each is None else line for each, line in zip(stream, whole, strict=True)]


class _Whole:
    """The training text with all factors, from which each search has its own."""

    def __init__(self, recipe: EngineRecipe, linked: Linked, clean: TokenisedPairs, n_threads: int) -> None:
        self._links = linked.text
        copies = len(linked.text) // len(clean.source)  # one for each method of alignment
        self._vocabularies = Vocabulary(unk=UNKNOWN), Vocabulary(unk=UNKNOWN)
        self._ids = [
            repeated(encode(words, lines, n_threads), copies)
            for words, lines in zip(self._vocabularies, (clean.source, clean.target), strict=True)
        ]
        self._words = FactorWords(recipe.factors.parsed.all_given)

    def linked(self, section: FactorSection) -> Linked:
        """What a search learns from: the bitext, or, behind another search, the target text alone."""
        target, words = shown_factors(self._ids[1], self._vocabularies[1], self._words, section.given)
        if section.search < 2:
            links = self._links.links, self._links.link_offsets
            return Linked(AlignedText(self._ids[0], target, *links), self._vocabularies[0], words)
        source, before = shown_factors(self._ids[1], self._vocabularies[1], self._words, section.read)
        offsets = target.offsets
        places = (np.arange(offsets[-1]) - np.repeat(offsets[:-1], np.diff(offsets))).astype(np.uint16)
        return Linked(AlignedText(source, target, np.stack([places, places], axis=1), offsets), before, words)
