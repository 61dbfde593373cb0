"""The order of least cost of n items, exactly and with a certificate.

Few contradictions: a search over sets (Lopez 2012, Algorithm 1). Up to 25 items: a table of all sets. Beyond: the
strongly connected components one by one, and an integer program for what is still too large.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman._core import rank as core
from dragoman.errors import DataError

__all__ = ["Optimum", "order_cost", "solve_order"]

Costs = NDArray[np.int64]

_QUICK_TABLE = 12  # items for which the table of all sets is quicker than any search
_MAX_SETS = 200_000  # of a search, a second; an integer program does the rest
_FEW_SETS = 20_000  # of a search where a table is the way out


@dataclass(frozen=True)
class Optimum:
    """An order of least cost, best item first, and why there is no better one."""

    order: tuple[int, ...]
    cost: int
    n_orders: int | None  # how many orders cost the same; None when they were not counted
    certificate: str


def order_cost(costs: Costs, order: tuple[int, ...] | list[int]) -> int:
    """The cost of an order: `costs[u, v]` for every u that stands below v."""
    placed = costs[np.ix_(order, order)]
    return int(np.tril(placed, k=-1).sum())


def solve_order(costs: Costs, *, n_threads: int = 1) -> Optimum:  # noqa: ARG001 - the kernels use one thread
    """The order of least cost. Items come in the order of preference, which decides between equally good orders."""
    costs = np.ascontiguousarray(costs, dtype=np.int64)
    n = len(costs)
    if n <= _QUICK_TABLE:
        return _optimum(core.tabulate_order(costs), f"all {2**n:,} sets of systems compared")
    if n <= core.SEARCH_ITEMS:
        solution = core.search_order(costs, _FEW_SETS if n <= core.TABLE_ITEMS else _MAX_SETS)
        if solution is not None:
            return _optimum(solution, f"search over {solution[3]:,} sets of systems; all others cost more")
    if n <= core.TABLE_ITEMS:
        return _optimum(core.tabulate_order(costs), f"all {2**n:,} sets of systems compared")
    return _by_components(costs)


def _optimum(solution: tuple[NDArray[np.int32], int, int, int], certificate: str) -> Optimum:
    order, cost, n_orders, _ = solution
    return Optimum(tuple(int(item) for item in order), int(cost), int(n_orders) or None, certificate)


def _by_components(costs: Costs) -> Optimum:
    """Components of the graph of preferences, in an order that contradicts no edge between them."""
    n = len(costs)
    parts = _components(costs)
    if len(parts) == 1:
        return _integer_program(costs)
    order: list[int] = []
    certificates = []
    for part in parts:
        if len(part) == 1:
            order += part
            continue
        inner = solve_order(costs[np.ix_(part, part)])
        order += [part[item] for item in inner.order]
        certificates.append(f"{len(part)} systems: {inner.certificate}")
    n_single = sum(len(part) == 1 for part in parts)
    certificates.append(f"{n_single} of {n} systems take part in no cycle")
    return Optimum(tuple(order), order_cost(costs, order), None, "; ".join(certificates))


def _components(costs: Costs) -> list[list[int]]:
    """Strongly connected components of "cheaper above", best first; of those that may stand anywhere, by preference."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    above = costs > costs.T  # [u, v]: cheaper with u above v
    n_parts, label = connected_components(csr_array(above), directed=True, connection="strong")
    members = [np.flatnonzero(label == part).tolist() for part in range(n_parts)]
    beats = np.zeros((n_parts, n_parts), dtype=bool)
    for u, v in zip(*np.nonzero(above), strict=True):
        beats[label[u], label[v]] = label[u] != label[v] or beats[label[u], label[v]]
    np.fill_diagonal(beats, False)
    left = set(range(n_parts))
    ordered = []
    while left:
        free = [part for part in left if not any(beats[other, part] for other in left)]
        best = min(free, key=lambda part: members[part][0])
        ordered.append(members[best])
        left.remove(best)
    return ordered


def _integer_program(costs: Costs) -> Optimum:
    """The linear ordering problem as an integer program: x[i, j] = 1 when i stands above j, no cycles of three.

    Of equally good orders it takes one that inverts the fewest pairs of the preference: the cost is multiplied so that
    all inversions together weigh less than 1.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    n = len(costs)
    first, second = np.triu_indices(n, k=1)
    number = np.zeros((n, n), dtype=np.int64)
    number[first, second] = np.arange(len(first))
    scale = len(first) + 1
    gain = (costs[second, first] - costs[first, second]) * scale - 1.0  # of i above j, for i < j
    fixed = costs[first, second].sum()
    rows, columns, signs = [], [], []
    triples = [(i, j, k) for i in range(n) for j in range(i + 1, n) for k in range(j + 1, n)]
    for row, (i, j, k) in enumerate(triples):  # 0 ≤ x_ij + x_jk − x_ik ≤ 1
        rows += [row] * 3
        columns += [number[i, j], number[j, k], number[i, k]]
        signs += [1.0, 1.0, -1.0]
    matrix = csr_array((signs, (rows, columns)), shape=(len(triples), len(first)))
    solved = milp(
        gain,
        integrality=np.ones(len(first)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, 0, 1),
        options={"mip_rel_gap": 0.0},
    )
    if solved.x is None or solved.status != 0:
        raise DataError(f"The integer program of {n} systems was not solved: {solved.message}")
    above = np.zeros((n, n), dtype=bool)
    above[first, second] = solved.x > 0.5
    above[second, first] = solved.x <= 0.5
    order = np.argsort(-above.sum(axis=1), kind="stable").tolist()
    cost = order_cost(costs, order)
    # gain = scale·(cost − fixed) − inversions kept, with fewer than `scale` inversions: the bound on the cost is whole.
    bound = int(np.ceil(solved.mip_dual_bound / scale - 1e-6)) + int(fixed)
    if bound < cost:
        raise DataError(f"The integer program of {n} systems proved only {bound} of a cost of {cost}.")
    return Optimum(tuple(order), cost, None, f"integer program, proven bound {bound:,}")
