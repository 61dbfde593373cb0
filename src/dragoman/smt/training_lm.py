"""The language model of a training: one of all text, or one of each text, mixed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from itertools import accumulate, islice
from typing import Any

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.lm import Interpolation, LanguageModel, learn_weights
from dragoman.lm.storage import Storage
from dragoman.smt.corpora import Corpora
from dragoman.smt.held_out import held_out_key, held_out_sides
from dragoman.smt.pairs import TokenisedPairs
from dragoman.smt.preparation import TextSide
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.work import PlannedStep

__all__ = ["LanguageModelSteps", "language_model_steps"]

_BATCH = 10_000  # lines prepared at a time


def language_model_steps(recipe: EngineRecipe, corpora: Corpora, casing: str, dev: TestSet | None) -> list[PlannedStep]:
    """The steps to the engine's language model, which the last one gives; `casing` is the key of the cased text."""
    settings = recipe.to_dict()["lm"]
    if not _is_mixed(recipe, corpora):
        return [PlannedStep("lm", "estimate the language model", settings, (casing,), 3)]
    inputs: list[tuple[dict[str, Any], tuple[str, ...]]] = [
        ({**settings, "text": place}, (casing,)) for place, seen in enumerate(corpora.modelled, start=1) if seen
    ]
    inputs += [(settings, (casing, text.fingerprint())) for text in corpora.texts]
    if len(inputs) == 1:
        return [PlannedStep("lm", "estimate the language model", *inputs[0], 3)]
    steps = [
        PlannedStep(f"lm-{number}", f"estimate the language model of {label}", *each, 3)
        for number, (label, each) in enumerate(zip(corpora.labels, inputs, strict=True), start=1)
    ]
    keys = tuple(step.key for step in steps)
    if not corpora.weights and dev is None:
        raise DataError(
            f"{len(steps)} language models are mixed by weights that are learnt on a tuning set. Name one, or give "
            "each corpus a weight."
        )
    mixing = {"weights": list(corpora.weights) or "learnt"}
    learnt_on = () if corpora.weights or dev is None else (held_out_key(dev),)
    return [*steps, PlannedStep("lm", "mix the language models", mixing, (*keys, *learnt_on), 2)]


def _is_mixed(recipe: EngineRecipe, corpora: Corpora) -> bool:
    return recipe.mixture or corpora.mixed


class LanguageModelSteps:
    """Makes the engine's language model."""

    def __init__(self, recipe: EngineRecipe, step: Callable[..., Any], n_threads: int) -> None:
        self.recipe = recipe
        self.step = step
        self.n_threads = n_threads

    def make(self, cased: TokenisedPairs, sizes: Sequence[int], corpora: Corpora, dev: TestSet | None) -> LanguageModel:
        """The model of the target side of cased pairs, so many of each bitext, and of the other texts."""
        if not _is_mixed(self.recipe, corpora):
            return self._estimated("lm", cased.target)
        lang, (_, caser), (_, splitter) = self.recipe.target_lang, cased.casers, cased.splitters
        side = TextSide(lang, self.recipe.text, caser, splitter=splitter)
        ends = list(accumulate(sizes, initial=0))
        parts: list[Iterable[str]] = [
            cased.target[ends[place] : ends[place + 1]] for place, seen in enumerate(corpora.modelled) if seen
        ]
        parts += [_prepared(text, side, self.n_threads) for text in corpora.texts]
        if len(parts) == 1:
            return self._estimated("lm", parts[0])
        models = [self._estimated(f"lm-{number}", part) for number, part in enumerate(parts, start=1)]
        held_out = [] if dev is None else side.trained(held_out_sides(dev)[1].lines(0), n_threads=self.n_threads)
        return self._kept("lm", lambda: self._mixed(models, corpora.weights, held_out), _mixture)

    def _estimated(self, name: str, lines: Iterable[str]) -> LanguageModel:
        return self._kept(
            name,
            lambda: self.recipe.lm.train(filter(None, lines), n_threads=self.n_threads),
            lambda lm: f"{sum(lm.n_ngrams)} n-grams",
        )

    def _mixed(
        self, models: Sequence[LanguageModel], weights: Sequence[float], held_out: Sequence[str]
    ) -> LanguageModel:
        storage = {each.name: getattr(self.recipe.lm, each.name) for each in fields(Storage)}
        chosen = weights or learn_weights(models, held_out, n_threads=self.n_threads)
        return Interpolation(weights=tuple(chosen), **storage).combine(models)

    def _kept(
        self, name: str, make: Callable[[], LanguageModel], outcome: Callable[[LanguageModel], str]
    ) -> LanguageModel:
        lm: LanguageModel = self.step(
            name,
            make=make,
            save=lambda lm, folder: lm.save(folder / "lm"),
            load=lambda folder: LanguageModel.load(folder / "lm", verify=True),
            outcome=outcome,
        )
        return lm


def _mixture(lm: LanguageModel) -> str:
    weights = getattr(lm.recipe, "weights", ())
    return f"{sum(lm.n_ngrams)} n-grams, weights {' '.join(f'{weight:.3f}' for weight in weights)}"


def _prepared(lines: Iterable[str], side: TextSide, n_threads: int) -> Iterator[str]:
    waiting = iter(lines)
    while batch := list(islice(waiting, _BATCH)):
        yield from side.trained(batch, n_threads=n_threads)
