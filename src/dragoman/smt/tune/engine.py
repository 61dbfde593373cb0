"""Tune an engine: its own decoder, its own text preparation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.metrics.base import Metric
from dragoman.metrics.references import References, RefsInput
from dragoman.rng import Stream
from dragoman.smt.tune.base import TUNERS, HeldOut, Tuner
from dragoman.smt.tune.pool import Vector
from dragoman.smt.tune.tuned import Tunings

if TYPE_CHECKING:
    from dragoman.smt.decoded import Decoded
    from dragoman.smt.engine import Engine
    from dragoman.smt.search import SearchLimits

__all__ = ["EngineDecode", "tune_engine"]


class EngineDecode:
    """An engine's decoder on prepared lines, as tuners call it."""

    def __init__(
        self, engine: Engine, token_lines: Sequence[str], *, n_best: int, limits: SearchLimits, n_threads: int = 1
    ) -> None:
        self.engine = engine
        self.token_lines = list(token_lines)
        self.n_best = n_best
        self.limits = limits
        self.n_threads = n_threads

    def __call__(self, weights: Vector, segments: NDArray[np.int64] | None = None) -> Decoded:
        """Candidates of all lines, or of those with these numbers."""
        lines = self.token_lines if segments is None else [self.token_lines[i] for i in segments.tolist()]
        return self.engine.decode(
            lines, weights=weights, n_best=self.n_best, features=True, limits=self.limits, n_threads=self.n_threads
        )


def tune_engine(
    engine: Engine,
    src_lines: Sequence[str],
    refs: RefsInput,
    *,
    method: str | Tuner = "mira",
    metric: Metric | str = "bleu:tokeniser=none",
    seeds: Sequence[int] = (1,),
    n_best: int = 100,
    pop_limit: int = 200,
    frozen: Sequence[str] = ("unknown",),
    held_out: float = 0.0,
    n_threads: int = 1,
) -> Tunings:
    """Tune an engine on raw source lines and raw references, once for each seed.

    Both sides are prepared as the engine's recipe says, so the metric sees tokens. `n_best` and `pop_limit` are those
    of decoding while tuning. With `held_out`, that share of the segments is not tuned on and decides which round and
    which seed is kept.
    """
    tuner = method if isinstance(method, Tuner) else TUNERS.make(method)
    references = References.of(refs)
    check_parallel({"src": src_lines, **dict(zip(references.names, references.streams, strict=True))})
    if not 0 <= held_out < 1:
        raise DataError(f"held_out is the share of segments that are not tuned on, from 0 to below 1; got {held_out}.")
    if not seeds:
        raise DataError("There are no seeds; give at least one.")
    sources = engine.source.prepare(src_lines, n_threads=n_threads)
    streams = [
        [None if line is None else text for line, text in zip(stream, prepared, strict=True)]
        for stream, prepared in (
            (stream, engine.target.prepare(references.lines(r), n_threads=n_threads))
            for r, stream in enumerate(references.streams)
        )
    ]
    limits = replace(engine.recipe.search, pop_limit=pop_limit)
    n_held = round(held_out * len(sources))
    if held_out and not 0 < n_held < len(sources):
        raise DataError(f"A share of {held_out:g} of {len(sources)} segments leaves none to tune on or none held out.")
    order = Stream(seeds[0], "held-out").permutation(len(sources)) if n_held else np.arange(len(sources))

    def part(numbers: NDArray[np.int64]) -> tuple[EngineDecode, list[list[str | None]]]:
        lines = [sources[i] for i in numbers.tolist()]
        decode = EngineDecode(engine, lines, n_best=n_best, limits=limits, n_threads=n_threads)
        return decode, [[stream[i] for i in numbers.tolist()] for stream in streams]

    decode, own_refs = part(np.sort(order[n_held:]))
    guard = None
    if n_held:
        other, other_refs = part(np.sort(order[:n_held]))
        other.n_best = 1
        guard = HeldOut(other, other_refs)
    present = [name for name in frozen if name in engine.feature_names]
    return Tunings(
        tuple(
            tuner.tune(
                decode, own_refs, start=engine.weights, metric=metric, seed=seed, frozen=present,
                held_out=guard, n_threads=n_threads,
            )
            for seed in seeds
        )
    )  # fmt: skip
