"""`rank`: from judgements to a ranking, with rank ranges and clusters when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dragoman.data.comparisons import Comparisons, compare_pairwise, judged_pairs
from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.ranking.assessments import Assessments, assessed_pairs, collect_assessments
from dragoman.ranking.base import Floats, Progress, RankingMethod, make_ranking
from dragoman.ranking.checks import check_comparable, check_scores, check_systems, reference_names
from dragoman.ranking.clusters import boundary_support, clusters_of, rank_ranges, ranks_of
from dragoman.ranking.resampling import Unit, check_unit
from dragoman.ranking.results import Boundary, RankedSystem, Ranking, Rankings
from dragoman.report import Sentence
from dragoman.rng import Stream
from dragoman.stats.arrays import check_level, check_trials

__all__ = ["comparisons_of", "rank", "rank_pairs"]

_LEAST_REPLICATES = 20  # fewer cannot hold 95 % without being all


def comparisons_of(
    judgements: Judgements | Comparisons, *, pair: str | None = None, blanks: str = "drop", references: str = "drop"
) -> Comparisons:
    """The pairwise outcomes to rank by: of one language pair, without human references unless they are kept."""
    found = (
        judgements if isinstance(judgements, Comparisons) else compare_pairwise(judgements, pair=pair, blanks=blanks)
    )
    if references not in ("drop", "keep"):
        raise DataError(f"references is {references!r}; expected drop or keep.")
    if isinstance(judgements, Judgements) and judgements.files:
        files = ", ".join(dict.fromkeys(file.path for file in judgements.files))
        found = replace(found, provenance={"files": files, **found.provenance})
    names = reference_names(found.systems)
    if names and references == "drop":
        kept = found.without(*names)
        return replace(kept, provenance={**found.provenance, "references_left_out": ", ".join(names)})
    return found


def rank(
    judgements: Judgements | Comparisons | Assessments,
    *,
    method: RankingMethod[Any] | str = "expected-wins",
    pair: str | None = None,
    systems: Sequence[str] | None = None,
    clusters: bool = False,
    replicates: int = 1000,
    unit: Unit = "screen",
    interval: str | None = None,
    level: float = 0.95,
    blanks: str = "drop",
    seed: int = 1,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> Ranking:
    """Rank the systems of one language pair.

    With `clusters`, the judgements are resampled `replicates` times by `unit`, a system's rank range holds at least
    `level` of its ranks (`interval`: shortest, or equal tails; each method has its own default), and ranges that
    overlap form a cluster. TrueSkill resamples by its own replays. Human references (`_ref`) are left out, but for the
    method that counts them as opponents.
    """
    chosen = make_ranking(method)
    check_level(level)
    check_unit(unit)
    Stream(seed)  # refuses what is no seed before the work begins
    data, references = _judgements(judgements, chosen, pair=pair, systems=systems, blanks=blanks)
    scores = chosen.scores(data, seed=seed, n_threads=n_threads) if not (clusters and chosen.replays) else None
    drawn = None
    if clusters:
        check_trials(replicates)
        if replicates < _LEAST_REPLICATES:
            raise DataError(f"Rank ranges need at least {_LEAST_REPLICATES} replicates, got {replicates}.")
        drawn = chosen.replicates(data, n=replicates, unit=unit, seed=seed, n_threads=n_threads, progress=progress)
    values = drawn.mean(axis=0) if scores is None and drawn is not None else scores.values  # type: ignore[union-attr]
    check_scores(values, data.systems)
    shown = [place for place, name in enumerate(data.systems) if name not in references]
    names = [data.systems[place] for place in shown]
    made = Ranking(
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
        return made
    how = {
        "replicates": replicates,
        "unit": "replay" if chosen.replays else unit,
        "resampled": "replays" if chosen.replays else Sentence("bootstrap samples by {unit}", unit=unit),
        "interval": interval or chosen.interval,
        "level": level,
    }
    return _with_clusters(made, names, _filled(drawn, values)[:, shown], how)


def rank_pairs(judgements: Judgements, *, progress: Progress | None = None, **options: Any) -> Rankings:
    """Rank the systems of every language pair in the judgements, each by itself; options as for `rank`."""
    assessed = judgements.schema.kind == "direct-assessment"
    pairs = assessed_pairs(judgements) if assessed else judged_pairs(judgements)
    if len(judgements) == 0:
        raise DataError("There are no judgements to rank by.")
    if not pairs:  # direct assessments whose file does not say
        return Rankings((rank(judgements, progress=progress, **options),))
    return Rankings(tuple(rank(judgements, pair=pair, progress=progress, **options) for pair in pairs))


def _judgements(
    judgements: Judgements | Comparisons | Assessments,
    method: RankingMethod[Any],
    *,
    pair: str | None,
    systems: Sequence[str] | None,
    blanks: str,
) -> tuple[Comparisons | Assessments, list[str]]:
    """What the method takes, checked, and the references among its systems, which are not ranked."""
    if method.takes == "assessments":
        if isinstance(judgements, Comparisons) or (
            isinstance(judgements, Judgements) and judgements.schema.kind != "direct-assessment"
        ):
            raise DataError(f"The method {method.name!r} ranks by direct assessments, not by relative rankings.")
        data = judgements if isinstance(judgements, Assessments) else collect_assessments(judgements, pair=pair)
        data = data.without(*reference_names(data.systems))
        if systems is not None:
            _check_known(systems, data.systems)
            data = data.without(*(name for name in data.systems if name not in systems))
        check_systems(data.systems, len(data))
        return data, []
    if isinstance(judgements, Assessments) or (
        isinstance(judgements, Judgements) and judgements.schema.kind == "direct-assessment"
    ):
        raise DataError(
            f"The method {method.name!r} ranks by relative rankings; for direct assessments use da-z or da-mean."
        )
    compared = comparisons_of(
        judgements, pair=pair, blanks=blanks, references="keep" if method.counts_reference else "drop"
    )
    references = reference_names(compared.systems)
    if systems is not None:
        _check_known(systems, compared.systems)
        compared = compared.only(*dict.fromkeys([*systems, *references]))
    if len(compared.systems) - len(references) == 1:
        check_systems(tuple(name for name in compared.systems if name not in references), len(compared))
    check_comparable(compared, counts_ties=method.counts_ties, label=method.label)
    return compared, references


def _check_known(systems: Sequence[str], known: tuple[str, ...]) -> None:
    strange = [name for name in systems if name not in known]
    if strange:
        raise DataError(f"No judgement names {', '.join(strange)}. Judged: {', '.join(known)}.")


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


def _with_clusters(made: Ranking, names: list[str], drawn: Floats, how: dict[str, Any]) -> Ranking:
    place = {name: number for number, name in enumerate(names)}
    ranks = ranks_of(drawn, higher_is_better=made.higher_is_better, seed=made.seed)
    ranks = ranks[:, [place[row.system] for row in made.rows]]
    settings = {"level": how["level"], "interval": how["interval"]}
    ranges = rank_ranges(ranks, **settings)
    numbers = clusters_of(ranges)
    support, draws = boundary_support(ranks, seed=made.seed, **settings)
    rows = tuple(
        replace(row, rank_low=low, rank_high=high, cluster=number)
        for row, (low, high), number in zip(made.rows, ranges, numbers, strict=True)
    )
    boundaries = tuple(
        Boundary(above.system, below.system, above.cluster != below.cluster, float(share))
        for above, below, share in zip(rows[:-1], rows[1:], support, strict=True)
    )
    return replace(made, rows=rows, clusters={**how, "support_draws": draws}, boundaries=boundaries)


def _provenance(data: Comparisons | Assessments) -> dict[str, Any]:
    found: dict[str, Any] = dict(data.provenance)
    found["annotators"] = len(np.unique(data.annotator))
    found["segments"] = len(np.unique(data.segment))
    if isinstance(data, Comparisons):
        found["comparisons"] = len(data)
        found["ties"] = int(np.count_nonzero(data.outcome == 0))
    return found


def _text(value: object) -> str | None:
    return None if value is None else str(value)
