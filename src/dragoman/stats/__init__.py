"""Is the difference real: intervals, paired tests, corrections for many comparisons, effect sizes. Arrays only."""

from dragoman.stats.arrays import Values
from dragoman.stats.base import PAIRED_TESTS, Comparison, Joint, PairedTest, paired_test
from dragoman.stats.compare import ComparedPair, Comparisons, compare_systems
from dragoman.stats.compat import sacrebleu_intervals
from dragoman.stats.effect import Effect, SmallestDifference, effect_size, smallest_difference
from dragoman.stats.interval import Interval, Proportion, bootstrap_interval, bootstrap_intervals, clopper_pearson
from dragoman.stats.multiple import CORRECTIONS, adjust, benjamini_hochberg, holm, max_t
from dragoman.stats.segments import sign_test
from dragoman.stats.two_samples import TwoSamples, rank_sum_test, welch_test

__all__ = [
    "CORRECTIONS",
    "PAIRED_TESTS",
    "ComparedPair",
    "Comparison",
    "Comparisons",
    "Effect",
    "Interval",
    "Joint",
    "PairedTest",
    "Proportion",
    "SmallestDifference",
    "TwoSamples",
    "Values",
    "adjust",
    "benjamini_hochberg",
    "bootstrap_interval",
    "bootstrap_intervals",
    "clopper_pearson",
    "compare_systems",
    "effect_size",
    "holm",
    "max_t",
    "paired_test",
    "rank_sum_test",
    "sacrebleu_intervals",
    "sign_test",
    "smallest_difference",
    "welch_test",
]
