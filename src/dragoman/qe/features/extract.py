"""From sentences to features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.qe.features.base import feature_set
from dragoman.qe.features.batch import Batch
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.resources import Resources

__all__ = ["extract_features"]


def extract_features(
    sources: Sequence[str],
    outputs: Sequence[str],
    *,
    features: str | Sequence[str] = "surface",
    resources: Resources | None = None,
    compat: str = "",
    source_tokeniser: str = "none",
    target_tokeniser: str = "none",
    n_threads: int = 1,
) -> FeatureTable:
    """The features of translations: a set (`surface`, `baseline17`) or specifications from `FEATURES`.

    Language models and corpora must have been tokenised as the tokenisers named here cut; `none` takes text that is
    tokenised already. Resources that a feature needs and that are not there are named before any work.
    """
    for name, lines in (("sources", sources), ("outputs", outputs)):
        if isinstance(lines, str):
            raise DataError(f"{name}: expected lines of text, got one str. Pass a sequence of lines.")
    check_parallel({"sources": sources, "outputs": outputs})
    chosen = feature_set(features, compat=compat)
    have = resources or Resources()
    lacking = {feature.spec(): missing for feature in chosen if (missing := have.missing(feature.needs))}
    if lacking:
        wanted = sorted({name for missing in lacking.values() for name in missing})
        raise DataError(
            f"The features {', '.join(lacking)} need {', '.join(wanted)}. Give these, or take the set surface."
        )
    batch = Batch(
        sources,
        outputs,
        have,
        source_tokeniser=source_tokeniser,
        target_tokeniser=target_tokeniser,
        n_threads=n_threads,
    )
    values = np.column_stack([feature.values(batch) for feature in chosen]) if chosen else np.zeros((len(batch), 0))
    return FeatureTable.of([feature.spec() for feature in chosen], values, tokenisers=batch.tokeniser_signatures())
