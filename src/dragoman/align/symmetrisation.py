"""Both directions made one: links by heuristics or by posteriors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.align.directions import DirectedLinks
from dragoman.align.result import SYMMETRISATIONS
from dragoman.align.text import PairIds
from dragoman.errors import DataError, UnknownName

__all__ = ["Part", "check_symmetrisation", "join"]


@dataclass(frozen=True, eq=False)
class Part:
    """A batch of aligned pairs."""

    pairs: PairIds
    links: NDArray[np.uint16]
    offsets: NDArray[np.int64]
    both_ways: tuple[DirectedLinks, DirectedLinks]
    joint: NDArray[np.float32]


def check_symmetrisation(symmetrisation: str, threshold: float) -> None:
    """Raise if there is no such way to join directions, or no such threshold."""
    if symmetrisation not in SYMMETRISATIONS:
        raise UnknownName(f"No symmetrisation is called {symmetrisation!r}. Known: {', '.join(SYMMETRISATIONS)}.")
    if not 0 < threshold <= 1:
        raise DataError(f"The threshold of posteriors is above 0 and at most 1, got {threshold!r}.")


def join(
    pairs: PairIds,
    both_ways: tuple[DirectedLinks, DirectedLinks],
    symmetrisation: str,
    threshold: float,
    posteriors: bool,
    n_threads: int,
) -> Part:
    """Links of both directions as one."""
    core = pairs.core(decided=True)
    joint = np.zeros(0, np.float32)
    if posteriors:
        (links, offsets), joint = _core.align.join_posteriors(
            both_ways[0].posteriors, both_ways[1].posteriors, core, threshold, n_threads=n_threads
        )
    if symmetrisation != "posterior":
        method = _core.align.Symmetrisation[symmetrisation.replace("-", "_")]
        links, offsets = _core.align.symmetrise(
            both_ways[0].links, both_ways[1].links, core, method, n_threads=n_threads
        )
    return Part(pairs, links, offsets, both_ways, joint)
