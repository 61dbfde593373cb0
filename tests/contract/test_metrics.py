"""What every metric in the registry promises."""

from __future__ import annotations

import copy
import math
import random
import re
from dataclasses import fields

import numpy as np
import pytest

from dragoman.errors import DataError, UnknownName
from dragoman.metrics import (
    METRICS,
    References,
    best_reference,
    collect,
    make_metric,
    matrix,
    metric_of_signature,
    score,
)
from dragoman.metrics.base import make_metrics
from dragoman.options import options_of

HYPS = [
    "The cat sat on the mat .",
    "Yesterday he bought two green apples in the market.",
    "nothing alike at all",
    "",
    "Good morning, ladies and gentlemen!",
]
REFS = [
    [
        "The cat sat on the mat .",
        "He bought two green apples in the market yesterday.",
        "entirely different words here",
        "Silence.",
        "Good morning, ladies and gentlemen.",
    ],
    [
        "A cat was sitting on the mat.",
        None,
        "nothing alike",
        "Nobody answered.",
        "Ladies and gentlemen, good morning!",
    ],
]
SRCS = ["Die Katze saß auf der Matte.", "Gestern kaufte er Äpfel.", "Nichts.", "Stille.", "Guten Morgen!"]

LAYERS = {"stem": "snowball+lang=en"}  # what can be made without anything installed
ASKING = [
    f"{name}:{option}={layer}"
    for name in METRICS.names()
    for option, declared in options_of(METRICS.get(name)).items()
    for layer in declared.layers
]  # every metric that can ask for a layer, asking for it
SPECS = [*METRICS.names(), *(spec for spec in ASKING if spec.rpartition("=")[2] in LAYERS)]
MADE = make_metrics(SPECS, LAYERS)
QUICK = [metric for metric in MADE if metric.totals([HYPS], References.of(REFS[:1])) is not None]
each_metric = pytest.mark.parametrize("metric", MADE, ids=SPECS)


@pytest.mark.parametrize("spec", ASKING)
def test_a_layer_that_nobody_makes_is_named_before_work(spec: str) -> None:
    with pytest.raises(DataError, match=rf"asks for the layer {spec.rpartition('=')[2]}, which nobody makes: --layer"):
        score({"a": HYPS}, REFS, SRCS, metrics=[spec])


@each_metric
def test_statistics_are_additive(metric) -> None:
    if not (metric.additive and metric.local):
        pytest.skip("its statistics depend on the whole corpus, as it declares")
    whole = metric.stats(HYPS, REFS, SRCS).sum(axis=0)
    halves = [
        metric.stats(HYPS[cut], [ref[cut] for ref in REFS], SRCS[cut]).sum(axis=0)
        for cut in (slice(0, 2), slice(2, None))
    ]
    np.testing.assert_allclose(whole, sum(halves), rtol=0, atol=1e-12)


@each_metric
def test_statistics_have_one_row_per_segment(metric) -> None:
    stats = metric.stats(HYPS, REFS, SRCS)
    assert stats.dtype == np.float64
    assert stats.ndim == 2
    assert len(stats) == len(HYPS)
    assert np.isfinite(stats).all()


@each_metric
def test_many_systems_at_once_are_each_by_itself(metric) -> None:
    systems = [HYPS, HYPS[::-1], ["x"] * 5]
    together = metric.stats_many(systems, REFS, SRCS)
    for rows, hyps in zip(together, systems, strict=True):
        np.testing.assert_array_equal(rows, metric.stats(hyps, REFS, SRCS))


@each_metric
def test_values_are_the_value_of_each_row_and_leave_it_alone(metric) -> None:
    stats = metric.stats(HYPS, REFS, SRCS)
    totals = np.stack([stats.sum(axis=0), stats[0], stats[3], np.zeros(stats.shape[1])])
    before = totals.copy()
    values = metric.values(totals)
    assert values.shape == (4,)
    np.testing.assert_array_equal(totals, before)
    np.testing.assert_array_equal(values, [metric.value(row) for row in totals])
    np.testing.assert_array_equal(metric.values(totals.reshape(2, 2, -1)), values.reshape(2, 2))


@pytest.mark.parametrize("metric", QUICK, ids=lambda metric: metric.name)
@pytest.mark.parametrize("n_threads", [1, 2, 7])
def test_totals_are_the_sums_of_the_rows(metric, n_threads) -> None:
    systems = [HYPS, HYPS[::-1], ["x"] * 5]
    totals = metric.totals(systems, References.of(REFS[:1]), n_threads=n_threads)
    sums = metric.stats_many(systems, REFS[:1], SRCS).sum(axis=1)
    assert totals == sums.tolist()
    assert [metric.value(row) for row in totals] == metric.values(sums).tolist()
    assert metric.totals(systems, References.of(REFS), n_threads=n_threads) is None  # a segment lacks a reference


@each_metric
def test_input_is_left_as_it_was(metric) -> None:
    hyps, refs, srcs = copy.deepcopy((HYPS, REFS, SRCS))
    metric.stats(hyps, refs, srcs)
    metric.segments(hyps, refs, srcs)
    assert (hyps, refs, srcs) == (HYPS, REFS, SRCS)


@each_metric
def test_nothing_beats_the_reference(metric) -> None:
    sign = 1 if metric.higher_is_better else -1
    ref = REFS[0]
    perfect = metric.corpus_value(ref, [ref], SRCS)
    for hyps in (HYPS, ref[::-1], [""] * len(ref), [line + " and more" for line in ref]):
        assert sign * perfect >= sign * metric.corpus_value(hyps, [ref], SRCS)


@each_metric
def test_scores_keep_their_bounds(metric) -> None:
    low, high = metric.bounds
    for hyps in (HYPS, [""] * 5, ["."] * 5, [" ".join(HYPS)] * 5):
        for value in [metric.corpus_value(hyps, REFS, SRCS), *metric.segments(hyps, REFS, SRCS)]:
            assert low - 1e-9 <= value <= high + 1e-9


@each_metric
@pytest.mark.parametrize("n_threads", [2, 7])
def test_threads_do_not_matter(metric, n_threads) -> None:
    np.testing.assert_array_equal(
        metric.stats_many([HYPS, HYPS[::-1]], REFS, SRCS, n_threads=n_threads),
        metric.stats_many([HYPS, HYPS[::-1]], REFS, SRCS, n_threads=1),
    )


@each_metric
def test_more_references_never_hurt(metric) -> None:
    sign = 1 if metric.higher_is_better else -1
    both = [REFS[0], [first if second is None else second for first, second in zip(*REFS, strict=True)]]
    if metric.level == "segment":
        assert (sign * metric.segments(HYPS, both, SRCS) >= sign * metric.segments(HYPS, REFS[:1], SRCS) - 1e-9).all()
    else:
        assert metric.corpus_value(HYPS, both, SRCS) * sign >= metric.corpus_value(HYPS, REFS[:1], SRCS) * sign - 1e-9


@each_metric
def test_empty_texts_have_a_score(metric) -> None:
    for hyps, refs in [([""], [[""]]), ([""], [["a b"]]), (["a b"], [[""]]), ([" \t"], [["\u3000"]])]:
        assert math.isfinite(metric.corpus_value(hyps, refs, ["x"]))
        assert np.isfinite(metric.segments(hyps, refs, ["x"])).all()


@each_metric
def test_one_segment_and_no_segment(metric) -> None:
    one = metric.stats(HYPS[:1], [REFS[0][:1]], SRCS[:1])
    assert one.shape[0] == 1
    none = metric.stats([], [[]], [])
    assert none.shape == (0, one.shape[1])
    assert math.isfinite(metric.corpus_value([], [[]], []))


@each_metric
def test_odd_lines_are_text(metric) -> None:
    sign = 1 if metric.higher_is_better else -1
    for line in ["a\x00b\x01", "word\r", "\ufeffword", "x" * 2000, "la " * 500, "\U0001f600 e\u0301"]:
        same, other = (metric.segments([hyp], [[line]], ["x"])[0] for hyp in (line, "zzz"))
        assert math.isfinite(same)
        assert sign * same >= sign * other


@each_metric
def test_a_line_of_a_megabyte_has_a_score_or_a_named_error(metric) -> None:
    rng = random.Random(1)
    words = [f"w{int(rng.paretovariate(0.7)) % 20000}" for _ in range(20_000 if metric.name == "cer" else 170_000)]
    ref, hyp = " ".join(words), " ".join(words[100:] + words[:50])
    refused = ""
    try:
        (found,) = metric.segments([hyp], [[ref]], ["x"])
    except DataError as error:
        refused = str(error)
    if refused:
        assert re.match(r"Segment 1\b.*[Cc]ut ", refused)  # where, and what to do
    else:
        assert metric.bounds[0] <= found <= metric.bounds[1]


@each_metric
def test_different_lengths_are_named(metric) -> None:
    with pytest.raises(DataError, match=r"one line per segment, got hyps=4, refs\[0\]=5, refs\[1\]=5, srcs=5"):
        metric.stats(HYPS[:4], REFS, SRCS)
    with pytest.raises(DataError, match=r"one line per segment, got refs\[0\]=5, refs\[1\]=4"):
        metric.stats(HYPS, [REFS[0], REFS[1][:4]], SRCS)


@each_metric
def test_wrong_input_is_named(metric) -> None:
    with pytest.raises(DataError, match="There are no references"):
        metric.stats(HYPS, [], SRCS)
    with pytest.raises(DataError, match=r"refs\[0\] is a string, not a stream of lines"):
        metric.stats(HYPS, REFS[0], SRCS)
    with pytest.raises(DataError, match="hyps is one string"):
        metric.stats("abcde", REFS, SRCS)
    with pytest.raises(DataError, match="Segment 2 of hyps is NoneType, not text"):
        metric.stats(["a", None, "b", "c", "d"], REFS, SRCS)
    with pytest.raises(DataError, match="No reference translates segment 2; leave"):
        metric.stats(HYPS, [REFS[1]], SRCS)
    with pytest.raises(DataError, match="n_threads must be at least 1, got 0"):
        metric.stats(HYPS, REFS, SRCS, n_threads=0)


@each_metric
def test_lone_surrogates_are_named(metric) -> None:
    with pytest.raises(DataError, match=r"Line 2 .*holds a lone surrogate"):
        metric.stats(["a", "b\udc00"], [["a", "b"]], ["x", "y"])


@each_metric
def test_signature_leads_back_to_the_metric(metric) -> None:
    signature = f"{metric.label}|{metric.signature()}"
    assert metric_of_signature(signature) == metric
    assert make_metric(metric.spec()) == metric
    assert metric.signature(None).startswith("nrefs:var|")
    assert "|seed:7|" in metric.signature(seed=7, bs=None)


@each_metric
def test_options_have_rules_and_help(metric) -> None:
    for f in fields(metric):
        assert f.metadata.get("text"), f"{metric.name}.{f.name} has no line of help"
        if isinstance(f.default, bool):
            broken = "perhaps"
        elif isinstance(f.default, int | float):
            broken = math.nan
        else:
            continue
        with pytest.raises(DataError, match=f"The '{f.name}' option of {type(metric).__name__} must be"):
            type(metric)(**{f.name: broken})


@each_metric
def test_every_level_comes_from_the_same_statistics(metric) -> None:
    systems = {"a": HYPS, "b": HYPS[::-1]}
    options = {"metrics": [metric], "docs": ["d1", "d1", "d2", "d2", "d2"], "domains": ["n", "m", None, "m", "n"]}
    sheet = score(systems, REFS, SRCS, level="document", **options)
    cut = slice(2, None)
    if metric.local:
        part = metric.corpus_value(HYPS[cut], [ref[cut] for ref in REFS], SRCS[cut])
        assert sheet.score("a", metric.spec(), "d2").value == pytest.approx(part, abs=1e-9)
    assert score(systems, REFS, SRCS, level="domain", **options).units == ("n", "m")
    segments = score(systems, REFS, SRCS, level="segment", **options)
    np.testing.assert_allclose(segments.values[1, 0], metric.segments(HYPS[::-1], REFS, SRCS))
    corpus = score(systems, REFS, SRCS, **options)
    assert corpus.score("a", metric.spec()).value == pytest.approx(metric.corpus_value(HYPS, REFS, SRCS), abs=1e-9)


@each_metric
def test_collected_statistics_give_the_scores(metric) -> None:
    (statistics,) = collect({"a": HYPS, "b": HYPS[::-1]}, REFS, SRCS, metrics=[metric])
    assert statistics.rows.shape[:2] == (2, 5)
    if metric.additive:
        np.testing.assert_allclose(
            statistics.scores(), [metric.corpus_value(hyps, REFS, SRCS) for hyps in (HYPS, HYPS[::-1])]
        )


@each_metric
def test_a_matrix_holds_the_scores_of_all_pairs(metric) -> None:
    refs = [line for ref in REFS for line in ref if line is not None]
    if not metric.local:
        with pytest.raises(DataError, match="has no score for a single pair"):
            matrix(HYPS, refs, metric)
        return
    expected = [[metric.segments([hyp], [[ref]], ["x"])[0] for ref in refs] for hyp in HYPS]
    for n_threads in (1, 2, 7):
        found = matrix(HYPS, refs, metric, n_threads=n_threads)
        np.testing.assert_allclose(found.values, expected, rtol=1e-12, atol=1e-12)
    assert found.expected()[found.best()] == (max if metric.higher_is_better else min)(found.expected())
    assert len(found.to_dict()["rows"]) == len(HYPS) * len(refs)


@each_metric
def test_each_reference_has_its_score(metric) -> None:
    report = best_reference({"a": HYPS}, {"A": REFS[0], "B": REFS[1]}, SRCS, metric=metric)
    assert report.references == ("A", "B")
    assert report.n_segments == (5, 4)
    assert report.alone[0, 0] == pytest.approx(metric.corpus_value(HYPS, REFS[:1], SRCS), abs=1e-9)
    assert report.shares[0].sum() >= 0.99
    assert report.together[0] == pytest.approx(metric.corpus_value(HYPS, REFS, SRCS), abs=1e-9)


def test_unknown_metrics_come_with_a_suggestion() -> None:
    with pytest.raises(UnknownName, match=r"No metric is called 'chrff'. Did you mean 'chrf'"):
        make_metric("chrff")
    with pytest.raises(DataError, match=r"The metric 'chrf' has no option 'beter'. Known: char_order"):
        make_metric("chrf:beter=2")
    with pytest.raises(DataError, match="'beta' in 'chrf:beta' is no option"):
        make_metric("chrf:beta")


def test_a_matrix_of_nothing_is_refused() -> None:
    with pytest.raises(DataError, match="A matrix needs hypotheses and references, got 0 and 1"):
        matrix([], ["a"], "chrf")
    with pytest.raises(DataError, match="n_threads must be at least 1, got 0"):
        matrix(["a"], ["a"], "chrf", n_threads=0)
