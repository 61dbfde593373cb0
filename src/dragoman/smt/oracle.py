"""Oracles: the best that a search could have said, had it known the references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.metrics.base import Metric
from dragoman.metrics.references import References, RefsInput
from dragoman.report import Column, Result, Table
from dragoman.smt.held_out import held_out_sides

if TYPE_CHECKING:
    from dragoman.smt.decoded import Decoded
    from dragoman.smt.engine import Engine
    from dragoman.smt.hypergraph import SearchGraph
    from dragoman.smt.search import SearchLimits
    from dragoman.smt.tune.objective import Objective

__all__ = ["Oracles", "best_of_graphs", "best_of_lists", "measure_oracles"]

# BLEU made linear (Tromble et al., EMNLP 2008): a matched n-gram is worth 1 / (4 p rⁿ⁻¹) words, for a precision of
# unigrams p that falls by r from order to order. Which suits a sentence is not known before; all are tried.
_PRECISIONS = (0.6, 0.85)
_RATIOS = (0.5, 0.7, 0.9)
_WORDS = (-1.0, -0.5)  # what a word costs: less where long output is wanted
_LISTED = 100  # translations of a graph that are looked at besides
_PASSES = 3


def best_of_lists(
    decoded: Decoded, refs: RefsInput, *, metric: Metric | str = "bleu:tokeniser=none", n_threads: int = 1
) -> list[str]:
    """Of each sentence's translations the one that serves the metric of the whole best; near enough, not exact.

    First the best by itself (BLEU: smoothed), then, a few times over, the best among the others' choices.
    """
    from dragoman.smt.tune.objective import Objective

    objective = Objective(metric, refs, n_threads=n_threads)
    _check_number(len(decoded), objective)
    lists = [[decoded.texts[path] for path in decoded.paths(i)] for i in range(len(decoded))]
    return _chosen(lists, objective)


def best_of_graphs(
    graphs: Sequence[SearchGraph], refs: RefsInput, *, metric: Metric | str = "bleu:tokeniser=none", n_threads: int = 1
) -> list[str]:
    """As `best_of_lists`, out of all that searches found.

    A graph has too many translations to look at: those that gain most by linear BLEU, for several shapes of it, the
    nearest to a reference by word edits, and the model's best hundred are candidates.
    """
    from dragoman.smt.tune.objective import Objective

    references = References.of(refs)
    objective = Objective(metric, references, n_threads=n_threads)
    _check_number(len(graphs), objective)
    lists = []
    for number, graph in enumerate(graphs):
        present = [line for stream in references.streams if (line := stream[number]) is not None]
        lists.append(_candidates(graph, present) if len(graph) else [""])
    return _chosen(lists, objective)


def _check_number(n: int, objective: Objective) -> None:
    if n != len(objective):
        raise DataError(f"There are {n} sentences and references for {len(objective)}.")


def _candidates(graph: SearchGraph, references: Sequence[str]) -> list[str]:
    texts = [path.text for path in graph.n_best(_LISTED)]
    texts += [graph.oracle(line)[0].text for line in references]
    for word, p, r in product(_WORDS, _PRECISIONS, _RATIOS):
        match = [1 / (4 * p * r**n) for n in range(4)]
        texts.append(graph.linear_oracle(references, word=word, match=match).text)
    return list(dict.fromkeys(texts))


def _chosen(lists: list[list[str]], objective: Objective) -> list[str]:
    sizes = [len(texts) for texts in lists]
    if 0 in sizes:
        raise DataError(f"Sentence {sizes.index(0) + 1} has no translation to choose from.")
    segments = np.repeat(np.arange(len(lists)), sizes)
    rows = objective.rows(segments, [text for texts in lists for text in texts])
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    alone = objective.sentence_gains(rows)
    chosen: NDArray[np.int64] = np.array(
        [
            first + int(np.argmax(alone[first : first + size]))
            for first, size in zip(offsets[:-1].tolist(), sizes, strict=True)
        ]
    )
    total = rows[chosen].sum(axis=0)
    for _ in range(_PASSES):
        before = chosen.copy()
        for segment, size in enumerate(sizes):
            first = int(offsets[segment])
            others = total - rows[chosen[segment]]
            gains = objective.gains(others + rows[first : first + size])
            place = first + int(np.argmax(gains))
            if gains[place - first] > gains[chosen[segment] - first]:
                chosen[segment] = place
                total = others + rows[place]
        if (before == chosen).all():
            break
    flat = [text for texts in lists for text in texts]
    return [flat[place] for place in chosen.tolist()]


@dataclass(frozen=True)
class Oracles(Result):
    """What an engine said, and what it could have said."""

    kind: ClassVar[str] = "oracles"

    label: str  # of the metric
    metric: str  # signature
    values: tuple[tuple[str, float, float], ...]  # chosen from what, value, length ratio
    n_segments: int

    def tables(self) -> list[Table]:
        """One row for each set of translations that was chosen from."""
        columns = [Column("chosen_from", "chosen from"), Column("value", self.label, digits=2)]
        columns.append(Column("length_ratio", "length", digits=3))
        note = "Oracles are found by looking for them: the best there is may be better still."
        return [Table.of("Oracles", columns, list(self.values), note=note)]

    def meta(self) -> dict[str, Any]:
        """The metric and the number of segments."""
        return {"metric": self.metric, "segments": self.n_segments}


def measure_oracles(
    engine: Engine,
    test: TestSet,
    *,
    sizes: Sequence[int] = (10, 100),
    graph: bool = True,
    metric: Metric | str = "bleu:tokeniser=none",
    limits: SearchLimits | None = None,
    n_threads: int = 1,
) -> Oracles:
    """The metric of an engine's output, of the best in its lists of `sizes`, and of the best in its search graphs.

    Source and references are raw text, prepared as the engine's recipe says, so the metric sees tokens. The distance
    from the first to the last is what better weights, or reranking, could gain; beyond it the models must change.
    """
    from dragoman.smt.tune.engine import prepared_references
    from dragoman.smt.tune.objective import Objective

    src_lines, references = held_out_sides(test)
    if any(size < 1 for size in sizes):
        raise DataError(f"A list has one translation or more, got sizes={tuple(sizes)}.")
    sources = engine.source.prepare(src_lines, n_threads=n_threads)
    prepared = prepared_references(engine, references, n_threads=n_threads)
    objective = Objective(metric, prepared, n_threads=n_threads)
    outputs: dict[str, list[str]] = {}
    for size in sorted({1, *sizes}):
        lists = engine.decode(sources, n_best=size, limits=limits, n_threads=n_threads)
        name = "the model's best" if size == 1 else f"{size}-best list"
        outputs[name] = best_of_lists(lists, prepared, metric=metric, n_threads=n_threads)
    if graph:
        graphs = engine.graphs(sources, limits=limits, n_threads=n_threads)
        outputs["search graph"] = best_of_graphs(graphs, prepared, metric=metric, n_threads=n_threads)
    values = []
    for name, texts in outputs.items():
        gain = objective.gain(objective.rows(np.arange(len(objective)), texts).sum(axis=0))
        words = sum(len(text.split()) for text in texts)
        values.append((name, objective.shown(gain), words / (objective.words * len(objective))))
    signature = objective.metric.signature(objective.refs.nrefs)
    return Oracles(objective.metric.label, signature, tuple(values), len(objective))
