"""The matrix of directions: one recipe for all pairs of several languages, also through a pivot (Zeman, WMT 2012)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import permutations
from statistics import mean
from typing import Any, ClassVar

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.metrics.scoring import ScoreRecipe, score_test_set
from dragoman.report import Column, Figure, Progress, Result, Table
from dragoman.smt.corpora import Corpora
from dragoman.smt.experiments.language_files import find_bitext, read_bitext_of, read_test_set
from dragoman.smt.experiments.trials import ExperimentPlan, Trial, Trials, plan_trials
from dragoman.smt.experiments.unseen import unseen_words
from dragoman.smt.held_out import held_out_sides
from dragoman.smt.ladder import difference, metrics_for
from dragoman.smt.recipe import EngineRecipe

__all__ = ["Direction", "MatrixText", "TranslationMatrix", "plan_matrix", "translation_matrix"]

Way = tuple[str, str]  # from one language to another


@dataclass(frozen=True)
class MatrixText:
    """Texts of several languages, by the names of their files (see `language_files`)."""

    langs: tuple[str, ...]
    train: str
    test: str
    dev: str | None = None
    n_pairs: int | None = None  # of each training text, the first ones; None: all

    def __post_init__(self) -> None:
        if len(set(self.langs)) < 2 or len(set(self.langs)) < len(self.langs):
            raise DataError(f"A matrix has two languages or more, each once; got {', '.join(self.langs) or 'none'}.")
        if not self.ways:
            raise DataError(f"No two of {', '.join(self.langs)} have a text {self.train}.")

    @property
    def ways(self) -> list[Way]:
        """The directions that there is a training text for."""
        return [way for way in permutations(self.langs, 2) if find_bitext(self.train, *way)]

    def trial(self, way: Way, recipe: EngineRecipe) -> Trial:
        """The engine of a direction."""
        text = read_bitext_of(self.train, *way)
        if self.n_pairs is not None:
            text = text.first(self.n_pairs)
        text = replace(text, source_lang=way[0], target_lang=way[1])
        own = replace(recipe, source_lang=way[0], target_lang=way[1])
        dev = read_test_set(self.dev, *way) if self.dev else None
        return Trial("-".join(way), Corpora.of(text), own, dev)


@dataclass(frozen=True)
class Direction:
    """One direction, translated directly or through a pivot."""

    source: str
    target: str
    through: str  # empty: directly
    n_pairs: int | None  # of its training text; None through a pivot
    bleu: float
    low: float
    high: float
    chrf: float
    ter: float
    unseen: float  # per cent of the test source's running words that the (first) training text does not have
    delta: float | None = None  # through a pivot: BLEU above the direct engine
    p: float | None = None


@dataclass(frozen=True)
class TranslationMatrix(Result):
    """BLEU of all directions among several languages."""

    kind: ClassVar[str] = "translation matrix"

    langs: tuple[str, ...]
    directions: tuple[Direction, ...]
    recipe: dict[str, Any]

    def bleu(self, source: str, target: str, through: str = "") -> float | None:
        """The score of a direction; None if there is none."""
        way = (source, target, through)
        return next((d.bleu for d in self.directions if (d.source, d.target, d.through) == way), None)

    @property
    def pivots(self) -> list[str]:
        """The languages that others were translated through."""
        return list(dict.fromkeys(d.through for d in self.directions if d.through))

    def tables(self) -> list[Table]:
        """A matrix of direct scores, one for each pivot, and a list of all directions."""
        ways = [self._matrix("BLEU", ""), *(self._matrix(f"BLEU through {pivot}", pivot) for pivot in self.pivots)]
        digits = {"bleu": 2, "low": 2, "high": 2, "chrf": 2, "ter": 2, "unseen": 1, "delta": 2}
        headings = {"n_pairs": "pairs", "bleu": "BLEU", "chrf": "chrF", "ter": "TER", "unseen": "unseen %"}
        names = list(asdict(self.directions[0]))
        columns = [Column(name, headings.get(name, name), digits=digits.get(name)) for name in names]
        columns[-2:] = [Column("delta", "Δ BLEU", digits=2, figures=1), Column("p", alpha=0.05)]
        rows = [tuple(asdict(each).values()) for each in self.directions]
        note = (
            "low and high are a 95 % interval by resampling segments; Δ and p compare a way through a pivot with the "
            "direct one (two-sided, paired approximate randomisation). Scores into different languages do not compare."
        )
        return [*ways, Table.of("Directions", columns, rows, note=note)]

    def _matrix(self, title: str, through: str) -> Table:
        langs = [lang for lang in self.langs if lang != through]
        rows: list[tuple[Any, ...]] = [(src, *(self.bleu(src, tgt, through) for tgt in langs)) for src in langs]
        columns = [[value for row in rows if (value := row[place]) is not None] for place in range(1, len(langs) + 1)]
        rows.append(("mean", *(mean(values) if values else None for values in columns)))
        return Table.of(title, ["from", *(Column(lang, digits=2) for lang in langs)], rows)

    def figures(self) -> list[Figure]:
        """A heat map of the direct scores."""
        direct = [(d.source, d.target, d.bleu) for d in self.directions if not d.through]
        table = Table.of("BLEU", ["source", "target", Column("bleu", "BLEU", digits=2)], direct)
        return [Figure("BLEU", "heatmap", table, "target", "bleu", series="source")]

    def meta(self) -> dict[str, Any]:
        """The recipe that all engines have."""
        return {"langs": list(self.langs), "recipe": self.recipe}


def plan_matrix(text: MatrixText, recipe: EngineRecipe, *, work: StrPath) -> ExperimentPlan:
    """What the matrix would take; does nothing."""
    trials = [text.trial(way, recipe) for way in text.ways]
    tests = [read_test_set(text.test, *way) for way in text.ways]
    plans = [plan_trials([trial], test, work) for trial, test in zip(trials, tests, strict=True)]
    return ExperimentPlan(tuple(row for plan in plans for row in plan.rows), str(work))


def translation_matrix(
    text: MatrixText,
    recipe: EngineRecipe,
    *,
    work: StrPath,
    pivots: Sequence[str] = (),
    n_threads: int = 1,
    progress: Progress | None = None,
) -> TranslationMatrix:
    """Train an engine for each direction that has a text, translate the test set with each, and through pivots.

    A direction without a text of its own is there through a pivot alone.
    """
    strangers = [pivot for pivot in pivots if pivot not in text.langs]
    if strangers:
        raise DataError(f"A pivot is one of the languages {', '.join(text.langs)}; {strangers[0]} is not.")
    desk = Trials(work, n_threads=n_threads, progress=progress)
    trials = {way: text.trial(way, recipe) for way in text.ways}
    directions: list[Direction] = []
    direct: dict[Way, list[str]] = {}
    for way, trial in trials.items():
        test = read_test_set(text.test, *way)
        direct[way] = desk.translate(trial, held_out_sides(test)[0])
        directions.append(_direction(way, "", trial, test, {"direct": direct[way]}, n_threads))
    for pivot in pivots:
        for source, target in permutations(text.langs, 2):
            first, second = trials.get((source, pivot)), trials.get((pivot, target))
            if pivot in (source, target) or first is None or second is None:
                continue
            test = read_test_set(text.test, source, target)
            between = desk.translate(first, held_out_sides(test)[0])
            outputs = {"pivot": desk.translate(second, between)}
            if (source, target) in direct:
                outputs["direct"] = direct[source, target]
            directions.append(_direction((source, target), pivot, first, test, outputs, n_threads))
    return TranslationMatrix(text.langs, tuple(directions), recipe.to_dict())


def _direction(
    way: Way, through: str, trial: Trial, test: TestSet, outputs: Mapping[str, Sequence[str]], n_threads: int
) -> Direction:
    """The scores of the first of these outputs, compared with the direct one, if that is another."""
    metrics = metrics_for(way[1])
    name = next(iter(outputs))
    whole = TestSet(refs=test.refs, systems=dict(outputs))
    sheet = score_test_set(whole, ScoreRecipe(metrics=metrics, ci=True), n_threads=n_threads)
    bleu, chrf, ter = (sheet.score(name, metric) for metric in metrics)
    direct = outputs.get("direct") if through else None
    delta, p = difference(test, direct, outputs[name], metrics[0], n_threads=n_threads)
    bitext = trial.text.bitexts[0]
    sources = [source for source, _ in bitext]
    unseen = unseen_words(held_out_sides(test)[0], sources, trial.recipe).tokens_percent
    n_pairs = None if through else len(sources)
    low, high = bleu.low or 0.0, bleu.high or 0.0
    return Direction(*way, through, n_pairs, bleu.value, low, high, chrf.value, ter.value, unseen, delta, p)
