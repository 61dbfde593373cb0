"""Features of how machines write and how people do (Pighin et al. 2012): sequences, and dependencies projected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.options import option
from dragoman.qe.features.alignment import links_of
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, once, shares
from dragoman.qe.resources.parses import Flags
from dragoman.qe.resources.projection import PROJECTED, Edge, ProjectedDependencies, projected_edges
from dragoman.qe.resources.sequences import CLOSED, SEQUENCES, SequenceModels, sequence_lines, source_tags
from dragoman.stats.arrays import Floats

__all__ = ["Projected", "SequenceContrast"]

_PIGHIN = "Pighin et al., WMT 2012, §3"
_JOIN = "intersection"


@dataclass(frozen=True)
class SequenceContrast(Feature):
    """Perplexity of the translation as a sequence of units, in a model of outputs and one of post-edits.

    `outputs` is the first, cut at 10⁶, `ratio` the first by the second, `inverse` the second by the first. Units: see
    `sequence_lines`; stop words are words of closed classes, by their tags. A sentence without units has 1.
    """

    name: ClassVar[str] = "sequence-contrast"
    paper: ClassVar[str] = f"{_PIGHIN} (SEQ)"
    needs: ClassVar[tuple[str, ...]] = ("sequences",)

    unit: str = option("word", choices=SEQUENCES, text="what the sequence is of")
    value: str = option("ratio", choices=("outputs", "ratio", "inverse"), text="which perplexity or ratio")

    def needed(self) -> tuple[str, ...]:
        """The models; of tags also what gives tags and links."""
        if self.unit == "tag-stop":
            return ("sequences", "source_parser", "target_parser", "aligner")
        return ("sequences", "target_parser") if self.unit.endswith("-stop") or self.unit == "chain" else ("sequences",)

    def values(self, batch: Batch) -> Floats:
        """The value of each output."""
        models = batch.resources.ask("sequences", SequenceModels).models
        ours, good = ("outputs", self.unit), ("edits", self.unit)
        if ours not in models or good not in models:  # the text they were learnt from has no such units
            return np.ones(len(batch))
        lines = _unit_lines(batch, self.unit, parsed="target_parser" in self.needed())
        n = np.array([len(line.split()) + 1 for line in lines], dtype=np.float64)
        logs = [models[name].score(lines, n_threads=batch.n_threads) / n for name in (ours, good)]
        power = {"outputs": -logs[0], "ratio": logs[1] - logs[0], "inverse": logs[0] - logs[1]}[self.value]
        return np.where(n > 1, 10.0 ** np.clip(power, -6.0, 6.0), 1.0)


@once
def _unit_lines(batch: Batch, unit: str, *, parsed: bool) -> list[str]:
    """The outputs as lines of units."""
    tokens = batch.tokens("target")
    token_lines = tokens.token_lines()
    closed: list[Flags] = [np.zeros(len(line), dtype=bool) for line in token_lines]
    tags = [["*"] * len(line) for line in token_lines]
    if parsed:
        closed = np.split(batch.parses("target").tagged(*CLOSED), tokens.offsets[1:-1]) if len(batch) else []
    if unit == "tag-stop":
        tags = source_tags(batch.parses("source"), links_of(batch, _JOIN, ""), tokens.offsets)
    return sequence_lines(unit, token_lines, closed, tags)


@dataclass(frozen=True)
class Projected(Feature):
    """What became of the source's dependencies, projected on the output, when others post-edited them.

    Of the dependencies whose two words are linked: `coverage` is the share that post-editing has seen; `kept` the mean
    share in which it kept them (C+), `changed` that in which it changed them (C−), unseen ones 0. `part` takes those
    kept best (for `kept`) or worst (for `changed`) alone, a half or a quarter of them.
    """

    name: ClassVar[str] = "projected-dependencies"
    paper: ClassVar[str] = f"{_PIGHIN} (DEP)"
    needs: ClassVar[tuple[str, ...]] = ("projected", "source_parser", "aligner")

    unit: str = option("word", choices=PROJECTED, text="words, roots or endings")
    value: str = option("changed", choices=("coverage", "kept", "changed"), text="what of the dependencies")
    part: str = option("all", choices=("all", "half", "quarter"), text="of which of them")

    def values(self, batch: Batch) -> Floats:
        """The value of each pair; 0 without dependencies."""
        table = batch.resources.ask("projected", ProjectedDependencies)
        edges = _edges(batch)
        counts = table.of([edge for line in edges for _, edge in line], self.unit).astype(np.float64)
        line = np.repeat(np.arange(len(batch)), [len(each) for each in edges])
        total = counts.sum(axis=1)
        unchanged, changed = shares(counts[:, 0], total), shares(counts[:, 1], total)
        value = {"coverage": (total > 0).astype(np.float64), "kept": unchanged, "changed": changed}[self.value]
        sign = -1.0 if self.value == "kept" else 1.0  # the best first, or the worst
        order = np.lexsort((sign * (unchanged - changed), line))
        n = np.bincount(line, minlength=len(batch))
        rank = np.arange(len(line)) - np.repeat(np.cumsum(n) - n, n)
        most = np.ceil(n / {"all": 1, "half": 2, "quarter": 4}[self.part])
        chosen = order[rank < np.repeat(most, n)]
        return shares(np.bincount(line[chosen], weights=value[chosen], minlength=len(batch)), most)


@once
def _edges(batch: Batch) -> list[list[tuple[int, Edge]]]:
    """The sources' dependencies on the outputs' words."""
    lines = batch.tokens("target").token_lines()
    return projected_edges(batch.parses("source"), links_of(batch, _JOIN, ""), lines)
