"""What every rescoring feature promises."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dragoman.errors import DataError
from dragoman.options import read_options, write_spec
from dragoman.rescoring import RESCORING_FEATURES, CandidateLists, RescoringFeature, add_features
from dragoman.testing.contract import Contract, raises

__all__ = ["RESCORING_FEATURE", "candidates", "check_rescoring_feature"]

RESCORING_FEATURE: Contract[RescoringFeature] = Contract("rescoring feature")


def check_rescoring_feature(feature: RescoringFeature | str) -> None:
    """Check a rescoring feature, given as an object or by its name and options (`lm:model.arpa`)."""
    feature = RESCORING_FEATURES.make(feature) if isinstance(feature, str) else feature
    RESCORING_FEATURE.check(feature, feature.name)


def candidates() -> CandidateLists:
    """Two sources with three candidates and two, and one without any between them."""
    sources = ("Wo ist der Bahnhof ?", "Danke .", "Das ist gut .")
    texts = ("Where is the station ?", "Where the station is ?", "Station .", "That is good .", "good")
    return CandidateLists(sources, texts, np.array([0, 3, 3, 5]))


@RESCORING_FEATURE.rule
def every_candidate_has_a_row_of_finite_numbers(feature: RescoringFeature) -> None:
    lists = candidates()
    values = feature.check().scores(lists)
    assert values.dtype == np.float64
    assert values.shape == (len(lists.texts), len(feature.columns))
    assert np.isfinite(values).all()


@RESCORING_FEATURE.rule
def columns_are_called_after_the_feature(feature: RescoringFeature) -> None:
    assert len({*feature.columns}) == len(feature.columns) > 0
    assert all(each == feature.name or each.startswith(f"{feature.name}.") for each in feature.columns)


@RESCORING_FEATURE.rule
def a_candidate_is_judged_by_its_source_and_text_alone(feature: RescoringFeature) -> None:
    lists = candidates()
    order = np.array([2, 0, 1, 4, 3])
    values = feature.scores(lists)
    np.testing.assert_allclose(feature.scores(lists.reordered(order)), values[order], atol=1e-3)
    last = CandidateLists(lists.sources[2:], lists.texts[4:], np.array([0, 1]))
    np.testing.assert_allclose(feature.scores(last), values[4:], atol=1e-3)


@RESCORING_FEATURE.rule
def threads_and_earlier_features_do_not_matter(feature: RescoringFeature) -> None:
    lists = candidates()
    values = feature.scores(lists)
    np.testing.assert_array_equal(feature.scores(lists, n_threads=2), values)
    more = lists.with_columns(["other"], np.ones((len(lists.texts), 1)))
    np.testing.assert_array_equal(feature.scores(more), values)


@RESCORING_FEATURE.rule
def odd_texts_are_no_trouble(feature: RescoringFeature) -> None:
    texts = ("", " ", "\U0001f600 漢字", "wort " * 300, "a ||| b")
    for sources in (candidates().sources[:1], ("",), ("\u3000",)):
        values = feature.scores(CandidateLists(sources, texts, np.array([0, len(texts)])))
        assert np.isfinite(values).all()
    nothing = replace(candidates(), texts=(), offsets=np.zeros(4, dtype=np.int64), features=np.zeros((0, 0)))
    assert feature.scores(nothing).shape == (0, len(feature.columns))


@RESCORING_FEATURE.rule
def its_specification_gives_it_again(feature: RescoringFeature) -> None:
    if feature.name in RESCORING_FEATURES:
        assert RESCORING_FEATURES.make(write_spec(feature)) == feature
        both = add_features(candidates(), [write_spec(feature)] * 2)
        assert len({*both.names}) == 2 * len(feature.columns)
    with raises(DataError, match="no option 'no_such'"):
        read_options(type(feature), {"no_such": "1"}, title="It")
