"""Contract checks: what every entry of a registry promises, for entries of other packages, too.

    from dragoman.testing import check_metric

    def test_its_contract() -> None:
        check_metric("exact")

Each check raises one `AssertionError` that names every broken rule. It needs what the room needs, and no test runner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.testing.aligners import check_aligner
    from dragoman.testing.annotators import check_annotator
    from dragoman.testing.checks import check_check
    from dragoman.testing.contract import Contract, raises
    from dragoman.testing.engines import check_engine
    from dragoman.testing.features import check_feature
    from dragoman.testing.file_formats import check_file_format
    from dragoman.testing.formats import check_format
    from dragoman.testing.labellers import check_labeller
    from dragoman.testing.learners import check_learner
    from dragoman.testing.metrics import check_metric
    from dragoman.testing.pair_scorers import check_pair_scorer
    from dragoman.testing.paired_tests import check_paired_test
    from dragoman.testing.protocols import check_protocol
    from dragoman.testing.rankings import check_ranking
    from dragoman.testing.recognisers import check_recogniser
    from dragoman.testing.rescoring_features import check_rescoring_feature
    from dragoman.testing.selection_scores import check_selection_score
    from dragoman.testing.selectors import check_selector
    from dragoman.testing.tokenisers import check_tokeniser
else:
    offer(__name__)

__all__ = [
    "Contract",
    "check_aligner",
    "check_annotator",
    "check_check",
    "check_engine",
    "check_feature",
    "check_file_format",
    "check_format",
    "check_labeller",
    "check_learner",
    "check_metric",
    "check_pair_scorer",
    "check_paired_test",
    "check_protocol",
    "check_ranking",
    "check_recogniser",
    "check_rescoring_feature",
    "check_selection_score",
    "check_selector",
    "check_tokeniser",
    "raises",
]
