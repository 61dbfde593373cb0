"""Plain edit distances on ids, against their definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman._core import edit
from dragoman.errors import DataError

ids = st.sampled_from([-(2**31), -1, 0, 1, 2, 3, 1024, 2**31 - 1])
batches = st.lists(st.tuples(st.lists(ids, max_size=150), st.lists(ids, max_size=150)), max_size=4)


def laid(sequences: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    flat = np.array([item for sequence in sequences for item in sequence], dtype=np.int32)
    return flat, np.cumsum([0, *map(len, sequences)]).astype(np.int64)


def matrix(hyp: list[int], ref: list[int], *, swaps: bool) -> list[list[int]]:
    cells = [[i + j for j in range(len(ref) + 1)] for i in range(len(hyp) + 1)]
    for i in range(1, len(hyp) + 1):
        for j in range(1, len(ref) + 1):
            ways = [cells[i - 1][j - 1] + (hyp[i - 1] != ref[j - 1]), cells[i - 1][j] + 1, cells[i][j - 1] + 1]
            if swaps and i > 1 and j > 1 and (hyp[i - 1], hyp[i - 2]) == (ref[j - 2], ref[j - 1]):
                ways.append(cells[i - 2][j - 2] + 1)
            cells[i][j] = min(ways)
    return cells


def way_back(hyp: list[int], ref: list[int]) -> list[int]:
    """Match or substitution before deletion before insertion, seen from the end."""
    cells = matrix(hyp, ref, swaps=False)
    i, j, steps = len(hyp), len(ref), []
    while i or j:
        if i and j and cells[i][j] == cells[i - 1][j - 1] + (hyp[i - 1] != ref[j - 1]):
            i, j = i - 1, j - 1
            steps.append(int(hyp[i] != ref[j]))
        elif i and cells[i][j] == cells[i - 1][j] + 1:
            i -= 1
            steps.append(3)
        else:
            j -= 1
            steps.append(2)
    return steps[::-1]


@given(batches, st.sampled_from([1, 2, 7]))
def test_kernels_equal_their_definitions(batch, n_threads: int) -> None:
    hyps, refs = [hyp for hyp, _ in batch], [ref for _, ref in batch]
    sides = (*laid(hyps), *laid(refs))
    plain = [matrix(hyp, ref, swaps=False)[-1][-1] for hyp, ref in batch]
    swaps = [matrix(hyp, ref, swaps=True)[-1][-1] for hyp, ref in batch]
    assert edit.levenshtein(*sides, n_threads=n_threads).tolist() == plain
    assert edit.damerau(*sides, n_threads=n_threads).tolist() == swaps
    steps, offsets = edit.operations(*sides, n_threads=n_threads)
    found = [part.tolist() for part in np.split(steps, offsets[1:-1])] if batch else []
    assert found == [way_back(hyp, ref) for hyp, ref in batch]


def test_wrong_arrays_are_named() -> None:
    one, offsets = laid([[1, 2]])
    with pytest.raises(DataError, match="one reference per hypothesis"):
        edit.levenshtein(one, offsets, *laid([[1], [2]]))
    for wrong in ([0, 1], [1, 2], [0, 2, 1, 2], []):
        with pytest.raises(DataError, match="offsets must rise from 0 to the number of ids"):
            edit.levenshtein(one, np.array(wrong, dtype=np.int64), one, offsets)
    with pytest.raises(TypeError):
        edit.levenshtein(one.astype(np.int64), offsets, one, offsets)


def test_too_long_to_align() -> None:
    many = laid([[0] * 200_000])
    assert edit.levenshtein(*laid([[0] * 20_000]), *laid([[1] * 20_000])).tolist() == [20_000]
    with pytest.raises(DataError, match="200000 and 200000 items are too long to be aligned"):
        edit.operations(*many, *many)
