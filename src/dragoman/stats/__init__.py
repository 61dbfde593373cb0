"""Is the difference real: intervals, paired tests, corrections for many comparisons, effect sizes. Arrays only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.stats.agreement import (
        Coefficient,
        PairCounts,
        cohen_kappa,
        count_pairs,
        fleiss_kappa,
        kappa_of,
        landis_koch,
        outcome_kappa,
        paired_r,
        score_bins,
        scott_pi,
        tied_chance,
    )
    from dragoman.stats.alpha import krippendorff_alpha, long_form
    from dragoman.stats.arrays import Values
    from dragoman.stats.base import PAIRED_TESTS, Comparison, Joint, PairedTest, paired_test
    from dragoman.stats.compare import ComparedPair, Comparisons, compare_systems
    from dragoman.stats.compat import sacrebleu_intervals
    from dragoman.stats.concordance import TAU_VARIANTS, calibrated_accuracy, pair_tau
    from dragoman.stats.correlation import CORRELATIONS, correlate, kendall, pairwise_accuracy, pearson, spearman
    from dragoman.stats.correlation_tests import compare_correlations, permute_correlations, win_share
    from dragoman.stats.delta_avg import delta_avg
    from dragoman.stats.effect import Effect, SmallestDifference, effect_size, smallest_difference
    from dragoman.stats.interval import Interval, Proportion, bootstrap_interval, bootstrap_intervals, clopper_pearson
    from dragoman.stats.items import ItemBootstrap, bootstrap_items
    from dragoman.stats.multiple import CORRECTIONS, adjust, benjamini_hochberg, holm, max_t
    from dragoman.stats.segments import sign_test
    from dragoman.stats.soft import soft_pairwise_accuracy
    from dragoman.stats.two_samples import TwoSamples, rank_sum_test, welch_test
    from dragoman.stats.williams import WilliamsMatrix, significance_clusters, williams_matrix, williams_test
else:
    offer(__name__)

__all__ = [
    "CORRECTIONS",
    "CORRELATIONS",
    "PAIRED_TESTS",
    "TAU_VARIANTS",
    "Coefficient",
    "ComparedPair",
    "Comparison",
    "Comparisons",
    "Effect",
    "Interval",
    "ItemBootstrap",
    "Joint",
    "PairCounts",
    "PairedTest",
    "Proportion",
    "SmallestDifference",
    "TwoSamples",
    "Values",
    "WilliamsMatrix",
    "adjust",
    "benjamini_hochberg",
    "bootstrap_interval",
    "bootstrap_intervals",
    "bootstrap_items",
    "calibrated_accuracy",
    "clopper_pearson",
    "cohen_kappa",
    "compare_correlations",
    "compare_systems",
    "correlate",
    "count_pairs",
    "delta_avg",
    "effect_size",
    "fleiss_kappa",
    "holm",
    "kappa_of",
    "kendall",
    "krippendorff_alpha",
    "landis_koch",
    "long_form",
    "max_t",
    "outcome_kappa",
    "pair_tau",
    "paired_r",
    "paired_test",
    "pairwise_accuracy",
    "pearson",
    "permute_correlations",
    "rank_sum_test",
    "sacrebleu_intervals",
    "score_bins",
    "scott_pi",
    "sign_test",
    "significance_clusters",
    "smallest_difference",
    "soft_pairwise_accuracy",
    "spearman",
    "tied_chance",
    "welch_test",
    "williams_matrix",
    "williams_test",
    "win_share",
]
