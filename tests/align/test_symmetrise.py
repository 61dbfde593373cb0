"""Symmetrisation against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman._core import align as core
from dragoman.align import SYMMETRISATIONS
from tests.align import naive


@st.composite
def directions(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    n_source, n_target = draw(st.integers(0, 6)), draw(st.integers(0, 6))
    forward = draw(st.lists(st.integers(-1, n_source - 1), min_size=n_target, max_size=n_target))
    backward = draw(st.lists(st.integers(-1, n_target - 1), min_size=n_source, max_size=n_source))
    return forward, backward


def bitext(pairs: list[tuple[int, int]]) -> core.Bitext:
    """Sentence pairs of so many words."""
    offsets = [np.cumsum([0, *(pair[side] for pair in pairs)], dtype=np.int64) for side in (0, 1)]
    words = [np.zeros(each[-1], np.int32) for each in offsets]
    return core.Bitext(*words, *offsets, np.zeros((0, 2), np.int32), np.zeros(0, np.int64))


@pytest.mark.parametrize("method", SYMMETRISATIONS[:-1])
@given(pairs=st.lists(directions(), max_size=4))
def test_symmetrisations_agree_with_the_definition(method: str, pairs: list[tuple[list[int], list[int]]]) -> None:
    text = bitext([(len(backward), len(forward)) for forward, backward in pairs])
    flat = [np.array([x for pair in pairs for x in pair[side]], np.int32) for side in (0, 1)]
    kind = core.Symmetrisation[method.replace("-", "_")]
    for n_threads in (1, 2, 7):
        points, offsets = core.symmetrise(*flat, text, kind, n_threads=n_threads)
        for i, (forward, backward) in enumerate(pairs):
            found = [tuple(link) for link in points[offsets[i] : offsets[i + 1]].tolist()]
            there = {(s, t) for t, s in enumerate(forward) if s >= 0}
            back = {(s, t) for s, t in enumerate(backward) if t >= 0}
            assert found == sorted(naive.symmetrise(there, back, method))


@given(st.integers(0, 4), st.integers(0, 4), st.floats(0.05, 1), st.randoms(use_true_random=False))
def test_posteriors_are_joined_by_their_geometric_mean(n_source: int, n_target: int, threshold: float, chance) -> None:  # type: ignore[no-untyped-def]
    forward = np.array([[chance.random() for _ in range(n_target)] for _ in range(n_source)], np.float32)
    backward = np.array([[chance.random() for _ in range(n_source)] for _ in range(n_target)], np.float32)
    text = bitext([(n_source, n_target)])
    (points, _), joint = core.join_posteriors(forward.ravel(), backward.ravel(), text, threshold)
    expected = np.sqrt(forward.reshape(n_source, n_target) * backward.reshape(n_target, n_source).T)
    np.testing.assert_allclose(joint.reshape(n_source, n_target), expected, rtol=1e-6)
    assert points.tolist() == np.argwhere(expected >= np.float32(threshold)).tolist()
