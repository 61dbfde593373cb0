"""Tune an engine: its own decoder, its own text preparation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.metrics.references import References
from dragoman.report import Progress
from dragoman.rng import Stream
from dragoman.smt.held_out import held_out_sides
from dragoman.smt.tune.base import TUNERS, HeldOut, Tuned
from dragoman.smt.tune.pool import Vector
from dragoman.smt.tune.seeds import Tunings
from dragoman.smt.tuning import Tuning

if TYPE_CHECKING:
    from dragoman.smt.decoded import Decoded
    from dragoman.smt.engine import Engine
    from dragoman.smt.hypergraph import SearchGraph
    from dragoman.smt.search import SearchLimits
    from dragoman.smt.sparse import SparseRows

__all__ = ["EngineDecode", "tune_engine"]

SPARSE = "sparse"  # the column of all sparse features whose weights are fixed
_TOGETHER = 100  # lines whose graphs are made at once


class SparseIndex:
    """Columns of sparse features, in the order in which decoding brings them up."""

    def __init__(self) -> None:
        self.keys: list[int] = []
        self._columns: dict[int, int] = {}

    def matrix(self, rows: SparseRows) -> Any:
        """Sparse features of paths as a SciPy matrix; features that are new get the next columns."""
        from scipy.sparse import csr_matrix

        distinct, places = np.unique(rows.keys, return_inverse=True)
        for key in distinct.tolist():
            if key not in self._columns:
                self._columns[key] = len(self.keys)
                self.keys.append(key)
        columns = np.array([self._columns[key] for key in distinct.tolist()], dtype=np.int32)[places]
        shape = (len(rows.offsets) - 1, len(self.keys))
        matrix = csr_matrix((rows.values.astype(np.float64), columns, rows.offsets), shape=shape)
        matrix.sort_indices()
        return matrix


@dataclass(frozen=True, eq=False)
class SparseLists:
    """Lists of candidates that have sparse features, too."""

    texts: list[str]
    offsets: NDArray[np.int64]
    features: NDArray[np.float64]
    sparse_matrix: Any  # (paths, sparse features so far)


class EngineDecode:
    """An engine's decoder on prepared lines, as tuners call it."""

    def __init__(
        self,
        engine: Engine,
        token_lines: Sequence[str],
        *,
        n_best: int,
        limits: SearchLimits,
        sparse: bool = True,
        index: SparseIndex | None = None,
        fixed: Mapping[str, float] | None = None,
        n_threads: int = 1,
    ) -> None:
        """`fixed` are weights of sparse features that stay: what they say together is one more column, `SPARSE`."""
        self.engine = engine
        self.token_lines = list(token_lines)
        self.n_best = n_best
        self.limits = limits
        self.n_threads = n_threads
        self.index = index or SparseIndex()
        self.sparse = sparse and bool(engine.sparse_names.families)
        self.fixed = dict(fixed or {})
        self._fixed_keys = {engine.sparse_names.key(name): weight for name, weight in self.fixed.items()}

    def __call__(self, weights: Vector, segments: NDArray[np.int64] | None = None) -> Decoded | SparseLists:
        """Candidates of all lines, or of those with these numbers; weights of sparse features stand behind the others.

        Of an engine with sparse features, `sparse_matrix` has those of the candidates.
        """
        lines = self.token_lines if segments is None else [self.token_lines[i] for i in segments.tolist()]
        n = len(self.engine.feature_names)
        more = weights[n:]
        decoded = self.engine.decode(
            lines,
            weights=weights[:n],
            sparse=self._fixed_keys or {self.index.keys[i]: float(more[i]) for i in np.flatnonzero(more)},
            n_best=self.n_best,
            features=True,
            limits=self.limits,
            n_threads=self.n_threads,
        )
        if self.fixed:
            return replace(decoded, features=np.column_stack([decoded.features, self._fixed_sums(decoded.sparse)]))
        if not self.sparse:
            return decoded
        return SparseLists(decoded.texts, decoded.offsets, decoded.features, self.index.matrix(decoded.sparse))

    def _fixed_sums(self, rows: SparseRows) -> NDArray[np.float64]:
        """What the fixed weights add to each path."""
        weights = np.array([self._fixed_keys.get(key, 0.0) for key in rows.keys.tolist()])
        paths = np.repeat(np.arange(len(rows.offsets) - 1), np.diff(rows.offsets))
        sums = np.bincount(paths, weights=weights * rows.values, minlength=len(rows.offsets) - 1)
        return sums.astype(np.float64)

    def sparse_name(self, column: int) -> str:
        """The name of a sparse feature."""
        return self.engine.sparse_names.name(self.index.keys[column])

    def graphs(self, weights: Vector, *, most_arcs: int) -> list[SearchGraph]:
        """The search graphs of all lines, with features, each with its best arcs alone: so many for a source token."""
        names = self.engine.feature_names
        named = {**dict(zip(names, weights.tolist(), strict=False)), **self.fixed}  # the fixed column is last
        pruned: list[SearchGraph] = []
        for first in range(0, len(self.token_lines), _TOGETHER):  # whole graphs are large
            graphs = self.engine.graphs(
                self.token_lines[first : first + _TOGETHER],
                weights=named,
                features=True,
                limits=self.limits,
                n_threads=self.n_threads,
            )
            pruned += [graph.pruned(most_arcs * (len(graph.source) + 1)) for graph in graphs]
        return pruned


def prepared_references(engine: Engine, references: References, *, n_threads: int = 1) -> list[list[str | None]]:
    """Raw references as an engine's output looks before it is restored; those that are missing stay so."""
    return [
        [None if line is None else text for line, text in zip(stream, prepared, strict=True)]
        for stream, prepared in (
            (stream, engine.target.prepare(references.lines(r), n_threads=n_threads))
            for r, stream in enumerate(references.streams)
        )
    ]


def tune_engine(
    engine: Engine,
    dev: TestSet,
    tuning: Tuning | None = None,
    *,
    frozen: Sequence[str] = ("unknown",),
    n_threads: int = 1,
    progress: Progress | None = None,
) -> Tunings:
    """Tune an engine on raw sources and references, once for each seed of `tuning`.

    Both sides are prepared as the engine's recipe says, so the metric sees tokens. With a share held out, those
    segments are not tuned on and decide which round and which seed is kept. Sparse features, if the engine has any, are
    tuned by tuners that can; others leave them the weights that they have. `frozen` features keep theirs.
    """
    recipe = (tuning or Tuning()).check()
    tuner, seeds, held_out = TUNERS.make(recipe.method), recipe.seeds, recipe.held_out
    src_lines, references = held_out_sides(dev)
    if not seeds:
        raise DataError("There are no seeds; give at least one.")
    sources = engine.source.prepare(src_lines, n_threads=n_threads)
    streams = prepared_references(engine, references, n_threads=n_threads)
    fixed = {} if tuner.takes_sparse else _sparse_weights(engine)
    index = SparseIndex()
    limits = replace(engine.recipe.search, pop_limit=recipe.pop_limit)
    n_held = round(held_out * len(sources))
    if held_out and not 0 < n_held < len(sources):
        raise DataError(f"A share of {held_out:g} of {len(sources)} segments leaves none to tune on or none held out.")
    order = Stream(seeds[0], "held-out").permutation(len(sources)) if n_held else np.arange(len(sources))

    def part(numbers: NDArray[np.int64]) -> tuple[EngineDecode, list[list[str | None]]]:
        lines = [sources[i] for i in numbers.tolist()]
        decode = EngineDecode(
            engine,
            lines,
            n_best=recipe.n_best,
            limits=limits,
            sparse=tuner.takes_sparse,
            index=index,
            fixed=fixed,
            n_threads=n_threads,
        )
        return decode, [[stream[i] for i in numbers.tolist()] for stream in streams]

    decode, own_refs = part(np.sort(order[n_held:]))
    guard = None
    if n_held:
        other, other_refs = part(np.sort(order[:n_held]))
        other.n_best = 1
        guard = HeldOut(other, other_refs)
    wrong = [name for name in frozen if name not in engine.feature_names and name != "unknown"]
    if wrong:
        raise DataError(f"No feature is called {', '.join(wrong)}. Known: {', '.join(engine.feature_names)}.")
    present = [name for name in frozen if name in engine.feature_names] + [SPARSE] * bool(fixed)
    start = {**engine.dense_weights, **({SPARSE: 1.0} if fixed else {})}
    tuned = (
        tuner.tune(
            decode,
            own_refs,
            start=start,
            metric=recipe.metric,
            seed=seed,
            frozen=present,
            held_out=guard,
            n_threads=n_threads,
            progress=progress,
        )
        for seed in seeds
    )
    return Tunings(tuple(_with_fixed(each, fixed) if fixed else each for each in tuned))


def _sparse_weights(engine: Engine) -> dict[str, float]:
    return {name: weight for name, weight in engine.weights.items() if name not in engine.dense_weights}


def _with_fixed(tuned: Tuned, fixed: Mapping[str, float]) -> Tuned:
    """Weights that were tuned beside the column of all sparse features, with these by name again."""
    rounds = tuple(replace(each, weights=each.weights[:-1]) for each in tuned.rounds)
    idle = tuple(name for name in tuned.idle if name != SPARSE)
    return replace(tuned, names=tuned.names[:-1], rounds=rounds, idle=idle, sparse=dict(fixed))
