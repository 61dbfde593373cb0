"""Which metric to trust: every metric's agreement with people, with tests between metrics."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from dragoman.errors import DataError, UnknownName
from dragoman.metrics.base import METRICS
from dragoman.metrics.meta.agreement import Agreement, MetaEvaluation, MetricTests
from dragoman.metrics.meta.inputs import (
    Floats,
    HumanInput,
    HumanRankings,
    ScoresOf,
    level_of,
    score_table,
    system_means,
)
from dragoman.metrics.meta.recipe import MetaRecipe
from dragoman.metrics.meta.segment import (
    DA_MEASURES,
    assessment_rows,
    compare_on_rows,
    measure_assessments,
    measure_pairs,
    pairs_of_rankings,
    pairs_of_scores,
    tau_values,
)
from dragoman.metrics.meta.system import SYSTEM_MEASURES, Chance, Measured, Tested, compare_on_systems, measure_systems
from dragoman.report import Sentence
from dragoman.stats.concordance import TAU_VARIANTS
from dragoman.stats.correlation import complete, pearson
from dragoman.stats.williams import significance_clusters

__all__ = ["meta_evaluate"]


def meta_evaluate(
    scores: Mapping[str, ScoresOf],
    human: HumanInput,
    recipe: MetaRecipe | None = None,
    *,
    segment_scores: Mapping[str, ScoresOf] | None = None,
    segment_human: ScoresOf | None = None,
    own: Collection[str] = (),
    provenance: Mapping[str, Any] | None = None,
    n_threads: int = 1,
) -> MetaEvaluation:
    """How well metrics agree with people, on systems or on segments.

    `scores` maps metrics to scores of systems; `human` is scores of systems by people, or their rankings. At level
    `sys` rankings become scores by the recipe's `method`; at level `seg` they are compared pair by pair with the τ of
    its `variant`. Direct assessments by segment are correlated as they are, or, with a `variant`, turned into pairs
    `threshold` points or more apart; their correlations are over all translations, or means over `group`: `item`
    (segments) or `sys`. `by` names the measure that orders the table and is tested. `segment_scores` and
    `segment_human` add soft pairwise accuracy at level `sys`. `own` marks rows.
    """
    recipe = (recipe or MetaRecipe()).check()
    if not scores:
        raise DataError("There are no metrics to look at.")
    lower, higher = recipe.lower_is_better, recipe.higher_is_better
    for what, names in (("lower_is_better", lower), ("higher_is_better", higher), ("own", own)):
        strange = [name for name in names if name not in scores]
        if strange:
            raise UnknownName(f"{what} names {', '.join(strange)}, but the metrics are {', '.join(scores)}.")
    run = _Run(scores, human, recipe, n_threads, dict(provenance or {}))
    if run.level == "sys":
        run.systems_level(segment_scores, segment_human)
    elif isinstance(human, HumanRankings) or recipe.variant is not None:
        run.pairs_level()
    else:
        run.assessments_level(human)
    return run.result(frozenset(own))


class _Run:
    """One evaluation on its way: what was measured and tested so far."""

    def __init__(
        self,
        scores: Mapping[str, ScoresOf],
        human: HumanInput,
        recipe: MetaRecipe,
        n_threads: int,
        provenance: dict[str, Any],
    ) -> None:
        self.scores, self.human, self.recipe, self.provenance = scores, human, recipe, provenance
        self.level = recipe.level or level_of(scores, human)
        self.errors = {name for name in scores if name not in recipe.higher_is_better and _is_error_rate(name)}
        self.errors |= set(recipe.lower_is_better)
        self.chance = Chance(recipe.trials, recipe.seed, recipe.alpha, recipe.confidence, n_threads)
        if isinstance(human, HumanRankings):
            self.systems = human.systems
            self.provenance = {**human.provenance, **provenance}
        else:
            self.systems = tuple(system for system, entry in human.items() if entry is not None)
        if len(self.systems) < 2:
            raise DataError(f"People judged {len(self.systems)} systems; agreement needs at least two.")
        scored = list(dict.fromkeys(system for own in scores.values() for system in own))
        if not set(scored) & set(self.systems):
            raise DataError(
                f"Metrics and people speak of different systems. Metrics: {_some(scored)}. "
                f"People: {_some(self.systems)}."
            )
        self.not_judged = tuple(system for system in scored if system not in self.systems)
        self.by, self.unit, self.clusters_made = "", "", True
        self.measured: dict[str, Measured] = {}
        self.tested: Tested | None = None
        self.points: dict[str, tuple[tuple[str, float, float], ...]] = {}
        self.notes: list[str] = []

    def systems_level(self, segment_scores: Mapping[str, ScoresOf] | None, segment_human: ScoresOf | None) -> None:
        by, df = self.recipe.by or "pearson", self.recipe.df
        segments: dict[str, tuple[Floats, Floats]] = {}
        soft = segment_scores is not None and segment_human is not None
        self._measure(by, (*SYSTEM_MEASURES, *(["soft_accuracy"] if soft else [])), "systems")
        if isinstance(self.human, HumanRankings):
            people: ScoresOf = self.human.system_scores(self.recipe.method)
            self.provenance["human_score"] = self.recipe.method
        else:
            people = self.human
        human = score_table(system_means(people), self.systems, None, "people")
        tables = {name: score_table(own, self.systems, None, name) for name, own in self.scores.items()}
        self.points = {
            name: tuple(
                (system, float(h), float(m))
                for system, h, m in zip(self.systems, human, table, strict=True)
                if not (np.isnan(h) or np.isnan(m))
            )
            for name, table in tables.items()
        }
        tables = {name: self._oriented(name, table, human) for name, table in tables.items()}
        if segment_scores is not None and segment_human is not None:
            segments = self._segments(segment_scores, segment_human)
            judged = next((~np.isnan(table).any(axis=0) for table, _ in segments.values()), np.zeros(0))
            on = "Soft accuracy is on the {n} segments that have judgements of all systems."
            self.notes.append(Sentence(on, n=int(judged.sum())))
        for name, table in tables.items():
            self.measured[name] = measure_systems(human, table, by, self.chance, segments=segments.get(name))
        self.tested = compare_on_systems(human, tables, by, self.recipe.correction, df, self.chance)
        if self.tested is not None and self.tested.name == "Williams":
            self.provenance["df"] = df
        if by == "pearson" and self.tested is None and len(tables) > 1:
            self.notes.append(Sentence("Williams' test needs at least four systems."))

    def _segments(self, scores: Mapping[str, ScoresOf], human: ScoresOf) -> dict[str, tuple[Floats, Floats]]:
        """Segment scores of people and of each metric that has them."""
        n = _n_segments(human, "people")
        people = score_table(human, self.systems, n, "people")
        tables = {}
        for name in self.scores:
            if name in scores:
                table = score_table(scores[name], self.systems, n, name)
                tables[name] = (people, -table if name in self.errors else table)
        return tables

    def pairs_level(self) -> None:
        variant, threshold = self.recipe.variant or "wmt14", self.recipe.threshold
        if variant not in TAU_VARIANTS:
            raise UnknownName(f"No τ variant is called {variant!r}. Known: {', '.join(TAU_VARIANTS)}.")
        self._measure(self.recipe.by or "tau", ("tau",), "pairs")
        if isinstance(self.human, HumanRankings):
            pairs = pairs_of_rankings(self.human)
        else:
            n = _n_segments(self.human, "people")
            pairs = pairs_of_scores(score_table(self.human, self.systems, n, "people"), threshold)
            self.provenance["threshold"] = threshold
        self.provenance |= {
            "variant": variant,
            "ties": TAU_VARIANTS[variant].source,
            "human_ties": int(np.count_nonzero(pairs.outcome == 0)),
        }
        rows = {}
        for name, own in self.scores.items():
            table = score_table(own, self.systems, _n_segments(own, name), name)
            self.measured[name], rows[name] = measure_pairs(
                pairs, -table if name in self.errors else table, variant, self.chance
            )
            if self.recipe.absolute and (self.measured[name].values["tau"] or 0) < 0:
                self.errors ^= {name}
                self.measured[name], rows[name] = measure_pairs(
                    pairs, -table if name in self.errors else table, variant, self.chance
                )
        self.tested = compare_on_rows(rows, tau_values, self.recipe.correction, self.chance)

    def assessments_level(self, people: ScoresOf) -> None:
        by, group = self.recipe.by or "pearson", self.recipe.group
        self._measure(by, DA_MEASURES, "translations")
        self.provenance["group"] = group
        n = _n_segments(people, "people")
        human = score_table(people, self.systems, n, "people")
        tables = {name: score_table(own, self.systems, n, name) for name, own in self.scores.items()}
        tables = {name: self._oriented(name, table, human) for name, table in tables.items()}
        for name, table in tables.items():
            self.measured[name] = measure_assessments(human, table, by, group, self.chance)
        self.tested = self._test_assessments(by, human, tables)
        if self.tested is None and len(tables) > 1 and group == "none" and by in ("spearman", "kendall"):
            self.notes.append(Sentence("No test between metrics is made by {by}; see pearson or accuracy_eq.", by=by))

    def _test_assessments(self, by: str, human: Floats, tables: Mapping[str, Floats]) -> Tested | None:
        """Metrics compared on the translations that all of them scored."""
        common = complete(human, *tables.values())
        if common.sum() < 2:
            return None
        rows = {}
        for name, table in tables.items():
            shared = np.where(common, table, np.nan)
            if self.measured[name].values[by] is None or np.ptp(shared[common]) == 0 or np.ptp(human[common]) == 0:
                return None
            tested = assessment_rows(np.where(common, human, np.nan), shared, by, self.recipe.group)
            if tested is None:
                return None
            rows[name], values = tested
        if len({self.measured[name].n for name in tables}) > 1:
            on = "Metrics were tested on the {n} translations that all of them scored."
            self.notes.append(Sentence(on, n=int(common.sum())))
        return compare_on_rows(rows, values, self.recipe.correction, self.chance)

    def _measure(self, by: str, measures: tuple[str, ...], unit: str) -> None:
        if by not in measures:
            raise UnknownName(f"The table cannot be ordered by {by!r} here. Known: {', '.join(measures)}.")
        self.by, self.unit = by, unit

    def _oriented(self, name: str, table: Floats, human: Floats) -> Floats:
        table = -table if name in self.errors else table
        both = complete(human, table)
        if self.recipe.absolute and pearson(human[both], table[both]) < 0:
            self.errors ^= {name}
            return -table
        return table

    def result(self, own: frozenset[str]) -> MetaEvaluation:
        """The metrics best first, with ranks and clusters; those without a value come last and have neither."""
        names = list(self.scores)
        values = {name: self.measured[name].values[self.by] for name in names}
        ordered = sorted(names, key=lambda name: (values[name] is None, -(values[name] or 0.0), names.index(name)))
        placed = [name for name in ordered if values[name] is not None]
        clusters: dict[str, int] = {}
        tests = None
        if self.tested is not None:
            p = self.tested.p_adjusted
            numbers = significance_clusters([names.index(name) for name in placed], p, alpha=self.chance.alpha)
            clusters = dict(zip(placed, numbers, strict=True))
            places = [names.index(name) for name in ordered]
            drawn = self.tested.name != "Williams"
            tests = MetricTests(
                self.tested.name,
                tuple(ordered),
                self.tested.p[np.ix_(places, places)],
                p[np.ix_(places, places)],
                self.recipe.correction,
                self.chance.alpha,
                {"trials": self.chance.trials, "seed": self.chance.seed} if drawn else {},
            )
        agreements = []
        for name in ordered:
            one, value = self.measured[name], values[name]
            rank = None if value is None else 1 + sum((values[other] or 0.0) > value for other in placed)
            missing = tuple(system for system in self.systems if self.scores[name].get(system) is None)
            agreements.append(
                Agreement(
                    name,
                    one.values,
                    one.low,
                    one.high,
                    one.n,
                    one.n_of,
                    rank,
                    clusters.get(name),
                    name in self.errors,
                    name in own,
                    missing,
                )
            )
        return MetaEvaluation(
            level=self.level,
            by=self.by,
            agreements=tuple(agreements),
            tests=tests,
            systems=self.systems,
            not_judged=self.not_judged,
            unit=self.unit,
            points=self.points,
            provenance={**self.provenance, "trials": self.chance.trials, "seed": self.chance.seed},
            notes=tuple(self._remarks(agreements)),
        )

    def _remarks(self, agreements: list[Agreement]) -> list[str]:
        """What a reader of the table must know."""
        remarks: list[str] = [Sentence("{n} systems were judged.", n=len(self.systems))]
        shown_by = "pearson" if "accuracy" in self.by else self.by  # an accuracy is never below 0
        negative = [each for each in agreements if (each.values.get(shown_by) or 0) < 0]
        named = {
            "Scores are missing, so n differs: {names}.": [each.metric for each in agreements if each.missing],
            "Scored but not judged, and left out: {names}.": list(self.not_judged),
            "Lower is better, so negated: {names}.": [each.metric for each in agreements if each.lower_is_better],
            "Negative: {names}; if lower is better there, declare it.": [
                each.metric for each in negative if not each.lower_is_better
            ],
            "Negative, though lower is taken to be better: {names}.": [
                each.metric for each in negative if each.lower_is_better
            ],
            "Not defined (too few scores, or all equal): {names}.": [
                each.metric for each in agreements if each.values[self.by] is None
            ],
        }
        remarks += [Sentence(pattern, names=", ".join(names)) for pattern, names in named.items() if names]
        return remarks + self.notes


def _is_error_rate(name: str) -> bool:
    """Whether a metric of this package of that name, or specification, is an error rate."""
    plain = name.partition(":")[0].lower()
    return plain in METRICS.names() and not METRICS.get(plain).higher_is_better


def _n_segments(scores: ScoresOf, what: str) -> int:
    lengths = {len(entry) for entry in scores.values() if entry is not None and hasattr(entry, "__len__")}
    if len(lengths) != 1:
        raise DataError(
            f"{what} must have lists of one length, one entry a segment, got lengths {sorted(lengths) or 'none'}."
        )
    return lengths.pop()


def _some(names: Collection[str]) -> str:
    shown = list(names)[:4]
    return ", ".join(shown) + (" …" if len(names) > len(shown) else "")
