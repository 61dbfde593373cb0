"""The kernels of `_core.metrics` against the definitions in tests/contract/naive.py."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman import _core
from tests.contract import naive

kernels = _core.metrics

# Few words, so that they repeat. 0 is the unknown word, which references do not have.
refs_text = st.lists(st.integers(1, 4), max_size=14)
hyps_text = st.lists(st.integers(0, 4), max_size=14)
long_ref = st.lists(st.integers(1, 3), min_size=60, max_size=140)  # more than a block of 64
long_hyp = st.lists(st.integers(0, 3), min_size=60, max_size=140)


def batch(texts: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    ids = np.array([token for text in texts for token in text], dtype=np.int32)
    return ids, np.cumsum([0, *map(len, texts)], dtype=np.int64)


def row(kernel, hyp, refs, **options) -> list[float]:
    """The row of one hypothesis against its references; lines and ids must agree where there is one reference."""
    streams = [[" ".join(map(str, ref))] for ref in refs]
    present = np.ones((len(refs), 1), dtype=np.uint8)
    words = _core.text.surface_tokeniser("none")
    found = getattr(kernels, kernel)([[" ".join(map(str, hyp))]], streams, present, words, n_threads=1, **options)
    if len(refs) == 1:
        pairs = getattr(kernels, kernel + "_pairs")(batch([hyp]), batch(refs), n_threads=1, **options)
        assert pairs[0].tolist() == found[0].tolist()
    return found[0, 0].tolist()


@given(hyps_text, st.lists(refs_text, min_size=1, max_size=3), st.integers(1, 6))
def test_bleu(hyp, refs, order) -> None:
    assert row("bleu", hyp, refs, order=order) == naive.bleu(hyp, refs, order)


@given(st.lists(st.tuples(hyps_text, refs_text, refs_text), min_size=1, max_size=4), st.integers(1, 5))
def test_nist(segments, order) -> None:
    hyps, *refs = (list(stream) for stream in zip(*segments, strict=True))
    present = np.ones((2, len(hyps)), dtype=np.uint8)
    rows = kernels.nist([batch(hyps)], [batch(ref) for ref in refs], present, order=order, n_threads=2)[0]
    corpus = refs[0] + refs[1]
    for i, found in enumerate(rows):
        assert found.tolist() == pytest.approx(naive.nist(hyps[i], [refs[0][i], refs[1][i]], corpus, order), abs=1e-12)


@given(hyps_text, refs_text, st.integers(1, 4))
def test_overlap(hyp, ref, order) -> None:
    assert row("overlap", hyp, [ref], order=order) == naive.overlap(hyp, ref, order)


@given(hyps_text | long_hyp, refs_text | long_ref)
def test_error_rates(hyp, ref) -> None:
    assert row("wer", hyp, [ref]) == [naive.edits(hyp, ref), len(ref)]
    assert row("per", hyp, [ref]) == [naive.per(hyp, ref), len(ref)]
    assert row("lcs", hyp, [ref]) == [naive.lcs(hyp, ref), len(hyp), len(ref)]


@given(hyps_text | long_hyp, refs_text)
def test_cder(hyp, ref) -> None:
    assert row("cder", hyp, [ref]) == [naive.cder(hyp, ref), len(ref)]


@given(hyps_text, refs_text, st.sampled_from([1.0, 1.5, 2.0, 3.0]))
def test_gtm(hyp, ref, exponent) -> None:
    assert row("gtm", hyp, [ref], exponent=exponent) == pytest.approx(
        [naive.gtm(hyp, ref, exponent), len(hyp), len(ref)], rel=1e-12
    )


@given(
    hyps_text | st.lists(st.integers(0, 9), max_size=12),
    refs_text | st.lists(st.integers(1, 9), max_size=12),
    st.booleans(),
)
def test_ribes(hyp, ref, paper) -> None:
    assert row("ribes", hyp, [ref], paper=paper) == pytest.approx(naive.ribes(hyp, ref, paper), abs=1e-15)


@given(
    hyps_text | st.lists(st.integers(0, 9), max_size=12),
    refs_text | st.lists(st.integers(1, 9), max_size=12),
    st.integers(1, 5),
)
def test_amber(hyp, ref, order) -> None:
    present = np.ones((1, 1), dtype=np.uint8)
    found = kernels.amber([batch([hyp])], [batch([ref])], present, order=order, n_threads=1)[0, 0]
    assert found.tolist() == kernels.amber_pairs(batch([hyp]), batch([ref]), order=order, n_threads=1)[0, 0].tolist()
    assert found.tolist() == pytest.approx(naive.amber(hyp, ref, order), abs=1e-12)


def cost_of_cut(stream, begins, refs) -> int:
    ends = [*begins[1:], len(stream)]
    return sum(
        min(naive.edits(stream[begin:end], ref) for ref in own)
        for begin, end, own in zip(begins, ends, refs, strict=True)
    )


@given(
    st.lists(st.integers(0, 4), max_size=9),
    st.lists(st.lists(st.lists(st.integers(1, 4), max_size=4), min_size=1, max_size=2), min_size=1, max_size=4),
)
def test_resegmentation_has_the_fewest_edits(stream, refs) -> None:
    n_refs = max(map(len, refs))
    present = np.array([[r < len(own) for own in refs] for r in range(n_refs)], dtype=np.uint8)
    streams = [batch([own[r] if r < len(own) else [] for own in refs]) for r in range(n_refs)]
    docs = np.array([0, len(refs)], dtype=np.int64)
    begins = kernels.resegment(batch([stream]), streams, present, docs, n_threads=1).tolist()
    assert begins[0] == 0
    assert begins == sorted(begins)
    assert cost_of_cut(stream, begins, refs) == naive.resegmentation_cost(stream, refs)


def test_long_streams_are_resegmented_where_they_were_cut() -> None:
    rng = np.random.default_rng(1)
    refs = [rng.integers(1, 2000, size=rng.integers(1, 40)).tolist() for _ in range(60)]
    docs = np.array([0, 25, 60], dtype=np.int64)
    parts = [[token for ref in half for token in ref] for half in (refs[:25], refs[25:])]
    for n_threads in (1, 2, 7):
        begins = kernels.resegment(
            batch(parts), [batch(refs)], np.ones((1, 60), dtype=np.uint8), docs, n_threads=n_threads
        ).tolist()
        true = np.cumsum([0, *map(len, refs)])[:-1]
        assert begins == [*true[:25].tolist(), *(true[25:] - len(parts[0])).tolist()]


def test_arrays_of_another_type_or_shape_are_refused() -> None:
    good, present = batch([[1, 2]]), np.ones((1, 1), dtype=np.uint8)
    wide = (good[0].astype(np.int64), good[1])
    with pytest.raises(TypeError, match="expected ids as int32 and offsets as int64 arrays"):
        kernels.nist([wide], [good], present, order=2, n_threads=1)
    with pytest.raises(ValueError, match="offsets do not fit ids"):
        kernels.wer_pairs((good[0], np.array([0, 3], dtype=np.int64)), good, n_threads=1)
    with pytest.raises(ValueError, match="offsets are empty"):
        kernels.wer_pairs((good[0], np.array([], dtype=np.int64)), good, n_threads=1)
    with pytest.raises(ValueError, match="streams have different lengths"):
        kernels.nist([batch([[1], [2]])], [good], present, order=2, n_threads=1)
    with pytest.raises(ValueError, match="present does not fit refs"):
        kernels.nist([good], [good, good], present, order=2, n_threads=1)
    with pytest.raises(ValueError, match="docs do not fit"):
        kernels.resegment(good, [good], present, np.array([0, 2], dtype=np.int64), n_threads=1)
