"""Tree kernels against all common fragments, one by one (QE-UU, acceptance 1)."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.learn.tree_kernels import KernelTrees, TreeKernel
from dragoman.text.trees import Tree, parse_tree

CAT = "(VP (V brought) (NP (D a) (N cat)))"


def counts(kind: str, *texts: str) -> np.ndarray:
    return TreeKernel(kind, 1.0, 1.0, normalised=False).gram(KernelTrees([parse_tree(text) for text in texts]))


def test_worked_counts_of_hardmeier_et_al_2012() -> None:
    assert counts("subset", CAT)[0, 0] == 17
    assert counts("partial", CAT)[0, 0] == 48
    # Under S: S alone, S-DT, S-N twice, S-DT-N twice; then DT once and N twice.
    assert counts("partial", "(S (DT) (JJ) (N))", "(S (DT) (N) (N))")[0, 1] == 6 + 3


@st.composite
def small_trees(draw: st.DrawFn) -> Tree:
    size = draw(st.integers(1, 7))
    parents = [-1]
    path = [0]  # from the root to the last node: in pre-order only these may get another child
    for node in range(1, size):
        depth = draw(st.integers(0, len(path) - 1))
        path = [*path[: depth + 1], node]
        parents.append(path[-2])
    labels = draw(st.lists(st.sampled_from("AB"), min_size=size, max_size=size))
    return Tree(tuple(labels), tuple(parents))


def naive(kind: str, a: Tree, b: Tree, width: float, depth: float) -> float:
    """The definitions, word for word: all pairs of child subsequences, all pairs of equal productions."""
    of_a, of_b = a.children(), b.children()

    @cache
    def subset(m: int, n: int) -> float:
        rule_a = (a.labels[m], *(a.labels[c] for c in of_a[m]))
        rule_b = (b.labels[n], *(b.labels[c] for c in of_b[n]))
        if not of_a[m] or rule_a != rule_b:
            return 0.0
        return width * float(np.prod([1 + subset(x, y) for x, y in zip(of_a[m], of_b[n], strict=True)]))

    @cache
    def partial(m: int, n: int) -> float:
        if a.labels[m] != b.labels[n]:
            return 0.0
        total = width**2
        for size in range(1, min(len(of_a[m]), len(of_b[n])) + 1):
            for left, right in product(
                combinations(range(len(of_a[m])), size), combinations(range(len(of_b[n])), size)
            ):
                spread = left[-1] - left[0] + 1 + right[-1] - right[0] + 1
                deltas = [partial(of_a[m][x], of_b[n][y]) for x, y in zip(left, right, strict=True)]
                total += width**spread * float(np.prod(deltas))
        return depth * total

    delta = {"subset": subset, "partial": partial}[kind]
    return sum(delta(m, n) for m in range(len(a)) for n in range(len(b)))


@pytest.mark.parametrize("kind", ["subset", "partial"])
@given(trees=st.lists(small_trees(), min_size=1, max_size=4), width=st.sampled_from([0.4, 1.0]))
def test_a_kernel_equals_its_definition_is_symmetric_and_positive(kind: str, trees: list[Tree], width: float) -> None:
    found = TreeKernel(kind, width, 0.5, normalised=False).gram(KernelTrees(trees))
    expected = [[naive(kind, a, b, width, 0.5) for b in trees] for a in trees]
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    assert np.array_equal(found, found.T)
    assert np.linalg.eigvalsh(found).min() > -1e-9 * max(1.0, found.max())
    ones = np.diag(TreeKernel(kind, width, 0.5).gram(KernelTrees(trees)))
    has_parts = np.diag(found) > 0
    np.testing.assert_allclose(ones[has_parts], 1)
    assert not ones[~has_parts].any()


def test_parts_of_the_matrix_are_the_same_whatever_the_threads() -> None:
    trees = KernelTrees([parse_tree(text) for text in (CAT, "(VP (V saw) (NP (D a) (N dog)))", "", "(NP (D a))")])
    whole = TreeKernel().gram(trees)
    for n_threads in (2, 7):
        assert np.array_equal(whole, TreeKernel().gram(trees, n_threads=n_threads))
    assert np.array_equal(whole[[1]][:, [0, 3]], TreeKernel().gram(trees, [1], [0, 3]))
    assert not whole[2].any()  # nothing is known of this sentence


@pytest.mark.parametrize(
    ("kernel", "message"),
    [({"kind": "string"}, "There is no tree kernel 'string'"), ({"width": 0.0}, "The decay width is 0")],
)
def test_wrong_kernels_are_refused(kernel: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        TreeKernel(**kernel)  # type: ignore[arg-type]


def test_what_is_too_large_is_refused_by_name() -> None:
    wide = Tree(("A",) * 5001, (-1, *[0] * 5000))
    with pytest.raises(DataError, match="Tree 1 has 5001 nodes; a tree kernel takes at most 5000"):
        TreeKernel().gram(KernelTrees([wide]))
    with pytest.raises(DataError, match="There is no tree 3"):
        TreeKernel().gram(KernelTrees([Tree(("A",), (-1,))]), [3])
    deep = Tree(("A",) * 2000, (-1, *[0] * 1999))
    with pytest.raises(DataError, match="lower its decay"):
        TreeKernel("partial", 1.0, 1.0).gram(KernelTrees([deep]))
