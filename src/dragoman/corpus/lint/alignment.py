"""Runs of segments that have slipped against their sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman._core import corpus as core
from dragoman.corpus.lint.base import Check, Finding, Material, Severity, TextStream
from dragoman.options import option

__all__ = ["Misaligned"]


class _Run(NamedTuple):
    first: int
    last: int
    gain: float  # nats


@dataclass(frozen=True)
class Misaligned(Check):
    """A run of segments fits the source better one place up or down: a line was lost or doubled where it begins.

    Lengths, numbers, names, marks at the end and quotation marks are compared (cpp/include/dragoman/corpus/shift.hpp).
    In aligned news text a pair fits better than a shifted one by some six nats on average; in half a million pairs of
    news, captions, lessons and crowd translations, chance runs of the opposite stay below fourteen.
    """

    name: ClassVar[str] = "misaligned"
    severity: ClassVar[Severity] = "error"
    nats: float = option(16.0, low=0, text="evidence that a run must have")
    segments: int = option(4, low=1, text="of the shortest run")
    at_least: int = option(20, low=1, text="segments in all; fewer say nothing about what is usual")

    def skipped(self, material: Material) -> str | None:
        """See `Check`."""
        if len(material.streams) < 2:
            return "there is one stream only"
        return None if len(material) >= self.at_least else f"fewer than {self.at_least} segments"

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        for base, stream in material.pairs:
            fit = _fit(base, stream)
            runs = [
                (run, shift) for shift, column in ((-1, 0), (1, 2)) for run in self._runs(fit[:, column] - fit[:, 1])
            ]
            for run, shift in sorted(_strongest(runs)):
                where = "the one before it" if shift < 0 else "the one after it"
                yield self.finding(
                    stream,
                    run.first,
                    f"from here to segment {run.last + 1}, {base.name} fits not this segment but {where} "
                    f"({run.gain:.0f} nats); look for a line {'lost' if shift < 0 else 'too many'} near here",
                )

    def _runs(self, gain: NDArray[np.float64]) -> list[_Run]:
        """Runs whose summed gain reaches the threshold, each ended where the sum is highest."""
        runs: list[_Run] = []
        start, total, best, best_at = 0, 0.0, 0.0, -1

        def close() -> None:
            if best >= self.nats and best_at - start + 1 >= self.segments:
                runs.append(_Run(start, best_at, best))

        for place, value in enumerate(gain.tolist()):
            total += value
            if total > best:
                best, best_at = total, place
            if total <= 0 or total < best - self.nats:
                close()
                start, total, best = place + 1, 0.0, 0.0
        close()
        return _joined(runs)


def _strongest(runs: list[tuple[_Run, int]]) -> list[tuple[_Run, int]]:
    """Of runs that overlap, the strongest: where text has slipped down, "up" and "straight" differ by chance alone."""
    strongest: list[tuple[_Run, int]] = []
    for run, shift in sorted(runs, key=lambda item: -item[0].gain):
        if all(run.last < other.first or other.last < run.first for other, _ in strongest):
            strongest.append((run, shift))
    return strongest


def _joined(runs: list[_Run]) -> list[_Run]:
    """Runs with a gap shorter than the longer of them made one: a few stray segments do not end a slip."""
    joined: list[_Run] = []
    for run in runs:
        before = joined[-1] if joined else None
        if before and run.first - before.last <= max(run.last - run.first, before.last - before.first):
            joined[-1] = _Run(before.first, run.last, before.gain + run.gain)
        else:
            joined.append(run)
    return joined


def _fit(base: TextStream, stream: TextStream) -> NDArray[np.float64]:
    here, there = (np.log(s.profiles["characters"].astype(np.float64) + 1) for s in (base, stream))
    # If most of the stream has slipped, its own ratios are those of strangers; the shift that fits best is nearer to
    # what pairs look like.
    ratios = (there[:-1] - here[1:], there - here, there[1:] - here[:-1])
    centre, spread = min(map(_centre_and_spread, ratios), key=lambda fit: fit[1])
    return core.fit_shifted(base.folded, stream.folded, [-1, 0, 1], centre=centre, spread=spread)


def _centre_and_spread(ratios: NDArray[np.float64]) -> tuple[float, float]:
    centre = float(np.median(ratios))
    return centre, max(0.1, 1.4826 * float(np.median(np.abs(ratios - centre))))
