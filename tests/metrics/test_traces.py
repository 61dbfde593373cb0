"""TER spelt out: traces replay, add up, and agree with the metric; HTER and word tags."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.metrics import EditCounts, Shift, Step, Trace, WordTags, hter, ter_trace
from dragoman.metrics.ter import Ter
from tests.metrics.texts import corpora

few_words = st.lists(st.sampled_from("abcdefgh"), max_size=40).map(" ".join)


def replayed(trace: Trace) -> list[str]:
    """The reference, made from the hypothesis by the trace; only inserted and substituted words are looked up."""
    words = list(trace.hyp)
    for start, length, to in trace.shifts:
        block = words[start : start + length]
        del words[start : start + length]
        words[to:to] = block
    left = iter(words)
    made: list[str] = []
    for operation in trace.operations:
        if operation == "match":
            made.append(next(left))
        elif operation == "delete":
            next(left)
        else:
            if operation == "substitute":
                assert next(left) != trace.ref[len(made)]
            made.append(trace.ref[len(made)])
    assert next(left, None) is None
    return made


@given(few_words, few_words, st.booleans())
def test_traces_make_the_reference_and_add_up(hyp: str, ref: str, shifts: bool) -> None:
    (trace,) = ter_trace([hyp], [[ref]], shifts=shifts)
    assert replayed(trace) == ref.split()
    counts = trace.counts()
    assert counts.edits == trace.edits
    assert counts.matches + counts.substitutions + counts.deletions == len(trace.hyp)
    assert counts.matches + counts.substitutions + counts.insertions == len(trace.ref)
    assert shifts or trace.shifts == ()
    assert sorted(trace.order) == list(range(len(trace.hyp)))
    for step in trace.steps():
        if step.operation == "match":
            assert trace.hyp[step.hyp] == trace.ref[step.ref]
    assert [step.hyp for step in trace.steps() if step.hyp is not None] == list(trace.order)


@given(corpora(), st.booleans(), st.booleans())
def test_traces_have_the_edits_of_the_metric(corpus, normalised: bool, case_sensitive: bool) -> None:
    hyps, refs = corpus
    options = {"normalised": normalised, "case_sensitive": case_sensitive}
    traces = ter_trace(hyps, refs, **options)
    assert [trace.edits for trace in traces] == Ter(**options).stats(hyps, refs)[:, 0].tolist()
    assert all(refs[trace.reference][i] is not None for i, trace in enumerate(traces))
    assert traces == ter_trace(hyps, refs, **options, n_threads=7)


def test_a_trace_names_every_edit() -> None:
    hyp = "Yesterday he bought two green apples in a market"
    (trace,) = ter_trace([hyp], [["something else"], ["he bought two apples in the market yesterday"]])
    assert trace.reference == 1
    assert trace.shifts == (Shift(start=0, length=1, to=8),)
    assert trace.shifted == ("he", "bought", "two", "green", "apples", "in", "a", "market", "yesterday")
    assert trace.counts() == EditCounts(
        matches=7, substitutions=1, insertions=0, deletions=1, shifts=1, shifted_words=1
    )
    assert trace.steps()[3:5] == [Step("delete", 4, None), Step("match", 5, 3)]
    assert trace.steps()[-1] == Step("match", 0, 7)


def test_the_first_of_equal_references_is_the_best() -> None:
    (trace,) = ter_trace(["a b"], [["x b"], ["a y"]])
    assert trace.reference == 0


def test_nothing_on_one_side() -> None:
    deleted, inserted, empty = ter_trace(["a b", "", ""], [["", "c", ""]])
    assert deleted.operations == ("delete", "delete")
    assert inserted.operations == ("insert",)
    assert inserted.steps() == [Step("insert", None, 0)]
    assert empty.edits == 0


def test_hter_counts_shifts_and_tags_do_not() -> None:
    result = hter(["Yesterday he bought two green apples in market"], ["He bought two apples in the market yesterday"])
    assert result.values == (0.375,)
    assert (result.edits, result.lengths) == ((3,), (8,))
    bad, ok = "BAD", "OK"
    assert result.tags == (WordTags((bad, bad, ok, ok, bad, ok, ok, ok), (ok, ok, ok, ok, ok, ok, ok, bad, bad)),)
    assert len(result.tags[0].interleaved()) == 17
    assert result.to_dict()["rows"] == [{"segment": 1, "hter": 0.375, "edits": 3, "length": 8, "bad_words": 3}]
    assert result.to_dict()["meta"]["corpus"] == 0.375


def test_hter_is_cut_at_one_for_segments_only() -> None:
    result = hter(["a b c", "a", "x y"], ["d", "a", ""])
    assert result.values == (1.0, 0.0, 1.0)
    assert result.corpus == 5 / 2
    assert result.tags[2] == WordTags(("BAD", "BAD"), ("OK", "OK", "OK"))
    assert hter(["x"], [""]).corpus == 1.0
    assert hter([""], [""]).corpus == 0.0
    assert hter([], []).corpus == 0.0


def test_case_is_seen_on_demand() -> None:
    assert hter(["The Cat"], ["the cat"]).values == (0.0,)
    assert hter(["The Cat"], ["the cat"]).tags[0].words == ("BAD", "BAD")
    assert hter(["The Cat"], ["the cat"], case_sensitive=True).values == (1.0,)


def test_wrong_input_is_named() -> None:
    with pytest.raises(DataError, match="one line per segment, got hyps=2, post_edits=1"):
        hter(["a", "b"], ["a"])
    with pytest.raises(DataError, match="post_edits is one string"):
        hter(["a"], "a")
    with pytest.raises(DataError, match=r"one line per segment, got hyps=1, refs\[0\]=2"):
        ter_trace(["a"], [["a", "b"]])
    with pytest.raises(DataError, match="n_threads must be at least 1, got 0"):
        ter_trace(["a"], [["a"]], n_threads=0)
