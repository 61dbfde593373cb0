"""The error-class kernel against a naive definition; published counts are in tests/published."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman._core import classer
from dragoman.errors import DataError

CORRECT, INFLECTION, REORDERING, MISSING, EXTRA, LEXICAL = range(6)

# Full forms 0–9 with base form full // 2: two forms per base.
sentences = st.lists(st.integers(0, 9), max_size=8)


def naive_edits(hyp: list[int], ref: list[int]) -> tuple[int, list[str], list[str]]:
    """Levenshtein by recursion on prefixes, preferring match/substitute, then delete, then insert."""
    table: dict[tuple[int, int], tuple[int, str]] = {(0, 0): (0, "")}
    for i in range(len(ref) + 1):
        for j in range(len(hyp) + 1):
            options = []
            if i and j:
                options.append(
                    (table[i - 1, j - 1][0] + (ref[i - 1] != hyp[j - 1]), "=" if ref[i - 1] == hyp[j - 1] else "s")
                )
            if i:
                options.append((table[i - 1, j][0] + 1, "d"))
            if j:
                options.append((table[i, j - 1][0] + 1, "i"))
            if options:
                table[i, j] = min(options, key=lambda option: option[0])
    i, j, hyp_edits, ref_edits = len(ref), len(hyp), [], []
    while i or j:
        edit = table[i, j][1]
        if edit != "i":
            ref_edits.insert(0, edit)
        if edit != "d":
            hyp_edits.insert(0, edit)
        i, j = i - (edit != "i"), j - (edit != "d")
    return table[len(ref), len(hyp)][0], hyp_edits, ref_edits


def naive_side(own: list[int], edits: list[str], other: list[int], other_edits: list[str]) -> list[int]:
    left = list(other)
    labels: list[int | None] = []
    for word in own:
        labels.append(CORRECT if word in left else None)
        if word in left:
            left.remove(word)
    bases = [word // 2 for word in left]
    for i, word in enumerate(own):
        if labels[i] is None and word // 2 in bases:
            bases.remove(word // 2)
            labels[i] = INFLECTION
        elif labels[i] is None:
            labels[i] = {"=": CORRECT, "s": LEXICAL, "d": MISSING, "i": EXTRA}[edits[i]]
    wrong = [word for word, edit in zip(other, other_edits, strict=True) if edit != "="]
    for i, word in enumerate(own):
        if edits[i] != "=" and word in wrong:
            wrong.remove(word)
            labels[i] = REORDERING
    return [label for label in labels if label is not None]


def flat(lines: list[list[int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    full = np.array([word for line in lines for word in line], dtype=np.int32)
    offsets = np.cumsum([0, *map(len, lines)]).astype(np.int64)
    return full, full // 2, offsets


@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=4))
def test_labels_are_the_definitions(pairs: list[tuple[list[int], list[int]]]) -> None:
    hyps, refs = [hyp for hyp, _ in pairs], [ref for _, ref in pairs]
    hyp_labels, ref_labels, edits = classer.classify(*flat(hyps), *flat(refs))
    expected_hyp, expected_ref, expected_edits = [], [], []
    for hyp, ref in pairs:
        n, hyp_edits, ref_edits = naive_edits(hyp, ref)
        expected_edits.append(n)
        expected_hyp += naive_side(hyp, hyp_edits, ref, ref_edits)
        expected_ref += naive_side(ref, ref_edits, hyp, hyp_edits)
    assert hyp_labels.tolist() == expected_hyp
    assert ref_labels.tolist() == expected_ref
    assert edits.tolist() == expected_edits
    for n_threads in (2, 7):
        again = classer.classify(*flat(hyps), *flat(refs), n_threads=n_threads)
        assert [part.tolist() for part in again] == [hyp_labels.tolist(), ref_labels.tolist(), edits.tolist()]


def test_wrong_arrays_are_refused() -> None:
    full, base, offsets = flat([[1, 2]])
    with pytest.raises(DataError, match="one base form per word"):
        classer.classify(full, base[:1], offsets, full, base, offsets)
    with pytest.raises(DataError, match="offsets must rise from 0 to the number of words"):
        classer.classify(full, base, offsets[:1], full, base, offsets)
    with pytest.raises(DataError, match="one reference per hypothesis"):
        classer.classify(full, base, offsets, *flat([[1], [2]]))
    with pytest.raises(TypeError):
        classer.classify(full.astype(np.int64), base, offsets, full, base, offsets)
