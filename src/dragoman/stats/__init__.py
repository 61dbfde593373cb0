"""Is the difference real: intervals, paired tests, corrections for many comparisons, effect sizes. Arrays only."""

from dragoman.stats.base import PAIRED_TESTS, Comparison, Joint, PairedTest, paired_test
from dragoman.stats.compat import sacrebleu_intervals
from dragoman.stats.interval import Interval, Proportion, bootstrap_interval, bootstrap_intervals, clopper_pearson

__all__ = [
    "PAIRED_TESTS",
    "Comparison",
    "Interval",
    "Joint",
    "PairedTest",
    "Proportion",
    "bootstrap_interval",
    "bootstrap_intervals",
    "clopper_pearson",
    "paired_test",
    "sacrebleu_intervals",
]
