"""From a bitext to an engine: prepare, align, model, extract, tune, report, each step kept in a work directory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from dragoman.align import Aligner
from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.lm import ClassModel
from dragoman.parts import PART, Pool
from dragoman.report import Column, Progress, Result, Table
from dragoman.smt.bitext_index import BitextIndex
from dragoman.smt.corpora import Corpora
from dragoman.smt.cost import TrainingCost
from dragoman.smt.engine import Engine
from dragoman.smt.held_out import held_out_sides
from dragoman.smt.ladder import Ladder, climb, load_ladder, rungs_of, save_ladder
from dragoman.smt.language_models import MoreModel, NamedModel, bilingual_lines, read_model
from dragoman.smt.models import Models
from dragoman.smt.pairs import Linked, TokenisedPairs, align_pairs, clean_pairs, load_pairs, save_pairs, true_case
from dragoman.smt.preparation import TextSide
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.scaled import ScaledSteps
from dragoman.smt.training_factors import FactorSteps
from dragoman.smt.training_grammar import GrammarStep, input_parser
from dragoman.smt.training_labels import LabelStep
from dragoman.smt.training_layers import LayerSteps
from dragoman.smt.training_lm import LanguageModelSteps
from dragoman.smt.training_order import OrderStep
from dragoman.smt.training_pieces import split_pairs
from dragoman.smt.training_plan import TrainingPlan, checked_set, planned_steps
from dragoman.smt.training_series import SeriesSteps, TargetModels
from dragoman.smt.training_tables import TableSteps, TrainingText, clean_parts, read_parts
from dragoman.smt.tune.base import Tuned
from dragoman.smt.tune.engine import tune_engine
from dragoman.smt.work import Work

__all__ = ["Training", "train_engine"]

_SHARED = 0.05  # of a tuning or test set in the training data: above it the scores flatter, and a warning says so


@dataclass(frozen=True)
class Training(Result):
    """What a training did: its steps with their times, the ladder, the weights; `engine` is what it gave."""

    kind: ClassVar[str] = "training"

    engine: Engine
    model: str | None  # where it was saved
    steps: tuple[tuple[str, str, float, bool], ...]  # name, outcome, seconds, kept from an earlier run
    tuning: Tuned | None
    ladder: Ladder | None
    warnings: tuple[str, ...]
    cost: TrainingCost | None = None  # of its parts, if it was done in parts

    def tables(self) -> list[Table]:
        """Steps, rounds of tuning, ladder, weights."""
        rows = [
            (name, outcome, seconds, "kept" if is_kept else "made") for name, outcome, seconds, is_kept in self.steps
        ]
        note = " ".join(f"Beware: {warning}" for warning in self.warnings)
        steps = Table.of("Steps", ["step", "outcome", Column("seconds", digits=2), "state"], rows, note=note)
        weights = Table.of("Weights", ["feature", Column("weight", digits=4)], self.engine.shown_weights())
        rounds = self.tuning.tables()[:1] if self.tuning else []
        return [steps, *rounds, *(self.ladder.tables() if self.ladder else []), weights]

    def meta(self) -> dict[str, Any]:
        """The recipe, the rounds of tuning, the ladder's rungs, the weights and what to beware of."""
        return {
            "model": self.model,
            "recipe": self.engine.recipe.to_dict(),
            "ladder": [asdict(rung) for rung in self.ladder.rungs] if self.ladder else [],
            "tuning": self.tuning.to_dict() if self.tuning else None,
            "weights": dict(self.engine.shown_weights()),
            "warnings": list(self.warnings),
            "cost": self.cost.to_dict() if self.cost else None,
        }


def train_engine(
    text: Bitext | Corpora,
    recipe: EngineRecipe | None = None,
    *,
    work: StrPath,
    output: StrPath | None = None,
    dev: TestSet | None = None,
    test: TestSet | None = None,
    report: bool = True,
    n_threads: int = 1,
    progress: Progress | None = None,
    pool: Pool | None = None,
    part: int = PART,
) -> Training:
    """Train an engine on a bitext or on corpora, tune it on `dev`, measure it on `dev` and `test`, save it as `output`.

    Without `report` it is not measured what each part adds.

    Of several bitexts each has a phrase table of its own: the recipe's section `tables` says what becomes of them.
    Words are aligned and cased on all of them; what the language model sees, the corpora say. Steps done before, in the
    folder `work`, are not done again. Nothing but speed depends on `n_threads`, nor on a `pool`, whose workers do the
    steps that can be done in parts of so many sentence pairs.
    """
    corpora = text if isinstance(text, Corpora) else Corpora.of(text)
    first, dev, test = corpora.bitexts[0], checked_set(corpora.dev if dev is None else dev), checked_set(test)
    recipe = recipe or EngineRecipe(source_lang=first.source_lang or "en", target_lang=first.target_lang or "de")
    pairs = read_parts(corpora.bitexts, corpora.pair_weights)
    done = Work(work)
    data = {"train": pairs.fingerprint(), **{f"lm {each.path}": each.fingerprint() for each in corpora.texts}}
    plan = planned_steps(recipe, pairs, done, corpora, dev=dev, test=test, report=report)
    alone = recipe.reorder or recipe.reorder.labels or recipe.alternatives
    if pool is not None and (alone or recipe.factors.is_assembled or recipe.factors.is_series):
        raise DataError(
            "Orders, labels and layers are not learnt in parts; phrases of several steps are not extracted in parts: "
            "leave out the sections reorder and alternatives, take a direct setup, or leave out the workers."
        )
    run = _Run(recipe, plan, done, n_threads=n_threads, progress=progress)
    engine = cost = None
    if pool is not None:
        scaled = ScaledSteps(recipe, plan.steps, done, pool, part=part)
        scaled.run(pairs, mixed=corpora.mixed)
        cost = scaled.cost(len(pairs.sources))
        if models := scaled.models():
            engine = Engine(recipe, models[0], truecasers=models[1], data=data)
    engine = engine or run.models(pairs, corpora, dev, data=data)
    tuned = run.tune(engine, dev) if dev else None
    tests = {name: each for name, each in (("dev", dev), ("test", test)) if each}
    ladder = run.report(engine, tuned, tests) if tests and report else None
    warnings = tuple(_warnings(pairs.sources, pairs.targets, tests))
    steps = tuple((step.name, outcome, seconds, is_kept) for step, outcome, seconds, is_kept in done.log)
    weights = tuned.weights if tuned else engine.weights
    whole = Training(engine.with_weights(weights), None, steps, tuned, ladder, warnings, cost)
    facts = {"steps": whole.tables()[0].records(), **{k: v for k, v in whole.meta().items() if k != "recipe"}}
    engine = whole.engine.with_weights(whole.engine.weights, report=facts)
    if output is not None:
        engine.save(output)
    return Training(engine, None if output is None else str(output), steps, tuned, ladder, warnings, cost)


class _Run:
    """The steps of one training."""

    def __init__(
        self, recipe: EngineRecipe, plan: TrainingPlan, work: Work, *, n_threads: int, progress: Progress | None
    ) -> None:
        self.recipe = recipe
        self.plan = plan
        self.work = work
        self.n_threads = n_threads
        self.progress = progress
        self.spent = 0.0

    def step(self, name: str, **how: Any) -> Any:
        """Do a step of the plan, and tell how far the whole is."""
        step = self.plan.step(name)
        total = sum(each.cost for each in self.plan.steps)
        if self.progress:
            self.progress(round(10 * self.spent), round(10 * total), "training")
        value = self.work.do(step, **how)
        self.spent += step.cost
        if self.progress:
            self.progress(round(10 * self.spent), round(10 * total), "training")
        return value

    def models(self, text: TrainingText, corpora: Corpora, dev: TestSet | None, *, data: Mapping[str, str]) -> Engine:
        """The engine with the weights it has before tuning."""
        recipe, n_threads = self.recipe, self.n_threads
        sources, targets = text.sources, text.targets
        sides = TextSide(recipe.source_lang, recipe.text), TextSide(recipe.target_lang, recipe.text)
        words: Callable[[TokenisedPairs], str] = lambda pairs: f"{len(pairs.source)} pairs"  # noqa: E731

        def tokenise() -> TokenisedPairs:
            texts = zip(sides, (sources, targets), strict=True)
            one, other = (side.generalised(side.tokenise(lines, n_threads=n_threads)) for side, lines in texts)
            return TokenisedPairs(one, other)

        tokens: TokenisedPairs = self.step("tokens", make=tokenise, save=save_pairs, load=load_pairs, outcome=words)
        cased: TokenisedPairs = self.step(
            "truecase",
            make=partial(true_case, tokens, recipe, n_threads),
            save=save_pairs,
            load=load_pairs,
            outcome=lambda pairs: " and ".join(f"{len(c)} words" for c in pairs.casers if c) or "case as it is",
        )
        if any(step.name == "pieces" for step in self.plan.steps):
            cased = self.step(
                "pieces",
                make=partial(split_pairs, cased, recipe),
                save=save_pairs,
                load=load_pairs,
                outcome=lambda pairs: pairs.outcome,
            )
        clean: TokenisedPairs = self.step(
            "clean",
            make=partial(clean_pairs, cased, recipe),
            save=save_pairs,
            load=load_pairs,
            outcome=lambda pairs: f"{len(pairs.source)} of {len(cased.source)} pairs left",
        )
        if not clean.source:
            raise DataError(
                f"None of {len(cased.source)} sentence pairs is left after cleaning. See the limits in the recipe's "
                "section [clean], and whether the two sides are translations of each other."
            )
        ordered = OrderStep(recipe, self.step, n_threads).make(clean)
        clean = ordered.pairs
        linked: Linked = self.step(
            "align",
            make=partial(align_pairs, clean, recipe, n_threads),
            save=Linked.save,
            load=partial(Linked.load, clean),
            outcome=lambda linked: f"{len(linked.text.links)} links",
        )
        lm = LanguageModelSteps(recipe, self.step, n_threads).make(cased, text.sizes, corpora, dev)
        classes: ClassModel | None = (
            self.step(
                "classes",
                make=lambda: recipe.classes.train(filter(None, cased.target), n_threads=n_threads),
                save=lambda model, folder: model.save(folder / "classes"),
                load=lambda folder: ClassModel.load(folder / "classes", verify=True),
                outcome=lambda model: f"{sum(model.model.n_ngrams)} n-grams of {recipe.classes.number} classes",
            )
            if recipe.classes.number
            else None
        )
        more = {each.name: self.more_model(each, cased, linked) for each in recipe.models}
        paths = None
        if recipe.factors:
            factors = FactorSteps(recipe, self.step, n_threads)
            factored = factors.annotate(cased)
            more |= factors.models(factored)
            if recipe.factors.is_series:
                series = SeriesSteps(recipe, self.step, TargetModels(lm, classes, more), n_threads)
                return series.make(linked, factored, dev, truecasers=cased.casers, data=data)
            linked = factors.linked(linked, factored)
            paths = factors.paths(linked) if recipe.factors.is_assembled else None
        index = aligner = table = alternatives = None
        if recipe.index.use != "none":
            aligner = self.step(
                "aligner",
                make=lambda: recipe.align.train(clean.source, clean.target, n_threads=n_threads),
                save=lambda aligner, folder: aligner.save(folder / "aligner"),
                load=lambda folder: Aligner.load(folder / "aligner", verify=True),
                outcome=lambda aligner: aligner.recipe.name,
            )
            index = self.step(
                "index",
                make=lambda: recipe.index.index(linked.text, linked.source, linked.target, n_threads=n_threads),
                save=lambda index, folder: index.save(folder / "index"),
                load=lambda folder: _index(folder / "index"),
                outcome=lambda index: f"{len(index)} pairs",
            )
        grammar = parser = None
        if recipe.grammar:
            parser = input_parser(recipe)
            grammar = GrammarStep(recipe, self.step, n_threads).make(linked, cased, text)
        elif paths is None and recipe.index.use != "only":
            left = clean_parts(cased, text, recipe)
            extracted = ordered.extracted(linked, recipe.reorder.use)
            layers = LayerSteps(recipe, self.step, n_threads)
            extracted, alternatives = layers.make(clean, extracted)
            table = TableSteps(recipe, self.step, n_threads, cased.splitters).make(
                extracted, left, clean, cased.casers, dev
            )
            table = LabelStep(recipe, self.step, n_threads).make(table, extracted, left, cased)
            table = layers.weighed(table, clean, extracted, alternatives)
        models = Models(
            lm,
            table,
            index,
            classes,
            aligner,
            more,
            grammar=grammar,
            parser=parser,
            splitters=cased.splitters,
            reorderer=ordered.reorderer,
            paths=paths,
            alternatives=alternatives,
        )
        return Engine(recipe, models, truecasers=cased.casers, data=data)

    def more_model(self, model: NamedModel, cased: TokenisedPairs, linked: Linked) -> MoreModel:
        """A further language model."""

        def make() -> MoreModel:
            lines = bilingual_lines(linked.text, linked.source, linked.target) if model.kind == "bilingual" else []
            return model.train(cased.target, lines, n_threads=self.n_threads)

        trained: MoreModel = self.step(
            f"lm.{model.name}",
            make=make,
            save=lambda trained, folder: trained.save(folder / "lm"),
            load=lambda folder: read_model(folder / "lm"),
            outcome=lambda trained: f"{trained.kind} of order {model.order}",
        )
        return trained

    def tune(self, engine: Engine, dev: TestSet) -> Tuned | None:
        """Tuned weights, if the recipe asks for them."""
        if self.recipe.tune.method == "none":
            return None
        tuned: Tuned = self.step(
            "tune",
            make=lambda: (
                tune_engine(engine, dev, self.recipe.tune, n_threads=self.n_threads, progress=self.progress).best
            ),
            save=lambda tuned, folder: tuned.save(folder / "tuned"),
            load=lambda folder: Tuned.load(folder / "tuned", verify=True),
            outcome=lambda tuned: f"{tuned.label} {tuned.value:.2f} in {len(tuned.rounds)} rounds",
        )
        return tuned

    def report(self, engine: Engine, tuned: Tuned | None, tests: Mapping[str, TestSet]) -> Ladder:
        """The ladder on all test sets."""
        engines = rungs_of(engine, tuned.weights if tuned else None)
        ladder: Ladder = self.step(
            "report",
            make=lambda: climb(engines, tests, n_threads=self.n_threads),
            save=save_ladder,
            load=partial(load_ladder, self.recipe.target_lang),
            outcome=lambda ladder: f"{len(ladder.rungs)} rungs",
        )
        return ladder


def _index(folder: Path) -> BitextIndex:
    """The index of a work directory, apart from it: what an engine learns does not belong there."""
    index = BitextIndex.load(folder, verify=True)
    return BitextIndex(index.core, index.source, index.target, index.recipe)


def _warnings(sources: Sequence[str], targets: Sequence[str], tests: Mapping[str, TestSet]) -> list[str]:
    if not tests:
        return []
    trained = set(zip(sources, targets, strict=True))
    warnings = []
    for name, each in tests.items():
        srcs, refs = held_out_sides(each)
        shared = sum(any((src, ref) in trained for ref in row) for src, *row in zip(srcs, *refs.streams, strict=True))
        if shared > _SHARED * len(each):
            warnings.append(
                f"{shared} of {len(each)} segments of the {name} set stand in the training data: its scores "
                "flatter, and weights tuned on it trust long phrases too much. Hold it out."
            )
    return warnings
