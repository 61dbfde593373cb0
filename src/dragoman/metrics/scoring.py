"""Scoring: systems × metrics from one pass of statistics, at the level of corpus, domain, document or segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.lazy import later
from dragoman.metrics.base import Metric, Rows
from dragoman.metrics.kept import ScoreCache, gather, is_short
from dragoman.metrics.references import References, RefsInput, check_lines
from dragoman.metrics.results import Level, ReferenceScores, ScoreSheet
from dragoman.metrics.specs import make_metrics
from dragoman.report import Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = later("numpy")

__all__ = ["Statistics", "best_reference", "collect", "score", "score_with_intervals"]

Lines = Sequence[str]


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
    systems: Mapping[str, Lines],
    refs: RefsInput,
    srcs: Lines | None = None,
    *,
    metrics: Sequence[Metric | str] = ("bleu",),
    run: Mapping[str, object] | None = None,
    cache: ScoreCache | None = None,
    progress: Progress | None = None,
    n_threads: int = 1,
) -> list[Statistics]:
    """The statistics of every metric for all systems; the order of systems and metrics is kept.

    `run` is what the signatures shall tell beyond the metric: `{"test": "wmt13", "lang": "fr-en"}`. Long work is kept
    in the `cache`, if there is one, and told to `progress`.
    """
    chosen, references = _checked(systems, refs, srcs, metrics)
    outputs = list(systems.values())
    collected = []
    for number, metric in enumerate(chosen):
        work = _Work(cache, progress, number * len(outputs), len(chosen) * len(outputs), n_threads)
        rows = work.rows(metric, outputs, references, srcs)
        collected.append(Statistics(metric, tuple(systems), rows, references.nrefs, dict(run or {})))
    return collected


def score(
    systems: Mapping[str, Lines],
    refs: RefsInput,
    srcs: Lines | None = None,
    *,
    metrics: Sequence[Metric | str] = ("bleu",),
    level: Level = "corpus",
    docs: Sequence[str] | None = None,
    domains: Sequence[str | None] | None = None,
    resegmented: bool = False,
    hyp_docs: Mapping[str, Sequence[str]] | None = None,
    run: Mapping[str, object] | None = None,
    cache: ScoreCache | None = None,
    progress: Progress | None = None,
    n_threads: int = 1,
) -> ScoreSheet:
    """Score systems by one or several metrics.

    `refs` is a list of reference streams, `refs[r][i]`, or a mapping of names to streams; `None` stands where a
    reference lacks a segment. `level="document"` wants `docs`, each segment's document; `level="domain"` wants
    `domains`, and leaves segments without one out.

    `resegmented=True` first cuts each system's output, which may have any number of lines, into the references'
    segments (see `resegment`); `hyp_docs` then names the documents of each system's lines, if there are several.
    `run` is what the signatures shall tell beyond the metric. Long work is kept in the `cache`, if there is one, and
    told to `progress`.
    """
    run = dict(run or {})
    if resegmented:
        from dragoman.metrics.resegment import resegment

        systems = {
            name: resegment(
                lines,
                refs,
                docs=None if hyp_docs is None else docs,
                hyp_docs=None if hyp_docs is None else hyp_docs[name],
                n_threads=n_threads,
            ).segments
            for name, lines in systems.items()
        }
        run["seg"] = "mwer"
    chosen, references = _checked(systems, refs, srcs, metrics)
    check_parallel({"refs": references, "docs": docs, "domains": domains})
    groups = _groups(level, len(references), docs, domains)
    names, outputs = tuple(systems), list(systems.values())
    columns, signatures = [], []
    for number, metric in enumerate(chosen):
        used = metric.for_segments() if level == "segment" else metric
        work = _Work(cache, progress, number * len(outputs), len(chosen) * len(outputs), n_threads)
        columns.append(_plain_scores(used, outputs, references, srcs, groups, work))
        signatures.append(f"{used.label}|{used.signature(references.nrefs, **run)}")
    return ScoreSheet(
        level=level,
        systems=names,
        metrics=tuple(metric.spec() for metric in chosen),
        labels=tuple(metric.label for metric in chosen),
        signatures=tuple(signatures),
        units=groups.names,
        scores=tuple(zip(*columns, strict=True)),
        n_segments=len(references),
    )


def score_with_intervals(
    systems: Mapping[str, Lines],
    refs: RefsInput,
    srcs: Lines | None = None,
    *,
    metrics: Sequence[Metric | str] = ("bleu",),
    confidence: float = 0.95,
    trials: int = 1000,
    seed: int = 12345,
    cache: ScoreCache | None = None,
    progress: Progress | None = None,
    n_threads: int = 1,
) -> ScoreSheet:
    """Corpus scores with bootstrap intervals, all systems and metrics on the same resamples of the segments."""
    from dragoman.stats import bootstrap_intervals

    collected = collect(systems, refs, srcs, metrics=metrics, cache=cache, progress=progress, n_threads=n_threads)
    for each in collected:
        if not each.metric.additive:
            raise DataError(f"{each.metric.label} is no function of sums over segments, so it has no interval.")
    intervals = [
        bootstrap_intervals(
            list(each.rows), each.metric.values, level=confidence, trials=trials, seed=seed, n_threads=n_threads
        )
        for each in collected
    ]

    def column(name: str) -> tuple[tuple[tuple[float, ...], ...], ...]:
        return tuple(tuple((getattr(one, name),) for one in each) for each in zip(*intervals, strict=True))

    return ScoreSheet(
        level="corpus",
        systems=tuple(systems),
        metrics=tuple(each.metric.spec() for each in collected),
        labels=tuple(each.metric.label for each in collected),
        signatures=tuple(each.signature(bs=trials, seed=seed) for each in collected),
        units=("",),
        scores=column("score"),
        n_segments=collected[0].rows.shape[1],
        low=np.array(column("low")),
        high=np.array(column("high")),
    )


def best_reference(
    systems: Mapping[str, Lines],
    refs: RefsInput,
    srcs: Lines | None = None,
    *,
    metric: Metric | str = "bleu",
    n_threads: int = 1,
) -> ReferenceScores:
    """Score with each reference alone and with all together, and count where each is the best."""
    (chosen,), references = _checked(systems, refs, srcs, [metric])
    outputs = list(systems.values())
    n_refs, n_segments = len(references.streams), len(references)
    work = _Work(None, None, 0, 0, n_threads)
    together = _scores(chosen, outputs, references, srcs, _groups("corpus", n_segments, None, None), work)[:, 0]
    alone = np.full((len(outputs), n_refs), np.nan)
    by_segment = np.full((n_refs, len(outputs), n_segments), -np.inf)
    single = chosen.for_segments()
    for r in range(n_refs):
        own, kept = references.alone(r)
        if kept:
            hyps = [[lines[i] for i in kept] for lines in outputs]
            own_srcs = None if srcs is None else [srcs[i] for i in kept]
            corpus = _groups("corpus", len(kept), None, None)
            alone[:, r] = _scores(chosen, hyps, own, own_srcs, corpus, work)[:, 0]
            scores = single.values(single.stats_many(hyps, own, own_srcs, n_threads=n_threads))
            by_segment[r][:, kept] = scores if chosen.higher_is_better else -scores
    present = references.present.astype(bool)
    best = (by_segment == by_segment.max(axis=0)) & present[:, np.newaxis]
    counts = present.sum(axis=1)
    with np.errstate(invalid="ignore"):
        shares = best.sum(axis=2) / counts[:, np.newaxis]
    return ReferenceScores(
        metric=chosen.spec(),
        signature=f"{chosen.label}|{chosen.signature(references.nrefs)}",
        systems=tuple(systems),
        references=references.names,
        together=tuple(together.tolist()),
        alone=alone,
        shares=shares.T,
        n_segments=tuple(counts.tolist()),
    )


@dataclass(frozen=True)
class _Work:
    """How the statistics of one metric are made: what is kept, who is told, after how many steps of how many."""

    cache: ScoreCache | None
    progress: Progress | None
    done: int
    total: int
    n_threads: int

    def rows(self, metric: Metric, systems: Sequence[Lines], refs: References, srcs: Lines | None) -> Rows:
        return gather(
            metric,
            systems,
            refs,
            srcs,
            cache=self.cache,
            progress=self.progress,
            done=self.done,
            total=self.total,
            n_threads=self.n_threads,
        )


@dataclass(frozen=True)
class _Groups:
    """Which segments are scored together."""

    names: tuple[str | int, ...]
    numbers: Sequence[int] | None  # the group's number for each segment, −1 for none; None: each by itself
    whole: bool = False  # there is one group, of all segments

    @property
    def of_segment(self) -> NDArray[np.int64] | None:
        """The groups' numbers as an array."""
        return None if self.numbers is None else np.array(self.numbers, dtype=np.int64)


def _groups(level: Level, n: int, docs: Sequence[str] | None, domains: Sequence[str | None] | None) -> _Groups:
    if level == "corpus":
        return _Groups(("",), [0] * n, whole=True)
    if level == "segment":
        return _Groups(tuple(range(1, n + 1)), None)
    if level not in {"document", "domain"}:
        raise DataError(f"The level is corpus, domain, document or segment; got {level!r}.")
    labels = docs if level == "document" else domains
    if labels is None:
        which = "docs" if level == "document" else "domains"
        raise DataError(f"Scores by {level} need {which}: one name for each segment.")
    numbers = {name: i for i, name in enumerate(dict.fromkeys(name for name in labels if name is not None))}
    return _Groups(tuple(numbers), [-1 if name is None else numbers[name] for name in labels])


def _plain_scores(
    metric: Metric, systems: Sequence[Lines], refs: References, srcs: Lines | None, groups: _Groups, work: _Work
) -> list[tuple[float, ...]]:
    """Scores of the groups, of each system."""
    if groups.whole and is_short(metric, systems, work.cache, work.progress):
        totals = metric.totals(systems, refs, n_threads=work.n_threads)
        if totals is not None:
            if work.progress is not None:
                for step in (0, len(systems)):
                    work.progress(work.done + step, work.total, "scoring")
            return [(metric.value(row),) for row in totals]
    return [tuple(row) for row in _scores(metric, systems, refs, srcs, groups, work).tolist()]


def _scores(
    metric: Metric, systems: Sequence[Lines], refs: References, srcs: Lines | None, groups: _Groups, work: _Work
) -> NDArray[np.float64]:
    """Scores of the groups: array (systems, groups)."""
    numbers = groups.of_segment
    if not metric.additive and numbers is not None:
        return _scores_one_by_one(metric, systems, refs, srcs, groups, work.n_threads)
    rows = work.rows(metric, systems, refs, srcs)
    if numbers is None:
        return metric.values(rows)
    order = np.argsort(numbers, kind="stable")
    starts = np.searchsorted(numbers[order], np.arange(len(groups.names)))
    return metric.values(np.add.reduceat(rows[:, order], starts, axis=1))


def _scores_one_by_one(
    metric: Metric, systems: Sequence[Lines], refs: References, srcs: Lines | None, groups: _Groups, n_threads: int
) -> NDArray[np.float64]:
    scores = np.zeros((len(systems), len(groups.names)))
    for g in range(len(groups.names)):
        kept = [i for i, number in enumerate(groups.numbers or ()) if number == g]
        part = References(refs.names, tuple(tuple(stream[i] for i in kept) for stream in refs.streams))
        part_srcs = None if srcs is None else [srcs[i] for i in kept]
        for s, hyps in enumerate(systems):
            scores[s, g] = metric.corpus_value([hyps[i] for i in kept], part, part_srcs, n_threads=n_threads)
    return scores


def _checked(
    systems: Mapping[str, Lines], refs: RefsInput, srcs: Lines | None, metrics: Sequence[Metric | str]
) -> tuple[list[Metric], References]:
    if not isinstance(systems, Mapping):
        raise DataError(f"systems maps names to lines, as in {{'mine': lines}}; got {type(systems).__name__}.")
    if not systems:
        raise DataError("There are no systems to score.")
    chosen = make_metrics(metrics)
    if not chosen:
        raise DataError("There are no metrics to score with; name at least one.")
    specs = [metric.spec() for metric in chosen]
    doubled = sorted({spec for spec in specs if specs.count(spec) > 1})
    if doubled:
        raise DataError(f"The metric {', '.join(doubled)} is asked for twice.")
    references = References.of(refs)
    if len(references) == 0:
        raise DataError("There are no segments to score: the references are empty.")
    streams = {f"systems[{name}]": lines for name, lines in systems.items()}
    for name, lines in streams.items():
        check_lines(name, lines)
    check_parallel({**streams, **dict(zip(references.names, references.streams, strict=True)), "srcs": srcs})
    lacking = [metric.spec() for metric in chosen if "srcs" in metric.needs and srcs is None]
    if lacking:
        raise DataError(f"The metric {', '.join(lacking)} needs the sources: give srcs.")
    return chosen, references
