"""The steps of a training that give words their factors, and model them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from dragoman.lm import ClassKneserNey, KneserNey, WordClasses
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.factor_paths import FactoredPhrases, generation_scores
from dragoman.smt.factor_setup import FactorStep
from dragoman.smt.factors import FactorWords, compose, model_name, usual_values
from dragoman.smt.language_models import MoreModel, read_model
from dragoman.smt.pairs import Linked, TokenisedPairs, clean_pairs, encode, load_pairs, save_pairs
from dragoman.smt.phrase_table import UNKNOWN, PhraseTable
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.word_alignment import repeated
from dragoman.smt.work import PlannedStep
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary

__all__ = ["FactorSteps", "factor_steps", "path_step", "shown_factors"]

_STEP, _PATHS = "factors", "paths"


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


def path_step(recipe: EngineRecipe, links: str) -> PlannedStep:
    """The step in the place of a phrase table, where a setup has several; `links` is the key of words with factors."""
    settings = {**recipe.to_dict()["phrases"], "setup": recipe.factors.setup}
    return PlannedStep(_PATHS, "extract and score the phrases of each step", settings, (links,), 12)


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
                ("target", cased.target, self.section.parsed.all_given),
            )
        )
        return TokenisedPairs(source, target)

    def linked(self, linked: Linked, factored: TokenisedPairs) -> Linked:
        """The links of forms as links of words with the factors that phrases carry."""
        clean = clean_pairs(factored, self.recipe)
        if self.section.carried == ("F",):  # other factors are those of the form
            words = FactorWords(self.section.parsed.all_given)
            forms = [" ".join(map(words.form, line.split())) for line in clean.target]
            clean = replace(clean, target=forms)
        source, target = Vocabulary(unk=UNKNOWN), Vocabulary(unk=UNKNOWN)
        copies = len(linked.text) // len(clean.source)  # one for each method of alignment
        ids = [
            repeated(encode(words, lines, self.n_threads), copies)
            for words, lines in ((source, clean.source), (target, clean.target))
        ]
        return Linked(AlignedText(ids[0], ids[1], linked.text.links, linked.text.link_offsets), source, target)

    def paths(self, linked: Linked) -> FactoredPhrases:
        """The phrases of each step, of linked words that carry all factors."""
        phrases: FactoredPhrases = self.step(
            _PATHS,
            make=partial(self.assembled, linked),
            save=lambda phrases, folder: phrases.save(folder / _PATHS),
            load=lambda folder: FactoredPhrases.load(folder / _PATHS, verify=True),
            outcome=lambda phrases: f"{len(phrases)} pairs in {len(phrases.tables)} tables",
        )
        return phrases

    def assembled(self, linked: Linked) -> FactoredPhrases:
        """A table of each translation step, and what each generation says of the words."""
        section, whole = self.section, linked.target
        steps = {str(step): step for path in section.paths for step in path}
        words = FactorWords(section.carried)
        counts = np.bincount(linked.text.target.ids, minlength=len(whole))
        return FactoredPhrases(
            section,
            {name: self._table(step, linked) for name, step in steps.items() if not step.generates},
            {name: generation_scores(step, whole, words, counts) for name, step in steps.items() if step.generates},
            whole,
        )

    def _table(self, step: FactorStep, linked: Linked) -> PhraseTable:
        """The phrases of what a step reads and gives."""
        text = linked.text
        source, source_words = shown_factors(text.source, linked.source, FactorWords(self.section.read), step.reads)
        target, target_words = shown_factors(text.target, linked.target, FactorWords(self.section.carried), step.gives)
        shown = AlignedText(source, target, text.links, text.link_offsets)
        return self.recipe.phrases.extract(shown, source_words, target_words, n_threads=self.n_threads)

    def models(self, factored: TokenisedPairs) -> dict[str, MoreModel]:
        """The language models of factors by name."""
        return {model_name(factor): self._model(factor, factored) for factor in self.section.models}

    def _model(self, factor: str, factored: TokenisedPairs) -> MoreModel:
        words = FactorWords(self.section.parsed.all_given)

        def make() -> MoreModel:
            text = [line.split() for line in factored.target if line]
            values = [[words.value(word, factor) for word in line] for line in text]
            if self.section.is_series or factor in self.section.carried:
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


def shown_factors(
    text: TokenIds, whole: Vocabulary, words: FactorWords, factors: Sequence[str]
) -> tuple[TokenIds, Vocabulary]:
    """Some factors of the words of a text, and their vocabulary."""
    vocabulary = Vocabulary(unk=UNKNOWN)
    spelt = [word if word == UNKNOWN else words.part(word, factors) for word in whole.words()]
    return TokenIds(vocabulary.ids(spelt)[text.ids], text.offsets), vocabulary
