"""`rank`: from judgements to a ranking, with rank ranges and clusters when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from dragoman.data.comparisons import Comparisons, compare_pairwise, judged_pairs
from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.ranking.assessments import Assessments, assessed_pairs, collect_assessments
from dragoman.ranking.base import RANKINGS, Floats, Progress, RankingMethod, make_ranking
from dragoman.ranking.checks import check_comparable, check_scores, check_systems, reference_names
from dragoman.ranking.clusters import boundary_support, clusters_of, rank_ranges, ranks_of
from dragoman.ranking.ranked_systems import Boundary, RankedSystem, Ranking, Rankings
from dragoman.ranking.resampling import UNITS, Unit
from dragoman.report import Sentence
from dragoman.stats.arrays import check_level

__all__ = ["RankingRecipe", "comparisons_of", "rank", "rank_pairs"]

_LEAST_REPLICATES = 20  # fewer cannot hold 95 % without being all


def comparisons_of(
    judgements: Judgements | Comparisons, *, pair: str | None = None, blanks: str = "drop", references: str = "drop"
) -> Comparisons:
    """The pairwise outcomes to rank by: of one language pair, without human references unless they are kept."""
    outcomes = (
        judgements if isinstance(judgements, Comparisons) else compare_pairwise(judgements, pair=pair, blanks=blanks)
    )
    if references not in ("drop", "keep"):
        raise DataError(f"references is {references!r}; expected drop or keep.")
    if isinstance(judgements, Judgements) and judgements.files:
        files = ", ".join(dict.fromkeys(file.path for file in judgements.files))
        outcomes = replace(outcomes, provenance={"files": files, **outcomes.provenance})
    names = reference_names(outcomes.systems)
    if names and references == "drop":
        provenance = {**outcomes.provenance, "references_left_out": ", ".join(names)}
        return replace(outcomes.without(*names), provenance=provenance)
    return outcomes


@dataclass(frozen=True)
class RankingRecipe(Recipe):
    """By which method systems are ranked, and how far their ranks are certain."""

    method: RankingMethod[Any] | str | None = option(
        None,
        of=RANKINGS,
        text="ranking method, perhaps with options (gaussian-skill:runs=100); "
        "expected-wins if not given, da-z for direct assessments",
    )
    systems: tuple[str, ...] = option((), text="rank only this system")
    clusters: bool = option(False, text="rank ranges by resampling, and clusters that do not overlap")
    unit: Unit | None = option(
        None, choices=UNITS, text="what is resampled together; screen if not given, judgement for --choose"
    )
    interval: str | None = option(
        None,
        choices=("shortest", "equal"),
        text="rank ranges: the fewest ranks that hold the level, or equal tails; as the method's paper if not given",
    )
    level: float = option(0.95, text="share of resamples that a range holds")
    replicates: int = option(1000, low=1, text="resamples")
    blanks: str = option(
        "drop",
        choices=("drop", "best"),
        text="a rank left blank is not a judgement; best reproduces WMT 2012's slip",
    )
    seed: int = option(1, low=0, text="seed of everything left to chance")

    def check(self) -> Self:
        """Return the recipe if every option keeps its rule."""
        check_level(self.level)
        return super().check()


def rank(
    judgements: Judgements | Comparisons | Assessments,
    recipe: RankingRecipe | None = None,
    *,
    pair: str | None = None,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> Ranking:
    """Rank the systems of one language pair.

    With `clusters`, the judgements are resampled `replicates` times by `unit`, a system's rank range holds at least
    `level` of its ranks (`interval`: shortest, or equal tails; each method has its own default), and ranges that
    overlap form a cluster. Gaussian skill resamples by its own replays. Human references (`_ref`) are left out, but for
    the method that counts them as opponents.
    """
    recipe = (recipe or RankingRecipe()).check()
    chosen = make_ranking(_usual_method(judgements) if recipe.method is None else recipe.method)
    clusters, replicates, seed, unit = recipe.clusters, recipe.replicates, recipe.seed, recipe.unit or "screen"
    data, references = _judgements(judgements, chosen, recipe, pair)
    scores = chosen.scores(data, seed=seed, n_threads=n_threads) if not (clusters and chosen.replays) else None
    drawn = None
    if clusters:
        if replicates < _LEAST_REPLICATES:
            raise DataError(f"Rank ranges need at least {_LEAST_REPLICATES} replicates, got {replicates}.")
        drawn = chosen.replicates(data, n=replicates, unit=unit, seed=seed, n_threads=n_threads, progress=progress)
    values = drawn.mean(axis=0) if scores is None and drawn is not None else scores.values  # type: ignore[union-attr]
    check_scores(values, data.systems)
    shown = [place for place, name in enumerate(data.systems) if name not in references]
    names = [data.systems[place] for place in shown]
    ranking = Ranking(
        rows=_rows(names, values[shown], higher_is_better=chosen.higher_is_better),
        method=chosen.signature(),
        label=chosen.label,
        pair=pair or _text(data.provenance.get("pair")),
        higher_is_better=chosen.higher_is_better,
        seed=seed,
        notes=scores.notes if scores else (),
        details=dict(scores.details) if scores else {},
        provenance=_provenance(data),
    )
    if drawn is None:
        return ranking
    how = {
        "replicates": replicates,
        "unit": "replay" if chosen.replays else unit,
        "resampled": "replays" if chosen.replays else Sentence("bootstrap samples by {unit}", unit=unit),
        "interval": recipe.interval or chosen.interval,
        "level": recipe.level,
    }
    return _with_clusters(ranking, names, _filled(drawn, values)[:, shown], how)


def rank_pairs(
    judgements: Judgements,
    recipe: RankingRecipe | None = None,
    *,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> Rankings:
    """Rank the systems of every language pair in the judgements, each by itself."""
    pairs: Sequence[str | None] = (assessed_pairs if _is_assessed(judgements) else judged_pairs)(judgements)
    if len(judgements) == 0:
        raise DataError("There are no judgements to rank by.")
    pairs = pairs or [None]  # direct assessments whose file does not say
    ranked = (rank(judgements, recipe, pair=pair, n_threads=n_threads, progress=progress) for pair in pairs)
    return Rankings(tuple(ranked))


def _is_assessed(judgements: Judgements | Comparisons | Assessments) -> bool:
    kind = judgements.schema.kind if isinstance(judgements, Judgements) else ""
    return isinstance(judgements, Assessments) or kind == "direct-assessment"


def _usual_method(judgements: Judgements | Comparisons | Assessments) -> str:
    return "da-z" if _is_assessed(judgements) else "expected-wins"


def _judgements(
    judgements: Judgements | Comparisons | Assessments,
    method: RankingMethod[Any],
    recipe: RankingRecipe,
    pair: str | None,
) -> tuple[Comparisons | Assessments, list[str]]:
    """What the method takes, checked, and the references among its systems, which are not ranked."""
    systems = recipe.systems
    if method.takes == "assessments":
        if isinstance(judgements, Comparisons) or not _is_assessed(judgements):
            raise DataError(f"The method {method.name!r} ranks by direct assessments, not by relative rankings.")
        data = judgements if isinstance(judgements, Assessments) else collect_assessments(judgements, pair=pair)
        data = data.without(*reference_names(data.systems))
        if systems:
            _check_known(systems, data.systems)
            data = data.without(*(name for name in data.systems if name not in systems))
        check_systems(data.systems, len(data))
        return data, []
    if isinstance(judgements, Assessments) or _is_assessed(judgements):
        raise DataError(
            f"The method {method.name!r} ranks by relative rankings; for direct assessments use da-z or da-mean."
        )
    compared = comparisons_of(
        judgements, pair=pair, blanks=recipe.blanks, references="keep" if method.counts_reference else "drop"
    )
    references = reference_names(compared.systems)
    if systems:
        _check_known(systems, compared.systems)
        compared = compared.only(*dict.fromkeys([*systems, *references]))
    if len(compared.systems) - len(references) == 1:
        check_systems(tuple(name for name in compared.systems if name not in references), len(compared))
    check_comparable(compared, counts_ties=method.counts_ties, label=method.label)
    return compared, references


def _check_known(systems: Sequence[str], judged: tuple[str, ...]) -> None:
    strange = [name for name in systems if name not in judged]
    if strange:
        raise DataError(f"No judgement names {', '.join(strange)}. Judged: {', '.join(judged)}.")


def _rows(names: list[str], values: Floats, *, higher_is_better: bool) -> tuple[RankedSystem, ...]:
    turned = -values if higher_is_better else values
    rounded = np.round(turned, 12)  # scores that differ by rounding alone are equal
    order = sorted(range(len(names)), key=lambda place: (rounded[place], names[place]))
    ranks = 1 + np.array([np.count_nonzero(rounded < rounded[place]) for place in order])
    return tuple(
        RankedSystem(names[place], float(values[place]), int(its)) for place, its in zip(order, ranks, strict=True)
    )


def _filled(drawn: Floats, values: Floats) -> Floats:
    """Replicates in which every system has a score: one that was not drawn keeps the score it has."""
    return np.where(np.isnan(drawn), values, drawn)


def _with_clusters(ranking: Ranking, names: list[str], drawn: Floats, how: dict[str, Any]) -> Ranking:
    place = {name: number for number, name in enumerate(names)}
    ranks = ranks_of(drawn, higher_is_better=ranking.higher_is_better, seed=ranking.seed)
    ranks = ranks[:, [place[row.system] for row in ranking.rows]]
    settings = {"level": how["level"], "interval": how["interval"]}
    ranges = rank_ranges(ranks, **settings)
    numbers = clusters_of(ranges)
    support, draws = boundary_support(ranks, seed=ranking.seed, **settings)
    rows = tuple(
        replace(row, rank_low=low, rank_high=high, cluster=number)
        for row, (low, high), number in zip(ranking.rows, ranges, numbers, strict=True)
    )
    boundaries = tuple(
        Boundary(above.system, below.system, above.cluster != below.cluster, float(share))
        for above, below, share in zip(rows[:-1], rows[1:], support, strict=True)
    )
    return replace(ranking, rows=rows, clusters={**how, "support_draws": draws}, boundaries=boundaries)


def _provenance(data: Comparisons | Assessments) -> dict[str, Any]:
    origin: dict[str, Any] = dict(data.provenance)
    origin["annotators"] = len(np.unique(data.annotator))
    origin["segments"] = len(np.unique(data.segment))
    if isinstance(data, Comparisons):
        origin["comparisons"] = len(data)
        origin["ties"] = int(np.count_nonzero(data.outcome == 0))
    return origin


def _text(value: object) -> str | None:
    return None if value is None else str(value)
