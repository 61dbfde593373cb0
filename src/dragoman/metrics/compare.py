"""Comparing systems: is the difference real, and where does it come from?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import combinations
from statistics import NormalDist
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dragoman.data.testset import TestSet
from dragoman.errors import DataError, UnknownName
from dragoman.metrics.base import METRICS, Metric
from dragoman.metrics.buckets import Breakdown, Tagged, by_frequency, by_label, by_length, by_tag, by_tagger
from dragoman.metrics.classer import BASE_LAYERS
from dragoman.metrics.comparison import ComparedSegments, Comparison, SystemPair, SystemScore
from dragoman.metrics.cut_texts import CutTexts
from dragoman.metrics.error_classes import error_profile
from dragoman.metrics.given_scores import GivenScores
from dragoman.metrics.ngram_contrast import NgramContrast, contrast_ngrams
from dragoman.metrics.references import ScoredText
from dragoman.metrics.score_cache import ScoreCache
from dragoman.metrics.score_sheet import ReferenceScores
from dragoman.metrics.scoring import Statistics, best_reference, collect
from dragoman.metrics.specs import make_metrics
from dragoman.options import Recipe, option
from dragoman.report import Progress, Table
from dragoman.stats import CORRECTIONS, PAIRED_TESTS, PairedTest, adjust, max_t, paired_test
from dragoman.stats import Comparison as TestAnswer
from dragoman.stats.arrays import Floats, Values, check_level, systems_of
from dragoman.stats.interval import percentile_interval
from dragoman.stats.replicates import bootstrap_scores
from dragoman.stats.segments import SegmentTest
from dragoman.text import Annotator, check_needs
from dragoman.text.layers import TAG_LAYERS, layer_annotator

__all__ = ["ComparisonRecipe", "compare", "refuse_not_additive"]

_POWER = 0.8  # of "the smallest difference this test set shows" (Cohen 1988)
_SEED = 12345
_MOST_LOOKED_AT = 20  # segments that metrics show as they see them
_MOST_CELLS = 1 << 26  # of an alignment for error classes, a byte each: 8,000 words against 8,000


@dataclass(frozen=True)
class ComparisonRecipe(Recipe):
    """What is compared, and how the differences are tested."""

    metrics: tuple[Metric | str, ...] = option(
        ("bleu", "chrf"), of=METRICS, text="metric, perhaps with options (bleu:tokeniser=zh)"
    )
    test: PairedTest | str = option(
        "bootstrap", of=PAIRED_TESTS, text="paired test, two-sided: bootstrap, randomisation, sign, wilcoxon …"
    )
    baseline: str | None = option(None, text="system that the others are compared with; the first if none is named")
    all_pairs: bool = option(False, text="test every pair, not only those with the baseline")
    trials: int | None = option(None, low=1, text="how many times to draw; the test's own number if not given")
    seed: int | None = option(None, low=0, text=f"seed of all draws; {_SEED} if not given")
    correction: str = option("holm", choices=CORRECTIONS, text="correction for the number of pairs")
    alpha: float = option(0.05, text="level of the tests")
    level: float = option(0.95, text="coverage of intervals")
    tokeniser: str = option("13a", text="cuts words for the buckets")
    breakdowns: bool = option(True, text="tables by length, frequency, document …, of n-grams and error classes")

    def check(self) -> Self:
        """Return the recipe if every option keeps its rule."""
        check_level(self.alpha, "alpha")
        check_level(self.level)
        return super().check()


def compare(
    test_set: TestSet,
    recipe: ComparisonRecipe | None = None,
    *,
    frequencies: Mapping[str, int] | None = None,
    tags: Tagged | None = None,
    scores: Sequence[GivenScores] = (),
    cache: ScoreCache | None = None,
    progress: Progress | None = None,
    n_threads: int = 1,
) -> Comparison:
    """Compare systems with a baseline, or all pairs of them.

    The recipe's tokeniser cuts words for the tables by length, by frequency, of error classes and of n-grams; the
    metrics cut as they always do. `frequencies` counts words in the training data; without it the references are
    counted. `tags` are the words of the first reference with their parts of speech. The layers of the test set say
    which annotators make what else metrics and tables ask for: `pos` (`hanta:lang=en`) finds parts of speech in the
    reference and in the output, `lemma` or `stem` the base forms of error classes. `scores` are those of segments by
    metrics of others (COMET, MetricX, people), treated like ours. Intervals are made with the recipe's
    trials, or 1,000. Long work is kept in the `cache`, if there is one, and told to `progress`.
    """
    recipe = (recipe or ComparisonRecipe()).check()
    test_set = _baseline_first(test_set, recipe.baseline)
    layers, trials, seed = test_set.layers, recipe.trials, recipe.seed
    alpha, level = recipe.alpha, recipe.level
    chosen = make_metrics(recipe.metrics, layers)
    refuse_not_additive(chosen)
    asked = _paired_test(recipe.test, trials, seed)
    tagger, base = (layer_annotator(layers, among) for among in (TAG_LAYERS, BASE_LAYERS))
    check_needs([each for each in (tagger, base) if each is not None])
    given = [each.statistics(tuple(test_set.systems), len(test_set), outputs=test_set.systems) for each in scores]
    _refuse_doubled(chosen, given)
    own = collect(test_set, chosen, cache=cache, progress=progress, n_threads=n_threads) if chosen or not given else []
    collected = [*own, *given]
    if len(test_set) < 2:
        raise DataError("One segment cannot be resampled: a comparison needs at least two. See its score instead.")

    resamples, own_seed = 1000 if trials is None else trials, _SEED if seed is None else seed
    by_system: list[SystemScore] = []
    pairs: list[SystemPair] = []
    every: list[SystemPair] = []
    by_segment: list[NDArray[np.float64]] = []
    note = ""
    for number, statistics in enumerate(collected):
        if progress is not None:
            progress(number, len(collected), "testing")
        single = _for_segments(statistics, test_set, n_threads)
        by_segment.append(single.metric.values(single.rows))
        tester = _Tester(statistics, single, asked, resamples, own_seed, alpha, level, n_threads)
        by_system += tester.scores()
        tested, every_adjusted, first_adjusted = tester.adjusted(recipe.correction)
        note = tested[0].note
        all_pairs = [tester.pair(k, tested[k], p) for k, p in enumerate(every_adjusted)]
        every += all_pairs
        pairs += all_pairs if recipe.all_pairs else [tester.pair(k, tested[k], p) for k, p in enumerate(first_adjusted)]

    breakdowns: tuple[Breakdown, ...] = ()
    contrasts: tuple[NgramContrast, ...] = ()
    by_reference: tuple[ReferenceScores, ...] = ()
    closer: tuple[Table, ...] = ()
    errors, left_out = None, ""
    if recipe.breakdowns:
        texts = CutTexts.of(test_set, recipe.tokeniser, n_threads=n_threads)
        labels = {"document": test_set.docs, "original language": test_set.origlangs, "domain": test_set.domains}
        breakdowns = _breakdowns(collected, texts, labels, frequencies, tags, tagger)
        contrasts = contrast_ngrams(texts)
        if len(test_set.refs) > 1:
            by_reference = tuple(best_reference(test_set, each.metric, n_threads=n_threads) for each in own)
        looks = [_segment_table(each.metric, test_set, by_segment[number]) for number, each in enumerate(own)]
        closer = tuple(each for each in looks if each is not None)
        left_out = _too_long_to_classify(texts)
        if not left_out:
            errors = error_profile(test_set, tokeniser=recipe.tokeniser, texts=texts, n_threads=n_threads)
    return Comparison(
        systems=tuple(test_set.systems),
        metrics=tuple(each.metric.spec() for each in collected),
        labels=tuple(each.metric.label for each in collected),
        signatures=tuple(each.signature() for each in collected),
        higher_is_better=tuple(each.metric.higher_is_better for each in collected),
        scores=tuple(by_system),
        pairs=tuple(pairs),
        all_pairs=tuple(every),
        breakdowns=breakdowns,
        ngrams=contrasts,
        references=by_reference,
        segment_tables=closer,
        errors=errors,
        left_out=left_out,
        segments=ComparedSegments(test_set, np.stack(by_segment)),
        test=asked.name,
        sides=asked.sidedness,
        test_options={key: value for key, value in asdict(asked).items() if key != "seed"},
        test_note=note,
        correction=recipe.correction,
        alpha=alpha,
        level=level,
        interval_trials=resamples,
        seed=own_seed,
    )


class _Tester:
    """All pairs of systems by one metric: tests, intervals and effect sizes."""

    def __init__(
        self,
        statistics: Statistics,
        single: Statistics,  # with the metric's rule for single segments
        test: PairedTest,
        resamples: int,
        seed: int,
        alpha: float,
        level: float,
        n_threads: int,
    ) -> None:
        self.statistics, self.test, self.alpha, self.level, self.seed = statistics, test, alpha, level, seed
        self.tested = single if isinstance(test, SegmentTest) else statistics
        self.names, self.metric, self.n_threads = statistics.systems, statistics.metric, n_threads
        # The baseline is first, so its pairs come first, and a later system is compared with an earlier one.
        self.pairs = [(later, earlier) for earlier, later in combinations(range(len(self.names)), 2)]
        self.replicates = bootstrap_scores(
            systems_of(list(statistics.rows), names=self.names),
            self.metric.values,
            trials=resamples,
            seed=seed,
            n_threads=n_threads,
        )
        self.values = statistics.scores()

    def scores(self) -> list[SystemScore]:
        """Each system's score with its interval."""
        scores = []
        for name, score, column in zip(self.names, self.values.tolist(), self.replicates.T, strict=True):
            interval = percentile_interval(score, column, level=self.level, seed=self.seed)
            scores.append(SystemScore(name, self.metric.spec(), score, interval.low, interval.high))
        return scores

    def adjusted(self, correction: str) -> tuple[list[TestAnswer], Floats, Floats]:
        """The tests of all pairs, p-values corrected for all of them, and for the baseline's alone."""
        rows, n_first = list(self.tested.rows), len(self.names) - 1
        values = self._better_is_higher()
        if correction == "max-t":
            joint = self.test.joint(rows, values, self.pairs, names=self.names, n_threads=self.n_threads)
            deltas, sides = [answer.delta for answer in joint.comparisons], self.test.sides
            every = max_t(deltas, joint.null, sides=sides)
            return joint.comparisons, every, max_t(deltas[:n_first], joint.null[:, :n_first], sides=sides)
        tested = self.test.compare_pairs(rows, values, self.pairs, names=self.names, n_threads=self.n_threads)
        p_values = [answer.p for answer in tested]
        return tested, adjust(p_values, correction), adjust(p_values[:n_first], correction)

    def pair(self, number: int, answer: TestAnswer, p_adjusted: float) -> SystemPair:
        """One pair, with the difference on the metric's own scale."""
        a, b = self.pairs[number]
        delta = float(self.values[a] - self.values[b])
        differences = self.replicates[:, a] - self.replicates[:, b]
        interval = percentile_interval(delta, differences, level=self.level, seed=self.seed)
        error = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
        normal = NormalDist()
        n = self.statistics.rows.shape[1]
        better = None
        if delta and p_adjusted <= self.alpha:
            better = self.names[a if (delta > 0) == self.metric.higher_is_better else b]
        return SystemPair(
            baseline=self.names[b],
            system=self.names[a],
            metric=self.metric.spec(),
            delta=delta,
            p=answer.p,
            p_adjusted=float(p_adjusted),
            low=interval.low,
            high=interval.high,
            wins=answer.wins,
            losses=answer.losses,
            ties=answer.ties,
            standardised=delta / (error * math.sqrt(n)) if error else None,
            smallest=(normal.inv_cdf(1 - self.alpha / self.test.sides) + normal.inv_cdf(_POWER)) * error,
            better=better,
        )

    def _better_is_higher(self) -> Values:
        values = self.tested.metric.values
        return values if self.metric.higher_is_better else lambda totals: -values(totals)


def _baseline_first(test_set: TestSet, baseline: str | None) -> TestSet:
    systems = test_set.systems
    if len(systems) < 2:
        raise DataError(f"A comparison needs at least two systems, got {len(systems)}.")
    if baseline is None:
        return test_set
    if baseline not in systems:
        raise UnknownName(f"No system is called {baseline!r}. Known: {', '.join(systems)}.")
    return replace(test_set, systems={baseline: systems[baseline], **systems})


def _refuse_doubled(chosen: Sequence[Metric], given: Sequence[Statistics]) -> None:
    names = [each.metric.spec() for each in given]
    taken = [metric.spec() for metric in chosen]
    doubled = sorted({name for name in names if name in taken or names.count(name) > 1})
    if doubled:
        raise DataError(f"Two metrics are called {', '.join(doubled)}; name given scores otherwise: NAME=PATH.")


def refuse_not_additive(metrics: Sequence[Metric]) -> None:
    """Refuse metrics whose score of resampled segments is not defined, with the reason."""
    refused = [metric.spec() for metric in metrics if not metric.additive]
    if refused:
        raise DataError(
            f"No paired test can be made with {', '.join(refused)}: its corpus score is no function of sums over "
            "segments (it is not additive), so resampled segments have no score. Leave it out here; `score` gives it."
        )


def _paired_test(test: PairedTest | str, trials: int | None, seed: int | None) -> PairedTest:
    if isinstance(test, PairedTest):
        if trials is not None or seed is not None:
            raise DataError("The test is made already; give trials and seed to it, or name the test.")
        return test
    # The intervals use the seed even where the test draws nothing, so it is never wrong to give one.
    draws = any(option.name == "seed" for option in fields(paired_test(test)))
    return paired_test(test, trials=trials, seed=seed if draws else None)


def _for_segments(statistics: Statistics, test_set: TestSet, n_threads: int) -> Statistics:
    """The statistics by the metric's rule for single segments (BLEU's effective order), where that is another."""
    single = statistics.metric.for_segments()
    if single == statistics.metric:
        return statistics
    return replace(statistics, metric=single, rows=single.batch_rows(ScoredText.of(test_set), n_threads))


def _segment_table(metric: Metric, test_set: TestSet, scores: NDArray[np.float64]) -> Table | None:
    """How a metric sees the segments where its scores of the systems lie furthest apart."""
    apart = np.ptp(scores, axis=0)
    segments = np.argsort(-apart, kind="stable")[:_MOST_LOOKED_AT]
    chosen = [int(each) for each in segments if apart[each] > 0]
    return metric.segment_table(ScoredText.of(test_set), list(test_set.systems), chosen) if chosen else None


def _too_long_to_classify(texts: CutTexts) -> str:
    """Why there are no error classes, where a segment is so long that their alignment would not end soon."""
    for name, (_, offsets) in texts.systems.items():
        for _, ref_offsets in texts.refs:
            cells = np.diff(offsets) * np.diff(ref_offsets)
            if cells.size and cells.max() > _MOST_CELLS:
                return (
                    f"No error classes: segment {int(cells.argmax()) + 1} of {name} is too long to align with its "
                    "reference. Cut the text into sentences."
                )
    return ""


def _breakdowns(
    collected: Sequence[Statistics],
    texts: CutTexts,
    labels: Mapping[str, Sequence[str | None] | None],
    frequencies: Mapping[str, int] | None,
    tags: Tagged | None,
    tagger: Annotator[str] | None,
) -> tuple[Breakdown, ...]:
    lengths = np.diff(texts.first[1]).tolist()
    breakdowns = [by_length(statistics, lengths) for statistics in collected]
    breakdowns.append(by_frequency(texts, frequencies))
    if tags is not None:
        breakdowns.append(by_tag(texts, tags))
    if tagger is not None:
        breakdowns.append(by_tagger(texts, tagger))
    for by, names in labels.items():
        if names is not None and any(name is not None for name in names):
            note = f"Segments of one {by} share subject and style; few of them make a score that moves a lot."
            breakdowns += [by_label(statistics, names, by=by, note=note) for statistics in collected]
    return tuple(breakdowns)
