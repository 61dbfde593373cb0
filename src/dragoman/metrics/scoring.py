"""Scoring: systems × metrics from one pass of statistics, at the level of corpus, domain, document or segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.lazy import later
from dragoman.metrics.base import METRICS, Metric, Rows, check_threads
from dragoman.metrics.references import RefStreams, ScoredText, as_test_set
from dragoman.metrics.score_cache import ScoreCache, gather, is_short
from dragoman.metrics.score_sheet import LEVELS, Level, ReferenceScores, ScoreSheet
from dragoman.metrics.specs import make_metrics
from dragoman.metrics.tokenised import warn_of_tokenised
from dragoman.options import Recipe, option
from dragoman.report import Progress, Sentence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = later("numpy")

__all__ = ["ScoreRecipe", "Statistics", "best_reference", "collect", "score", "score_test_set"]


@dataclass(frozen=True)
class ScoreRecipe(Recipe):
    """By which metrics to score, what gets a score, and with which intervals."""

    metrics: tuple[Metric | str, ...] = option(
        ("bleu",), of=METRICS, text="metric, perhaps with options (bleu:tokeniser=zh)"
    )
    level: Level = option("corpus", choices=LEVELS, text="what gets a score")
    ci: bool = option(False, text="95 % intervals by bootstrap")
    confidence: float = option(0.95, text="coverage of the intervals")
    trials: int = option(1000, low=1, text="bootstrap samples of --ci")
    seed: int = option(12345, low=0, text="seed of everything drawn")


@dataclass(frozen=True, eq=False)
class Statistics:
    """One metric's statistics of several systems on the same segments: what resampling works on."""

    metric: Metric
    systems: tuple[str, ...]
    rows: Rows  # (systems, segments, statistics)
    nrefs: int | None  # references a segment has; None where the number varies
    run: Mapping[str, object] = field(default_factory=dict)  # what else the signature tells

    def signature(self, **run: object) -> str:
        """The metric's signature, with the label in front; `run` adds to it (`seed=12345`, `bs=1000`)."""
        return f"{self.metric.label}|{self.metric.signature(self.nrefs, **{**self.run, **run})}"

    def scores(self) -> NDArray[np.float64]:
        """The corpus score of each system."""
        return self.metric.values(self.rows.sum(axis=1))


def collect(
    test_set: TestSet,
    metrics: Sequence[Metric | str] = ("bleu",),
    *,
    run: Mapping[str, object] | None = None,
    cache: ScoreCache | None = None,
    progress: Progress | None = None,
    n_threads: int = 1,
) -> list[Statistics]:
    """The statistics of every metric for all systems; the order of systems and metrics is kept.

    `run` is what the signatures shall tell beyond the metric: `{"test": "wmt13", "lang": "fr-en"}`. Long work is kept
    in the `cache`, if there is one, and told to `progress`.
    """
    chosen, text = _checked(test_set, metrics, n_threads)
    systems, nrefs = tuple(test_set.systems), text.refs.nrefs
    return [
        Statistics(work.metric, systems, work.rows(text), nrefs, dict(run or {}))
        for work in _works(chosen, text, cache, progress, n_threads)
    ]


def score(
    systems: Mapping[str, Sequence[str]],
    refs: RefStreams,
    srcs: Sequence[str] | None = None,
    *,
    metrics: Sequence[Metric | str] | Metric | str = ("bleu",),
    level: Level = "corpus",
    docs: Sequence[str] | None = None,
    domains: Sequence[str | None] | None = None,
    **work: Any,
) -> ScoreSheet:
    """Score systems by one or several metrics: `score({"mine": hyps}, [refs], metrics=["bleu", "chrf"])`.

    `refs` is a list of reference streams, `refs[r][i]`, or a mapping of names to streams; `None` stands where a
    reference lacks a segment. `level="document"` wants `docs`, each segment's document; `level="domain"` wants
    `domains`, and leaves segments without one out. What else there is to say, `score_test_set` takes.
    """
    test_set = as_test_set(systems, refs, srcs, docs=docs, domains=domains)
    return score_test_set(test_set, ScoreRecipe(metrics=tuple(make_metrics(metrics)), level=level), **work)


def score_test_set(
    test_set: TestSet,
    recipe: ScoreRecipe | None = None,
    *,
    run: Mapping[str, object] | None = None,
    cache: ScoreCache | None = None,
    progress: Progress | None = None,
    n_threads: int = 1,
) -> ScoreSheet:
    """Score all systems of a test set, whose layers make what metrics ask for.

    `run` is what the signatures shall tell beyond the metric. Long work is kept in the `cache`, if there is one, and
    told to `progress`. Intervals are for corpus scores, all systems and metrics on the same resamples of the segments.
    """
    recipe = (recipe or ScoreRecipe()).check()
    if recipe.ci:
        if recipe.level != "corpus":
            raise DataError(Sentence("ci: intervals are for scores of the whole corpus; choose the level corpus."))
        collected = collect(test_set, recipe.metrics, run=run, cache=cache, progress=progress, n_threads=n_threads)
        return _sheet_with_intervals(collected, recipe, n_threads)
    chosen, text = _checked(test_set, recipe.metrics, n_threads)
    groups = _groups(recipe.level, test_set)
    columns, signatures = [], []
    for work in _works(chosen, text, cache, progress, n_threads, for_segments=recipe.level == "segment"):
        columns.append(work.plain_scores(text, groups))
        signatures.append(f"{work.metric.label}|{work.metric.signature(text.refs.nrefs, **(run or {}))}")
    return ScoreSheet(
        level=recipe.level,
        systems=tuple(test_set.systems),
        metrics=tuple(metric.spec() for metric in chosen),
        labels=tuple(metric.label for metric in chosen),
        signatures=tuple(signatures),
        units=groups.names,
        scores=tuple(zip(*columns, strict=True)),
        n_segments=len(test_set),
        higher_is_better=tuple(metric.higher_is_better for metric in chosen),
    )


def _sheet_with_intervals(collected: Sequence[Statistics], recipe: ScoreRecipe, n_threads: int) -> ScoreSheet:
    from dragoman.stats import bootstrap_intervals

    for each in collected:
        if not each.metric.additive:
            raise DataError(f"{each.metric.label} is no function of sums over segments, so it has no interval.")
    draws: dict[str, Any] = {"level": recipe.confidence, "trials": recipe.trials, "seed": recipe.seed}
    intervals = [
        bootstrap_intervals(list(each.rows), each.metric.values, **draws, n_threads=n_threads) for each in collected
    ]

    def column(name: str) -> tuple[tuple[tuple[float, ...], ...], ...]:
        return tuple(tuple((getattr(one, name),) for one in each) for each in zip(*intervals, strict=True))

    return ScoreSheet(
        level="corpus",
        systems=collected[0].systems,
        metrics=tuple(each.metric.spec() for each in collected),
        labels=tuple(each.metric.label for each in collected),
        signatures=tuple(each.signature(bs=recipe.trials, seed=recipe.seed) for each in collected),
        units=("",),
        scores=column("score"),
        n_segments=collected[0].rows.shape[1],
        low=np.array(column("low")),
        high=np.array(column("high")),
        higher_is_better=tuple(each.metric.higher_is_better for each in collected),
        confidence=recipe.confidence,
    )


def best_reference(test_set: TestSet, metric: Metric | str = "bleu", *, n_threads: int = 1) -> ReferenceScores:
    """Score with each reference alone and with all together, and count where each is the best."""
    (chosen,), text = _checked(test_set, [metric], n_threads)
    work, single = _Work(chosen, n_threads=n_threads), chosen.for_segments()
    n_refs, n_systems = len(text.refs.streams), len(text.systems)
    alone = np.full((n_systems, n_refs), np.nan)
    by_segment = np.full((n_refs, n_systems, len(test_set)), -np.inf)
    present = text.refs.present.astype(bool)
    for r in range(n_refs):
        segments = np.flatnonzero(present[r]).tolist()
        if segments:
            part = text.only(segments, reference=r)
            alone[:, r] = work.scores(part, _whole(len(segments)))[:, 0]
            scores = single.values(single.batch_rows(part, n_threads))
            by_segment[r][:, segments] = scores if chosen.higher_is_better else -scores
    best = (by_segment == by_segment.max(axis=0)) & present[:, np.newaxis]
    counts = present.sum(axis=1)
    with np.errstate(invalid="ignore"):
        shares = best.sum(axis=2) / counts[:, np.newaxis]
    return ReferenceScores(
        metric=chosen.spec(),
        signature=f"{chosen.label}|{chosen.signature(text.refs.nrefs)}",
        systems=tuple(test_set.systems),
        references=text.refs.names,
        together=tuple(work.scores(text, _whole(len(test_set)))[:, 0].tolist()),
        alone=alone,
        shares=shares.T,
        n_segments=tuple(counts.tolist()),
    )


@dataclass(frozen=True)
class _Groups:
    """Which segments are scored together."""

    names: tuple[str | int, ...]
    numbers: Sequence[int] | None  # the group's number for each segment, −1 for none; None: each by itself
    whole: bool = False  # there is one group, of all segments


def _whole(n: int) -> _Groups:
    return _Groups(("",), [0] * n, whole=True)


def _groups(level: Level, test_set: TestSet) -> _Groups:
    if level == "corpus":
        return _whole(len(test_set))
    if level == "segment":
        return _Groups(tuple(range(1, len(test_set) + 1)), None)
    labels = test_set.docs if level == "document" else test_set.domains
    if labels is None:
        which = "docs" if level == "document" else "domains"
        raise DataError(f"Scores by {level} need {which}: one name for each segment.")
    numbers = {name: i for i, name in enumerate(dict.fromkeys(name for name in labels if name is not None))}
    return _Groups(tuple(numbers), [-1 if name is None else numbers[name] for name in labels])


@dataclass(frozen=True)
class _Work:
    """How the statistics of one metric are made: what is kept, who is told, after how many steps of how many."""

    metric: Metric
    cache: ScoreCache | None = None
    progress: Progress | None = None
    done: int = 0
    total: int = 0
    n_threads: int = 1

    def rows(self, text: ScoredText) -> Rows:
        """The statistics of all systems and segments."""
        return gather(
            self.metric,
            text,
            cache=self.cache,
            progress=self.progress,
            done=self.done,
            total=self.total,
            n_threads=self.n_threads,
        )

    def plain_scores(self, text: ScoredText, groups: _Groups) -> list[tuple[float, ...]]:
        """Scores of the groups, of each system; without NumPy where the core sums up."""
        if groups.whole and is_short(self.metric, text.systems, self.cache, self.progress):
            totals = self.metric.totals(text, self.n_threads)
            if totals is not None:
                if self.progress is not None:
                    for step in (0, len(text.systems)):
                        self.progress(self.done + step, self.total, "scoring")
                return [(self.metric.value(row),) for row in totals]
        return [tuple(row) for row in self.scores(text, groups).tolist()]

    def scores(self, text: ScoredText, groups: _Groups) -> NDArray[np.float64]:
        """Scores of the groups: array (systems, groups)."""
        numbers = None if groups.numbers is None else np.array(groups.numbers, dtype=np.int64)
        if not self.metric.additive and numbers is not None:
            return self._scores_one_by_one(text, numbers, len(groups.names))
        rows = self.rows(text)
        if numbers is None:
            return self.metric.values(rows)
        order = np.argsort(numbers, kind="stable")
        starts = np.searchsorted(numbers[order], np.arange(len(groups.names)))
        return self.metric.values(np.add.reduceat(rows[:, order], starts, axis=1))

    def _scores_one_by_one(self, text: ScoredText, numbers: NDArray[np.int64], n_groups: int) -> NDArray[np.float64]:
        scores = np.zeros((len(text.systems), n_groups))
        for g in range(n_groups):
            part = text.only(np.flatnonzero(numbers == g).tolist())
            for s, hyps in enumerate(part.systems):
                scores[s, g] = self.metric.corpus_value(hyps, part.refs, part.srcs, n_threads=self.n_threads)
        return scores


def _works(
    metrics: Sequence[Metric],
    text: ScoredText,
    cache: ScoreCache | None,
    progress: Progress | None,
    n_threads: int,
    *,
    for_segments: bool = False,
) -> list[_Work]:
    n = len(text.systems)
    used = [metric.for_segments() if for_segments else metric for metric in metrics]
    return [_Work(metric, cache, progress, m * n, len(used) * n, n_threads) for m, metric in enumerate(used)]


def _checked(test_set: TestSet, metrics: Sequence[Metric | str], n_threads: int) -> tuple[list[Metric], ScoredText]:
    check_threads(n_threads)
    if not test_set.systems:
        raise DataError("There are no systems to score.")
    chosen = make_metrics(metrics, test_set.layers)
    if not chosen:
        raise DataError("There are no metrics to score with; name at least one.")
    specs = [metric.spec() for metric in chosen]
    doubled = sorted({spec for spec in specs if specs.count(spec) > 1})
    if doubled:
        raise DataError(f"The metric {', '.join(doubled)} is asked for twice.")
    text = ScoredText.of(test_set)
    warn_of_tokenised(chosen, test_set.systems)
    if len(test_set) == 0:
        raise DataError("There are no segments to score: the references are empty.")
    lacking = [metric.spec() for metric in chosen if "srcs" in metric.needs and test_set.srcs is None]
    if lacking:
        raise DataError(f"The metric {', '.join(lacking)} needs the sources: name them with --src (in Python: srcs).")
    return chosen, text
