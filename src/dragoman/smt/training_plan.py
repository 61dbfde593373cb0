"""The steps of a training, each with the key of what it is made of, before anything is done."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, DoubtfulInput
from dragoman.files import StrPath, read_lines
from dragoman.report import Result, Table
from dragoman.smt.corpora import Corpora
from dragoman.smt.held_out import held_out_key, held_out_sides
from dragoman.smt.idle_settings import idle_settings
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.training_factors import factor_steps, path_step
from dragoman.smt.training_grammar import grammar_step
from dragoman.smt.training_labels import label_steps
from dragoman.smt.training_layers import forced_steps, layer_steps
from dragoman.smt.training_lm import language_model_steps
from dragoman.smt.training_order import order_steps
from dragoman.smt.training_pieces import pieces_step
from dragoman.smt.training_series import series_steps
from dragoman.smt.training_tables import TrainingText, read_parts, table_steps, weights_key
from dragoman.smt.work import PlannedStep, Work, fingerprint

__all__ = ["TrainingPlan", "checked_set", "plan_training", "planned_steps"]


@dataclass(frozen=True)
class TrainingPlan(Result):
    """The steps of a training, and which of them an earlier run has done."""

    kind: ClassVar[str] = "training plan"

    steps: tuple[PlannedStep, ...]
    done: tuple[bool, ...]
    work: str

    def step(self, name: str) -> PlannedStep:
        """The step of this name."""
        return next(step for step in self.steps if step.name == name)

    def tables(self) -> list[Table]:
        """A row for each step."""
        rows = [
            (step.name, step.text, "done" if done else "to do", _shown(step.settings), step.key)
            for step, done in zip(self.steps, self.done, strict=True)
        ]
        note = f"Steps are kept in {self.work}; one whose inputs and settings are the same is not done again."
        return [Table.of("Plan", ["step", "does", "state", "settings", "key"], rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """Where the work lies, and what every step is told."""
        return {"work": self.work, "settings": {step.name: dict(step.settings) for step in self.steps}}


def plan_training(
    text: Bitext | Corpora,
    recipe: EngineRecipe,
    *,
    work: StrPath,
    dev: TestSet | None = None,
    test: TestSet | None = None,
    report: bool = True,
) -> TrainingPlan:
    """The steps that `train_engine` with the same arguments would take; reads the data, does nothing."""
    corpora = text if isinstance(text, Corpora) else Corpora.of(text)
    dev = checked_set(corpora.dev if dev is None else dev)
    train = read_parts(corpora.bitexts, corpora.pair_weights)
    return planned_steps(recipe, train, Work(work), corpora, dev=dev, test=checked_set(test), report=report)


def checked_set(text: TestSet | None) -> TestSet | None:
    """A tuning or test set, if there is one: from here on it is not empty."""
    if text is not None:
        held_out_sides(text)
    return text


def planned_steps(
    recipe: EngineRecipe,
    train: TrainingText,
    work: Work,
    corpora: Corpora,
    *,
    dev: TestSet | None,
    test: TestSet | None,
    report: bool,
) -> TrainingPlan:
    """The steps that a recipe takes with texts that have been read."""
    options = recipe.check().to_dict()
    idle = idle_settings(recipe, n_texts=len(corpora.bitexts))
    if idle:
        told = "; ".join(f"{', '.join(names)} ({why})" for why, names in idle.items())
        warnings.warn(f"Without effect: {told}.", DoubtfulInput, stacklevel=2)
    langs = {"source_lang": recipe.source_lang, "target_lang": recipe.target_lang}
    text, casing_text, reading = recipe.text.by_step()
    reading |= {"search": options["search"]} | ({"span": recipe.grammar.span} if recipe.grammar else {})
    tokens = PlannedStep("tokens", "normalise and tokenise", {**text, **langs}, (train.fingerprint(),), 1)
    casing = PlannedStep("truecase", "learn and apply true case", {**casing_text, **langs}, (tokens.key,), 1)
    steps = [tokens, casing, *pieces_step(recipe, casing.key)]
    casing = steps[-1]
    clean = PlannedStep("clean", "leave out empty, long and unlike pairs", options["clean"], (casing.key,), 0.3)
    terms = [fingerprint(read_lines(recipe.align.terms))] if recipe.align.terms else []
    order = order_steps(recipe, clean.key)
    own = ([clean, *order][-1].key, *terms, *recipe.align.fingerprints())
    align = PlannedStep("align", "link words, both directions as one", recipe.align.settings(), own, 10)
    steps += [clean, *order, align, *language_model_steps(recipe, corpora, casing.key, dev)]
    models = [steps[-1].key]
    if recipe.classes.number:
        steps.append(
            PlannedStep("classes", "cluster words and model their classes", options["classes"], (casing.key,), 3)
        )
        models.append(steps[-1].key)
    factored = factor_steps(recipe, casing.key)
    steps += factored
    models += [step.key for step in factored]
    links = fingerprint([align.key, factored[0].key]) if factored else align.key
    layered = layer_steps(recipe, clean.key, align.key)
    steps += layered
    links = layered[0].key if layered else links
    for each in recipe.models:
        read = [align.key] if each.kind == "bilingual" else [fingerprint(read_lines(each.table))] if each.table else []
        steps.append(PlannedStep(f"lm.{each.name}", f"model {each.kind}", asdict(each), (casing.key, *read), 3))
        models.append(steps[-1].key)
    weights = weights_key(train, recipe)
    if recipe.grammar:
        steps.append(grammar_step(recipe, align.key, weights))
        models.append(steps[-1].key)
    elif recipe.factors.is_assembled or recipe.factors.is_series:
        if weights:
            raise DataError("Weights of sentence pairs count in a phrase table; a setup of several steps has more.")
        if recipe.factors.is_series:
            steps += series_steps(recipe, links, tuple(models), held_out_key(dev) if dev else "")
            models += [step.key for step in steps if step.name.startswith(("search-", "tune-"))]
        else:
            steps.append(path_step(recipe, links))
            models.append(steps[-1].key)
    elif recipe.index.use != "only":
        steps += table_steps(recipe, links, len(corpora.bitexts), held_out_key(dev) if dev else "", weights)
        steps += label_steps(recipe, steps[-1].key)
        steps += forced_steps(recipe, steps[-1].key)
        models.append(steps[-1].key)
    if recipe.index.use != "none":
        aligner = PlannedStep(
            "aligner", "learn to link the words of new text", recipe.align.settings(), (clean.key,), 6
        )
        index = PlannedStep("index", "index the text", options["index"], (align.key,), 1)
        steps += [aligner, index]
        models += [aligner.key, index.key]
    if dev and recipe.tune.method != "none":
        tuning = {**options["tune"], **reading}
        tuning |= {name: options[name] for name in ("features", "given", "layers") if options[name]}
        steps.append(PlannedStep("tune", "tune the weights", tuning, (*models, held_out_key(dev)), 150))
    tests = {name: held_out_key(each) for name, each in (("dev", dev), ("test", test)) if each}
    if tests and report:
        inputs = (*models, *(step.key for step in steps if step.name == "tune"), *tests.values())
        reported = {**reading, "tests": list(tests)}
        steps.append(PlannedStep("report", "measure what each part adds", reported, inputs, 20))
    return TrainingPlan(tuple(steps), tuple(work.has(step) for step in steps), str(work.folder))


def _shown(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in settings.items())
