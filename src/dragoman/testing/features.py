"""What every quality feature promises."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.qe import FEATURES, Resources, extract_features
from dragoman.qe.features.base import make_feature
from dragoman.qe.recipes import FeatureRecipe
from dragoman.qe.resources import RESOURCES
from dragoman.testing.contract import Contract, raises

__all__ = ["FEATURE", "FeatureCase", "check_feature"]

LINES = [
    "the cat sat on the mat .",
    "",
    "a well-known cat !",
    "the dog , the cat ; the end",
    "…",
    "x" * 5000,
    "a\x00b c",
]


@dataclass(frozen=True)
class FeatureCase:
    """A feature by its specification, and what it asks."""

    spec: str
    resources: Resources | None = None
    compat: str = ""

    def values(self, sources: list[str], outputs: list[str], n_threads: int = 1) -> NDArray[np.float64]:
        """The feature's column."""
        recipe = FeatureRecipe(features=(self.spec,), compat=self.compat)
        table = extract_features(sources, outputs, recipe, resources=self.resources, n_threads=n_threads)
        assert table.values.shape == (len(sources), 1), "a feature is one column with a row a sentence"
        return table.values[:, 0]


FEATURE: Contract[FeatureCase] = Contract("quality feature")


def check_feature(spec: str, resources: Resources | None = None) -> None:
    """Check a quality feature, given by its name and options, with resources in which it finds what it needs."""
    FEATURE.check(FeatureCase(spec, resources), spec)


@FEATURE.rule
def it_says_what_it_is(case: FeatureCase) -> None:
    feature = make_feature(case.spec)
    assert FEATURES.get(feature.name) is type(feature)
    assert feature.paper
    assert feature.level in {"word", "sentence", "document"}
    assert feature.side in {"source", "target", "both"}
    assert set(feature.needs) <= RESOURCES.keys()


@FEATURE.rule
def its_specification_makes_it_again(case: FeatureCase) -> None:
    feature = make_feature(case.spec)
    assert make_feature(feature.spec()) == feature


@FEATURE.rule
def every_sentence_has_a_finite_value_of_its_own(case: FeatureCase) -> None:
    outputs = LINES[::-1]
    values = case.values(LINES, outputs)
    assert np.isfinite(values).all()
    alone = [case.values([source], [output])[0] for source, output in zip(LINES, outputs, strict=True)]
    np.testing.assert_allclose(values, alone, rtol=1e-6, atol=1e-12)
    assert case.values([], []).shape == (0,)


@FEATURE.rule
def threads_do_not_matter(case: FeatureCase) -> None:
    one, *more = (case.values(LINES, LINES[::-1], n_threads) for n_threads in (1, 2, 7))
    for other in more:
        np.testing.assert_array_equal(other, one)


@FEATURE.rule
def lone_surrogates_are_refused(case: FeatureCase) -> None:
    with raises(DataError, match="surrogate"):
        case.values(["\ud800"], ["\ud800"])


@FEATURE.rule
def a_missing_resource_is_named(case: FeatureCase) -> None:
    feature = make_feature(case.spec)
    if not feature.needed():
        assert case.values(["a"], ["b"]).shape == (1,)
        return
    with raises(DataError, match=f"The features {feature.name}.* need {', '.join(sorted(feature.needed()))}"):
        extract_features(["a"], ["b"], FeatureRecipe(features=(case.spec,)))
