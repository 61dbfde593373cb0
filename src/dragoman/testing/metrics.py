"""What every metric promises."""

from __future__ import annotations

import copy
import math
import random
import re
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from dragoman.errors import DataError
from dragoman.metrics import (
    Metric,
    as_test_set,
    best_reference,
    collect,
    make_metric,
    matrix,
    metric_of_signature,
    score,
)
from dragoman.metrics.base import MeanReference
from dragoman.metrics.references import ScoredText
from dragoman.options import options_of
from dragoman.testing.contract import Contract, raises

__all__ = ["METRIC", "check_metric"]

METRIC: Contract[Metric] = Contract("metric")


def check_metric(metric: Metric | str) -> None:
    """Check a metric, given as an object or by its name, which must be registered: scores lead back to it."""
    metric = make_metric(metric)
    METRIC.check(metric, metric.spec())


def same(value: float, expected: float) -> None:
    np.testing.assert_allclose(value, expected, rtol=0, atol=1e-9)


HYPS = [
    "The cat sat on the mat .",
    "Yesterday he bought two green apples in the market.",
    "nothing alike at all",
    "",
    "Good morning, ladies and gentlemen!",
]
COMPLETE = [
    "The cat sat on the mat .",
    "He bought two green apples in the market yesterday.",
    "entirely different words here",
    "Silence.",
    "Good morning, ladies and gentlemen.",
]
REFS: list[list[str | None]] = [
    list(COMPLETE),
    ["A cat was sitting on the mat.", None, "nothing alike", "Nobody answered.", "Ladies and gentlemen, good morning!"],
]
SRCS = ["Die Katze saß auf der Matte.", "Gestern kaufte er Äpfel.", "Nichts.", "Stille.", "Guten Morgen!"]


@METRIC.rule
def statistics_are_additive(metric: Metric) -> None:
    if not (metric.additive and metric.local):
        return  # its statistics depend on the whole corpus, as it declares
    whole = metric.stats(HYPS, REFS, SRCS).sum(axis=0)
    halves = [
        metric.stats(HYPS[cut], [ref[cut] for ref in REFS], SRCS[cut]).sum(axis=0)
        for cut in (slice(0, 2), slice(2, None))
    ]
    np.testing.assert_allclose(whole, sum(halves), rtol=0, atol=1e-12)


@METRIC.rule
def statistics_have_one_row_per_segment(metric: Metric) -> None:
    stats = metric.stats(HYPS, REFS, SRCS)
    assert stats.dtype == np.float64
    assert stats.ndim == 2
    assert len(stats) == len(HYPS)
    assert np.isfinite(stats).all()


@METRIC.rule
def many_systems_at_once_are_each_by_itself(metric: Metric) -> None:
    systems = [HYPS, HYPS[::-1], ["x"] * 5]
    together = metric.stats_many(systems, REFS, SRCS)
    for rows, hyps in zip(together, systems, strict=True):
        np.testing.assert_array_equal(rows, metric.stats(hyps, REFS, SRCS))


@METRIC.rule
def values_are_the_value_of_each_row_and_leave_it_alone(metric: Metric) -> None:
    stats = metric.stats(HYPS, REFS, SRCS)
    totals = np.stack([stats.sum(axis=0), stats[0], stats[3], np.zeros(stats.shape[1])])
    before = totals.copy()
    values = metric.values(totals)
    assert values.shape == (4,)
    np.testing.assert_array_equal(totals, before)
    np.testing.assert_array_equal(values, [metric.value(row) for row in totals])
    np.testing.assert_array_equal(metric.values(totals.reshape(2, 2, -1)), values.reshape(2, 2))


@METRIC.rule
def totals_are_the_sums_of_the_rows(metric: Metric) -> None:
    systems = [HYPS, HYPS[::-1], ["x"] * 5]
    sums = metric.stats_many(systems, REFS[:1], SRCS).sum(axis=1)
    for n_threads in (1, 2, 7):
        totals = metric.totals(ScoredText.of_streams(systems, REFS[:1], None), n_threads)
        if totals is None:
            return  # it has no quicker way to them
        assert totals == sums.tolist()
        assert [metric.value(row) for row in totals] == metric.values(sums).tolist()
        assert metric.totals(ScoredText.of_streams(systems, REFS, None), n_threads) is None, (
            "a segment lacks a reference"
        )


@METRIC.rule
def input_is_left_as_it_was(metric: Metric) -> None:
    hyps, refs, srcs = copy.deepcopy((HYPS, REFS, SRCS))
    metric.stats(hyps, refs, srcs)
    metric.segments(hyps, refs, srcs)
    assert (hyps, refs, srcs) == (HYPS, REFS, SRCS)


@METRIC.rule
def nothing_beats_the_reference(metric: Metric) -> None:
    if not metric.compares:
        return  # it does not look at them, as it declares
    sign = 1 if metric.higher_is_better else -1
    ref = COMPLETE
    perfect = metric.corpus_value(ref, [ref], SRCS)
    for hyps in (HYPS, ref[::-1], [""] * len(ref), [line + " and more" for line in ref]):
        assert sign * perfect >= sign * metric.corpus_value(hyps, [ref], SRCS)


@METRIC.rule
def scores_keep_their_bounds(metric: Metric) -> None:
    low, high = metric.bounds
    for hyps in (HYPS, [""] * 5, ["."] * 5, [" ".join(HYPS)] * 5):
        for value in [metric.corpus_value(hyps, REFS, SRCS), *metric.segments(hyps, REFS, SRCS)]:
            assert low - 1e-9 <= value <= high + 1e-9


@METRIC.rule
def threads_do_not_matter(metric: Metric) -> None:
    one, *more = (metric.stats_many([HYPS, HYPS[::-1]], REFS, SRCS, n_threads=n_threads) for n_threads in (1, 2, 7))
    for other in more:
        np.testing.assert_array_equal(other, one)


@METRIC.rule
def more_references_never_hurt(metric: Metric) -> None:
    sign = 1 if metric.higher_is_better else -1
    both = [REFS[0], [first if second is None else second for first, second in zip(*REFS, strict=True)]]
    if isinstance(metric, MeanReference) and metric.several == "mean":
        each = [metric.segments(HYPS, [ref], SRCS) for ref in both]
        np.testing.assert_allclose(metric.segments(HYPS, both, SRCS), np.mean(each, axis=0), rtol=0, atol=1e-9)
    elif metric.level == "segment":
        assert (sign * metric.segments(HYPS, both, SRCS) >= sign * metric.segments(HYPS, REFS[:1], SRCS) - 1e-9).all()
    else:
        assert metric.corpus_value(HYPS, both, SRCS) * sign >= metric.corpus_value(HYPS, REFS[:1], SRCS) * sign - 1e-9


@METRIC.rule
def empty_texts_have_a_score(metric: Metric) -> None:
    for hyps, refs in [([""], [[""]]), ([""], [["a b"]]), (["a b"], [[""]]), ([" \t"], [["\u3000"]])]:
        assert math.isfinite(metric.corpus_value(hyps, refs, ["x"]))
        assert np.isfinite(metric.segments(hyps, refs, ["x"])).all()


@METRIC.rule
def one_segment_and_no_segment(metric: Metric) -> None:
    one = metric.stats(HYPS[:1], [REFS[0][:1]], SRCS[:1])
    assert one.shape[0] == 1
    none = metric.stats([], [[]], [])
    assert none.shape == (0, one.shape[1])
    assert math.isfinite(metric.corpus_value([], [[]], []))


@METRIC.rule
def odd_lines_are_text(metric: Metric) -> None:
    sign = 1 if metric.higher_is_better else -1
    for line in ["a\x00b\x01", "word\r", "\ufeffword", "x" * 2000, "la " * 500, "\U0001f600 e\u0301"]:
        same, other = (metric.segments([hyp], [[line]], ["x"])[0] for hyp in (line, "zzz"))
        assert math.isfinite(same)
        assert not metric.compares or sign * same >= sign * other


@METRIC.rule
def a_long_line_has_a_score_or_a_named_error(metric: Metric) -> None:
    take_a_long_line(metric, n_words=20_000)


def take_a_long_line(metric: Metric, n_words: int) -> None:
    """Assert that a line of so many words is scored within the bounds, or refused by its number with the cure."""
    rng = random.Random(1)
    words = [f"w{int(rng.paretovariate(0.7)) % 20000}" for _ in range(n_words)]
    ref, hyp = " ".join(words), " ".join(words[100:] + words[:50])
    try:
        (value,) = metric.segments([hyp], [[ref]], ["x"])
    except DataError as error:
        assert re.match(r"Segment 1\b.*[Cc]ut ", str(error)), f"where, and what to do: {error}"
    else:
        assert metric.bounds[0] <= value <= metric.bounds[1]


@METRIC.rule
def different_lengths_are_named(metric: Metric) -> None:
    with raises(DataError, match=r"one line per segment, got hyps=4, refs\[0\]=5, refs\[1\]=5, srcs=5"):
        metric.stats(HYPS[:4], REFS, SRCS)
    with raises(DataError, match=r"one line per segment, got refs\[0\]=5, refs\[1\]=4"):
        metric.stats(HYPS, [REFS[0], REFS[1][:4]], SRCS)


@METRIC.rule
def wrong_input_is_named(metric: Metric) -> None:
    with raises(DataError, match="There are no references"):
        metric.stats(HYPS, [], SRCS)
    with raises(DataError, match=r"refs\[0\] is a string, not a stream of lines"):
        metric.stats(HYPS, REFS[0], SRCS)  # type: ignore[arg-type]
    with raises(DataError, match="hyps is one string"):
        metric.stats("abcde", REFS, SRCS)
    with raises(DataError, match="Segment 2 of hyps is NoneType, not text"):
        metric.stats(["a", None, "b", "c", "d"], REFS, SRCS)  # type: ignore[list-item]
    with raises(DataError, match="No reference translates segment 2; leave"):
        metric.stats(HYPS, [REFS[1]], SRCS)
    with raises(DataError, match="n_threads must be at least 1, got 0"):
        metric.stats(HYPS, REFS, SRCS, n_threads=0)


@METRIC.rule
def sources_that_it_needs_are_asked_for(metric: Metric) -> None:
    if "srcs" not in metric.needs:
        np.testing.assert_array_equal(metric.stats(HYPS, REFS), metric.stats(HYPS, REFS, SRCS))
        return
    with raises(DataError, match="needs the sources: name them with --src"):
        metric.stats(HYPS, REFS)


@METRIC.rule
def lone_surrogates_are_named(metric: Metric) -> None:
    with raises(DataError, match=r"Line 2 .*holds a lone surrogate"):
        metric.stats(["a", "b\udc00"], [["a", "b"]], ["x", "y"])


@METRIC.rule
def signature_leads_back_to_the_metric(metric: Metric) -> None:
    signature = f"{metric.label}|{metric.signature()}"
    assert metric_of_signature(signature) == metric
    assert make_metric(metric.spec()) == metric
    assert metric.signature(None).startswith("nrefs:var|")
    assert "|seed:7|" in metric.signature(seed=7, bs=None)


@METRIC.rule
def the_signature_records_every_option(metric: Metric) -> None:
    signature = f"{metric.label}|{metric.signature()}"
    for name, declared in options_of(type(metric)).items():
        for value in _other_values(getattr(metric, name), declared.choices):
            try:
                changed = replace(metric, **{name: value}).check()
            except DataError:
                continue  # not in its range, or not with the other options
            told = f"{changed.label}|{changed.signature()}"
            back = metric_of_signature(told)
            assert changed == metric or told != signature, f"{name}={value} has the same signature, {signature}"
            assert f"{back.label}|{back.signature()}" == told, f"{name}={value} is read as another: {told}"


def _other_values(value: Any, choices: Sequence[Any]) -> list[Any]:
    """Return values that an option could have instead of its own, as far as its type tells."""
    if choices:
        return [each for each in choices if each != value]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value - 1, value + 1]
    return [value / 2, value + 0.125] if isinstance(value, float) else []


@METRIC.rule
def options_have_rules_and_help(metric: Metric) -> None:
    for f in fields(metric):
        assert f.metadata.get("text"), f"{metric.name}.{f.name} has no line of help"
        if isinstance(f.default, bool):
            broken: Any = "perhaps"
        elif isinstance(f.default, int | float):
            broken = math.nan
        else:
            continue
        with raises(DataError, match=f"The '{f.name}' option of {type(metric).__name__} must be"):
            type(metric)(**{f.name: broken})


@METRIC.rule
def every_level_comes_from_the_same_statistics(metric: Metric) -> None:
    systems = {"a": HYPS, "b": HYPS[::-1]}
    options: dict[str, Any] = {
        "metrics": [metric],
        "docs": ["d1", "d1", "d2", "d2", "d2"],
        "domains": ["n", "m", None, "m", "n"],
    }
    sheet = score(systems, REFS, SRCS, level="document", **options)
    cut = slice(2, None)
    if metric.local:
        part = metric.corpus_value(HYPS[cut], [ref[cut] for ref in REFS], SRCS[cut])
        same(sheet.score("a", metric.spec(), "d2").value, part)
    assert score(systems, REFS, SRCS, level="domain", **options).units == ("n", "m")
    segments = score(systems, REFS, SRCS, level="segment", **options)
    np.testing.assert_allclose(segments.values[1, 0], metric.segments(HYPS[::-1], REFS, SRCS))
    corpus = score(systems, REFS, SRCS, **options)
    same(corpus.score("a", metric.spec()).value, metric.corpus_value(HYPS, REFS, SRCS))


@METRIC.rule
def collected_statistics_give_the_scores(metric: Metric) -> None:
    (statistics,) = collect(as_test_set({"a": HYPS, "b": HYPS[::-1]}, REFS, SRCS), [metric])
    assert statistics.rows.shape[:2] == (2, 5)
    if metric.additive:
        np.testing.assert_allclose(
            statistics.scores(), [metric.corpus_value(hyps, REFS, SRCS) for hyps in (HYPS, HYPS[::-1])]
        )


@METRIC.rule
def a_matrix_holds_the_scores_of_all_pairs(metric: Metric) -> None:
    refs = [line for ref in REFS for line in ref if line is not None]
    if not metric.local:
        with raises(DataError, match="has no score for a single pair"):
            matrix(HYPS, refs, metric)
        return
    if "srcs" in metric.needs:
        with raises(DataError, match="looks at sources, of which a matrix has none"):
            matrix(HYPS, refs, metric)
        return
    expected = [[metric.segments([hyp], [[ref]], ["x"])[0] for ref in refs] for hyp in HYPS]
    for n_threads in (1, 2, 7):
        found = matrix(HYPS, refs, metric, n_threads=n_threads)
        np.testing.assert_allclose(found.values, expected, rtol=1e-12, atol=1e-12)
    assert found.expected()[found.best()] == (max if metric.higher_is_better else min)(found.expected())
    assert len(found.to_dict()["rows"]) == len(HYPS) * len(refs)


@METRIC.rule
def each_reference_has_its_score(metric: Metric) -> None:
    report = best_reference(as_test_set({"a": HYPS}, {"A": REFS[0], "B": REFS[1]}, SRCS), metric)
    assert report.references == ("A", "B")
    assert report.n_segments == (5, 4)
    same(report.alone[0, 0], metric.corpus_value(HYPS, REFS[:1], SRCS))
    assert report.shares[0].sum() >= 0.99
    same(report.together[0], metric.corpus_value(HYPS, REFS, SRCS))
