"""The steps of a training that give words their factors, and model them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from dragoman.lm import ClassKneserNey, KneserNey, WordClasses
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.factors import FactorWords, compose, model_name, usual_values
from dragoman.smt.language_models import MoreModel, read_model
from dragoman.smt.pairs import Linked, TokenisedPairs, clean_pairs, encode, load_pairs, save_pairs
from dragoman.smt.phrase_table import UNKNOWN
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.word_alignment import repeated
from dragoman.smt.work import PlannedStep
from dragoman.text.vocabulary import Vocabulary

__all__ = ["FactorSteps", "factor_steps"]

_STEP = "factors"


def factor_steps(recipe: EngineRecipe, casing: str) -> list[PlannedStep]:
    """The steps, if the recipe asks for factors; `casing` is the key of the cased text."""
    if not recipe.factors:
        return []
    settings = recipe.to_dict()[_STEP]
    own = {name: settings[name] for name in ("setup", "source", "target", "tags")}
    factors = PlannedStep(_STEP, "give words their factors", own, (casing, *recipe.factors.fingerprints()), 4)
    models = [
        PlannedStep(
            f"lm.{model_name(factor)}",
            f"model {factor}",
            {"factor": factor, "order": recipe.factors.order},
            (factors.key,),
            2,
        )
        for factor in recipe.factors.models
    ]
    return [factors, *models]


class FactorSteps:
    """Gives the text of an engine its factors."""

    def __init__(self, recipe: EngineRecipe, step: Callable[..., Any], n_threads: int) -> None:
        self.recipe = recipe
        self.section = recipe.factors
        self.step = step
        self.n_threads = n_threads

    def annotate(self, cased: TokenisedPairs) -> TokenisedPairs:
        """The pairs, whose words carry all factors of the setup."""
        pairs: TokenisedPairs = self.step(
            _STEP,
            make=partial(self._annotated, cased),
            save=save_pairs,
            load=load_pairs,
            outcome=lambda pairs: (
                f"{len({w for line in pairs.target for w in line.split()})} target words with factors"
            ),
        )
        return pairs

    def _annotated(self, cased: TokenisedPairs) -> TokenisedPairs:
        source, target = (
            compose(lines, self.section.values(side, lines, factors))
            for side, lines, factors in (
                ("source", cased.source, self.section.read),
                ("target", cased.target, self.section.parsed.target_factors),
            )
        )
        return TokenisedPairs(source, target)

    def linked(self, linked: Linked, factored: TokenisedPairs) -> Linked:
        """The links of forms as links of words with the factors that phrases carry."""
        clean = clean_pairs(factored, self.recipe)
        if self.section.carried == ("F",):  # other factors are generated
            words = FactorWords(self.section.parsed.target_factors)
            forms = [" ".join(map(words.form, line.split())) for line in clean.target]
            clean = replace(clean, target=forms)
        source, target = Vocabulary(unk=UNKNOWN), Vocabulary(unk=UNKNOWN)
        copies = len(linked.text) // len(clean.source)  # one for each method of alignment
        ids = [
            repeated(encode(words, lines, self.n_threads), copies)
            for words, lines in ((source, clean.source), (target, clean.target))
        ]
        return Linked(AlignedText(ids[0], ids[1], linked.text.links, linked.text.link_offsets), source, target)

    def models(self, factored: TokenisedPairs) -> dict[str, MoreModel]:
        """The language models of factors by name."""
        return {model_name(factor): self._model(factor, factored) for factor in self.section.models}

    def _model(self, factor: str, factored: TokenisedPairs) -> MoreModel:
        words = FactorWords(self.section.parsed.target_factors)

        def make() -> MoreModel:
            text = [line.split() for line in factored.target if line]
            values = [[words.value(word, factor) for word in line] for line in text]
            if factor in self.section.carried:
                return KneserNey(order=self.section.order).train(map(" ".join, values), n_threads=self.n_threads)
            forms = [" ".join(map(words.form, line)) for line in text]
            classes = WordClasses(usual_values(forms, values))
            return ClassKneserNey(order=self.section.order).fit(forms, classes, n_threads=self.n_threads)

        model: MoreModel = self.step(
            f"lm.{model_name(factor)}",
            make=make,
            save=lambda model, folder: model.save(folder / "lm"),
            load=lambda folder: read_model(folder / "lm"),
            outcome=lambda model: f"{model.kind} of order {self.section.order}",
        )
        return model
